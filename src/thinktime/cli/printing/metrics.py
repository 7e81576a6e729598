"""Tables of metrics and distributions, cautions, and which jobs were counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from thinktime.cli.printing.layout import blank, console, new_table, row, show
from thinktime.cli.printing.numbers import duration, missing, number
from thinktime.support.json_types import JsonTable

if TYPE_CHECKING:
    from thinktime.metrics import Cautions, Summary


def metrics(summary: Summary) -> None:
    """Print the main metrics of a run: exact values, and durations also in a convenient unit."""
    from thinktime.metrics import CATALOGUE

    rows = {}
    for name in (*CATALOGUE.main(), *_besides(summary)):
        value, unit = summary[name], CATALOGUE[name].unit
        if not missing(value):
            words = duration(value) if unit == "s" else ""
            rows[name] = (CATALOGUE[name].label, number(value), unit, words)
    room = console().width - sum(max(len(row[k]) for row in rows.values()) + 4 for k in range(4)) if rows else 0
    marks, legend = _marks({name: summary.cautions.of(name).short() for name in rows}, room)
    table = new_table("metric", "value", "", "≈")
    if any(marks.values()):
        table.add_column("caution", no_wrap=True)
    for name, cells in rows.items():
        table.add_row(*cells, *([marks[name]] if any(marks.values()) else []))
    show(table)
    for letter, words in legend.items():
        row("", f"{letter}  {words}")
    for reason, names in _missing_by_reason(summary).items():
        row("", f"not shown: {'; '.join(CATALOGUE[name].label for name in names)} ({reason})")


def _marks(said: dict[str, str], room: int) -> tuple[dict[str, str], dict[str, str]]:
    """Return a caution per metric: words, or letters with a legend where words do not fit."""
    if max(map(len, said.values()), default=0) <= room:
        return said, {}
    letters = dict(zip(dict.fromkeys(filter(None, said.values())), "abcdefghijklmnopqrstuvwxyz", strict=False))
    return {name: letters.get(words, "") for name, words in said.items()}, {k: w for w, k in letters.items()}


def _besides(summary: Summary) -> list[str]:
    """Return the metrics that only some runs have: of plugins and of application models."""
    from thinktime.metrics import CATALOGUE

    every = CATALOGUE.every_run()
    return [name for name in summary.values if name not in every]


def _missing_by_reason(summary: Summary) -> dict[str, list[str]]:
    from thinktime.metrics import CATALOGUE

    absent = [name for name in CATALOGUE.main() if missing(summary[name])]
    reasons = dict.fromkeys(summary.notes.get(name, "undefined") for name in absent)
    return {reason: [name for name in absent if summary.notes.get(name, "undefined") == reason] for reason in reasons}


#: key of a distribution in --json → head of its column
HEADS = {"known": "n", "least": "min", "most": "max"}


def distributions(rows: Mapping[str, tuple[JsonTable, bool]]) -> None:
    """Print one row per distribution. `rows`: label → (statistics by key, whether they are durations)."""
    filled = {label: row for label, row in rows.items() if row[0]["known"]}
    keys = next((list(of) for of, _ in filled.values()), [])
    table = new_table("distribution", *(HEADS.get(key, key) for key in keys))
    for label, (of, durations) in filled.items():
        shown = duration if durations else number
        table.add_row(label, *(f"{of[key]:,}" if key == "known" else shown(of[key]) for key in keys))
    show(table)


def cautions(found: Cautions) -> None:
    """Print what happened to jobs that changes the meaning of the metrics."""
    for sentence in found.sentences():
        row("caution", sentence)


def comparison(summaries: Mapping[str, Summary]) -> None:
    """Print the main metrics of several runs in one table, in convenient units."""
    from thinktime.metrics import CATALOGUE

    table = new_table("metric", *summaries)
    for name in CATALOGUE.main():
        unit = CATALOGUE[name].unit
        found = [summary[name] for summary in summaries.values()]
        cells = map(duration, found) if unit == "s" else (f"{number(value)} {unit}".strip() for value in found)
        table.add_row(CATALOGUE[name].label, *cells)
    show(table)
    from thinktime.metrics import compared

    if said := compared({name: summary.cautions for name, summary in summaries.items()}):
        blank()
        for sentence in said:
            row("caution", sentence)


NO_CUTS = "no warm-up or cool-down excluded"


def coverage(summary: Summary) -> list[str]:
    """Return which jobs and which window the metrics cover."""
    settings = summary.settings
    t1, t2 = (duration(time) for time in settings["window_s"])
    cuts = [
        f"{name} of {duration(settings[key])} excluded"
        for name, key in (("warm-up", "warmup_s"), ("cool-down", "cooldown_s"))
    ]
    asked = settings["warmup_s"] or settings["cooldown_s"]
    left_out = ", ".join(f"{count:,} {reason}" for reason, count in summary.excluded.items()) or "none"
    killed = summary["killed"] if "killed" not in settings["exclude"] else 0
    among = f", {killed:,} of them killed" if killed else ""
    return [
        f"{summary['jobs_counted']:,} of {summary['jobs']:,} jobs{among}; excluded: {left_out}",
        f"window {t1} to {t2}; {' and '.join(cuts) if asked else NO_CUTS};"
        f" bounded slowdown threshold {settings['tau_s']:g} s",
    ]
