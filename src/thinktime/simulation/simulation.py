"""A simulation that can be driven step by step, and `simulate`, which runs one to its end."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics import REJECTED, Cautions, Context, find_cautions
from thinktime.platforms import Cluster, Machine
from thinktime.result import Attempts, Result, empty_placements
from thinktime.result.attempts import with_attempts
from thinktime.schedulers import Scheduler
from thinktime.simulation.additional import Additional, attempts_of, split_watts
from thinktime.simulation.application_level import application_of, inside_tables
from thinktime.simulation.outcome import judge, statistics_of
from thinktime.simulation.requests import given_amounts, requests_of
from thinktime.simulation.settings import Settings
from thinktime.support.equality import ByContent
from thinktime.workload import Workload

#: Between two reports of progress, and two chances for an interruption.
SECONDS = 0.1


@dataclass(frozen=True, eq=False)
class State(ByContent):
    """The system after the last step. Arrays are read-only and hold rows of the workload."""

    clock_s: float
    next_s: float  # the next instant at which something happens; inf if nothing is left
    free_processors: int
    queue: np.ndarray  # in the scheduler's order
    running: np.ndarray  # by end


class Simulation:
    """`sim = Simulation(workload, machine, scheduler); sim.step(); sim.run(until=…); sim.state; sim.result()`."""

    def __init__(
        self,
        workload: Workload,
        machine: Machine | Cluster,
        scheduler: Scheduler,
        *,
        timeline: bool = True,
        decisions: bool = False,
        requests: Mapping[str, Any] | str | Path | None = None,
        **rules: Any,
    ) -> None:
        self.workload = workload
        self.settings = Settings.of(machine, scheduler, rules)
        amounts, watts = split_watts(workload, given_amounts(workload, self.settings, requests))
        self._requests = requests_of(workload, self.settings, amounts)
        self._additional: Additional | None = None
        if self.settings.plugins or watts is not None:
            self._additional = Additional(self.settings, workload, self._requests, watts)
            self._requests = self._additional.requests
        self._plan = self.settings.users.plan(workload, self.settings.seed)
        self._engine = self.settings.engine(
            timeline=timeline,
            keep_jobs=True,
            decisions=decisions,
            plan=self._plan,
            pools=self._requests.pools,
            columns={name: workload[name] for name in scheduler.columns()},
            application=application_of(self.settings, workload),
        )
        self._requests.load(self._engine)
        self._engine.close()
        if self._additional:
            self._additional.add_to(self._engine)
        self._timeline: dict[str, np.ndarray] = {}
        self._engine_s = 0.0
        self._clock_s = -math.inf  # up to where everything has happened, if no event says so

    def step(self) -> bool:
        """One round of the next instant; False if nothing is left."""
        return bool(self._engine.step())

    def run(self, until: float = np.inf, progress: Callable[[float], None] | None = None) -> Simulation:
        """All instants up to and including `until`. `progress` hears the clock now and then."""
        if math.isnan(until):
            raise InputError("until is nan: give a time in seconds, inf for the end")
        begin = time.perf_counter()
        while not self._engine.run_for(until, SECONDS):
            if progress is not None:
                progress(self._engine.now)
        self._engine_s += time.perf_counter() - begin
        self._clock_s = max(self._clock_s, until)
        return self

    @property
    def state(self) -> State:
        engine = self._engine
        queue, running = engine.queue, engine.running
        queue.flags.writeable = running.flags.writeable = False
        return State(engine.now, engine.next, engine.free, queue, running)

    @cached_property
    def spec(self) -> dict[str, Any]:
        """What is simulated; known before the first step. Its digest is the name of the run."""
        watts = self._additional.context.watts if self._additional else None
        given = [*self._requests.arrays(), *([] if watts is None else [watts])]
        return {"workload": workload_spec(self.workload, given), **self.settings.to_dict()}

    def result(self) -> Result:
        """What has become of every job so far."""
        columns = self.columns()
        stopped = bool(np.isfinite(self._engine.next))
        where = self._stop(columns["submit_s"]) if stopped else {}
        requested, placed, refused = self._on_nodes(columns["status"])
        return Result(
            columns={**columns, **requested},
            processors=self.settings.machine.processors,
            spec=self.spec,
            timeline_columns=self.timeline_columns(),
            decisions_columns=self._engine.decisions(),
            placement_columns=placed,
            attempts_made=attempts_of(self._engine) if self._additional else Attempts.none(),
            report_columns={
                **(self._additional.reports(self._engine) if self._additional else {}),
                **inside_tables(self._engine, columns["job"]),
            },
            account=self.workload.account,
            statistics={
                **statistics_of(self._engine, self._engine_s),
                "stopped": stopped,
                **where,
                **refused,
                **self._requests.remarks(),
            },
        )

    def columns(self) -> dict[str, np.ndarray]:
        """What has become of every job so far, by name: the arrays of a result, without the hash of the run."""
        return job_columns(self.workload.columns, self._engine.jobs(), self._plan.get("session"))

    def cautions(self, columns: Mapping[str, np.ndarray] | None = None, *, saturated: bool = True) -> Cautions:
        """What happened to the jobs so far, without what the reader changed; `saturated` also judges the queue."""
        of = self.columns() if columns is None else columns
        stopped = {"stopped": True, "clock_s": self._engine.now} if np.isfinite(self._engine.next) else {}
        context = Context.of(self.settings.to_dict(), {}, {**stopped, **self._requests.remarks()})
        if self._additional:
            context = with_attempts(context, attempts_of(self._engine), len(of["job"]))
        return find_cautions(of, context, saturated=saturated)

    def timeline_columns(self) -> dict[str, np.ndarray]:
        """The timeline so far, as arrays by name."""
        self._timeline = _joined(self._timeline, self._engine.take_timeline(all=True))
        return self._timeline

    def _on_nodes(self, status: np.ndarray) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray], dict[str, Any]]:
        """On a cluster: what each job asked for, and where it was placed; and why jobs were rejected."""
        cluster, nodes = self.settings.cluster, self._requests.nodes
        rejected = status == REJECTED
        if cluster is None or nodes is None:
            return {}, empty_placements(), refusals(rejected, self.workload["processors"], self.settings)
        others = "by a plugin" if self.settings.plugins else self.settings.scheduler.name
        why = with_others(nodes.refusals(rejected), int(np.count_nonzero(rejected)), others)
        return nodes.columns(cluster), self._engine.placements(), {"rejected": why}

    @property
    def node_free(self) -> np.ndarray:
        """[node, resource]: what is free on every node of the cluster now; a copy."""
        cluster = self.settings.cluster
        if cluster is None:
            raise InputError(f"{self.settings.machine!r} has no nodes: only a tt.Cluster knows what is free on each")
        return np.asarray(self._engine.node_free).reshape(cluster.nodes, -1)[:, : len(cluster.resources)].copy()

    def _stop(self, submit_s: np.ndarray) -> dict[str, Any]:
        """Up to when the schedule is known, and how many jobs were submitted by then."""
        clock_s = max(self._clock_s, self._engine.now)
        return {"clock_s": _finite(clock_s), "submitted_jobs": int(np.count_nonzero(submit_s <= clock_s))}


def _finite(time_s: float) -> float | None:
    return time_s if math.isfinite(time_s) else None


def _joined(timeline: dict[str, np.ndarray], more: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The timeline with what followed. A further round of the last instant replaces its row."""
    if not timeline or not len(more["time_s"]):
        return timeline or more
    again = len(timeline["time_s"]) and timeline["time_s"][-1] == more["time_s"][0]
    kept = slice(None, -1) if again else slice(None)
    return {name: np.concatenate([timeline[name][kept], more[name]]) for name in more}


