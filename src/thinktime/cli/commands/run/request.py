"""What `thinktime run` was asked for, checked before anything long begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from thinktime import spec as specs
from thinktime.cli import parsing, run_folders
from thinktime.cli.log_argument import Reading
from thinktime.cli.printing import figure_files
from thinktime.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Order:
    """The options of `run` under their own names; properties turn them into what the library takes."""

    log: str
    processors: str | None
    cluster: str | None
    speed: str
    scheduler: str
    allocator: str | None
    plugin: Sequence[str] | None
    requests: Path | None
    users: str
    applications: str
    estimates: str
    until: str | None
    seed: str | None
    filter: str
    processor_field: str | None
    remove: Sequence[str] | None
    overrun: str
    oversized: str
    admission: str | None
    same_instant: str
    window: str | None
    warmup: str | None
    cooldown: str | None
    tau: str
    out: Path | None
    overwrite: bool
    figures: bool | None  # None: the overview page alone
    formats: str
    swf: bool
    csv: bool
    batsim: bool
    accasim: bool
    decisions: bool
    stream: bool
    strict: bool
    as_json: bool

    def check(self) -> None:
        """Every mistake that can be known without reading the log."""
        from thinktime.metrics.window import check_tau, check_window
        from thinktime.simulation.settings import Settings

        Settings(machine=self.machine(1 if self.size is None else self.size), scheduler=self.policy, **self.rules)
        self.reading.check()
        check_tau(self.summary_options["tau_s"])
        check_window(self.summary_options.get("window"))
        parsing.seconds("--until", self.until or "0")
        figure_files.parse_formats(self.formats)
        run_folders.require_free(self.out, self.overwrite)

    @property
    def size(self) -> int | None:
        """Processors of the machine, or of the cluster, if they were given."""
        if self.nodes is not None:
            return int(self.nodes.processors)
        return None if self.processors is None else parsing.whole("--processors", self.processors)

    @property
    def size_because(self) -> str:
        return "--processors" if self.cluster is None else f"--cluster {self.cluster}"

    @cached_property
    def nodes(self) -> Any:
        """The cluster, if one was asked for."""
        if self.cluster is None:
            return None
        if self.processors is not None:
            raise InputError("--cluster says what the nodes are, and --processors counts them: give one of the two")
        from thinktime.platforms import Cluster

        return Cluster.from_text(self.cluster).scaled(speed=parsing.decimal("--speed", self.speed))

    def machine(self, processors: int) -> Any:
        from thinktime.platforms import Machine

        if self.nodes is not None:
            return self.nodes
        return Machine(processors=processors, speed=parsing.decimal("--speed", self.speed))

    @property
    def seed_number(self) -> int | None:
        return None if self.seed is None else parsing.whole("--seed", self.seed)

    @cached_property
    def policy(self) -> Any:
        return specs.parse("scheduler", self.scheduler)

    @cached_property
    def rules(self) -> dict[str, Any]:
        """What `simulate` takes besides workload, machine and scheduler."""
        from thinktime.workload import Estimates

        return {
            "users": specs.parse("users", self.users),
            "applications": specs.parse("application", self.applications),
            "estimates": Estimates.parse(self.estimates),
            "overrun": self.overrun,
            "oversized": self.oversized,
            "same_instant": self.same_instant,
            "seed": self.seed_number or 0,
            **self._on_nodes(),
        }

    def _on_nodes(self) -> dict[str, Any]:
        """What only a cluster takes."""
        first = self.plugin[0] if self.plugin else None
        given: dict[str, Any] = {"--allocator": self.allocator, "--admission": self.admission}
        given |= {"--requests": self.requests, "--plugin": first}
        for option, text in given.items():
            if text is not None and self.cluster is None:
                raise InputError(f"{option} {text} is for the nodes of a cluster: give one too, as in --cluster seth")
        allocator = {} if self.allocator is None else {"allocator": specs.parse("allocator", self.allocator)}
        plugins = {"plugins": [specs.parse("plugin", text) for text in self.plugin]} if self.plugin else {}
        return {**allocator, **plugins, **({} if self.admission is None else {"admission": self.admission})}

    def amounts(self, workload: Any) -> dict[str, Any]:
        """What `Simulation` is told of requests by job."""
        if self.requests is None:
            return {}
        from thinktime.platforms.request_files import read_requests

        return {"requests": read_requests(self.requests, workload, self.nodes)}

    @property
    def reading(self) -> Reading:
        return Reading(self.filter, self.processor_field, tuple(self.remove or ()), self.seed_number)

    @property
    def until_s(self) -> float:
        return float("inf") if self.until is None else parsing.seconds("--until", self.until)

    @property
    def summary_options(self) -> dict[str, Any]:
        """As Result.summary takes them; only what was asked for."""
        if self.window and (self.warmup or self.cooldown):
            raise InputError("--window and --warmup or --cooldown cut twice: give the window alone, or the cuts")
        cuts = {"warmup_s": ("--warmup", self.warmup), "cooldown_s": ("--cooldown", self.cooldown)}
        given = {key: parsing.seconds(option, text) for key, (option, text) in cuts.items() if text is not None}
        window = {"window": parsing.window("--window", self.window)} if self.window else {}
        return {"tau_s": parsing.seconds("--tau", self.tau), **window, **given}

    @property
    def exports(self) -> dict[str, str]:
        """File → the method of Result that writes it."""
        asked = {
            "schedule.swf": ("write_swf", self.swf),
            "jobs.csv": ("write_csv", self.csv),
            "batsim_jobs.csv": ("write_batsim", self.batsim),
            "accasim_schedule.txt": ("write_accasim", self.accasim),
        }
        return {name: method for name, (method, wanted) in asked.items() if wanted}
