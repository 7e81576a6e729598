"""`thinktime run`: simulate a log under one or several schedulers and write run directories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from thinktime.cli import printing, run_folders
from thinktime.cli.commands.run.options import (
    MetricOptions,
    NodeOptions,
    OutputOptions,
    Request,
    SimulationOptions,
)
from thinktime.cli.options import (
    Json,
    Log,
    MachineOptions,
    ReadingOptions,
    RuleOptions,
    SchedulerOptions,
    UserOptions,
    with_options,
)
from thinktime.errors import InputError
from thinktime.support import terminal

if TYPE_CHECKING:
    from thinktime.cli.commands.run.finished import FinishedRun

app = typer.Typer(add_completion=False, rich_markup_mode="rich")


@app.command("run")
@with_options
def run(
    log: Log,
    platform: MachineOptions,
    schedulers: SchedulerOptions,
    users: UserOptions,
    nodes: NodeOptions,
    simulation: SimulationOptions,
    reading: ReadingOptions,
    rules: RuleOptions,
    metrics: MetricOptions,
    output: OutputOptions,
    as_json: Json = False,
) -> None:
    """Simulate a log and write a run directory.

    With several --scheduler, each simulation gets its own run directory, and a table compares them.

    Durations are seconds, or have a unit: 90m, 12h, 7d.

    Example: thinktime run default --scheduler easy:order=sjf --warmup 7d

    Example: thinktime run KTH-SP2-1996-2.1-cln --scheduler fcfs --scheduler easy

    Example: thinktime run KTH-SP2-1996-2.1-cln.swf.gz --out kth --csv

    Example: thinktime run HPC2N-2002-2.2-cln --cluster seth --allocator best-fit

    Example: thinktime run default --applications loop:technique=fac,variation=0.2
    """
    first = Request(
        log=log,
        scheduler=schedulers.scheduler[0],
        out=output.out,
        platform=platform,
        users=users,
        nodes=nodes,
        simulation=simulation,
        reading=reading,
        rules=rules,
        metrics=metrics,
        output=output,
    )
    requests = [first] if len(schedulers.scheduler) == 1 else _one_per_scheduler(first, schedulers)
    if output.stream:
        from thinktime.cli.commands.run.streamed import run_streamed as simulate
    else:
        from thinktime.cli.commands.run.in_memory import run_in_memory as simulate
    _print_runs(simulate(requests), first, as_json)


def _print_runs(done: Sequence[FinishedRun], first: Request, as_json: bool) -> None:
    for each in done:
        for caution in each.summary.cautions.warned():
            label = f"{each.scheduler}: " if len(done) > 1 else ""
            terminal.line(f"thinktime: warning: {label}{caution.sentence}", err=True)
    if len(done) == 1:
        printing.as_json(done[0].to_dict()) if as_json else done[0].print(first)
        return
    from thinktime.cli.commands.run.several import print_several, print_several_json

    print_several_json(done) if as_json else print_several(done)


def _one_per_scheduler(first: Request, schedulers: SchedulerOptions) -> list[Request]:
    """Return one request per scheduler; with --out, each has a folder there, named after its scheduler."""
    texts = [scheduler.text() for scheduler in schedulers.scheduler]
    twice = next((text for text in texts if texts.count(text) > 1), None)
    if twice is not None:
        raise InputError(f"--scheduler {twice} is given twice: give each scheduler once")
    folders = [None if first.out is None else first.out / run_folders.folder_name(text) for text in texts]
    pairs = zip(schedulers.scheduler, folders, strict=True)
    return [replace(first, scheduler=scheduler, out=folder) for scheduler, folder in pairs]
