"""`thinktime sessions`: the structure in a log. Sessions, batches, what waits for what, think times; files of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from thinktime.cli import log_argument, parsing, printing
from thinktime.cli import options as o
from thinktime.cli.printing import figure_files
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.support.output_files import require_new

if TYPE_CHECKING:
    from thinktime.cli.commands.sessions.facts import Structure

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

CUT = "How sessions are cut"
Threshold = Annotated[
    str,
    Option("--threshold", rich_help_panel=CUT, help="Longer pauses end a session, as in 60m; 0 makes every job one."),
]
Delimiter = Annotated[
    str,
    Option(
        "--delimiter",
        rich_help_panel=CUT,
        help="Pauses since the user's previous submission (arrival), the previous job's end (last) or the latest"
        " end of the session (max).",
    ),
]
Full = Annotated[
    bool,
    Option("--full", rich_help_panel=CUT, help="Keep edges that others imply, not only the transitive reduction."),
]
User = Annotated[str | None, Option("--user", metavar="N", help="Also draw the graph of this user.")]
Draw = Annotated[bool, Option("--figures", help="Draw graph shapes, think times and first submissions.")]
Place = Annotated[Path | None, Option("--out", help="Folder for the figures; by default figures/LOG.")]


def _file(name: str, help: str, metavar: str = "FILE") -> Any:
    return Option(name, metavar=metavar, help=help, rich_help_panel=o.WRITTEN)


JobsFile = Annotated[Path | None, _file("--parquet", "Session and batch of every job, as Parquet.")]
EdgesFile = Annotated[Path | None, _file("--edges", "The edges of the graph with their think times, as Parquet.")]
UserFiles = Annotated[Path | None, _file("--json-users", "One JSON file a user, in this folder.", "DIR")]
SwfFile = Annotated[
    Path | None,
    _file("--swf", "The log with fields 17 and 18, preceding job and think time, where one predecessor exists."),
]


@app.command("sessions")
def sessions(
    log: o.Log,
    threshold: Threshold = "60m",
    delimiter: Delimiter = "arrival",
    full: Full = False,
    filter: o.Filter = "base",
    processor_field: o.ProcessorField = None,
    remove: o.Remove = None,
    figures: Draw = False,
    user: User = None,
    out: Place = None,
    formats: o.Formats = "png",
    parquet: JobsFile = None,
    edges: EdgesFile = None,
    json_users: UserFiles = None,
    swf: SwfFile = None,
    overwrite: o.Replace = False,
    as_json: o.Json = False,
) -> None:
    """The structure in a log: sessions, batches, what each session waited for, and think times.

    Example: thinktime sessions KTH-SP2-1996-2.1-cln.swf.gz --threshold 60m --figures --user 34

    Example: thinktime sessions log.swf --parquet jobs.parquet --edges edges.parquet
    """
    kinds = figure_files.parse_formats(formats)
    threshold_s = parsing.seconds("--threshold", threshold)
    number = None if user is None else parsing.whole("--user", user)
    from thinktime.cli.commands.sessions.facts import facts, print_facts, structure_of
    from thinktime.spec import one_of
    from thinktime.workload.user_sessions.sessions import DELIMITERS

    one_of("--delimiter", delimiter, DELIMITERS)
    _require_apart(log, parquet, edges, json_users, swf)
    _require_new(log, {"--parquet": parquet, "--edges": edges, "--json-users": json_users, "--swf": swf}, overwrite)
    workload, _ = log_argument.read(log, log_argument.Reading(filter, processor_field, tuple(remove or ())))
    if number is not None and number not in workload.users:
        raise InputError(f"{workload.name} has no user {number}: it has {len(workload.users):,} others")
    with Stage("finding sessions"):
        found = structure_of(workload, delimiter, threshold_s, full)
        said = facts(found)
    paths = _write(found, parquet, edges, json_users)
    if swf:
        said["notes"] += _write_swf(found, swf)
        paths["swf"] = [swf]
    drawing = figures or out is not None or number is not None
    paths["figures"] = _draw(found, number, out, kinds) if drawing else []
    _tell(said, paths, print_facts, as_json)


def _require_apart(log: str, *outputs: Path | None) -> None:
    """No output is the log itself, or another output."""
    seen = {Path(log).resolve(): "the log itself"}
    for path in filter(None, outputs):
        if path.resolve() in seen:
            raise InputError(f"{path} would be written over {seen[path.resolve()]}: choose another name")
        seen[path.resolve()] = "another file that is asked for"


def _require_new(log: str, outputs: dict[str, Path | None], overwrite: bool) -> None:
    """No output is there already, unless it may be replaced."""
    for option, path in outputs.items():
        if path is None:
            continue
        require_new(path, overwrite, log, option=option)
        if path.is_dir() and any(path.iterdir()) and not overwrite:
            raise InputError(f"{path} is not empty: choose another {option}, or add --overwrite to replace its files")


def _write(
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


def _draw(found: Structure, user: int | None, out: Path | None, formats: tuple[str, ...]) -> list[Path]:
    from thinktime import plots

    folder = out or Path(figure_files.FOLDER) / found.workload.name
    with Stage("drawing"):
        figures = plots.session_figures(found.workload, found.graphs(), found.graph, user)
        return [path for name, figure in figures.items() for path in plots.save(figure, folder / name, formats)]


def _tell(said: dict[str, Any], paths: dict[str, list[Path]], show: Any, as_json: bool) -> None:

    if as_json:
        printing.as_json({**said, "paths": {name: printing.paths(files) for name, files in paths.items()}})
        return
    show(said)
    for name, files in paths.items():
        shown = printing.paths(files)
        if name == "json_users" and files:
            shown = [f"{len(files):,} files in {files[0].parent}"]
        if shown:
            printing.row({"figures": "pictures", "json_users": "users"}.get(name, name), *shown)
