"""What the commands print for people: labelled rows, tables of metrics, JSON for machines."""

from __future__ import annotations

import json
import math
import shlex
import sys
import textwrap
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import typer

from thinktime import terminal
from thinktime.cli import values

LABEL = 11  # columns of the labels at the left
WIDTH = 110  # where nobody can tell us one


@cache
def console() -> Any:
    """Standard output. Nothing is coloured or cut where it is no terminal."""
    return terminal.console(width=None if sys.stdout.isatty() else WIDTH)


def heading(text: str) -> None:
    from rich.text import Text

    console().print(Text(text, style="bold"), soft_wrap=True)


def row(label: str, *lines: str) -> None:
    """A label and its lines, wrapped under each other; a path is never broken."""
    from rich.text import Text

    width = max(console().width - LABEL - 3, 40)
    wrapped = [
        part
        for line in lines
        for part in textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
    ]
    for k, part in enumerate(wrapped):
        text = Text(f"  {label if k == 0 else '':<{LABEL}}", style="cyan")
        console().print(text.append(part, style="default"), soft_wrap=True)


def command(*words: object) -> str:
    """Return a command of ours as one pastes it into a shell: a name with a space is quoted."""
    return shlex.join(["thinktime", *map(str, words)])


def commands(label: str, *lines: str) -> None:
    """Print a label and its commands, one per line; a command is never wrapped, so that it can be copied."""
    from rich.text import Text

    for k, line in enumerate(lines):
        text = Text(f"  {label if k == 0 else '':<{LABEL}}", style="cyan")
        console().print(text.append(line, style="default"), soft_wrap=True)


def blank() -> None:
    console().print()


def as_json(value: Any) -> None:
    """One JSON object and nothing else; what is not a number is null."""
    from thinktime.result.canonical import jsonable

    typer.echo(terminal.plain_json(json.dumps(jsonable(value), indent=1, ensure_ascii=False, allow_nan=False)))


#: What a run is first judged by; the other metrics are in run.json and in --json.
MAIN = (
    *("wait_mean_s", "wait_median_s", "wait_p95_s", "wait_max_s", "response_mean_s"),
    *("slowdown_mean", "bounded_slowdown_mean", "bounded_slowdown_median", "bounded_slowdown_p95"),
    *("utilisation", "offered_load", "throughput_per_day", "makespan_s"),
    *("queued_jobs_mean", "queued_jobs_max", "loss_of_capacity"),
)


def metrics(summary: Any) -> None:
    """The main metrics of a run: exact, and durations also in the unit one thinks in."""
    from thinktime.metrics import EVERY_METRIC

    rows = {}
    for name in (*MAIN, *_besides(summary)):
        value, unit = summary[name], EVERY_METRIC[name].unit
        if not missing(value):
            words = values.words(value) if unit == "s" else ""
            rows[name] = (EVERY_METRIC[name].label, number(value), unit, words)
    room = console().width - sum(max(len(row[k]) for row in rows.values()) + 4 for k in range(4)) if rows else 0
    marks, legend = _marks({name: summary.cautions.of(name).short() for name in rows}, room)
    table = new_table("metric", "value", "", "that is")
    if any(marks.values()):
        table.add_column("caution", no_wrap=True)
    for name, cells in rows.items():
        table.add_row(*cells, *([marks[name]] if any(marks.values()) else []))
    show(table)
    for letter, words in legend.items():
        row("", f"{letter}  {words}")
    for reason, names in _missing_by_reason(summary).items():
        row("", f"not shown: {'; '.join(EVERY_METRIC[name].label for name in names)} ({reason})")


def _marks(said: dict[str, str], room: int) -> tuple[dict[str, str], dict[str, str]]:
    """What stands beside each metric: words, or letters with a legend where words do not fit."""
    if max(map(len, said.values()), default=0) <= room:
        return said, {}
    letters = dict(zip(dict.fromkeys(filter(None, said.values())), "abcdefghijklmnopqrstuvwxyz", strict=False))
    return {name: letters.get(words, "") for name, words in said.items()}, {k: w for w, k in letters.items()}


def _besides(summary: Any) -> list[str]:
    """What only such runs have: plugins, and jobs that were looked into."""
    from thinktime.metrics import METRICS

    return [name for name in summary.values if name not in METRICS]


def _missing_by_reason(summary: Any) -> dict[str, list[str]]:
    absent = [name for name in MAIN if missing(summary[name])]
    reasons = dict.fromkeys(summary.notes.get(name, "undefined") for name in absent)
    return {reason: [name for name in absent if summary.notes.get(name, "undefined") == reason] for reason in reasons}


def cautions(found: Any) -> None:
    """What happened to jobs that changes what the metrics mean; nothing if nothing happened."""
    for sentence in found.sentences():
        row("caution", sentence)


def comparison(summaries: Mapping[str, Any]) -> None:
    """The main metrics of several runs beside each other, in units one thinks in."""
    from thinktime.metrics import EVERY_METRIC

    table = new_table("metric", *summaries)
    for name in MAIN:
        unit = EVERY_METRIC[name].unit
        found = [summary[name] for summary in summaries.values()]
        cells = map(values.words, found) if unit == "s" else (f"{number(value)} {unit}".strip() for value in found)
        table.add_row(EVERY_METRIC[name].label, *cells)
    show(table)
    from thinktime.metrics import compared

    if said := compared({name: summary.cautions for name, summary in summaries.items()}):
        blank()
        for sentence in said:
            row("caution", sentence)


def new_table(first: str, *columns: str) -> Any:
    """A table whose first column is words and whose others are numbers, empty heads excepted (units)."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, show_edge=False, padding=(0, 1))
    table.add_column(first, no_wrap=True)
    for name in columns:
        table.add_column(Text(terminal.plain(name)), justify="right" if name else "left")
    return table


def show(table: Any) -> None:
    from rich.padding import Padding

    console().print(Padding(table, (0, 0, 0, 1), expand=False))


def missing(value: float | None) -> bool:
    return value is None or math.isnan(value)


def number(value: float | None) -> str:
    """Thousands separated; four digits that matter where there are decimals."""
    if value is None or math.isnan(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 or value == round(value) else f"{value:,.4g}"


NO_CUTS = "no warm-up or cool-down cut"


def coverage(summary: Any) -> list[str]:
    """Over which jobs and which window the metrics are: without it they could not be compared."""
    settings = summary.settings
    t1, t2 = (values.words(time) for time in settings["window_s"])
    cuts = [
        f"{name} of {values.words(settings[key])} cut"
        for name, key in (("warm-up", "warmup_s"), ("cool-down", "cooldown_s"))
    ]
    asked = settings["warmup_s"] or settings["cooldown_s"]
    left_out = ", ".join(f"{count:,} {reason}" for reason, count in summary.excluded.items()) or "none"
    killed = summary["killed"] if "killed" not in settings["exclude"] else 0
    among = f", {killed:,} of them killed" if killed else ""
    return [
        f"{summary['jobs_counted']:,} of {summary['jobs']:,} jobs{among}; left out: {left_out}",
        f"window {t1} to {t2} of the workload's time, {' and '.join(cuts) if asked else NO_CUTS};"
        f" bounded slowdown with tau {settings['tau_s']:g} s",
    ]


def rate(count: int, what: str, seconds: float) -> str:
    """Millions a second."""
    return f"{count / seconds / 1e6:.3g} M {what}/s" if seconds > 0 else "too fast to tell"


def paths(items: Iterable[Any]) -> list[str]:
    return [str(item) for item in items]
