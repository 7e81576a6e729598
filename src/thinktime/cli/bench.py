"""`thinktime bench`: how fast the engine is here, against its goals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from thinktime.cli import options as o
from thinktime.errors import InputError

if TYPE_CHECKING:
    from thinktime.bench import Measurement

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

Folder = Annotated[
    Path | None,
    Option("--logs", help="Folder of the logs; by default the logs folder (see `thinktime logs`)."),
]
Quick = Annotated[bool, Option("--quick", help="One small log, one repetition.")]


@app.command("bench")
def bench(logs: Folder = None, quick: Quick = False, as_json: o.Json = False) -> None:
    """How fast the engine is here, against its goals.

    Simulates the logs that are there (KTH, CTC, HPC2N, Curie, RICC), else the
    default workload, under FCFS, EASY and Conservative. Reading, writing and
    the timeline are not timed. Events and mean wait show that the answer is
    still the same one; goals are for HPC2N.

    Example: thinktime bench --quick
    """
    if logs is not None and not logs.is_dir():
        raise InputError(f"{logs} is no folder: give the folder that the logs are in")
    from thinktime.bench import main
    from thinktime.cli import say
    from thinktime.cli.progress import Stage

    with Stage("measuring"):
        found = main(logs, quick=quick)
    say.as_json({"measurements": [one.to_dict() for one in found]}) if as_json else _print(found)


def _print(found: list[Measurement]) -> None:
    from thinktime.cli import say

    for name in dict.fromkeys(one.workload for one in found):
        rows = [one for one in found if one.workload == name]
        say.heading(f"{name}, {rows[0].processors:,} processors")
        table = say.new_table("scheduler", *HEADS, "")
        for one in rows:
            table.add_row(one.scheduler, *_cells(one))
        say.show(table)
        say.blank()
    say.row("engine", "alone, the best repetition: jobs in memory in, starts out; no timeline, no files")


HEADS = ("jobs", "events", "mean wait", "CPU", "M jobs/s", "ns/event", "goal")


def _cells(one: Measurement) -> list[str]:
    goal = "" if one.goal_jobs_per_s is None else f"{one.goal_jobs_per_s / 1e6:g}"
    verdict = {None: "", True: "met", False: "missed"}[one.met]
    return [
        f"{one.jobs:,}",
        f"{one.events:,}",
        f"{one.mean_wait_s:,.1f} s",
        f"{one.cpu_s:.3g} s",
        f"{one.jobs_per_s / 1e6:.3g}",
        f"{one.ns_per_event:,.0f}",
        goal,
        verdict if one.finished else "given up",
    ]
