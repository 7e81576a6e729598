"""A simulation that can be driven step by step."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from thinktime.allocators import Allocator
from thinktime.applications import Application
from thinktime.errors import InputError
from thinktime.metrics import REJECTED, Cautions, Context, find_cautions
from thinktime.plugins import Plugin
from thinktime.result import Result, empty_placements
from thinktime.result.attempts import with_attempts
from thinktime.simulation.application_level import application_of, inside_tables
from thinktime.simulation.arguments import MachineLike, SchedulerLike, WorkloadLike, as_machine, workload_or_generated
from thinktime.simulation.job_columns import (
    clock_spec,
    hash_jobs,
    job_columns,
    refusals,
    with_others,
    workload_spec,
)
from thinktime.simulation.outcome import statistics_of
from thinktime.simulation.plugins import SimulationPlugins, attempts_of, split_inputs
from thinktime.simulation.requests import given_amounts, requests_of
from thinktime.simulation.scheduler_actions import action_tables, reasons_of
from thinktime.simulation.settings import Admission, Overrun, Oversized, SameInstant, Settings
from thinktime.support.equality import ByContent
from thinktime.support.html import facts_html
from thinktime.support.json_types import JsonDict
from thinktime.traces.content_hash import ContentHash
from thinktime.users import UserModel
from thinktime.workload import Estimates

#: Seconds between two reports of progress, and between two checks for an interruption.
SECONDS = 0.1


#: Amounts of a cluster's resources and pools by name: one number, one per job, or a column; or a file of them.
RequestsLike: TypeAlias = Mapping[str, ArrayLike] | str | PathLike[str] | None


@dataclass(frozen=True, eq=False, repr=False)
class State(ByContent):
    """The system after the last step. Arrays are read-only and hold rows of the workload."""

    clock_s: float
    next_s: float  # the next instant at which something happens; inf if nothing is left
    free_processors: int
    queue: np.ndarray  # in the scheduler's order
    running: np.ndarray  # by end

    def __repr__(self) -> str:
        when = f"at {self.clock_s:g} s" if math.isfinite(self.clock_s) else "before the first event"
        jobs = f"{len(self.queue):,} queued, {len(self.running):,} running"
        return f"<State {when}: {jobs}, {self.free_processors:,} processors free>"

    def _repr_html_(self) -> str:
        facts = {
            "clock": f"{self.clock_s:,g} s",
            "next event": f"{self.next_s:,g} s",
            "queued jobs": f"{len(self.queue):,}",
            "running jobs": f"{len(self.running):,}",
            "free processors": f"{self.free_processors:,}",
        }
        return facts_html("State of a simulation", facts)


class Simulation:
    """A simulation that can be driven: step by step, up to an instant, or to the end.

    Parameters
    ----------
    workload, machine, scheduler, users, applications, estimates, overrun, oversized, same_instant
        As in `simulate`.
    allocator, admission, plugins, requests, seed, timeline, decisions
        As in `simulate`.

    Attributes
    ----------
    workload : Workload
        The jobs.
    settings : Settings
        The platform, the policies and the rules, checked.

    Examples
    --------
    >>> import thinktime as tt
    >>> sim = tt.Simulation(tt.default_workload(jobs=200), 128, "fcfs")
    >>> sim.step()
    True
    >>> sim.run(until=40_000).state
    <State at 39747 s: 0 queued, 12 running, 4 processors free>
    >>> sim.run().result().summary()["jobs"]
    200
    """

    def __init__(
        self,
        workload: WorkloadLike,
        machine: MachineLike = None,
        scheduler: SchedulerLike = "easy",
        *,
        users: UserModel | str = "rigid",
        applications: Application | str = "fixed",
        estimates: Estimates | str = "requested",
        overrun: Overrun = "extend",
        oversized: Oversized = "reject",
        same_instant: SameInstant = "batch",
        allocator: Allocator | str | None = None,
        admission: Admission | None = None,
        plugins: Plugin | str | Sequence[Plugin | str] = (),
        requests: RequestsLike = None,
        seed: int = 0,
        timeline: bool = True,
        decisions: bool = False,
    ) -> None:
        self.workload = workload_or_generated(workload)
        rules = {
            "users": users,
            "applications": applications,
            "estimates": estimates,
            "overrun": overrun,
            "oversized": oversized,
            "same_instant": same_instant,
            "allocator": allocator,
            "admission": admission,
            "plugins": plugins,
            "seed": seed,
        }
        self.settings = Settings.of(as_machine(machine, self.workload), scheduler, rules)
        amounts, inputs = split_inputs(self.workload, given_amounts(self.workload, self.settings, requests))
        self._requests = requests_of(self.workload, self.settings, amounts)
        self._plugins: SimulationPlugins | None = None
        if self.settings.plugins or inputs:
            self._plugins = SimulationPlugins(self.settings)
            self._requests = self._plugins.take(self.workload, self._requests, inputs)
        self._plan = self.settings.users.plan(self.workload, self.settings.seed)
        self._engine = self.settings.engine(
            timeline=timeline,
            keep_jobs=True,
            decisions=decisions,
            plan=self._plan,
            pools=self._requests.pools,
            application=application_of(self.settings, self.workload),
        )
        self._requests.load(self._engine)
        self._engine.close()
        if self._plugins:
            self._plugins.begin(self._engine)
            self._plugins.load(self._engine)
        self._timeline: dict[str, np.ndarray] = {}
        self._engine_s = 0.0
        self._clock_s = -math.inf  # simulated up to here, even if the last event was earlier

    def __repr__(self) -> str:
        what = f"{self.workload.name} under {self.settings.scheduler.text()}"
        return f"<Simulation of {what}, {repr(self.state).removeprefix('<State ')}"

    def _repr_html_(self) -> str:
        return self.state._repr_html_()

    def step(self) -> bool:
        """Simulate one round of the next instant; return False if nothing is left."""
        return bool(self._engine.step())

    def run(self, until: float = np.inf, progress: Callable[[float], None] | None = None) -> Simulation:
        """Simulate all instants up to and including one.

        Parameters
        ----------
        until : float
            Last instant in seconds (default: to the end).
        progress : callable, optional
            Called with the clock about ten times per second.

        Returns
        -------
        Simulation
            This simulation, so that calls can be chained: `sim.run().result()`.
        """
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
        """The clock, the queue, the running jobs and the free processors."""
        engine = self._engine
        queue, running = engine.queue, engine.running
        queue.flags.writeable = running.flags.writeable = False
        return State(engine.now, engine.next, engine.free, queue, running)

    @cached_property
    def spec(self) -> JsonDict:
        """What is simulated, as JSON-able data; its digest names the run."""
        clock = clock_spec(self.workload, self.settings)
        return {"workload": self._hashed_jobs, **clock, **self.settings.to_dict()}

    @cached_property
    def _hashed_jobs(self) -> JsonDict:
        """The source of the jobs, and the hash of what decides about their run."""
        inputs = self._plugins.context.inputs if self._plugins and self._plugins.context else {}
        content = ContentHash()
        simulated = {**self._requests.by_job(self.settings.cluster), **inputs}
        hash_jobs(content, self.workload, simulated, self.settings)
        return workload_spec(self.workload, content)

    def result(self) -> Result:
        """Return the result so far: every job with its times and its status."""
        columns = self.columns()
        stopped = bool(np.isfinite(self._engine.next))
        where = self._stop(columns["submit_s"]) if stopped else {}
        requested, placed, refused = self._on_nodes(columns["status"])
        return Result(
            columns={**columns, **requested, **{name: self.workload[name] for name in self.workload.attributes}},
            types={name: self.workload.types[name] for name in self.workload.attributes},
            processors=self.settings.machine.processors,
            spec=self.spec,
            timeline_columns=self.timeline_columns(),
            decisions_columns=self._engine.decisions(),
            placement_columns=placed,
            attempts_made=attempts_of(self._engine.attempts()),
            report_columns={
                **(self._plugins.tables(self._engine.reports()) if self._plugins else {}),
                **inside_tables(self._engine.inside(), columns["job"]),
                **action_tables(self._engine, columns["job"]),
            },
            account=self.workload.account,
            statistics={
                **statistics_of(self._engine, self._engine_s),
                "stopped": stopped,
                **where,
                **reasons_of(self._engine),
                **refused,
                **self._requests.remarks(),
            },
        )

    def columns(self) -> dict[str, np.ndarray]:
        """Return the columns of `Result.jobs` so far as arrays, without the hash of the run."""
        return job_columns(self.workload.columns, self._engine.jobs(), self._plan.get("session"))

    def cautions(self, columns: Mapping[str, np.ndarray] | None = None, *, saturated: bool = True) -> Cautions:
        """Return what happened to the jobs so far that changes the meaning of metrics, such as kills and rejections.

        Parameters
        ----------
        columns : mapping, optional
            The result of `columns()`, if it is at hand.
        saturated : bool
            Also test whether the queue still grows (default True).
        """
        of = self.columns() if columns is None else columns
        stopped = {"stopped": True, "clock_s": self._engine.now} if np.isfinite(self._engine.next) else {}
        said = {**stopped, **reasons_of(self._engine), **self._requests.remarks()}
        context = Context.of(self.settings.to_dict(), {}, said)
        context = with_attempts(context, attempts_of(self._engine.attempts()), len(of["job"]))
        return find_cautions(of, context, saturated=saturated)

    def timeline_columns(self) -> dict[str, np.ndarray]:
        """Return the columns of `Result.timeline` so far as arrays."""
        self._timeline = _append_timeline(self._timeline, self._engine.take_timeline(all=True))
        return self._timeline

    def _on_nodes(self, status: np.ndarray) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray], JsonDict]:
        """Return the requests and the placements of jobs on a cluster, and the reasons of rejections."""
        cluster, nodes = self.settings.cluster, self._requests.nodes
        rejected, reasons = status == REJECTED, reasons_of(self._engine).get("rejected", {})
        if cluster is None or nodes is None:
            return {}, empty_placements(), refusals(rejected, self.workload["processors"], self.settings, reasons)
        others = "by a plugin" if self.settings.plugins else self.settings.scheduler.name
        why = with_others(Counter(nodes.refusals(rejected)) + Counter(reasons), int(np.count_nonzero(rejected)), others)
        return nodes.columns(cluster), self._engine.placements(), {"rejected": why}

    @property
    def node_free(self) -> np.ndarray:
        """[node, resource]: the free amounts on every node of the cluster now; a copy."""
        cluster = self.settings.cluster
        if cluster is None:
            raise InputError(f"{self.settings.machine!r} has no nodes: node_free needs a tt.Cluster")
        return np.asarray(self._engine.node_free).reshape(cluster.nodes, -1)[:, : len(cluster.resources)].copy()

    def _stop(self, submit_s: np.ndarray) -> JsonDict:
        """Return the last simulated instant, and the number of jobs submitted by then."""
        clock_s = max(self._clock_s, self._engine.now)
        return {"clock_s": _none_unless_finite(clock_s), "submitted_jobs": int(np.count_nonzero(submit_s <= clock_s))}


def _none_unless_finite(time_s: float) -> float | None:
    return time_s if math.isfinite(time_s) else None


def _append_timeline(timeline: dict[str, np.ndarray], more: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the timeline with later rows appended; a further round of the last instant replaces its row."""
    if not timeline or not len(more["time_s"]):
        return timeline or more
    again = len(timeline["time_s"]) and timeline["time_s"][-1] == more["time_s"][0]
    kept = slice(None, -1) if again else slice(None)
    return {name: np.concatenate([timeline[name][kept], more[name]]) for name in more}
