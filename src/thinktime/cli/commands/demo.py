"""`thinktime demo`: the package's own workload, scheduled twice, with pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from thinktime.cli import options as o
from thinktime.cli import printing, run_folders
from thinktime.cli.parsing import whole
from thinktime.cli.printing import figure_files
from thinktime.cli.printing.progress import Stage

if TYPE_CHECKING:
    from thinktime.result import Result
    from thinktime.workload import Workload

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

SCHEDULERS = ("fcfs", "easy")
WORKLOAD = "workload.swf"

Place = Annotated[Path, Option("--out", help="Folder of the demonstration.")]
Again = Annotated[bool, Option("--overwrite", help="Replace the runs of an earlier demonstration.")]
Seed = Annotated[str, Option("--seed", metavar="N", help="Another seed, another workload.")]


@app.command("demo")
def demo(out: Place = Path("demo"), seed: Seed = "1", overwrite: Again = False, as_json: o.Json = False) -> None:
    """A first look, in a few seconds and without any log.

    Generates a workload of eight weeks, schedules it first come, first served
    and with EASY backfilling, compares the two, and draws them.

    Example: thinktime demo --out demo
    """
    from thinktime.cli.log_argument import Reading, read

    for name in SCHEDULERS:
        run_folders.require_free(out / name, overwrite)
    workload, _ = read("default", Reading(seed=whole("--seed", seed)))
    results = {name: _run(workload, name, out / name, overwrite) for name in SCHEDULERS}
    log = _write_log(workload, out / WORKLOAD)
    with Stage("drawing"):
        drawn = _draw(workload, results, out)
    summaries = {name: result.summary() for name, result in results.items()}
    _tell_json(out, log, results, summaries, drawn) if as_json else _tell(workload, out, log, summaries, drawn)


def _run(workload: Workload, scheduler: str, directory: Path, overwrite: bool) -> Result:
    from thinktime.platforms import Machine
    from thinktime.schedulers import Scheduler
    from thinktime.simulation import simulate
    from thinktime.spec import as_spec

    machine = Machine(processors=workload.machine_processors or 1)
    result = simulate(workload, machine, as_spec(Scheduler, scheduler))
    result.save(run_folders.prepare(directory), overwrite)
    return result


def _write_log(workload: Workload, path: Path) -> Path:
    from thinktime.workload import write_swf

    write_swf(workload, path)
    return path


def _draw(workload: Workload, results: dict[str, Result], out: Path) -> list[Path]:
    drawn = figure_files.of_workload(workload, out / figure_files.FOLDER, ("png",), all_panels=False)
    for name, result in results.items():
        drawn += figure_files.of_run(result, out / name / figure_files.FOLDER, ("png",), all_panels=False)
    return drawn


def _tell(workload: Workload, out: Path, log: Path, summaries: dict[str, Any], drawn: list[Path]) -> None:
    from thinktime.cli.commands.run.finished import account_lines

    printing.heading("the default workload under two schedulers")
    printing.row("workload", *account_lines(workload.account), str(log))
    printing.row("machine", f"{workload.machine_processors:,} processors")
    for name, summary in summaries.items():
        printing.row(name, "; ".join(printing.coverage(summary)))
    printing.blank()
    printing.comparison(summaries)
    printing.blank()
    printing.row("results", *(str(out / name) for name in summaries))
    printing.row("pictures", *printing.paths(drawn))
    printing.commands(
        "next", printing.command("inspect", out / "easy"), printing.command("run", log, "--scheduler", "conservative")
    )


def _tell_json(out: Path, log: Path, results: dict[str, Result], summaries: dict[str, Any], drawn: list[Path]) -> None:

    runs = {
        name: {"spec": result.spec, "digest": result.digest, "summary": summaries[name].to_dict()}
        | {"statistics": result.statistics, "path": str(out / name)}
        for name, result in results.items()
    }
    printing.as_json({"runs": runs, "paths": {"workload": str(log), "figures": printing.paths(drawn)}})
