"""`thinktime report`: the report of a study as one HTML page, with figures for print beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from thinktime.cli import options as o
from thinktime.cli import printing
from thinktime.cli.commands.study import Given, Pooled, StoreAt, opened, place_of
from thinktime.errors import InputError
from thinktime.support import terminal
from thinktime.support.output_files import require_new

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

Print = Annotated[bool, Option("--figures/--no-figures", help="Figures for print, in the folder figures beside it.")]
Page = Annotated[Path | None, Option("--out", help="The page; by default report.html in the store.")]


@app.command("report")
def report(
    given: Given,
    store: StoreAt = None,
    out: Page = None,
    figures: Annotated[
        bool, Option("--figures/--no-figures", help="Figures for print in the folder beside it.")
    ] = True,
    pooled: Pooled = False,
    formats: o.Formats = "pdf,png",
    overwrite: o.Replace = False,
    trust: o.Trust = False,
    as_json: o.Json = False,
) -> None:
    """Write one self-contained HTML page: the answer first, then tables by log, figures, and every run and spec.

    It opens from a file and needs no network.

    Example: thinktime report study.toml
    """
    from thinktime.cli.printing import figure_files
    from thinktime.cli.printing.progress import Stage
    from thinktime.report import Content, write
    from thinktime.report.print_figures import write_figures

    kinds = figure_files.parse_formats(formats)
    if out is not None:  # the page in the store is the report's own
        require_new(out, overwrite, given)
    folder = (out or (store or place_of(given)) / "report.html").parent / figure_files.FOLDER
    if folder.is_symlink():
        raise InputError(
            f"{folder} is a symbolic link, so nothing is written there: remove it, or choose another --out"
        )
    content = Content(*opened(given, store, trust), pooled=pooled)
    path = out or content.store.directory / "report.html"
    with Stage("drawing"):
        write(content, path)
        drawn = write_figures(content, path.parent / figure_files.FOLDER, kinds) if figures else []
    if as_json:
        printing.as_json({"report": str(path), "figures": printing.paths(drawn)})
        return
    terminal.line(
        f"wrote {path}" + (f" and {len(drawn)} figures in {path.parent / figure_files.FOLDER}" if drawn else "")
    )
