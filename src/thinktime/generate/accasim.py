"""AccaSim's workload generator: a log and its system in, jobs like the log's for the same or another system out.

What is learnt from the log is in accasim_profile.py, submissions are in accasim_arrivals.py, jobs in accasim_bodies.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
from thinktime.workload.workload import Workload

AT_A_TIME = 16_384  # jobs
SCALES = ("log", "linear")
FACTORS = (0.001, 1000.0)


class AccaSim(Estimated, name="accasim"):
    """AccaSim's generator: submissions and work like those of a log, for the log's system or another one.

    `of(log, cluster)` learns from the log. The jobs are for a system whose cores are `core_speed` times as fast, with
    `nodes` times as many nodes, of which a share `gpu_share` have `gpus` accelerators of `gpu_gflops`; or for any
    `target`. `performance` is what one of a resource computes on the log's system, in GFLOP a second, as in
    `core:1.667`; `limits` are the least and most of each resource that a job asks of a node, as in
    `core:1-4+mem:256-1024`. `work` says whether the law of the work is fitted to its logarithm or to itself, and
    `progress` whether the moving cap goes by shares so far or by quotas of all jobs. `cycle` is `week`, whose 336
    half-hours have the log's shares of submissions, or `day` with 48, as published: then weekends are too busy, here
    and in AccaSim. A processor of the jobs is a core.
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
        object.__setattr__(self, "performance", _text(performance_of(self.performance)))
        object.__setattr__(self, "limits", _text({k: f"{a:g}-{b:g}" for k, (a, b) in limits_of(self.limits).items()}))
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

    def of(self, log: Workload, cluster: Any, target: Any = None) -> AccaSim:
        """With what is learnt from a log that was recorded on this cluster. `target` is the system to make jobs for."""
        if not isinstance(log, Workload) or not hasattr(cluster, "groups"):
            raise InputError("accasim learns from a log and its cluster: give a workload and a Cluster")
        profile = Profile.of(log, cluster, performance_of(self.performance), log_work=self.work == "log")
        source = {"log": log.name, **{k: v for k, v in log.source.items() if k in ("sha256", "filter", "seed")}}
        return self._making(
            profile, stretch_of(profile.submissions, self.progress, self.cycle), cluster, target, source
        )

    def with_options(self, **changes: Any) -> AccaSim:
        """The same log for other jobs or another target, without learning again."""
        fixed = [option for option in ("performance", "work", "progress", "cycle") if option in changes]
        if fixed:
            raise InputError(f"{fixed[0]} changes what is learnt from the log: use AccaSim(...).of(log, cluster) again")
        old = self.learnt
        return self.changed(changes)._making(old.profile, old.stretch, old.cluster, None, old.source)

    def _making(self, profile: Profile, stretch: float, cluster: Any, target: Any, source: dict[str, Any]) -> AccaSim:
        """A copy that makes jobs for the target, or for the cluster as the options change it."""
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
        """What `of` found in the log."""
        found: Learnt | None = self.__dict__.get("_learnt")
        if found is None:
            raise InputError("accasim has not learnt from a log yet: use AccaSim(...).of(log, cluster)")
        return found

    @property
    def system(self) -> Any:
        """The cluster to simulate the jobs on: one of its cores is a processor."""
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
        """A chunk at a time; memory is asked for per processor."""
        learnt = self.learnt
        how: dict[str, Any] = {"progress": self.progress, "cycle": self.cycle, "stretch": learnt.stretch}
        arrivals = Arrivals(learnt.profile.submissions, seed, jobs=self.jobs, **how)
        bodies = Bodies(learnt.profile, learnt.target, seed)
        while True:
            yield _columns(arrivals.take(AT_A_TIME), bodies.take(AT_A_TIME))

    def requests(self, *, seed: int = 1) -> Iterator[Block]:
        """What SWF has no columns for: job, work in GFLOP, nodes, and the quantity of each resource on every node."""
        bodies = Bodies(self.learnt.profile, self.learnt.target, seed)
        done = 0
        while done < self.jobs:
            count = min(AT_A_TIME, self.jobs - done)
            block = {name: values for name, values in bodies.take(count).items() if name not in ("run_s", "serial")}
            yield {"job": np.arange(done + 1.0, done + count + 1), **block}
            done += count

    def _target(self, cluster: Any) -> Any:
        """The log's cluster with more nodes, some of them with accelerators."""
        larger = cluster.scaled(nodes=self.nodes) if self.nodes != 1 else cluster
        if not self.gpu_share:
            return larger
        groups = [part for group in larger.groups for part in _split(group.to_dict(), self.gpu_share, self.gpus)]
        return larger.replace(groups=groups)

    def __hash__(self) -> int:
        return Spec.__hash__(self)


