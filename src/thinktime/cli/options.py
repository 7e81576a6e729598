"""The options of the commands: names, help, and the panel of the help that they stand in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

SIMULATED, READ, RULES = "What is simulated", "How the log is read", "Rules of the simulation"
MEASURED, WRITTEN = "What is measured", "What is written"
RESAMPLED = "How the log is resampled"


def in_panel(panel: str, *names: str, help: str, **more: Any) -> Any:
    """An option that `--help` shows under this heading."""
    return Option(*names, help=help, rich_help_panel=panel, **more)


Log = Annotated[
    str,
    Argument(
        metavar="LOG",
        help="A log file, the name of a log in the logs folder, or a generator: `default`, `lublin:jobs=900`.",
    ),
]
Trust = Annotated[bool, Option("--trust", help="Allow the modules and commands that the run or study itself names.")]
Replace = Annotated[
    bool,
    Option("--overwrite", help="Replace a file that is there already; never an input, nor a file of a run or store."),
]
Json = Annotated[bool, Option("--json", help="Print one JSON object for machines, and nothing else.")]

# what is simulated
Processors = Annotated[
    str | None,
    in_panel(
        SIMULATED,
        "--processors",
        metavar="N",
        help="Size of the machine; by default what the log's header says.",
    ),
]
Cluster = Annotated[
    str | None,
    in_panel(
        SIMULATED,
        "--cluster",
        metavar="NAME|FILE",
        help="Nodes instead of a counted machine: seth, ricc, ricc-1024, metacentrum, or a .toml or .json file; "
        "with options: seth:memory=ignore.",
    ),
]
Allocator = Annotated[
    str | None,
    in_panel(
        SIMULATED,
        "--allocator",
        help="Where jobs go on a cluster: first-fit (the default), best-fit, worst-fit, contiguous, random or "
        "coolest-first; with options: best-fit:ranking=normalized.",
        show_default=False,
    ),
]
Plugins = Annotated[
    list[str] | None,
    in_panel(
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
    in_panel(
        SIMULATED,
        "--requests",
        metavar="FILE",
        help="On a cluster: a .csv or .parquet table with a column job, and amounts of resources for each processor "
        "of a job, or of pools.",
        show_default=False,
    ),
]
Speed = Annotated[
    str,
    in_panel(
        SIMULATED,
        "--speed",
        metavar="F",
        help="Speed of the machine; 2 halves every run time. Estimates stay as recorded (see --estimates scaled).",
    ),
]
Scheduler = Annotated[
    str,
    in_panel(
        SIMULATED,
        "--scheduler",
        help="fcfs, sjf, ljf, edf, easy, conservative, priority or reject; with options: easy:order=sjf.",
    ),
]
Users = Annotated[
    str,
    in_panel(
        SIMULATED,
        "--users",
        help="User model: rigid (the recorded times), session-replay, adjusted, fluid or distribution-based.",
    ),
]
Applications = Annotated[
    str,
    in_panel(
        SIMULATED,
        "--applications",
        help="What happens inside jobs: fixed (they run as recorded), loop, or the same played by simgrid or "
        "other-simulator; with options: loop:technique=gss,variation=0.2.",
    ),
]
EstimatesOption = Annotated[
    str,
    in_panel(
        SIMULATED,
        "--estimates",
        help="Run times the scheduler believes: requested, perfect or at_least:2; scaled (also at_least:2,scaled)"
        " divides them by --speed.",
    ),
]
Until = Annotated[str | None, in_panel(SIMULATED, "--until", help="Stop at this time of the workload, as in 30d.")]
Seed = Annotated[
    str | None, in_panel(SIMULATED, "--seed", metavar="N", help="Seed of the run and of the default workload.")
]

# how the log is read
Filter = Annotated[
    str,
    in_panel(
        READ,
        "--filter",
        help="Which jobs are kept: base, strict, runnable, positive, all, or as another simulator reads: "
        "accasim, alea, batsim, predictsim, pyss, rlsched.",
    ),
]
ProcessorField = Annotated[
    str | None,
    in_panel(
        READ,
        "--processor-field",
        help="A job's size: requested, allocated or max; by default what belongs to the filter.",
        show_default=False,
    ),
]
Remove = Annotated[
    list[str] | None,
    in_panel(
        READ,
        "--remove",
        help="Drop jobs, as in 'user=374 and job>14968'; may be given several times.",
        show_default=False,
    ),
]

# rules
Overrun = Annotated[
    str,
    in_panel(RULES, "--overrun", help="A job that runs longer than its estimate: extend, extend-blind or kill."),
]
Oversized = Annotated[str, in_panel(RULES, "--oversized", help="A job larger than the machine: reject, clip or error.")]
Admission = Annotated[
    str | None,
    in_panel(
        RULES,
        "--admission",
        help="Whom a cluster refuses at once: request (what empty nodes cannot hold, the default), total or none.",
        show_default=False,
    ),
]
SameInstant = Annotated[
    str,
    in_panel(
        RULES,
        "--same-instant",
        help="Scheduler passes inside one instant: batch, each-submit-first or each-end-first.",
    ),
]

# what is measured
Window = Annotated[
    str | None,
    in_panel(MEASURED, "--window", help="Count the jobs submitted in BEGIN:END, as in 7d:30d or 7d:"),
]
Warmup = Annotated[str | None, in_panel(MEASURED, "--warmup", help="Leave out so much at the beginning, as in 7d.")]
Cooldown = Annotated[str | None, in_panel(MEASURED, "--cooldown", help="Leave out so much at the end, as in 1d.")]
Tau = Annotated[str, in_panel(MEASURED, "--tau", help="Bound of the bounded slowdown, in seconds.")]

# what is written
Out = Annotated[Path | None, in_panel(WRITTEN, "--out", help="Run directory; by default runs/LOG-SCHEDULER-HASH.")]
Overwrite = Annotated[bool, in_panel(WRITTEN, "--overwrite", help="Replace a run that is there already.")]
Figures = Annotated[
    bool | None,
    in_panel(
        WRITTEN,
        "--figures/--no-figures",
        help="Every figure as a file of its own, or none; by default one overview page.",
        show_default=False,
    ),
]
Formats = Annotated[str, in_panel(WRITTEN, "--formats", help="Formats of the figures: png, pdf, svg.")]
Swf = Annotated[bool, in_panel(WRITTEN, "--swf", help="Also schedule.swf: the schedule as a log.")]
Csv = Annotated[bool, in_panel(WRITTEN, "--csv", help="Also jobs.csv.")]
Batsim = Annotated[bool, in_panel(WRITTEN, "--batsim", help="Also batsim_jobs.csv, which evalys reads.")]
Accasim = Annotated[
    bool, in_panel(WRITTEN, "--accasim", help="Also accasim_schedule.txt: on a cluster, AccaSim's file.")
]
Decisions = Annotated[
    bool, in_panel(WRITTEN, "--decisions", help="Also decisions.parquet: the time that every scheduler pass took.")
]
Stream = Annotated[
    bool, in_panel(WRITTEN, "--stream", help="Read and write block by block: constant memory, no figures.")
]

Strict = Annotated[
    bool,
    in_panel(
        SIMULATED,
        "--strict",
        help="Fail, and write nothing, if a job is killed, rejected, lost or never ends; jobs left by --until may.",
    ),
]

# how it is resampled
LongTerm = Annotated[
    str,
    in_panel(
        RESAMPLED,
        "--long-term-weeks",
        metavar="N",
        help="Longer activity makes a long-term user; 12.",
        show_default=False,
    ),
]
Edge = Annotated[
    str,
    in_panel(
        RESAMPLED,
        "--edge-weeks",
        metavar="N",
        help="Temporary users within so many weeks of the log's begin or end are left out; 4, or table_v for 60 days.",
        show_default=False,
    ),
]
