"""`thinktime demo`: a generated workload under two schedulers, with figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from thinktime.cli import log_argument, parsing, printing, run_folders
from thinktime.cli.options import USUAL_READING, Json, file_path, flag, option, option_group, with_options
from thinktime.cli.printing import figure_files
from thinktime.cli.printing.progress import Stage

if TYPE_CHECKING:
    from thinktime.result import Result
    from thinktime.workload import Workload

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

SCHEDULERS = ("fcfs", "easy")
WORKLOAD = "workload.swf"


@option_group()
class DemoOptions:
    """Where the demonstration goes."""

    out: Path = option("--out", file_path, default="demo", metavar="DIR", help="Folder for the results.")
    seed: int = option("--seed", parsing.whole, default="1", metavar="N", help="Random seed of the workload.")
    overwrite: bool = flag("--overwrite", help="Replace the runs of an earlier demonstration.")


@app.command("demo")
@with_options
def demo(given: DemoOptions, as_json: Json = False) -> None:
    """Generate a workload, simulate it under two schedulers and draw the results. Takes seconds, needs no log.

    The workload has eight weeks. The schedulers are first come, first served and
    EASY backfilling.

    Example: thinktime demo --out demo
    """
    out, overwrite = given.out, given.overwrite
    for name in SCHEDULERS:
        run_folders.require_free(out / name, overwrite)
    workload, _ = log_argument.read("default", USUAL_READING, seed=given.seed)
    results = {name: _simulate_and_save(workload, name, out / name, overwrite) for name in SCHEDULERS}
    log = _write_log(workload, out / WORKLOAD)
    with Stage("drawing"):
        drawn = _draw_demo(workload, results, out)
    summaries = {name: result.summary() for name, result in results.items()}
    _print_demo_json(out, log, results, summaries, drawn) if as_json else _print_demo(
        workload, out, log, summaries, drawn
    )


def _simulate_and_save(workload: Workload, scheduler: str, directory: Path, overwrite: bool) -> Result:
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


def _draw_demo(workload: Workload, results: dict[str, Result], out: Path) -> list[Path]:
    drawn = figure_files.of_workload(workload, out / figure_files.FOLDER, ("png",), all_panels=False)
    for name, result in results.items():
        drawn += figure_files.of_run(result, out / name / figure_files.FOLDER, ("png",), all_panels=False)
    return drawn


def _print_demo(workload: Workload, out: Path, log: Path, summaries: dict[str, Any], drawn: list[Path]) -> None:
    from thinktime.cli.printing.run_lines import account_lines

    printing.heading("default workload, two schedulers")
    printing.row("workload", *account_lines(workload.account), str(log))
    printing.row("machine", f"{workload.machine_processors:,} processors")
    for name, summary in summaries.items():
        printing.row(name, "; ".join(printing.coverage(summary)))
    printing.blank()
    printing.comparison(summaries)
    printing.blank()
    printing.row("results", *(str(out / name) for name in summaries))
    printing.row("figures", *printing.paths(drawn))
    printing.commands(
        "next", printing.command("inspect", out / "easy"), printing.command("run", log, "--scheduler", "conservative")
    )


def _print_demo_json(
    out: Path, log: Path, results: dict[str, Result], summaries: dict[str, Any], drawn: list[Path]
) -> None:
    runs = {
        name: {"spec": result.spec, "digest": result.digest, "summary": summaries[name].to_dict()}
        | {"statistics": result.statistics, "path": str(out / name)}
        for name, result in results.items()
    }
    printing.as_json({"runs": runs, "paths": {"workload": str(log), "figures": printing.paths(drawn)}})
