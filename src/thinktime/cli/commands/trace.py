"""`thinktime trace`: what every core of a run did, as a file that other tools open, or as a picture."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from thinktime.cli import options as o
from thinktime.cli import parsing, printing
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.support import terminal
from thinktime.support.output_files import require_new
from thinktime.trust import process as allowing

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

PICTURES = (".png", ".pdf", ".svg")
MOST_JOBS = 10_000_000  # numbers in a range of --jobs
CUT, OTF2 = "Which part", "OTF2 and Perfetto"

Run = Annotated[Path, Argument(metavar="RUN", help="A run directory.")]
Out = Annotated[
    Path,
    Option(
        "--out",
        metavar="FILE",
        help="Its end says the format: .otf2 (a folder), .json or .json.gz (Perfetto, Chrome), .paje, .csv, .parquet;"
        " .png, .pdf or .svg is a picture of the cores.",
    ),
]
Format = Annotated[
    str | None, Option("--format", help="otf2, perfetto, paje, csv or parquet, where the name does not say it.")
]
Window = Annotated[
    str | None,
    o.in_panel(CUT, "--window", metavar="BEGIN:END", help="Only this part, as in 44017:44150, 2h:3h, 7d: or :1h."),
]
Jobs = Annotated[
    str | None, o.in_panel(CUT, "--jobs", metavar="NUMBERS", help="Only these jobs, as in 1542-1544,1600.")
]
GroupCores = Annotated[
    str,
    o.in_panel(
        OTF2, "--group-cores", metavar="N", help="So many neighbouring cores share a location of an OTF2 archive."
    ),
]
Markers = Annotated[bool, o.in_panel(OTF2, "--markers", help="Also mark when jobs were submitted and started.")]


@app.command("trace")
def trace(
    run: Run,
    out: Out,
    format: Format = None,
    window: Window = None,
    jobs: Jobs = None,
    group_cores: GroupCores = "1",
    markers: Markers = False,
    overwrite: o.Replace = False,
    trust: o.Trust = False,
    as_json: o.Json = False,
) -> None:
    """What every core of a run did: a trace for Vampir, Perfetto or ViTE, a table, or a picture.

    A job of fixed length is one task on each of its cores; jobs with loops have theirs.

    Example: thinktime trace runs/default-easy-1a2b3c4d --out day.json.gz --window 0:24h

    Example: thinktime trace runs/curie-fcfs --out figure5.otf2 --window 44017:44150 --jobs 1542-1544,1600

    Example: thinktime trace runs/curie-fcfs --out figure5.png --window 44017:44150
    """
    limits = None if window is None else parsing.window("--window", window)
    numbers = None if jobs is None else parse_jobs(jobs)
    group = parsing.whole("--group-cores", group_cores)
    _check(run, out)
    require_new(out, overwrite)
    picture = format is None and out.suffix.lower() in PICTURES
    if picture:
        _refuse_options(group, markers)
    with allowing(trust):
        if picture:
            facts = {"format": "picture", **_draw(run, out, limits, numbers, trust)}
        else:
            facts = _write(run, out, format, limits, numbers, group, markers, trust)
    _tell({"run": str(run), **facts}, as_json)


def parse_jobs(text: str) -> list[int]:
    """`1542-1544,1600` as numbers."""
    found: list[int] = []
    for part in filter(None, (each.strip() for each in text.split(","))):
        low, dash, high = part.partition("-")
        if not low.isdigit() or (dash and not high.isdigit()) or (dash and int(high) < int(low)):
            raise InputError(f"--jobs is {text!r}: write numbers and ranges, as in 1542-1544,1600")
        if int(high or low) - int(low) >= MOST_JOBS:
            raise InputError(f"--jobs is {text!r}: a range has {MOST_JOBS:,} numbers at most; write a shorter one")
        found += range(int(low), int(high or low) + 1)
    if not found:
        raise InputError(f"--jobs is {text!r}: write numbers and ranges, as in 1542-1544,1600")
    return found


def _check(run: Path, out: Path) -> None:
    if not run.is_dir():
        raise InputError(
            f"{run} is not a run directory: make one with `thinktime run LOG --out {shlex.quote(str(run))}`"
        )
    if not out.absolute().parent.is_dir():
        raise InputError(f"cannot write {out}: there is no directory {out.parent}: create it first")
    if out.absolute() == run.absolute():
        raise InputError(f"{out} is the run itself: choose another --out")


def _refuse_options(group: int, markers: bool) -> None:
    if group != 1 or markers:
        raise InputError("a picture has neither groups of cores nor markers: leave out --group-cores and --markers")


def _write(
    run: Path,
    out: Path,
    format: str | None,
    limits: Any,
    jobs: list[int] | None,
    group: int,
    markers: bool,
    trust: bool,
) -> dict[str, Any]:
    from thinktime.result import Result
    from thinktime.tracing.write import check_group, format_of, write_trace

    check_group(group)  # mistakes are told before the run is loaded
    kind = format_of(out, format)
    with Stage("loading"):
        result = Result.load(run, trust=trust)
    if kind == "otf2":
        _advise(result, group)
    begin_s, end_s = _span(result, limits)
    with Stage("writing", (end_s - begin_s) / 3600, "h") as stage:

        def told(time_s: float) -> None:
            stage.done = (time_s - begin_s) / 3600

        options: dict[str, Any] = {"group_cores": group, "markers": markers, "progress": told}
        written = write_trace(result, out, format=format, window=limits, jobs=jobs, **options)
    return {**asdict(written), "path": str(written.path)}


def _advise(result: Any, group: int) -> None:
    """Before an archive of very many locations is written."""
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
    """What makes it fewer locations: groups of cores, which end at their host's, or a smaller part of the run."""
    from thinktime.tracing.otf2_archive import MANY, locations

    enough, most = group, max(host.cores for host in hosts)
    while locations(hosts, enough) > MANY and enough < most:
        enough = min(2 * enough, most)
    count = locations(hosts, enough)
    grouped = [f"--group-cores {enough} makes it {count:,}"] if count < locations(hosts, group) else []
    cut = [f"the machine has {len(hosts):,} hosts, so cut the trace with --window or --jobs"] if count > MANY else []
    return "; ".join(grouped + cut)


def _span(result: Any, limits: Any) -> tuple[float, float]:
    """From where to where the simulated time goes that is written."""
    import numpy as np

    begin, end = limits or (None, None)
    times = result.columns["start_s"]
    known = times[~np.isnan(times)]
    first, last = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    return first if begin is None else begin, last if end is None else end


def _draw(run: Path, out: Path, limits: Any, jobs: list[int] | None, trust: bool) -> dict[str, Any]:
    from thinktime import plots
    from thinktime.result import Result

    with Stage("drawing"):
        figure = plots.core_gantt(Result.load(run, trust=trust), window=limits, jobs=jobs)
        plots.save(figure, out.with_suffix(""), [out.suffix.lower().lstrip(".")])
    return {"path": str(out)}


def _tell(facts: dict[str, Any], as_json: bool) -> None:

    if as_json:
        printing.as_json(facts)
        return
    printing.heading(f"{facts['path']}: {facts['format']} of {facts['run']}")
    if "tasks" in facts:
        printing.row("tasks", f"{facts['tasks']:,} of {facts['jobs']:,} jobs on {facts['cores']:,} cores")
        printing.row("time", f"{facts['from_s']:,.10g} s to {facts['until_s']:,.10g} s of the simulation")
    if facts["format"] == "otf2":
        printing.row("open", f"{Path(facts['path']) / 'traces.otf2'}")
