"""`thinktime plot`: draw one figure of saved runs."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument

from thinktime.cli import parsing, printing
from thinktime.cli.options import (
    Json,
    Overwrite,
    Trust,
    figure_file,
    names,
    option,
    option_group,
    with_options,
)
from thinktime.cli.options.declare import completion_of
from thinktime.cli.printing import figure_files
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.support import terminal
from thinktime.support.output_files import require_new
from thinktime.trust import process as allowing

if TYPE_CHECKING:
    from thinktime.plots.catalogue import Kind

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

DEFAULT_KIND = "run_overview"
DRAWN = ("run", "runs")  # subjects of figures that this command draws
Words = Annotated[
    list[str],
    Argument(
        metavar="RUN... [KIND]",
        help="Run directories, then the kind of figure (default: run_overview); `list` prints the kinds.",
        autocompletion=completion_of(names.figure_kinds),
    ),
]


@option_group()
class PlotOptions:
    """What is drawn, and where it is written."""

    out: Path | None = option(
        "--out",
        figure_file,
        metavar="FILE",
        help="File to write: .png, .pdf or .svg (default: figures/KIND.png in the run directory; KIND.png for several"
        " runs).",
    )
    window: tuple[float | None, float | None] | None = option(
        "--window",
        parsing.window,
        metavar="BEGIN:END",
        help="Draw only this window, for example 7d:14d (gantt and core_gantt).",
    )


@app.command("plot")
@with_options
def plot(
    words: Words, options: PlotOptions, overwrite: Overwrite = False, trust: Trust = False, as_json: Json = False
) -> None:
    """Draw one figure of a run, or of several runs.

    Example: thinktime plot demo/easy gantt --window 7d:8d --out gantt.png

    Example: thinktime plot demo/fcfs demo/easy wait_ecdf --out waits.pdf

    Example: thinktime plot list
    """
    if words == ["list"]:
        _list_kinds(as_json)
        return
    directories, name = _runs_and_kind(words)
    kind = _kind_of_runs(name)
    target = options.out or _usual_place(directories, name)
    if options.out is not None:
        require_new(target, overwrite, *directories)
    with allowing(trust):
        paths = _draw_kind(kind, directories, options, target, trust)
    if as_json:
        printing.as_json({"kind": name, "runs": printing.paths(directories), "paths": printing.paths(paths)})
        return
    for path in paths:
        terminal.line(str(path))


def _runs_and_kind(words: list[str]) -> tuple[list[Path], str]:
    """Return the run directories, and the kind: a last word that is not a directory."""
    *before, last = words
    if Path(last).is_dir():
        directories, kind = [Path(word) for word in words], DEFAULT_KIND
    else:
        directories, kind = [Path(word) for word in before], last
    if not directories:
        raise InputError(f"{last} is not a run directory: give one before the kind, or use `thinktime plot list`")
    return directories, kind


def _kind_of_runs(name: str) -> Kind:
    """Return the kind of this name; raise InputError with all kinds that can be drawn."""
    from thinktime import plots
    from thinktime.spec import suggestion

    known = {name: kind for needs in DRAWN for name, kind in plots.kinds(needs).items()}
    if name not in known:
        raise InputError(f"no figure kind named {name!r}{suggestion(name, known)}: choose one of {', '.join(known)}")
    return known[name]


def _usual_place(directories: list[Path], name: str) -> Path:
    file = f"{name}.png"
    return directories[0] / figure_files.FOLDER / file if len(directories) == 1 else Path(file)


def _draw_kind(kind: Kind, directories: list[Path], options: PlotOptions, target: Path, trust: bool) -> list[Path]:
    from thinktime.plots.kit.style import save
    from thinktime.result import Result

    keywords: dict[str, Any] = {}
    if options.window is not None:
        if "window" not in inspect.signature(kind.draw).parameters:
            raise InputError(f"{kind.name} has no --window: use it with gantt or core_gantt")
        keywords["window"] = options.window
    with Stage("drawing"):
        results = [Result.load(directory, trust=trust) for directory in directories]
        for directory, result in zip(directories, results, strict=True):
            if not kind.available(result):
                raise InputError(f"{directory} does not have the data for {kind.name}: choose another kind")
        return save(kind.draw(results, **keywords), target)


def _list_kinds(as_json: bool) -> None:
    from thinktime import plots
    from thinktime.plots.catalogue import SUBJECTS

    known = {needs: plots.kinds(needs) for needs in DRAWN}
    if as_json:
        printing.as_json({name: kind.caption for kinds in known.values() for name, kind in kinds.items()})
        return
    for needs, kinds in known.items():
        table = printing.new_table(f"kind ({SUBJECTS[needs]})", "")
        for name, kind in kinds.items():
            table.add_row(name, kind.caption)
        printing.show(table)
