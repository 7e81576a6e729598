"""`thinktime report`: the report of a study as one HTML page, with figures for print beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from thinktime.cli import options as o
from thinktime.cli.study import Given, StoreAt, opened

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

Page = Annotated[Path | None, Option("--out", help="The page; by default report.html in the store.")]


@app.command("report")
def report(given: Given, store: StoreAt = None, out: Page = None, as_json: o.Json = False) -> None:
    """One self-contained HTML page: the answer first, then tables, figures, and every run and spec.

    It opens from a file and needs no network.

    Example: thinktime report study.toml
    """
    from thinktime.cli import say
    from thinktime.report import write

    study, kept = opened(given, store)
    path = out or kept.directory / "report.html"
    write(study, kept, path)
    say.as_json({"report": str(path)}) if as_json else typer.echo(f"wrote {path}")
