"""Measurements kept as JSON files, and a comparison of two of them.

A file has the measurements of one `thinktime bench --save FILE`. Either side of a comparison is a file or a folder of
files; of a folder the best value of each row counts, and the spread of its files says how noisy the row is.
"""

from __future__ import annotations

import datetime
import json
import math
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from thinktime import __version__
from thinktime.errors import InputError
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime_bench.measurement import Measurement, higher_is_better

#: Changes of up to this share are noise: the best of several repetitions differs so much on a shared machine.
NOISE = 0.1
#: Details that show whether two rows did the same work.
SAME_WORK = ("jobs", "events", "mean_wait_s")

Row = tuple[str, str]  # part and name of a measurement


@dataclass(frozen=True)
class Change:
    """A row that both sides have."""

    part: str
    name: str
    unit: str
    before: float
    after: float
    noise: float  # share that repetitions differ by
    same_work: bool  # the same jobs, events and mean wait

    @property
    def ratio(self) -> float:
        """How much better the row became: 2 is twice as fast, or half as large."""
        return self.after / self.before if higher_is_better(self.unit) else self.before / self.after

    @property
    def verdict(self) -> str:
        if abs(math.log(self.ratio)) <= math.log(1 + self.noise):
            return "same"
        return "better" if self.ratio > 1 else "worse"

    def to_dict(self) -> JsonDict:
        return {**vars(self), "ratio": self.ratio, "verdict": self.verdict}


def content_of(measurements: Iterable[Measurement]) -> JsonDict:
    """Return what `--json` prints and `--save` writes."""
    return {
        "version": __version__,
        "date": datetime.date.today().isoformat(),
        "python": platform.python_version(),
        "processor": platform.machine(),
        "measurements": [one.to_dict() for one in measurements],
    }


def save(content: JsonTable, path: Path) -> None:
    if path.exists():
        raise InputError(f"{path} exists: choose another file for --save")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def compare(before: Path, after: Path) -> list[Change]:
    """Return the rows that both files (or folders of files) have, in the order of the second."""
    first, second = _rows(before), _rows(after)
    found = [_change(first[row], second[row]) for row in second if row in first]
    if not found:
        raise InputError(f"{before} and {after} have no measurement in common: measure the same parts")
    return found


def _change(before: Sequence[JsonTable], after: Sequence[JsonTable]) -> Change:
    old, new = _best_row(before), _best_row(after)
    same = all(_equal(old.get(key), new.get(key)) for key in SAME_WORK)
    noise = max(NOISE, _relative_spread(before), _relative_spread(after))
    return Change(new["part"], new["name"], new["unit"], old["value"], new["value"], noise, same)


def _best_row(rows: Sequence[JsonTable]) -> JsonTable:
    choose = max if higher_is_better(rows[0]["unit"]) else min
    return choose(rows, key=lambda row: row["value"])


def _relative_spread(rows: Sequence[JsonTable]) -> float:
    values = [row["value"] for row in rows]
    return max(values) / min(values) - 1


def _equal(one: object, other: object) -> bool:
    return one == other or (isinstance(one, float) and isinstance(other, float) and math.isclose(one, other))


def _rows(place: Path) -> dict[Row, list[JsonTable]]:
    """Part and name → the measurements of a file, or of all files of a folder."""
    files = sorted(place.glob("*.json")) if place.is_dir() else [place]
    if not files:
        raise InputError(f"{place} has no .json file: write one with thinktime bench --save")
    found: dict[Row, list[JsonTable]] = {}
    for file in files:
        for row in _read_measurements(file):
            found.setdefault((row["part"], row["name"]), []).append(row)
    return found


def _read_measurements(file: Path) -> list[JsonTable]:
    """The finished measurements of a file."""
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))["measurements"]
        return [row for row in rows if row["finished"] and row["value"] > 0 and row["part"] and row["name"]]
    except OSError as error:
        raise InputError(f"Cannot open {file}: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{file} is not a file of thinktime bench --save") from None
