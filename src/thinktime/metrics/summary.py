"""A summary: the metrics of one run, with the jobs and the window that they cover."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

from thinktime.errors import InputError
from thinktime.metrics.catalogue import CATALOGUE
from thinktime.metrics.cautions import Cautions
from thinktime.spec import suggestion

WIDTH = 98  # of printed sentences
CAUTION_STYLE = "background: #fdf6ec; border-left: 4px solid #E69F00; padding: .3em 1em .3em 1.6em; color: #222"


@dataclass(frozen=True, eq=False)
class Summary:
    """Iterates as rows (name, value, unit); `summary["wait_mean_s"]` is one value.

    An undefined value is NaN, one that was not computed is None; `notes` gives the reason. JSON has null for both.
    """

    values: Mapping[str, float | int | None]
    settings: Mapping[str, Any]  # window_s, warmup_s, cooldown_s, tau_s, exclude
    excluded: Mapping[str, int] = field(default_factory=dict)  # reason → jobs that are not counted
    notes: Mapping[str, str] = field(default_factory=dict)  # name → why there is no value
    cautions: Cautions = field(default_factory=Cautions)  # what changes the meaning of the values

    def __iter__(self) -> Iterator[tuple[str, float | int | None, str]]:
        return ((name, value, CATALOGUE[name].unit) for name, value in self.values.items())

    def __getitem__(self, name: str) -> float | int | None:
        if name not in self.values:
            near = suggestion(name, self.values)
            raise InputError(f"unknown metric {name!r}{near}: choose from {', '.join(self.values)}")
        return self.values[name]

    def with_values(self, more: Mapping[str, float | int | None]) -> Summary:
        """Return the summary with `more` values by the names of metrics."""
        return replace(self, values={**self.values, **more})

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other.to_dict() if isinstance(other, Summary) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: every value by name, with `settings`, `excluded`, `notes` and `cautions`."""
        values = {name: None if _missing(value) else value for name, value in self.values.items()}
        settings = {name: _jsonable(value) for name, value in self.settings.items()}
        said = {"settings": settings, "excluded": dict(self.excluded), "notes": dict(self.notes)}
        return {**values, **said, "cautions": self.cautions.to_dict()}

    def __repr__(self) -> str:
        cautions = f"; {self.cautions.short()}" if self.cautions else ""
        main = [name for name in CATALOGUE.default() if name in self.values]
        found = "".join(f", {name} {number(self.values[name])}" for name in main)
        return (
            f"<Summary: {self.values.get('jobs_counted')} of {self.values.get('jobs')} jobs counted{found}{cautions}>"
        )

    def _repr_html_(self) -> str:
        return summary_table(self)

    def __str__(self) -> str:
        labels = max(len(CATALOGUE[name].label) for name in self.values)
        digits = max(len(number(value)) for value in self.values.values())
        rows = [f"{CATALOGUE[name].label:<{labels}}  {self._cell(name, digits)}" for name in self.values]
        return "\n".join([*self._head(), *rows])

    def _cell(self, name: str, digits: int) -> str:
        """Return the value and its unit, or a dash and the reason."""
        value = self.values[name]
        after = f"({self.notes.get(name, 'undefined')})" if _missing(value) else CATALOGUE[name].unit
        mark = self.cautions.of(name).short()
        return f"{number(value):>{digits}} {after}".rstrip() + (f"  [{mark}]" if mark else "")

    def _head(self) -> list[str]:
        """Return the lines above the table: window, cuts, excluded jobs and cautions."""
        t1, t2 = self.settings["window_s"]
        warmup, cooldown, tau = (number(self.settings[name]) for name in ("warmup_s", "cooldown_s", "tau_s"))
        left_out = ", ".join(f"{count} {reason}" for reason, count in self.excluded.items())
        states = ", ".join(self.settings["exclude"])
        return [
            f"window {number(t1)} s to {number(t2)} s, warm-up cut {warmup} s, cool-down cut {cooldown} s; tau {tau} s",
            f"not counted: {left_out or 'none'}; excluded by status: {states or 'none'}",
            *(line for sentence in self.cautions.sentences() for line in textwrap.wrap(sentence, WIDTH)),
        ]


def number(value: float | int | None) -> str:
    """At most four decimals, none that are zero."""
    if value is None or math.isnan(value):
        return "–"
    return str(value) if isinstance(value, int) else f"{round(value, 4):.15g}"


def _missing(value: float | int | None) -> bool:
    return value is None or math.isnan(value)


def _jsonable(value: object) -> Any:
    if isinstance(value, (tuple, list)):
        return [_jsonable(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


# --- HTML, for notebooks ----------------------------------------------------------------------------------------


def summary_table(summary: Summary, head: str = "") -> str:
    """Return the cautions, then one row per metric."""
    rows = []
    for name, value, unit in summary:
        cells = (CATALOGUE[name].label, number(value), unit, summary.cautions.of(name).short())
        rows.append("".join(f"<td>{escape(cell)}</td>" for cell in cells))
    lines = "".join(f"<tr>{row}</tr>" for row in rows)
    columns = "".join(f"<th>{name}</th>" for name in ("metric", "value", "unit", "caution"))
    return (
        f"{head}{caution_list(summary.cautions)}<table><thead><tr>{columns}</tr></thead><tbody>{lines}</tbody></table>"
    )


def caution_list(cautions: Cautions) -> str:
    """Return the cautions as a list; empty without cautions."""
    said = "".join(f"<li>{escape(sentence)}</li>" for sentence in cautions.sentences())
    return f'<ul style="{CAUTION_STYLE}">{said}</ul>' if said else ""


def result_table(result: Any) -> str:
    """A run: its name, and its summary."""
    head = f"<p>{escape(f'Result {result.digest[:12]}: {len(result):,} jobs on {result.processors:,} processors')}</p>"
    return summary_table(result.summary(), head)
