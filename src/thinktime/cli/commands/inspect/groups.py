"""A saved run by the values of a column: jobs, waits and slowdowns of users, sizes or attributes."""

from __future__ import annotations

from pathlib import Path

from thinktime.cli import printing
from thinktime.support import terminal
from thinktime.support.json_types import JsonDict

LISTED = 40  # values that are printed; --json has all


def facts_by(directory: Path, column: str) -> JsonDict:
    """Return one row per value of a column, as `Result.by` does."""
    from thinktime.result import Result

    return {"run": str(directory), "by": column, "values": Result.load(directory).by(column).to_dicts()}


def print_by(facts: JsonDict) -> None:
    from rich.text import Text

    values = sorted(facts["values"], key=lambda each: -each["jobs"])
    printing.heading(f"{facts['run']} by {facts['by']}")
    table = printing.new_table(facts["by"], "jobs", "mean wait", "mean bounded slowdown", "processor-hours")
    for each in values[:LISTED]:
        name = "none" if each[facts["by"]] is None else str(each[facts["by"]])
        wait, slowdown = printing.duration(each["mean_wait_s"]), printing.number(each["mean_bounded_slowdown"])
        table.add_row(
            Text(terminal.plain(name)), f"{each['jobs']:,}", wait, slowdown, f"{each['processor_s'] / 3600:,.1f}"
        )
    printing.show(table)
    if len(values) > LISTED:
        printing.row("others", f"{len(values) - LISTED:,} values with fewer jobs: --json lists all")
