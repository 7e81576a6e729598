"""`thinktime report`: the report of a study as one HTML page, with figures for print."""

from __future__ import annotations

from pathlib import Path

import typer

from thinktime.cli import printing
from thinktime.cli.commands.study import Given, Pooled, StoreOptions, opened, place_of
from thinktime.cli.options import (
    Json,
    Overwrite,
    Trust,
    file_path,
    flag,
    formats_option,
    option,
    option_group,
    with_options,
)
from thinktime.errors import InputError
from thinktime.support import terminal
from thinktime.support.output_files import require_new

app = typer.Typer(add_completion=False, rich_markup_mode="rich")


@option_group()
class ReportOptions:
    """What is written."""

    out: Path | None = option(
        "--out", file_path, metavar="FILE", help="HTML page to write (default: report.html in the store)."
    )
    figures: bool = flag("--figures/--no-figures", default=True, help="Also write the figures for print into figures/.")
    formats: tuple[str, ...] = formats_option("pdf,png", panel=None)


@app.command("report")
@with_options
def report(
    given: Given,
    at: StoreOptions,
    output: ReportOptions,
    pooled: Pooled = False,
    overwrite: Overwrite = False,
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    """Write the report of a study as one HTML page: the answer, tables per log, figures, all runs and specs.

    The page is self-contained: it needs no network.

    Example: thinktime report study.toml
    """
    from thinktime.cli.printing import figure_files
    from thinktime.cli.printing.progress import Stage
    from thinktime.report import Content, write
    from thinktime.report.print_figures import write_figures

    out, store = output.out, at.store
    if out is not None:  # the page in the store may be replaced
        require_new(out, overwrite, given)
    folder = (out or (store or place_of(given)) / "report.html").parent / figure_files.FOLDER
    if folder.is_symlink():
        raise InputError(
            f"{folder} is a symbolic link, and figures are not written through links: remove it or choose another --out"
        )
    content = Content(*opened(given, store, trust), pooled=pooled)
    path = out or content.store.directory / "report.html"
    with Stage("drawing"):
        write(content, path)
        drawn = write_figures(content, path.parent / figure_files.FOLDER, output.formats) if output.figures else []
    if as_json:
        printing.as_json({"report": str(path), "figures": printing.paths(drawn)})
        return
    terminal.line(
        f"wrote {path}" + (f" and {len(drawn)} figures in {path.parent / figure_files.FOLDER}" if drawn else "")
    )
