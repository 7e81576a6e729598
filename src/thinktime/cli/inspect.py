"""`thinktime inspect`: what is in a log, in a run directory, or in a cluster."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from thinktime.cli import options as o
from thinktime.cli import pictures, sources
from thinktime.cli.inspect_cluster import is_cluster
from thinktime.cli.progress import Stage
from thinktime.errors import InputError

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

Subject = Annotated[str, Argument(metavar="LOG", help="A log, `default`, a run directory, or a cluster.")]
Place = Annotated[Path | None, Option("--out", help="Folder for the figures; by default figures/LOG.")]
Draw = Annotated[bool, Option("--figures", help="Draw the workload, or the run.")]
At = Annotated[str | None, Option("--at", metavar="TIME", help="Of a run: who waits and runs at this time.")]
Malformed = Annotated[bool, Option("--malformed", help="List the malformed lines, the first 1000.")]


@app.command("inspect")
def inspect(
    subject: Subject,
    filter: o.Filter = "base",
    processor_field: o.ProcessorField = None,
    remove: o.Remove = None,
    malformed: Malformed = False,
    at: At = None,
    figures: Draw = False,
    out: Place = None,
    formats: o.Formats = "png",
    as_json: o.Json = False,
) -> None:
    """What is in a log: its header, its jobs, and where every line went.

    Of a run directory: what was simulated, how, and what came out. Of a cluster
    (seth, ricc, ricc-1024, metacentrum, a .toml or .json file): its nodes.

    Example: thinktime inspect KTH-SP2-1996-2.1-cln.swf.gz --figures

    Example: thinktime inspect runs/default-easy-1a2b3c4d

    Example: thinktime inspect runs/default-easy-1a2b3c4d --at 7d

    Example: thinktime inspect seth
    """
    kinds = pictures.parse_formats(formats)
    drawing = figures or out is not None
    if at is not None:
        _tell_instant(subject, at, drawing, as_json)
    elif subject and Path(subject).is_dir():
        from thinktime.cli.inspect_run import facts_of_run, print_run

        facts = facts_of_run(Path(subject))
        drawn = _draw_run(Path(subject), out, kinds) if drawing else []
        _tell(facts, drawn, print_run, as_json)
    elif is_cluster(subject):
        from thinktime.cli.inspect_cluster import facts_of_cluster, print_cluster

        _refuse_figures(subject, drawing)
        _tell(facts_of_cluster(subject), [], print_cluster, as_json)
    else:
        from thinktime.cli.inspect_log import facts_of_log, print_log

        workload, _ = sources.read(subject, sources.Reading(filter, processor_field, tuple(remove or ())))
        drawn = _draw_log(workload, out, kinds) if drawing else []
        _tell(facts_of_log(workload), drawn, lambda facts: print_log(facts, malformed), as_json)


def _tell_instant(subject: str, at: str, drawing: bool, as_json: bool) -> None:
    from thinktime.cli.inspect_instant import facts_at, print_at

    if not Path(subject).is_dir():
        raise InputError(f"{subject} is no run directory: --at shows an instant of a saved run")
    if drawing:
        raise InputError("--at shows an instant in words: leave out --figures and --out")
    _tell(facts_at(Path(subject), at), [], print_at, as_json)


def _refuse_figures(subject: str, drawing: bool) -> None:
    if drawing:
        raise InputError(f"{subject} is a cluster, of which there are no figures: leave out --figures and --out")


def _tell(facts: dict[str, Any], drawn: list[Path], show: Callable[[dict[str, Any]], None], as_json: bool) -> None:
    from thinktime.cli import say

    if as_json:
        say.as_json({**facts, "paths": {"figures": say.paths(drawn)}})
        return
    show(facts)
    if drawn:
        say.row("pictures", *say.paths(drawn))


def _draw_run(directory: Path, out: Path | None, formats: tuple[str, ...]) -> list[Path]:
    from thinktime.result import Result

    folder = out or directory / pictures.FOLDER
    with Stage("drawing"):
        return pictures.of_run(Result.load(directory), folder, formats, all_panels=True)


def _draw_log(workload: Any, out: Path | None, formats: tuple[str, ...]) -> list[Path]:
    folder = out or Path(pictures.FOLDER) / workload.name
    with Stage("drawing"):
        return pictures.of_workload(workload, folder, formats, all_panels=True)
