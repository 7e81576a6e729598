"""AccaSim's workload generator: learn from a log and its system, generate similar jobs for the same or another system.

accasim_profile.py learns from the log, accasim_arrivals.py draws submissions, accasim_bodies.py draws jobs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.generate.accasim_arrivals import CYCLES, PROGRESS, Arrivals, stretch_of
from thinktime.generate.accasim_bodies import CORE, MEMORY, Bodies, Limits, Target
from thinktime.generate.accasim_profile import DAY_S, Profile
from thinktime.generate.estimates import Estimated
from thinktime.generate.generator import MOST_JOBS, Block, between, header_of, whole
from thinktime.spec import Spec, one_of
from thinktime.traces import Header
from thinktime.workload.reading.read import as_workload
from thinktime.workload.workload import Workload

AT_A_TIME = 16_384  # jobs
SCALES = ("log", "linear")
FACTORS = (0.001, 1000.0)


class AccaSim(Estimated, name="accasim"):
    """AccaSim's generator: submissions and work like those of a log, for the system of the log or another one.

    `of(log, cluster)` learns from a log. One processor of a generated job is one core.

    Parameters
    ----------
    jobs
        Number of jobs.
    performance
        Speed of each resource on the system of the log in GFLOP/s, for example `core:1.667`.
    limits
        Minimum and maximum of each resource that a job requests per node, for example `core:1-4+mem:256-1024`.
    core_speed, nodes
        Factors on the core speed and on the number of nodes of the target system.
    gpu_share, gpus, gpu_gflops
        Share of nodes with accelerators, accelerators per node, and their speed in GFLOP/s.
    work
        Fit the distribution of the work to its `log` or to the value itself (`linear`).
    progress
        Move the cap on gaps by `share` of jobs so far, or by `quota` of all jobs.
    cycle
        `week` reproduces the 336 half-hours of the log; `day` has 48, as published, which makes weekends too busy.
    estimates, max_estimate_h
        `tsafrir` adds user estimates up to this maximum in hours; `none` leaves them out.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.AccaSim(jobs=500, nodes=2.0).nodes
    2.0
    """

    jobs: int = 50_000
    performance: str | Mapping[str, float] = "core:1.667"
    limits: str | Mapping[str, Any] = ""
    core_speed: float = 1.0
    nodes: float = 1.0
    gpu_share: float = 0.0
    gpus: int = 2
    gpu_gflops: float = 933.0
    work: str = "log"
    progress: str = "share"
    cycle: str = "week"
    estimates: str = "none"
    max_estimate_h: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "jobs", whole("jobs", self.jobs, MOST_JOBS))
        object.__setattr__(self, "gpus", whole("gpus", self.gpus, 1000))
        object.__setattr__(self, "performance", _pairs_text(performance_of(self.performance)))
        object.__setattr__(
            self, "limits", _pairs_text({k: f"{a:g}-{b:g}" for k, (a, b) in limits_of(self.limits).items()})
        )
        for option, low, high in (
            *((option, *FACTORS) for option in ("core_speed", "nodes")),
            ("gpu_share", 0.0, 1.0),
            ("gpu_gflops", 0.001, 1e9),
        ):
            object.__setattr__(self, option, between(option, getattr(self, option), low, high))
        one_of("work", self.work, SCALES)
        one_of("progress", self.progress, PROGRESS)
        one_of("cycle", self.cycle, CYCLES)
        self.check_estimates()

    def of(self, log: Workload | str | PathLike[str], cluster: Any, target: Any = None) -> AccaSim:
        """Return a copy that has learnt from a log.

        Parameters
        ----------
        log
            A workload, or the name or path of a log.
        cluster
            The Cluster on which the log was recorded.
        target
            The Cluster to generate jobs for; by default `cluster`, changed by the options.
        """
        if not hasattr(cluster, "groups"):
            raise InputError(f"cluster must be a Cluster (got {type(cluster).__name__})")
        workload = as_workload(log)
        profile = Profile.of(workload, cluster, performance_of(self.performance), log_work=self.work == "log")
        source = {
            "log": workload.name,
            **{k: v for k, v in workload.source.items() if k in ("sha256", "filter", "seed")},
        }
        return self._learnt_copy(
            profile, stretch_of(profile.submissions, self.progress, self.cycle), cluster, target, source
        )

    def with_options(self, **changes: Any) -> AccaSim:
        """Return a copy with other options, without learning again."""
        fixed = [option for option in ("performance", "work", "progress", "cycle") if option in changes]
        if fixed:
            raise InputError(f"{fixed[0]} needs the log again: use AccaSim({fixed[0]}=…).of(log, cluster)")
        old = self.learnt
        return self.changed(changes)._learnt_copy(old.profile, old.stretch, old.cluster, None, old.source)

    def _learnt_copy(
        self, profile: Profile, stretch: float, cluster: Any, target: Any, source: dict[str, Any]
    ) -> AccaSim:
        """Return a copy that generates jobs for the target, or for the cluster as changed by the options."""
        here = performance_of(self.performance)
        system = self._target(cluster) if target is None else target
        gflops = {"gpu": self.gpu_gflops, **here, CORE: here[CORE] * self.core_speed}
        goal = Target.of(system, limits_of(self.limits), gflops)
        _require_limits(goal)
        made = self.replace()
        object.__setattr__(made, "_learnt", Learnt(profile, goal, system, cluster, stretch, source))
        return made

    @property
    def learnt(self) -> Learnt:
        """Return what `of` learnt from the log."""
        found: Learnt | None = self.__dict__.get("_learnt")
        if found is None:
            raise InputError("accasim needs a log to learn from: use AccaSim(...).of(log, cluster)")
        return found

    @property
    def system(self) -> Any:
        """Return the cluster to simulate the jobs on, with one core per processor."""
        return self.learnt.system.replace(unit={CORE: 1})

    @property
    def machine_processors(self) -> int:
        return sum(group.nodes * dict(group.resources).get(CORE, 0) for group in self.learnt.system.groups)

    @property
    def length(self) -> int:
        return self.jobs

    def source(self, seed: int) -> dict[str, Any]:
        learnt = self.learnt
        laws = {"gaps": learnt.profile.submissions.law.to_dict(), "work": learnt.profile.work.law.to_dict()}
        return {**super().source(seed), "from": learnt.source, "laws": laws}

    def header(self) -> Header:
        first_day = int(self.learnt.profile.submissions.first_s // DAY_S)
        return Header.parse(header_of(self.name, self.machine_processors, first_day * DAY_S))

    def jobs_without_estimates(self, seed: int) -> Iterator[Block]:
        """Yield chunks of jobs; memory is per processor."""
        learnt = self.learnt
        how: dict[str, Any] = {"progress": self.progress, "cycle": self.cycle, "stretch": learnt.stretch}
        arrivals = Arrivals(learnt.profile.submissions, seed, jobs=self.jobs, **how)
        bodies = Bodies(learnt.profile, learnt.target, seed)
        while True:
            yield _columns_of_bodies(arrivals.take(AT_A_TIME), bodies.take(AT_A_TIME))

    def requests(self, *, seed: int = 1) -> Iterator[Block]:
        """Yield what SWF has no columns for: job, work in GFLOP, nodes, and the amount of each resource per node."""
        bodies = Bodies(self.learnt.profile, self.learnt.target, seed)
        done = 0
        while done < self.jobs:
            count = min(AT_A_TIME, self.jobs - done)
            block = {name: values for name, values in bodies.take(count).items() if name not in ("run_s", "serial")}
            yield {"job": np.arange(done + 1.0, done + count + 1), **block}
            done += count

    def _target(self, cluster: Any) -> Any:
        """Return the cluster of the log with more nodes, some of them with accelerators."""
        larger = cluster.scaled(nodes=self.nodes) if self.nodes != 1 else cluster
        if not self.gpu_share:
            return larger
        groups = [part for group in larger.groups for part in _split(group.to_dict(), self.gpu_share, self.gpus)]
        return larger.replace(groups=groups)

    def __hash__(self) -> int:
        return Spec.__hash__(self)


@dataclass(frozen=True)
class Learnt:
    """The profile of a log, and the target of the jobs."""

    profile: Profile
    target: Target
    system: Any  # cluster of the jobs
    cluster: Any  # cluster of the log
    stretch: float
    source: dict[str, Any]


def _columns_of_bodies(submit_s: np.ndarray, body: dict[str, np.ndarray]) -> Block:
    processors = body["nodes"] * body[CORE]
    asked = dict.fromkeys(("processors", "requested_processors", "allocated_processors"), processors)
    memory = {"requested_memory_kb": np.floor(body[MEMORY] / body[CORE])} if MEMORY in body else {}
    return {"submit_s": submit_s, "run_s": body["run_s"], "status": np.ones(len(submit_s)), **asked, **memory}


def _split(group: dict[str, Any], share: float, gpus: int) -> list[dict[str, Any]]:
    """Split a group into nodes with accelerators and others."""
    some = round(group["nodes"] * share)
    with_gpus = {**group, "name": f"{group['name']}-gpu", "nodes": some, "gpu": gpus}
    return [part for part in (with_gpus, {**group, "nodes": group["nodes"] - some}) if part["nodes"]]


def _require_limits(target: Target) -> None:
    for resource, (_, high) in target.limits.items():
        if resource not in target.capacity:
            listed = ", ".join(sorted(target.capacity))
            raise InputError(f"limits must name resources of the nodes: {listed} (got {resource!r})")
        if resource == CORE and high < 1:
            raise InputError(f"the maximum of cores must be at least 1 (got {high:g})")
    if target.limits[CORE][0] < 1:
        raise InputError(f"the minimum of cores must be at least 1 (got {target.limits[CORE][0]:g})")


def performance_of(given: object) -> dict[str, float]:
    """Parse `core:1.667`, or check a mapping."""
    pairs = {
        name: _pair_value("performance", name, value) for name, value in _resource_pairs("performance", given).items()
    }
    if CORE not in pairs:
        raise InputError(f"performance must give the GFLOP/s of a core, for example core:1.667 (got {given!r})")
    for name, value in pairs.items():
        between(f"performance of {name}", value, 0.000001, 1e9)
    return pairs


def limits_of(given: object) -> Limits:
    """Parse `core:1-4+mem:256-1024`, or check a mapping to pairs."""
    found: Limits = {}
    for name, value in _resource_pairs("limits", given).items():
        ends = (
            value.split("-") if isinstance(value, str) else list(value) if isinstance(value, list | tuple) else [value]
        )
        numbers = [_pair_value("limits", name, end) for end in ends]
        if len(numbers) != 2 or not 0 <= numbers[0] <= numbers[1]:
            raise InputError(f"limits of {name} must be a minimum and a maximum, for example core:1-4 (got {value!r})")
        found[name] = (numbers[0], numbers[1])
    return found


def _resource_pairs(what: str, given: object) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return {str(name): value for name, value in given.items()}
    if not isinstance(given, str):
        raise InputError(f"{what} must be RESOURCE:VALUE, several joined by + (got {given!r})")
    parts = [part.partition(":") for part in given.split("+") if part.strip()]
    for name, colon, value in parts:
        if not colon or not name.strip() or not value.strip():
            raise InputError(f"{what} must be RESOURCE:VALUE, several joined by + (got {given!r})")
    return {name.strip(): value.strip() for name, _, value in parts}


def _pair_value(what: str, name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{what} of {name} must be a number (got {value!r})") from None


def _pairs_text(pairs: Mapping[str, Any]) -> str:
    return "+".join(f"{name}:{value}" for name, value in pairs.items())


#: Data sets of Galleguillos et al. 2020, section 7.3: name → options
DATA_SETS: dict[str, dict[str, Any]] = {
    "gen-50k": {"jobs": 50_000, "core_speed": 1.5},
    "gen-100k": {"jobs": 100_000, "nodes": 2.0},
    "gen-200k": {"jobs": 200_000, "gpu_share": 0.25},
    "gen-500k": {"jobs": 500_000, "gpu_share": 0.5, "core_speed": 1.5},
}


def published_data_sets(
    log: Workload | str | PathLike[str], cluster: object, *, share: float = 1.0, model: AccaSim | None = None
) -> dict[str, AccaSim]:
    """Return the generators of the four data sets of Galleguillos et al. 2020, by name.

    Parameters
    ----------
    log, cluster
        The log to learn from and its Cluster.
    share
        Generate this share of the published numbers of jobs.
    model
        Options of the generator; by default those of `AccaSim()`.
    """
    between("share", share, 0.0001, 1.0)
    learnt = (model or AccaSim()).of(log, cluster)
    sizes = {name: max(round(share * given["jobs"]), 1) for name, given in DATA_SETS.items()}
    return {name: learnt.with_options(**{**given, "jobs": sizes[name]}) for name, given in DATA_SETS.items()}
