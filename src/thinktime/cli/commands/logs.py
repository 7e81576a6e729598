"""`thinktime logs`: list, download and find logs of the Parallel Workloads Archive."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thinktime.support import terminal
from thinktime.support.files import text_of
from thinktime.traces.catalogue import CATALOGUE, CatalogueEntry
from thinktime.traces.find import catalogue_entry, find_log, log_name, logs_folder

if TYPE_CHECKING:
    from thinktime.traces.download import Progress

app = typer.Typer(help="Logs of the Parallel Workloads Archive: list, get, path.", invoke_without_command=True)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Folder = Annotated[
    Path | None,
    typer.Option("--dir", help="Folder of the logs (default: $THINKTIME_LOGS or the user's cache)."),
]
Name = Annotated[str, typer.Argument(help="Name of a log, for example KTH-SP2-1996-2.1-cln.")]


@app.callback()
def logs(context: typer.Context) -> None:
    """Logs of the Parallel Workloads Archive: list, get, path."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("list")
def list_logs(as_json: Json = False, folder: Folder = None) -> None:
    """List the logs of the archive, and which of them are downloaded.

    Example: thinktime logs list
    """
    where = folder or logs_folder()
    rows = [{**entry.to_dict(), "here": (where / entry.file).exists()} for entry in CATALOGUE]
    if as_json:
        terminal.line(json.dumps(rows, indent=2))
        return
    terminal.line(f"{'log':28}{'processors':>12}{'jobs':>10}{'users':>7}  here")
    for row in rows:
        sizes = "".join(f"{_count_or_dash(row[key]):>{width}}" for key, width in _SIZES)
        terminal.line(f"{row['name']:28}{sizes}  {'yes' if row['here'] else ''}".rstrip())
    terminal.line(f"folder: {where}")


@app.command("get")
def get_log(
    names: Annotated[list[str], typer.Argument(help="Names of logs, for example KTH-SP2-1996-2.1-cln.")],
    url: Annotated[str | None, typer.Option("--url", help="Another address of the archive or of the file.")] = None,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Download logs; an interrupted download continues where it stopped.

    Example: thinktime logs get KTH-SP2-1996-2.1-cln
    """
    for entry in [catalogue_entry(name) for name in names]:
        got = _get(entry, folder or logs_folder(), url)
        terminal.line(json.dumps(got) if as_json else str(got["path"]))


@app.command("path")
def log_path(name: Name, folder: Folder = None, as_json: Json = False) -> None:
    """Print the file of a downloaded log.

    Example: thinktime inspect "$(thinktime logs path KTH-SP2-1996-2.1-cln)"
    """
    path = find_log(name, folders=None if folder is None else [folder])
    terminal.line(json.dumps({"name": log_name(path), "path": str(path)}) if as_json else str(path))


_SIZES = (("processors", 12), ("jobs", 10), ("users", 7))


def _count_or_dash(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _get(entry: CatalogueEntry, folder: Path, url: str | None) -> dict[str, object]:
    """Download a log unless it is there and complete."""
    from thinktime.traces.download import download, sha256_of

    path = folder / entry.file
    expected = entry.sha256 or _recorded(path)
    if path.exists() and expected in (None, sha256_of(path)):
        return {"name": entry.name, "path": str(path), "sha256": sha256_of(path), "downloaded": False}
    with _progress(entry.name) as progress:
        found = download(entry.url(url), path, expected, progress)
    if entry.sha256 is None:
        _sum_file(path).write_text(f"{found}  {path.name}\n")
        terminal.line(f"unknown checksum of {entry.name}: recorded sha256 {found}", err=True)
    return {"name": entry.name, "path": str(path), "sha256": found, "downloaded": True}


def _sum_file(path: Path) -> Path:
    """Return the checksum file next to the log, in the format of `sha256sum -c`."""
    return path.with_name(path.name + ".sha256")


def _recorded(path: Path) -> str | None:
    try:
        words = text_of(_sum_file(path)).split()
    except (OSError, ValueError):
        return None
    return words[0] if words else None


@contextmanager
def _progress(name: str) -> Iterator[Progress | None]:
    """Show a progress bar if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Bar(*columns, console=terminal.console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
