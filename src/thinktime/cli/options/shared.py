"""The options that several commands share, in groups, and the arguments LOG, --json, --overwrite and --trust."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from thinktime.cli import parsing
from thinktime.cli.options import names
from thinktime.cli.options.declare import completion_of, option, option_group, repeated_option, text
from thinktime.errors import InputError

if TYPE_CHECKING:
    from typing import TypeVar

    from thinktime.platforms import Cluster, Machine
    from thinktime.schedulers import Scheduler
    from thinktime.traces.reader import Reader
    from thinktime.users import UserModel
    from thinktime.workload import Estimates, LoadScaling, LogStream, Workload

    Jobs = TypeVar("Jobs", Workload, LogStream)

SIMULATED, READ, RULES = "Simulation", "Reading the log", "Rules"
MEASURED, WRITTEN, RESAMPLED = "Metrics", "Output", "Resampling"

Log = Annotated[
    str,
    Argument(
        metavar="LOG",
        help="Log file, name of a downloaded log, or generator (`default`, `lublin:jobs=900`).",
        autocompletion=completion_of(names.logs),
    ),
]
RunDirectory = Annotated[Path, Argument(metavar="RUN", help="Run directory.")]
RunDirectories = Annotated[list[Path], Argument(metavar="RUN...", help="Run directories.")]
Json = Annotated[bool, Option("--json", help="Print one JSON object instead of text.")]
Overwrite = Annotated[bool, Option("--overwrite", help="Replace existing files (never the input, a run or a store).")]
Trust = Annotated[bool, Option("--trust", help="Import the modules and run the commands that the run or study names.")]


@option_group(READ)
class ReadingOptions:
    """How a log is read."""

    reader: Reader | None = option(
        "--reader",
        parsing.typed_spec("reader"),
        metavar="NAME",
        names=partial(names.registered, "reader"),
        help="Format of the log: {names}, or your own, module:Class; options follow a colon (default: recognised by"
        " its content).",
    )
    filter: str = option(
        "--filter",
        text,
        default="base",
        metavar="NAME",
        names=partial(names.keys_of, "workload.reading.filters", "FILTERS"),
        help="Which jobs to keep: {names}.",
    )
    processor_field: str | None = option(
        "--processor-field",
        text,
        metavar="NAME",
        names=partial(names.keys_of, "workload.reading.job_columns", "PROCESSORS"),
        help="Which field is the size of a job: {names} (default: the filter decides).",
    )
    remove: tuple[str, ...] = repeated_option(
        "--remove",
        text,
        metavar="CONDITION",
        help="Drop the jobs that match, for example 'user=374 and job>14968'. Repeatable.",
    )

    scale_load: tuple[LoadScaling, ...] = repeated_option(
        "--scale-load",
        parsing.load_scaling,
        metavar="FACTOR:BY",
        help="Multiply the load crudely, by arrivals, run_times or sizes, for example 1.2:arrivals; prefer resample"
        " --load. Repeatable.",
    )

    def check(self) -> None:
        """Raise InputError for wrong options before a long log is read."""
        from thinktime.workload.reading.read import Reading

        Reading(self.filter, self.processor_field, self.remove, None)

    def keywords(self) -> dict[str, Any]:
        """Return the arguments of `read` and `stream`."""
        return {
            "reader": self.reader,
            "filter": self.filter,
            "processors": self.processor_field,
            "remove": list(self.remove),
        }

    def scaled(self, log: Jobs, machine: int | None) -> Jobs:
        """Return the workload or stream with its load scaled."""
        from thinktime.workload import scale_load

        for each in self.scale_load:
            log = scale_load(log, each.factor, by=each.by, machine=machine)
        return log

    @property
    def reader_text(self) -> str:
        """The reader as another process takes it: an own one with its module."""
        from thinktime.spec.own import OwnSpec

        if self.reader is None:
            return ""
        cls, (name, colon, options) = type(self.reader), self.reader.text().partition(":")
        own = f"{cls.__module__}:{cls.__qualname__}" if isinstance(self.reader, OwnSpec) else name
        return f"{own}{colon}{options}"

    def to_dict(self) -> dict[str, Any]:
        """Return the options as plain data; an own reader has the hash of its code."""
        reader = None if self.reader is None else self.reader.to_dict()
        return {**self.keywords(), "reader": reader, "scale_load": [each.to_dict() for each in self.scale_load]}


#: How a log is read without any option
USUAL_READING = ReadingOptions(reader=None, filter="base", processor_field=None, remove=(), scale_load=())


@option_group(SIMULATED)
class MachineOptions:
    """The machine to simulate: counted processors or the nodes of a cluster."""

    processors: int | None = option(
        "--processors", parsing.whole, metavar="N", help="Processors of the machine (default: from the log's header)."
    )
    cluster: str | None = option(
        "--cluster",
        text,
        metavar="NAME|FILE",
        names=partial(names.keys_of, "platforms.configurations.__init__", "NAMES"),
        help="Simulate nodes instead of counted processors: {names}, or a .toml or .json file; options follow a"
        " colon, for example seth:memory=ignore.",
    )
    speed: float = option(
        "--speed",
        parsing.decimal,
        default="1",
        metavar="F",
        help="Speed of the machine: 2 halves all run times. Estimates stay as recorded unless --estimates scaled.",
    )

    @cached_property
    def nodes(self) -> Cluster | None:
        """The cluster, if one was given."""
        if self.cluster is None:
            return None
        if self.processors is not None:
            raise InputError(
                "--cluster and --processors exclude each other: a cluster has its own number of processors"
            )
        from thinktime.platforms import Cluster

        return Cluster.from_text(self.cluster).scaled(speed=self.speed)

    @property
    def size(self) -> int | None:
        """The number of processors, if it was given."""
        return self.processors if self.nodes is None else int(self.nodes.processors)

    @property
    def size_because(self) -> str:
        return "--processors" if self.cluster is None else f"--cluster {self.cluster}"

    def machine_for(self, workload: Workload) -> Machine | Cluster:
        """Return the machine or cluster on which a workload is simulated."""
        from thinktime.cli.log_argument import machine_size

        return self.machine_of(machine_size(workload, self.size)[0])

    def machine_of(self, processors: int) -> Machine | Cluster:
        """Return the cluster, or a machine with this number of processors."""
        from thinktime.platforms import Machine

        return self.nodes or Machine(processors=processors, speed=self.speed)


@option_group(SIMULATED)
class SchedulerOptions:
    """Which schedulers are simulated."""

    scheduler: tuple[Scheduler, ...] = repeated_option(
        "--scheduler",
        parsing.spec("scheduler"),
        default="easy",
        metavar="NAME",
        names=partial(names.registered, "scheduler"),
        help="Scheduling policy: {names} (default: easy); options follow a colon, for example easy:order=sjf."
        " Repeatable.",
    )


@option_group(SIMULATED)
class UserOptions:
    """Who submits when, and what the scheduler believes."""

    users: UserModel = option(
        "--users",
        parsing.spec("users"),
        default="rigid",
        metavar="NAME",
        names=partial(names.registered, "users"),
        help="User model: {names}. rigid submits at the recorded times.",
    )
    estimates: Estimates = option(
        "--estimates",
        parsing.spec("estimates"),
        default="requested",
        metavar="NAME",
        names=lambda: ("requested", "perfect", "at_least:2", "scaled"),
        help="Run times that the scheduler sees: requested, perfect or at_least:2; scaled (also at_least:2,scaled)"
        " divides them by --speed.",
    )


@option_group(RULES)
class RuleOptions:
    """What happens to jobs that do not fit or run too long."""

    overrun: str = option(
        "--overrun",
        text,
        default="extend",
        metavar="RULE",
        names=partial(names.keys_of, "simulation.settings", "OVERRUN"),
        help="What happens when a job runs longer than its estimate: {names}.",
    )
    oversized: str = option(
        "--oversized",
        text,
        default="reject",
        metavar="RULE",
        names=partial(names.keys_of, "simulation.settings", "OVERSIZED"),
        help="What happens to a job larger than the machine: {names}.",
    )


@option_group(RESAMPLED)
class PoolOptions:
    """Which users of a log count as long-term and as temporary."""

    long_term_weeks: float = option(
        "--long-term-weeks",
        parsing.decimal,
        default="12",
        metavar="N",
        help="Users active for longer than this are long-term users.",
    )
    edge_weeks: float | str = option(
        "--edge-weeks",
        parsing.decimal_or_name,
        default="4",
        metavar="N",
        help="Exclude temporary users within this many weeks of the start or end of the log; table_v means 60 days.",
    )

    def keywords(self) -> dict[str, float | str]:
        return {"long_term_weeks": self.long_term_weeks, "edge_weeks": self.edge_weeks}


def formats_option(default: str = "png", panel: str | None = WRITTEN) -> Any:
    """Declare `--formats`: the file formats of figures."""
    return option(
        "--formats",
        figure_formats,
        default=default,
        metavar="NAMES",
        panel=panel,
        names=known_formats,
        help="Formats of the figures, separated by commas: {names}.",
    )


def known_formats() -> tuple[str, ...]:
    return names.keys_of("plots.kit.style", "FORMATS")


def figure_formats(option: str, given: str) -> tuple[str, ...]:
    """Return the formats in `png,pdf`."""
    found = tuple(name.strip().lower().lstrip(".") for name in given.split(",") if name.strip())
    if not found or not set(found) <= set(known_formats()):
        raise InputError(
            f"{option} must be a list of {', '.join(known_formats())}, separated by commas (got {given!r})"
        )
    return found


def file_path(option: str, given: str) -> Path:
    return Path(given)


def figure_file(option: str, given: str) -> Path:
    """Return the file of a figure; its ending is the format."""
    endings = [f".{name}" for name in known_formats()]
    if Path(given).suffix.lower() not in endings:
        raise InputError(f"{option} must end in {', '.join(endings[:-1])} or {endings[-1]} (got {given!r})")
    return Path(given)
