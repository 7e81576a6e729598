"""`thinktime trace`: what each core of a run did, as a file for other tools or as a figure."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import typer

from thinktime.cli import parsing, printing
from thinktime.cli.options import (
    Json,
    Overwrite,
    RunDirectory,
    Trust,
    file_path,
    flag,
    known_formats,
    names,
    option,
    option_group,
    required_option,
    text,
    with_options,
)
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.support import terminal
from thinktime.support.output_files import require_new
from thinktime.trust import process as allowing

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

MOST_JOBS = 10_000_000  # numbers in a range of --jobs


def parse_jobs(option: str, text: str) -> list[int]:
    """Return the numbers of `1542-1544,1600`."""
    found: list[int] = []
    for part in filter(None, (each.strip() for each in text.split(","))):
        low, dash, high = part.partition("-")
        if not low.isdigit() or (dash and not high.isdigit()) or (dash and int(high) < int(low)):
            raise InputError(f"{option} must be numbers and ranges, for example 1542-1544,1600 (got {text!r})")
        if int(high or low) - int(low) >= MOST_JOBS:
            raise InputError(f"{option} must have ranges of at most {MOST_JOBS:,} numbers (got {text!r})")
        found += range(int(low), int(high or low) + 1)
    if not found:
        raise InputError(f"{option} must be numbers and ranges, for example 1542-1544,1600 (got {text!r})")
    return found


def picture_formats() -> tuple[str, ...]:
    return tuple(f".{name}" for name in known_formats())


@option_group()
class TraceFileOptions:
    """What is written."""

    out: Path = required_option(
        "--out",
        file_path,
        metavar="FILE",
        help="The ending selects the format: .otf2 (a folder), .json or .json.gz (Perfetto, Chrome), .paje, .csv,"
        " .parquet; .png, .pdf or .svg draws the cores.",
    )
    format: str | None = option(
        "--format",
        text,
        metavar="NAME",
        names=partial(names.keys_of, "tracing.write", "FORMATS"),
        help="Format, if the ending does not determine it: {names}.",
    )


@option_group("Part of the run")
class PartOptions:
    """Which part is written."""

    window: tuple[float | None, float | None] | None = option(
        "--window",
        parsing.window,
        metavar="BEGIN:END",
        help="Only this window, for example 44017:44150, 2h:3h, 7d: or :1h.",
    )
    jobs: list[int] | None = option(
        "--jobs", parse_jobs, metavar="NUMBERS", help="Only these jobs, for example 1542-1544,1600."
    )


@option_group("OTF2 and Perfetto")
class ArchiveOptions:
    """Options of OTF2 and Perfetto."""

    group_cores: int = option(
        "--group-cores",
        parsing.whole,
        default="1",
        metavar="N",
        help="Number of neighbouring cores per location of an OTF2 archive.",
    )
    markers: bool = flag("--markers", help="Also mark submissions and starts of jobs.")


@app.command("trace")
@with_options
def trace(
    run: RunDirectory,
    file: TraceFileOptions,
    part: PartOptions,
    archive: ArchiveOptions,
    overwrite: Overwrite = False,
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    """Write what each core of a run did: a trace for Vampir, Perfetto or ViTE, a table, or a figure.

    A job with a fixed run time is one task on each of its cores; a job with a loop has the tasks of the loop.

    Example: thinktime trace runs/default-easy-1a2b3c4d --out day.json.gz --window 0:24h

    Example: thinktime trace runs/curie-fcfs --out figure5.otf2 --window 44017:44150 --jobs 1542-1544,1600

    Example: thinktime trace runs/curie-fcfs --out figure5.png --window 44017:44150
    """
    _check_paths(run, file.out)
    require_new(file.out, overwrite)
    picture = file.format is None and file.out.suffix.lower() in picture_formats()
    if picture:
        _refuse_options(archive.group_cores, archive.markers)
    with allowing(trust):
        if picture:
            facts = {"format": "picture", **_draw_cores(run, file.out, part.window, part.jobs, trust)}
        else:
            facts = _write_trace_file(run, file, part, archive, trust)
    _print_trace({"run": str(run), **facts}, as_json)


def _check_paths(run: Path, out: Path) -> None:
    if not run.is_dir():
        raise InputError(
            f"{run} is not a run directory: make one with `thinktime run LOG --out {shlex.quote(str(run))}`"
        )
    if not out.absolute().parent.is_dir():
        raise InputError(f"cannot write {out}: the directory {out.parent} does not exist")
    if out.absolute() == run.absolute():
        raise InputError(f"--out must not be the run directory itself (got {out})")


def _refuse_options(group: int, markers: bool) -> None:
    if group != 1 or markers:
        raise InputError("--group-cores and --markers do not apply to a figure: remove them")


def _write_trace_file(
    run: Path, file: TraceFileOptions, part: PartOptions, archive: ArchiveOptions, trust: bool
) -> dict[str, Any]:
    from thinktime.result import Result
    from thinktime.tracing.write import check_group, format_of, write_trace

    group, limits = archive.group_cores, part.window
    check_group(group)  # raise InputError before the run is loaded
    kind = format_of(file.out, file.format)
    with Stage("loading"):
        result = Result.load(run, trust=trust)
    if kind == "otf2":
        _advise(result, group)
    begin_s, end_s = _span(result, limits)
    with Stage("writing", (end_s - begin_s) / 3600, "h") as stage:

        def report(time_s: float) -> None:
            stage.done = (time_s - begin_s) / 3600

        chosen: dict[str, Any] = {"format": file.format, "window": limits, "jobs": part.jobs}
        detail: dict[str, Any] = {"group_cores": group, "markers": archive.markers}
        written = write_trace(result, file.out, **chosen, **detail, progress=report)
    return {**asdict(written), "path": str(written.path)}


def _advise(result: Any, group: int) -> None:
    """Warn before an archive with very many locations is written."""
    from thinktime.tracing import Host
    from thinktime.tracing.otf2_archive import CHUNK, MANY, locations

    hosts = [Host(*each) for each in result.core_names()]
    count = locations(hosts, group)
    if count > MANY:
        terminal.line(
            f"the archive may have {count:,} locations, with two files and {CHUNK // 1024} KB of memory each:"
            f" {_fewer(hosts, group)}",
            err=True,
        )


def _fewer(hosts: list[Any], group: int) -> str:
    """Return how to get fewer locations: groups of cores of a host, or a smaller part of the run."""
    from thinktime.tracing.otf2_archive import MANY, locations

    enough, most = group, max(host.cores for host in hosts)
    while locations(hosts, enough) > MANY and enough < most:
        enough = min(2 * enough, most)
    count = locations(hosts, enough)
    grouped = [f"--group-cores {enough} makes it {count:,}"] if count < locations(hosts, group) else []
    cut = [f"the machine has {len(hosts):,} hosts, so cut the trace with --window or --jobs"] if count > MANY else []
    return "; ".join(grouped + cut)


def _span(result: Any, limits: Any) -> tuple[float, float]:
    """Return the first and last simulated time that is written."""
    import numpy as np

    begin, end = limits or (None, None)
    times = result.columns["start_s"]
    known = times[~np.isnan(times)]
    first, last = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    return first if begin is None else begin, last if end is None else end


def _draw_cores(run: Path, out: Path, limits: Any, jobs: list[int] | None, trust: bool) -> dict[str, Any]:
    from thinktime import plots
    from thinktime.result import Result

    with Stage("drawing"):
        figure = plots.core_gantt(Result.load(run, trust=trust), window=limits, jobs=jobs)
        plots.save(figure, out.with_suffix(""), [out.suffix.lower().lstrip(".")])
    return {"path": str(out)}


def _print_trace(facts: dict[str, Any], as_json: bool) -> None:
    if as_json:
        printing.as_json(facts)
        return
    printing.heading(f"{facts['path']}: {facts['format']} of {facts['run']}")
    if "tasks" in facts:
        printing.row("tasks", f"{facts['tasks']:,} of {facts['jobs']:,} jobs on {facts['cores']:,} cores")
        printing.row("time", f"{facts['from_s']:,.10g} s to {facts['until_s']:,.10g} s of the simulation")
    if facts["format"] == "otf2":
        printing.row("open", f"{Path(facts['path']) / 'traces.otf2'}")
