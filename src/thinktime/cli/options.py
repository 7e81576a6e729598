"""The options of the commands: names, help, and the panel of the help that they stand in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

SIMULATED, READ, RULES = "What is simulated", "How the log is read", "Rules of the simulation"
MEASURED, WRITTEN = "What is measured", "What is written"


def _in(panel: str, *names: str, help: str, **more: Any) -> Any:
    return Option(*names, help=help, rich_help_panel=panel, **more)


Log = Annotated[
    str,
    Argument(
        metavar="LOG",
        help="A log file, the name of a log in the logs folder, or a generator: `default`, `lublin:jobs=900`.",
    ),
]
Json = Annotated[bool, Option("--json", help="Print one JSON object for machines, and nothing else.")]

# what is simulated
Processors = Annotated[
    str | None,
    _in(
        SIMULATED,
        "--processors",
        metavar="N",
        help="Size of the machine; by default what the log's header says.",
    ),
]
Cluster = Annotated[
    str | None,
    _in(
        SIMULATED,
        "--cluster",
        metavar="NAME|FILE",
        help="Nodes instead of a counted machine: seth, ricc, ricc-1024, metacentrum, or a .toml or .json file; "
        "with options: seth:memory=ignore.",
    ),
]
Allocator = Annotated[
    str | None,
    _in(
        SIMULATED,
        "--allocator",
        help="Where jobs go on a cluster: first-fit (the default), best-fit, worst-fit, contiguous, random or "
        "coolest-first; with options: best-fit:ranking=normalized.",
        show_default=False,
    ),
]
Plugins = Annotated[
    list[str] | None,
    _in(
        SIMULATED,
        "--plugin",
        metavar="NAME:OPTIONS",
        help="Additional data on a cluster: failures, maintenance, reservations, power or thermal, as in "
        "failures:mtbf_h=1000,jobs=requeue; may be given several times.",
        show_default=False,
    ),
]
Requests = Annotated[
    Path | None,
    _in(
        SIMULATED,
        "--requests",
        metavar="FILE",
        help="On a cluster: a .csv or .parquet table with a column job, and amounts of resources for each processor "
        "of a job, or of pools.",
        show_default=False,
    ),
]
Speed = Annotated[str, _in(SIMULATED, "--speed", metavar="F", help="Speed of the machine; 2 halves every run time.")]
Scheduler = Annotated[
    str,
    _in(
        SIMULATED,
        "--scheduler",
        help="fcfs, sjf, ljf, edf, easy, conservative, priority or reject; with options: easy:order=sjf.",
    ),
]
Users = Annotated[
    str,
    _in(
        SIMULATED,
        "--users",
        help="User model: rigid (the recorded times), session-replay, adjusted, fluid or distribution-based.",
    ),
]
EstimatesOption = Annotated[
    str,
    _in(SIMULATED, "--estimates", help="Run times the scheduler believes: requested, perfect or at_least:2."),
]
Until = Annotated[str | None, _in(SIMULATED, "--until", help="Stop at this time of the workload, as in 30d.")]
Seed = Annotated[str | None, _in(SIMULATED, "--seed", metavar="N", help="Seed of the run and of the default workload.")]

# how the log is read
Filter = Annotated[
    str,
    _in(
        READ,
        "--filter",
        help="Which jobs are kept: base, strict, runnable, positive, all, or as another simulator reads: "
        "accasim, alea, batsim, predictsim, pyss, rlsched.",
    ),
]
ProcessorField = Annotated[
    str | None,
    _in(
        READ,
        "--processor-field",
        help="A job's size: requested, allocated or max; by default what belongs to the filter.",
        show_default=False,
    ),
]
Remove = Annotated[
    list[str] | None,
    _in(
        READ,
        "--remove",
        help="Drop jobs, as in 'user=374 and job>14968'; may be given several times.",
        show_default=False,
    ),
]

# rules
Overrun = Annotated[
    str,
    _in(RULES, "--overrun", help="A job that runs longer than its estimate: extend, extend-blind or kill."),
]
Oversized = Annotated[str, _in(RULES, "--oversized", help="A job larger than the machine: reject, clip or error.")]
Admission = Annotated[
    str | None,
    _in(
        RULES,
        "--admission",
        help="Whom a cluster refuses at once: request (what empty nodes cannot hold, the default), total or none.",
        show_default=False,
    ),
]
SameInstant = Annotated[
    str,
    _in(
        RULES,
        "--same-instant",
        help="Scheduler passes inside one instant: batch, each-submit-first or each-end-first.",
    ),
]

# what is measured
Window = Annotated[
    str | None,
    _in(MEASURED, "--window", help="Count the jobs submitted in BEGIN:END, as in 7d:30d or 7d:"),
]
Warmup = Annotated[str | None, _in(MEASURED, "--warmup", help="Leave out so much at the beginning, as in 7d.")]
Cooldown = Annotated[str | None, _in(MEASURED, "--cooldown", help="Leave out so much at the end, as in 1d.")]
Tau = Annotated[str, _in(MEASURED, "--tau", help="Bound of the bounded slowdown, in seconds.")]

# what is written
Out = Annotated[Path | None, _in(WRITTEN, "--out", help="Run directory; by default runs/LOG-SCHEDULER-HASH.")]
Overwrite = Annotated[bool, _in(WRITTEN, "--overwrite", help="Replace a run that is there already.")]
Figures = Annotated[
    bool | None,
    _in(
        WRITTEN,
        "--figures/--no-figures",
        help="Every figure as a file of its own, or none; by default one overview page.",
        show_default=False,
    ),
]
Formats = Annotated[str, _in(WRITTEN, "--formats", help="Formats of the figures: png, pdf, svg.")]
Swf = Annotated[bool, _in(WRITTEN, "--swf", help="Also schedule.swf: the schedule as a log.")]
Csv = Annotated[bool, _in(WRITTEN, "--csv", help="Also jobs.csv.")]
Batsim = Annotated[bool, _in(WRITTEN, "--batsim", help="Also batsim_jobs.csv, which evalys reads.")]
Accasim = Annotated[bool, _in(WRITTEN, "--accasim", help="Also accasim_schedule.txt: on a cluster, AccaSim's file.")]
Decisions = Annotated[
    bool, _in(WRITTEN, "--decisions", help="Also decisions.parquet: the time that every scheduler pass took.")
]
Stream = Annotated[bool, _in(WRITTEN, "--stream", help="Read and write block by block: constant memory, no figures.")]