def simulate(
    workload: Workload,
    machine: Machine | Cluster,
    scheduler: Scheduler,
    *,
    progress: Callable[[float], None] | None = None,
    strict: bool = False,
    **rules: Any,
) -> Result:
    """Simulate to the end. Rules: users, applications, estimates, overrun, oversized, same_instant, seed; on a cluster
    allocator, admission, plugins and requests (amounts by job, or a file of them); and what is kept: timeline (True),
    decisions (False: the time of every scheduler pass).

    Issue an OutcomeWarning if jobs never ended or were never submitted. With `strict`, raise StrictError if any job did
    not complete: unfinished, never submitted, rejected, killed or lost."""
    result = Simulation(workload, machine, scheduler, **rules).run(progress=progress).result()
    judge(result.cautions, strict, result)
    return result


def refusals(rejected: np.ndarray, processors: np.ndarray, settings: Settings) -> dict[str, dict[str, int]]:
    """On a counted machine: why jobs were rejected; nothing if none was."""
    large = int(np.count_nonzero(rejected & (processors > settings.machine.processors)))
    others = int(np.count_nonzero(rejected)) - large
    why = {"larger than the machine": large, "by the scheduler": others}
    found = {reason: count for reason, count in why.items() if count}
    return {"rejected": found} if found else {}


def with_others(known: Mapping[str, int], rejected: int, scheduler: str) -> dict[str, int]:
    """Reason → jobs rejected for it. Whom Python did not refuse, the engine did."""
    others = rejected - sum(known.values())
    usual = "no nodes that the allocator could choose"
    why = {"reject": "by the scheduler", "by a plugin": "by a plugin"}.get(scheduler, usual)
    return {**known, **({why: others} if others else {})}


def job_columns(
    recorded: Any, simulated: dict[str, np.ndarray], session: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """The data contract's columns from what was recorded and what the engine found."""
    start = recorded["submit_s"] + recorded["wait_s"]
    rejected = simulated["status"] == REJECTED
    simulated["processors"] = np.where(rejected, recorded["processors"], simulated["processors"])
    return {
        "job": recorded["job"],
        "user": recorded["user"],
        **{k: simulated[k] for k in ("submit_s", "start_s", "end_s", "processors", "run_s", "estimate_s", "status")},
        "recorded_submit_s": recorded["submit_s"],
        "recorded_start_s": start,
        "recorded_end_s": start + recorded["run_s"],
        "session": np.full(len(start), np.nan) if session is None else session.astype(np.float64),
        **({"overhead_s": simulated["overhead_s"]} if "overhead_s" in simulated else {}),
    }


def workload_spec(workload: Workload, requests: Iterable[np.ndarray]) -> dict[str, Any]:
    """Which jobs were simulated: where they came from, and the hash of what the engine was given."""
    content = hashlib.sha256()
    hash_jobs(content, workload, requests)
    return {"name": workload.name, "jobs": len(workload), "jobs_sha256": content.hexdigest(), **workload.source}


def hash_jobs(content: Any, workload: Workload, requests: Iterable[np.ndarray]) -> None:
    """Adds to a hash what decides about a run: the jobs' names, and what the engine is given."""
    for column in (workload["job"], workload["user"], workload["wait_s"], *requests):
        content.update(np.ascontiguousarray(column).data)
