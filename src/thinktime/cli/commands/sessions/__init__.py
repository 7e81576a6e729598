"""`thinktime sessions`: sessions, batches, dependencies and think times in a log, and files of them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from thinktime.cli import log_argument, parsing, printing
from thinktime.cli.options import (
    WRITTEN,
    Json,
    Log,
    Overwrite,
    ReadingOptions,
    file_path,
    flag,
    formats_option,
    names,
    option,
    option_group,
    text,
    with_options,
)
from thinktime.cli.printing import figure_files
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.support.json_types import JsonDict
from thinktime.support.output_files import require_new

if TYPE_CHECKING:
    from thinktime.cli.commands.sessions.facts import Structure

app = typer.Typer(add_completion=False, rich_markup_mode="rich")


@option_group("Session boundaries")
class SessionOptions:
    """Where sessions begin and end."""

    threshold_s: float = option(
        "--threshold",
        parsing.seconds,
        default="60m",
        metavar="DURATION",
        help="A longer pause ends the session; with 0 each job is a session.",
    )
    delimiter: str = option(
        "--delimiter",
        text,
        default="arrival",
        metavar="NAME",
        names=partial(names.keys_of, "workload.user_sessions.sessions", "DELIMITERS"),
        help="Measure pauses from the user's previous submission (arrival), the end of the previous job (last) or the"
        " latest end in the session (max).",
    )
    full: bool = flag("--full", help="Keep implied edges instead of the transitive reduction.")


@option_group()
class FigureOptions:
    """Which figures are drawn."""

    figures: bool = flag("--figures", help="Draw graph shapes, think times and first submissions.")
    user: int | None = option("--user", parsing.whole, metavar="N", help="Also draw the graph of this user.")
    out: Path | None = option("--out", file_path, metavar="DIR", help="Folder for the figures (default: figures/LOG).")
    formats: tuple[str, ...] = formats_option(panel=None)


@option_group(WRITTEN)
class SessionFileOptions:
    """Which files are written."""

    parquet: Path | None = option(
        "--parquet", file_path, metavar="FILE", help="Write the session and batch of each job as Parquet."
    )
    edges: Path | None = option(
        "--edges", file_path, metavar="FILE", help="Write the edges of the graph with think times as Parquet."
    )
    json_users: Path | None = option(
        "--json-users", file_path, metavar="DIR", help="Write one JSON file per user into this folder."
    )
    swf: Path | None = option(
        "--swf",
        file_path,
        metavar="FILE",
        help="Write the log with fields 17 and 18 (preceding job, think time) where a job has one predecessor.",
    )

    def by_option(self) -> dict[str, Path | None]:
        return {"--parquet": self.parquet, "--edges": self.edges, "--json-users": self.json_users, "--swf": self.swf}


@app.command("sessions")
@with_options
def sessions(
    log: Log,
    cut: SessionOptions,
    reading: ReadingOptions,
    drawn: FigureOptions,
    files: SessionFileOptions,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Find sessions, batches, the dependencies between sessions, and think times in a log.

    Example: thinktime sessions KTH-SP2-1996-2.1-cln.swf.gz --threshold 60m --figures --user 34

    Example: thinktime sessions log.swf --parquet jobs.parquet --edges edges.parquet
    """
    from thinktime.cli.commands.sessions.facts import facts, print_facts, structure_of
    from thinktime.spec import one_of
    from thinktime.workload.user_sessions.sessions import DELIMITERS

    one_of("--delimiter", cut.delimiter, DELIMITERS)
    _require_apart(log, *files.by_option().values())
    _require_new_outputs(log, files.by_option(), overwrite)
    workload, _ = log_argument.read(log, reading)
    if drawn.user is not None and drawn.user not in workload.users:
        raise InputError(f"{workload.name} has no user {drawn.user}: it has {len(workload.users):,} others")
    with Stage("finding sessions"):
        found = structure_of(workload, cut.delimiter, cut.threshold_s, cut.full)
        said = facts(found)
    paths = _write_session_files(found, files.parquet, files.edges, files.json_users)
    if files.swf:
        said["notes"] += _write_swf(found, files.swf)
        paths["swf"] = [files.swf]
    drawing = drawn.figures or drawn.out is not None or drawn.user is not None
    paths["figures"] = _draw_sessions(found, drawn.user, drawn.out, drawn.formats) if drawing else []
    _print_sessions(said, paths, print_facts, as_json)


def _require_apart(log: str, *outputs: Path | None) -> None:
    """No output is the log itself, or another output."""
    seen = {Path(log).resolve(): "the log"}
    for path in filter(None, outputs):
        if path.resolve() in seen:
            raise InputError(f"{path} would overwrite {seen[path.resolve()]}: choose another name")
        seen[path.resolve()] = "another output"


def _require_new_outputs(log: str, outputs: dict[str, Path | None], overwrite: bool) -> None:
    """No output is there already, unless it may be replaced."""
    for name, path in outputs.items():
        if path is None:
            continue
        require_new(path, overwrite, log, option=name)
        if path.is_dir() and any(path.iterdir()) and not overwrite:
            raise InputError(f"{path} is not empty: choose another {name}, or add --overwrite to replace its files")


def _write_session_files(
    found: Structure, parquet: Path | None, edges: Path | None, json_users: Path | None
) -> dict[str, list[Path]]:
    """The files that were asked for, each whole or not at all."""
    from thinktime.workload.user_sessions import files

    written: dict[str, list[Path]] = {}
    with Stage("writing"):
        if parquet:
            written["parquet"] = [files.write_parquet(files.jobs_frame(found.workload, found.batches), parquet)]
        if edges:
            written["edges"] = [files.write_parquet(files.edges_frame(found.graph), edges)]
        if json_users:
            written["json_users"] = files.write_user_files(found.workload, found.graph, json_users)
    return written


def _write_swf(found: Structure, swf: Path) -> list[str]:
    """The log with fields 17 and 18; what they cannot say is said here, and in its header."""
    from thinktime.workload import write_swf
    from thinktime.workload.user_sessions.files import with_preceding_jobs

    with Stage("writing"):
        workload, left_out = with_preceding_jobs(found.workload, found.graph)
        jobs = f"{left_out:,} {'job' if left_out == 1 else 'jobs'}"
        why = "whose preceding job has no number, or shares it with others"
        notes = [f"fields 17 and 18 are empty for {jobs} {why}"] if left_out else []
        write_swf(workload, swf, notes=[found.note, *notes])
    return notes


def _draw_sessions(found: Structure, user: int | None, out: Path | None, formats: tuple[str, ...]) -> list[Path]:
    from thinktime import plots

    folder = out or Path(figure_files.FOLDER) / found.workload.name
    with Stage("drawing"):
        figures = plots.session_figures(found.workload, found.graphs(), found.graph, user)
        return [path for name, figure in figures.items() for path in plots.save(figure, folder / name, formats)]


def _print_sessions(said: JsonDict, paths: dict[str, list[Path]], show: Any, as_json: bool) -> None:
    if as_json:
        printing.as_json({**said, "paths": {name: printing.paths(files) for name, files in paths.items()}})
        return
    show(said)
    for name, files in paths.items():
        shown = printing.paths(files)
        if name == "json_users" and files:
            shown = [f"{len(files):,} files in {files[0].parent}"]
        if shown:
            printing.row({"json_users": "users"}.get(name, name), *shown)
