"""The options of `thinktime run`, and the request for one simulation that they make."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thinktime.cli import parsing, run_folders
from thinktime.cli.options import (
    MEASURED,
    RULES,
    SIMULATED,
    WRITTEN,
    MachineOptions,
    ReadingOptions,
    RuleOptions,
    UserOptions,
    file_path,
    flag,
    formats_option,
    names,
    option,
    option_group,
    repeated_option,
    text,
)
from thinktime.errors import InputError

if TYPE_CHECKING:
    from thinktime.allocators import Allocator
    from thinktime.applications import Application
    from thinktime.platforms import Cluster, Machine
    from thinktime.plugins import Plugin
    from thinktime.schedulers import Scheduler
    from thinktime.workload import Workload


@option_group(SIMULATED)
class NodeOptions:
    """What only a cluster takes."""

    allocator: Allocator | None = option(
        "--allocator",
        parsing.spec("allocator"),
        metavar="NAME",
        names=partial(names.registered, "allocator"),
        help="Which nodes of a cluster a job gets: {names} (default: first-fit); options follow a colon, for example"
        " best-fit:ranking=normalized.",
    )
    plugin: tuple[Plugin, ...] = repeated_option(
        "--plugin",
        parsing.spec("plugin"),
        metavar="NAME",
        names=partial(names.registered, "plugin"),
        help="Add a plugin to a cluster: {names}; options follow a colon, for example"
        " failures:mtbf_h=1000,jobs=requeue. Repeatable.",
    )
    requests: str | None = option(
        "--requests",
        text,
        metavar="FILE",
        help="Table (.csv, .parquet) with a column job and the resources per processor, or amounts of pools; or columns"
        " of the log, for example gpu=gpus.",
    )
    admission: str | None = option(
        "--admission",
        text,
        metavar="RULE",
        panel=RULES,
        names=partial(names.keys_of, "simulation.settings", "ADMISSION"),
        help="Which jobs a cluster rejects on submission: request (does not fit on the empty cluster; default), total"
        " (exceeds the sum of all nodes) or none.",
    )

    def keywords(self, cluster: str | None) -> dict[str, Any]:
        """Return the arguments of `simulate`; raise InputError if they are given without a cluster."""
        plugins = [plugin.text() for plugin in self.plugin]
        given = {
            "--allocator": self.allocator and self.allocator.text(),
            "--admission": self.admission,
            "--requests": self.requests,
            "--plugin": plugins[0] if plugins else None,
        }
        for name, value in given.items():
            if value is not None and cluster is None:
                raise InputError(f"{name} {value} needs a cluster: add one, for example --cluster seth")
        keywords = {"allocator": self.allocator, "plugins": list(self.plugin) or None, "admission": self.admission}
        return {name: value for name, value in keywords.items() if value is not None}


@option_group(SIMULATED)
class SimulationOptions:
    """What else decides a simulation."""

    applications: Application = option(
        "--applications",
        parsing.spec("application"),
        default="fixed",
        metavar="NAME",
        names=partial(names.registered, "application"),
        help="What runs inside jobs: {names}. fixed keeps the recorded run times; options follow a colon, for example"
        " loop:technique=gss,variation=0.2.",
    )
    until_s: float | None = option(
        "--until", parsing.seconds, metavar="TIME", help="Stop at this time of the workload, for example 30d."
    )
    seed: int | None = option(
        "--seed", parsing.whole, metavar="N", help="Random seed of the simulation and of a generated workload."
    )
    strict: bool = flag(
        "--strict",
        help="Fail and write nothing if a job is killed, rejected, lost or never ends (except after --until).",
    )
    same_instant: str = option(
        "--same-instant",
        text,
        default="batch",
        metavar="RULE",
        panel=RULES,
        names=partial(names.keys_of, "simulation.settings", "SAME_INSTANT"),
        help="When the scheduler runs if several events have the same time: {names}.",
    )


@option_group(MEASURED)
class MetricOptions:
    """Which jobs are counted."""

    window: tuple[float | None, float | None] | None = option(
        "--window",
        parsing.window,
        metavar="BEGIN:END",
        help="Count jobs submitted in this window, for example 7d:30d or 7d:",
    )
    warmup_s: float | None = option(
        "--warmup",
        parsing.seconds,
        metavar="DURATION",
        help="Exclude this initial period from the metrics, for example 7d.",
    )
    cooldown_s: float | None = option(
        "--cooldown",
        parsing.seconds,
        metavar="DURATION",
        help="Exclude this final period from the metrics, for example 1d.",
    )
    tau_s: float = option(
        "--tau",
        parsing.seconds,
        default="10",
        metavar="DURATION",
        help="Threshold of the bounded slowdown, in seconds.",
    )

    def keywords(self) -> dict[str, Any]:
        """Return the arguments of `Result.summary`."""
        cuts = {"warmup_s": self.warmup_s, "cooldown_s": self.cooldown_s}
        if self.window is not None and any(cut for cut in cuts.values()):
            raise InputError("--window cannot be combined with --warmup or --cooldown: give the window or the cuts")
        given = {"tau_s": self.tau_s, "window": self.window, **cuts}
        return {name: value for name, value in given.items() if value is not None}


@option_group(WRITTEN)
class OutputOptions:
    """What is written."""

    out: Path | None = option(
        "--out",
        file_path,
        metavar="DIR",
        help="Run directory (default: runs/LOG-SCHEDULER-HASH); with several schedulers, a folder of run directories.",
    )
    overwrite: bool = flag("--overwrite", help="Replace an existing run.")
    figures: bool | None = flag(
        "--figures/--no-figures", default=None, help="Draw every figure, or none (default: one overview page)."
    )
    formats: tuple[str, ...] = formats_option()
    swf: bool = flag("--swf", help="Also write schedule.swf, the schedule as a log.")
    csv: bool = flag("--csv", help="Also write jobs.csv.")
    batsim: bool = flag("--batsim", help="Also write batsim_jobs.csv, which evalys reads.")
    accasim: bool = flag("--accasim", help="Also write accasim_schedule.txt (clusters only).")
    decisions: bool = flag(
        "--decisions", help="Record the duration of each scheduling pass, not only of a sample (decisions.parquet)."
    )
    stream: bool = flag("--stream", help="Read and write in blocks: constant memory, no figures.")
    read_ahead: int = option(
        "--read-ahead",
        parsing.whole,
        default="1000000",
        metavar="JOBS",
        help="With --stream and users who react, the most jobs held between reading and submission.",
    )

    @property
    def exports(self) -> dict[str, str]:
        """File → the method of `Result` that writes it."""
        asked = {
            "schedule.swf": ("write_swf", self.swf),
            "jobs.csv": ("write_csv", self.csv),
            "batsim_jobs.csv": ("write_batsim", self.batsim),
            "accasim_schedule.txt": ("write_accasim", self.accasim),
        }
        return {name: method for name, (method, wanted) in asked.items() if wanted}


@dataclass(frozen=True, kw_only=True)
class Request:
    """One simulation: a log, a scheduler, and the options of the command."""

    log: str
    scheduler: Scheduler
    out: Path | None  # the run directory; None: named after the run's hash
    platform: MachineOptions
    users: UserOptions
    nodes: NodeOptions
    simulation: SimulationOptions
    reading: ReadingOptions
    rules: RuleOptions
    metrics: MetricOptions
    output: OutputOptions

    def check(self) -> None:
        """Raise InputError for everything that is wrong before the log is read."""
        from thinktime.metrics.window import check_tau, check_window
        from thinktime.simulation.settings import Settings

        size = self.platform.size
        Settings(machine=self.machine(1 if size is None else size), scheduler=self.scheduler, **self.keywords)
        self.reading.check()
        summary = self.metrics.keywords()
        check_tau(summary["tau_s"])
        check_window(summary.get("window"))
        run_folders.require_free(self.out, self.output.overwrite)

    def machine(self, processors: int) -> Machine | Cluster:
        return self.platform.machine_of(processors)

    @cached_property
    def keywords(self) -> dict[str, Any]:
        """The arguments of `simulate` besides workload, machine and scheduler."""
        return {
            "users": self.users.users,
            "applications": self.simulation.applications,
            "estimates": self.users.estimates,
            "overrun": self.rules.overrun,
            "oversized": self.rules.oversized,
            "same_instant": self.simulation.same_instant,
            "seed": self.simulation.seed or 0,
            **self.nodes.keywords(self.platform.cluster),
        }

    def job_requests(self, workload: Workload) -> dict[str, Any]:
        """Return the resources that --requests gives per job, as an argument of `Simulation`."""
        if self.nodes.requests is None or self.platform.nodes is None:
            return {}
        from thinktime.platforms.request_files import named_requests, read_requests

        given = self.nodes.requests
        return {"requests": named_requests(given) or read_requests(given, workload, self.platform.nodes)}
