"""Loops that another simulator runs, in worker processes that speak the protocol."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from thinktime.applications.application import ApplicationContext
from thinktime.applications.loop import Loop
from thinktime.applications.own_technique import OwnTechnique
from thinktime.applications.worker_jobs import LoopJobs
from thinktime.applications.worker_level import Expected, WorkerLevel, WorkerReplay
from thinktime.applications.worker_pool import WorkerPool
from thinktime.errors import InputError
from thinktime.spec import is_number, one_of

NETWORKS = ("none", "mesh")
MOST_WORKERS = 1024


class WorkerLoop(Loop):
    """A loop that worker processes simulate. The result does not depend on the number of workers."""

    workers: int | None = None
    timeout_s: float = 600.0
    network: str = "none"
    bandwidth_gbps: float = 50.0
    latency_ns: float = 500.0
    message_bytes: int = 64
    service_ns: float = 0.0
    cores_per_node: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(f"network of {self.name}", self.network, NETWORKS)
        if isinstance(self.technique, OwnTechnique):
            raise InputError(
                f"technique of {self.name} is {self.technique!r}, which is written in Python: choose a built-in or a"
                " compiled technique, or simulate with loop"
            )
        for option, least in (("timeout_s", 1e-3), ("bandwidth_gbps", 1e-9), ("latency_ns", 1e-3), ("service_ns", 0.0)):
            value = getattr(self, option)
            if not is_number(value) or not least <= value < math.inf:
                raise InputError(f"{option} of {self.name} is {value!r}: choose a number of {least:g} or more")
        for option, most in (("workers", MOST_WORKERS), ("cores_per_node", 2**31), ("message_bytes", 2**31)):
            self._require_whole(option, getattr(self, option), most)

    def _require_whole(self, option: str, value: Any, most: int) -> None:
        whole = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most
        if not whole and not (value is None and option != "message_bytes"):
            raise InputError(f"{option} of {self.name} is {value!r}: choose a whole number from 1 to {most}")

    def command(self) -> list[str]:
        """Return the command that starts a worker."""
        raise NotImplementedError

    def level(self, context: ApplicationContext) -> WorkerLevel:
        plays = self._plays(context)
        anywhere = not (plays.network or self.speeds or self.slowdowns)
        return WorkerLevel(self._bridge(), plays.of, _in_order(context) if anywhere else ())

    def shown(self, context: ApplicationContext) -> WorkerReplay:
        return WorkerReplay(self._bridge(), self._plays(context))

    def _bridge(self) -> WorkerPool:
        return WorkerPool(self.command(), self.workers or len(os.sched_getaffinity(0)), self.timeout_s)

    def _plays(self, context: ApplicationContext) -> LoopJobs:
        return LoopJobs(self, context, self._node_cores(context), self._network())

    def _network(self) -> dict[str, float] | None:
        if self.network == "none":
            return None
        line = {"bandwidth_bytes_s": self.bandwidth_gbps * 1e9 / 8, "latency_s": self.latency_ns * 1e-9}
        return {**line, "message_bytes": self.message_bytes, "service_s": self.service_ns * 1e-9}

    def _node_cores(self, context: ApplicationContext) -> np.ndarray:
        """Return the cores of each node; `cores_per_node` splits a counted machine into nodes."""
        each = self.cores_per_node
        if each is not None:
            return np.diff([*range(0, context.cores, each), context.cores])
        nodes = np.array([context.cores]) if context.node_cores is None else context.node_cores
        if self.network != "none" and len(nodes) == 1:
            raise InputError(
                f"network of {self.name} is {self.network!r} but all {context.cores} cores are on one node, where"
                " messages take no time: give cores_per_node, or a tt.Cluster"
            )
        return nodes


class OtherSimulator(WorkerLoop, name="other-simulator"):
    """Simulates the loops of `loop` in another program.

    `run` is the command of a process that speaks the protocol of docs/formats/application_protocol.md. The other
    options are those of `simgrid`.
    """

    run: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.run, str) or not self.run.strip():
            raise InputError(
                f"run of {self.name} is {self.run!r}: give the command that starts a worker, such as python3 mine.py"
            )

    @property
    def starts(self) -> str:
        return f"`{self.run}`"

    @classmethod
    def own_command(cls, spec: Mapping[str, Any]) -> str:
        return f"`{spec.get('run')}`"

    def command(self) -> list[str]:
        return shlex.split(self.run)


def _in_order(context: ApplicationContext) -> Iterator[Expected]:
    """Yield the jobs in the order of submission."""
    log = context.workload
    if log is None:
        return
    each_s, cores = log["run_s"] / context.speed, np.minimum(log["processors"], context.cores)
    for row in range(len(log)):
        if each_s[row] >= 0 and cores[row] >= 1:
            yield row, float(each_s[row]), int(cores[row])