@dataclass(frozen=True)
class Learnt:
    """What was found in a log, and what jobs are made for."""

    profile: Profile
    target: Target
    system: Any  # the cluster of the jobs
    cluster: Any  # that of the log
    stretch: float
    source: dict[str, Any]


def _columns(submit_s: np.ndarray, body: dict[str, np.ndarray]) -> Block:
    processors = body["nodes"] * body[CORE]
    asked = dict.fromkeys(("processors", "requested_processors", "allocated_processors"), processors)
    memory = {"requested_memory_kb": np.floor(body[MEMORY] / body[CORE])} if MEMORY in body else {}
    return {"submit_s": submit_s, "run_s": body["run_s"], "status": np.ones(len(submit_s)), **asked, **memory}


def _split(group: dict[str, Any], share: float, gpus: int) -> list[dict[str, Any]]:
    """The group in two: nodes with accelerators, and the others."""
    some = round(group["nodes"] * share)
    with_gpus = {**group, "name": f"{group['name']}-gpu", "nodes": some, "gpu": gpus}
    return [part for part in (with_gpus, {**group, "nodes": group["nodes"] - some}) if part["nodes"]]


def _require_limits(target: Target) -> None:
    for resource, (_, high) in target.limits.items():
        if resource not in target.capacity:
            listed = ", ".join(sorted(target.capacity))
            raise InputError(f"limits name {resource!r}, which the nodes do not have: choose from {listed}")
        if resource == CORE and high < 1:
            raise InputError(f"limits give {high:g} cores at most: a job needs one or more")
    if target.limits[CORE][0] < 1:
        raise InputError(f"limits give {target.limits[CORE][0]:g} cores at least: a job needs one or more")


def performance_of(given: Any) -> dict[str, float]:
    """`core:1.667` or a mapping."""
    pairs = {name: _number("performance", name, value) for name, value in _pairs("performance", given).items()}
    if CORE not in pairs:
        raise InputError(f"performance is {given!r}: say what a core computes in GFLOP a second, as in core:1.667")
    for name, value in pairs.items():
        between(f"performance of {name}", value, 0.000001, 1e9)
    return pairs


def limits_of(given: Any) -> Limits:
    """`core:1-4+mem:256-1024` or a mapping to pairs."""
    found: Limits = {}
    for name, value in _pairs("limits", given).items():
        ends = (
            value.split("-") if isinstance(value, str) else list(value) if isinstance(value, list | tuple) else [value]
        )
        numbers = [_number("limits", name, end) for end in ends]
        if len(numbers) != 2 or not 0 <= numbers[0] <= numbers[1]:
            raise InputError(f"limits of {name} are {value!r}: give the least and the most, as in core:1-4")
        found[name] = (numbers[0], numbers[1])
    return found


def _pairs(what: str, given: Any) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return {str(name): value for name, value in given.items()}
    if not isinstance(given, str):
        raise InputError(f"{what} is {given!r}: write RESOURCE:VALUE, several joined by +")
    parts = [part.partition(":") for part in given.split("+") if part.strip()]
    for name, colon, value in parts:
        if not colon or not name.strip() or not value.strip():
            raise InputError(f"{what} is {given!r}: write RESOURCE:VALUE, several joined by +")
    return {name.strip(): value.strip() for name, _, value in parts}


def _number(what: str, name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{what} of {name} is {value!r}: give a number") from None


def _text(pairs: Mapping[str, Any]) -> str:
    return "+".join(f"{name}:{value}" for name, value in pairs.items())


#: name → options: faster cores, more nodes, accelerators on some of them
DATA_SETS: dict[str, dict[str, Any]] = {
    "gen-50k": {"jobs": 50_000, "core_speed": 1.5},
    "gen-100k": {"jobs": 100_000, "nodes": 2.0},
    "gen-200k": {"jobs": 200_000, "gpu_share": 0.25},
    "gen-500k": {"jobs": 500_000, "gpu_share": 0.5, "core_speed": 1.5},
}


def published_data_sets(log: Workload, cluster: Any, *, share: float = 1.0, **options: Any) -> dict[str, AccaSim]:
    """Generators of the four data sets, or of a share of their jobs; `options` are those of AccaSim."""
    between("share", share, 0.0001, 1.0)
    learnt = AccaSim(**options).of(log, cluster)
    sizes = {name: max(round(share * given["jobs"]), 1) for name, given in DATA_SETS.items()}
    return {name: learnt.with_options(**{**given, "jobs": sizes[name]}) for name, given in DATA_SETS.items()}
