"""Finds the columns of a record whose free text holds delimiters: sacct does not escape them.

Each column takes one field. A column of free text may take several, joined by the delimiter. Of the assignments in
which every field fits its column, the one with the fewest and most probable joined columns is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence

from thinktime.traces.sacct.fields import Field
from thinktime.traces.sacct.patterns import fits, in_order

MOST_EXTRA = 400  # delimiters inside the texts of one record
#: Kinds of columns that have commas inside, and names of some: 1 most probable.
_LISTS = {"list": 3, "tres": 1, "gres": 1}
_COMMAS = {"NodeList": 1, "Flags": 1}
_UNUSUAL = 2  # added for resources in another order than Slurm's
#: Added for an empty value where Slurm writes one for every job, by kind; jobs that never ran have no AllocTRES.
_EMPTY = dict.fromkeys(("job_id", "time", "duration", "minutes", "seconds", "whole", "number", "state", "exit_code"), 4)
_EMPTY |= {"memory": 4, "tres": 2}


class Realigner:
    """Assigns fields to columns; `work` counts the comparisons, so that a hostile file cannot take hours."""

    FREE_WORK, WORK_PER_RECORD = 5_000_000, 2_000

    def __init__(self, columns: Sequence[Field], delimiter: str) -> None:
        self.columns, self.delimiter, self.work = columns, delimiter, 0
        comma = "," in delimiter
        self._records = 0
        self._patterns: dict[int, tuple[int, ...]] | None = {} if comma else None  # fields → how many each column took
        self._absorbs = [_COMMAS.get(column.name, _LISTS.get(column.kind, 0)) if comma else 0 for column in columns]
        self._absorbs = [own or column.absorbs for own, column in zip(self._absorbs, columns, strict=True)]

    def align(self, fields: list[str]) -> list[str] | None:
        """Return one text per column; None if the fields do not fit."""
        extra = len(fields) - len(self.columns)
        if extra == 0:
            return fields if all(map(fits, self.columns, fields)) else None
        if extra < 0 or extra > MOST_EXTRA or self.exhausted:
            return None
        self._records += 1
        return self._as_before(fields) or self._cheapest(fields, extra)

    @property
    def exhausted(self) -> bool:
        """Whether records took far more comparisons than those of real files."""
        return self.work > self.FREE_WORK + self.WORK_PER_RECORD * self._records

    def _as_before(self, fields: list[str]) -> list[str] | None:
        """Return the texts if the assignment of the last record with as many fields fits: lists have commas."""
        taken = None if self._patterns is None else self._patterns.get(len(fields))
        if taken is None:
            return None
        texts = self._joined(fields, taken)
        return texts if all(map(fits, self.columns, texts)) and all(map(_usual, self.columns, texts)) else None

    def _cheapest(self, fields: list[str], extra: int) -> list[str] | None:
        """Walk the columns; `reached[shift]` is (cost, taken) of the best assignment with so many extra fields used."""
        reached: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
        for k, column in enumerate(self.columns):
            after: dict[int, tuple[int, tuple[int, ...]]] = {}
            for shift, (cost, taken) in reached.items():
                for used, price in self._takes(k, column, fields, shift, extra):
                    known = after.get(shift + used)
                    if known is None or cost + price < known[0]:
                        after[shift + used] = (cost + price, (*taken, used + 1))
            reached = after
        if extra not in reached:
            return None
        if self._patterns is not None:
            self._patterns[len(fields)] = reached[extra][1]
        return self._joined(fields, reached[extra][1])

    def _takes(self, k: int, column: Field, fields: list[str], shift: int, extra: int) -> list[tuple[int, int]]:
        """Return (extra fields used, price) of the texts that the column can take from here."""
        at, absorbs = k + shift, self._absorbs[k]
        found = [(0, _price_alone(column, fields[at]))] if fits(column, fields[at]) else []
        most = extra - shift if absorbs else 0
        self.work += 1 + most
        free = column.kind == "text"
        for used in range(1, most + 1):
            text = "" if free else self.delimiter.join(fields[at : at + used + 1])
            if free or fits(column, text):
                found.append((used, absorbs + (0 if _usual(column, text) else _UNUSUAL)))
        return found

    def _joined(self, fields: list[str], taken: tuple[int, ...]) -> list[str]:
        texts, at = [], 0
        for number in taken:
            texts.append(self.delimiter.join(fields[at : at + number]))
            at += number
        return texts


def _usual(column: Field, text: str) -> bool:
    return column.kind != "tres" or in_order(text)


def _price_alone(column: Field, text: str) -> int:
    """Return the price of one field: a shifted record has empty values in columns that are filled."""
    return 0 if text.strip() else _EMPTY.get(column.kind, 0)
