"""Random small clusters, jobs on nodes and allocators, and the engine run on them without the layers above."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from hypothesis import strategies as st

from reference import Job
from reference.nodes import Boots, Cap, Closure, Cluster, Failures
from reference.nodes.allocator import allocators
from thinktime import _engine
from thinktime.schedulers import Scheduler
from thinktime.simulation.read_columns import column_words

ALLOCATORS = tuple(sorted(allocators()))


@st.composite
def clusters(draw: st.DrawFn) -> Cluster:
    """One to three resources; nodes that differ; perhaps a pool."""
    resources = draw(st.integers(1, 3))
    amount = st.integers(0, 5)
    node = st.lists(amount, min_size=resources, max_size=resources)
    capacity = draw(st.lists(node, min_size=1, max_size=6))
    allocator = {
        "name": draw(st.sampled_from(ALLOCATORS)),
        "ranking": draw(st.sampled_from(["raw", "normalized"])),
        "seed_low": draw(st.integers(0, 2**64 - 1)),
        "seed_high": draw(st.integers(0, 2**64 - 1)),
    }
    pools = draw(st.lists(st.integers(-2, 6), max_size=2))  # below 0: a cap was lowered while jobs ran
    return Cluster(capacity, pools, allocator, draw(st.integers(1, resources)))


@st.composite
def failures(draw: st.DrawFn, nodes: int) -> Failures:
    failure = st.tuples(st.integers(0, 40), st.integers(0, nodes - 1), st.integers(1, 12))
    table = [(float(start), node, float(start + length)) for start, node, length in draw(st.lists(failure, max_size=6))]
    return Failures(table, draw(st.booleans()), draw(st.sampled_from([0.0, 2.0])), draw(st.sampled_from([0.0, 1.0])))


@st.composite
def calendars(draw: st.DrawFn, nodes: int, most: int = 3) -> list[Closure]:
    closures = []
    for _ in range(draw(st.integers(0, most))):
        first = draw(st.integers(0, nodes - 1))
        start = draw(st.integers(0, 40))
        end = start + draw(st.integers(1, 12))
        closures.append(Closure(first, draw(st.integers(1, nodes - first)), start, end, draw(st.integers(0, 2))))
    return closures


@st.composite
def on_nodes(draw: st.DrawFn, cluster: Cluster, jobs: list[Job]) -> list[Job]:
    """The jobs with units, few kinds of them, and perhaps a use of the pools."""
    resources = len(cluster.capacity[0])
    unit = st.lists(st.integers(0, 3), min_size=resources, max_size=resources).filter(any).map(tuple)
    kinds = draw(st.lists(unit, min_size=1, max_size=3))
    pool = st.sets(st.sampled_from(range(len(cluster.pools)))) if cluster.pools else st.just(set())
    result = []
    for job in jobs:
        pools = tuple((p, draw(st.integers(0, 4))) for p in sorted(draw(pool)))
        owner = draw(st.integers(0, 2))
        result.append(dataclasses.replace(job, unit=draw(st.sampled_from(kinds)), pools=pools, owner=owner))
    return result


def boots(nodes: int) -> st.SearchStrategy[Boots]:
    boot = st.lists(st.sampled_from([1.0, 3.0, 7.0]), min_size=nodes, max_size=nodes)
    return st.builds(Boots, boot, st.sampled_from([0.0, 2.0, 5.0]))


def platform_of(cluster: Cluster) -> dict[str, Any]:
    allocator = cluster.allocator
    return {
        "resources": len(cluster.capacity[0]),
        "capacity": np.array(cluster.capacity, dtype=np.int64).ravel(),
        "pools": np.array(cluster.pools, dtype=np.int64),
        "allocator": allocator["name"],
        "options": {
            "ranking": allocator.get("ranking", "raw"),
            "ranked": float(cluster.ranked or len(cluster.capacity[0])),
            "seed_low": str(allocator.get("seed_low", 0)),
            "seed_high": str(allocator.get("seed_high", 0)),
        },
    }


def engine_of(
    jobs: list[Job],
    cluster: Cluster,
    scheduler: Scheduler,
    same_instant: str = "batch",
    overrun: str = "extend",
    speed: float = 1.0,
    failures: Failures | None = None,
    boots: Boots | None = None,
    cap: Cap | None = None,
    platform: dict[str, Any] | None = None,
) -> Any:
    """An engine with these jobs, not yet run."""
    read = [np.array([getattr(job, use.column) for job in jobs], dtype=float) for use in sorted(scheduler.columns())]
    run = _engine.Run(
        processors=max(1, sum(node[0] for node in cluster.capacity)),
        scheduler=scheduler.engine_name(),
        options={
            **scheduler.engine_options(),
            **scheduler.live_options(0, 0),
            "overrun": overrun,
            "plugins": failures is not None or boots is not None or cap is not None,
        },
        same_instant=getattr(_engine.SameInstant, same_instant.replace("-", "_")),
        overrun=getattr(_engine.Overrun, overrun.replace("-", "_")),
        speed=speed,
        keep_timeline=True,
        keep_jobs=True,
        platform={**platform_of(cluster), **(platform or {})},
        columns=column_words([scheduler]),
    )
    kinds = sorted({job.unit for job in jobs}) or [(1,) * len(cluster.capacity[0])]
    uses = [use for job in jobs for use in job.pools]
    submit, length, estimate = (
        np.array([getattr(job, name) for job in jobs], dtype=np.float64) for name in ("submit", "run", "estimate")
    )
    run.load(
        submit,
        length,
        estimate,
        np.array([job.processors for job in jobs], dtype=np.int32),
        columns=read,
        shapes=np.array(kinds, dtype=np.int64).ravel(),
        shape=np.array([kinds.index(job.unit) for job in jobs], dtype=np.int64),
        pool_start=np.cumsum([0, *(len(job.pools) for job in jobs)], dtype=np.int64),
        pool=np.array([pool for pool, _ in uses], dtype=np.int64),
        pool_amount=np.array([amount for _, amount in uses], dtype=np.int64),
    )
    run.close()
    plugins = [("failures", failures_of(failures))] if failures is not None else []
    plugins += [("power", power_of(boots, jobs))] if boots is not None else []
    plugins += [("power", cap_of(cap, jobs, len(cluster.capacity)))] if cap is not None else []
    add_events(run, jobs, cluster, plugins)
    return run


def add_events(run: Any, jobs: list[Job], cluster: Cluster, plugins: list[tuple[str, dict[str, Any]]]) -> None:
    if cluster.calendar:
        columns = [np.array(column) for column in zip(*cluster.calendar, strict=True)]
        first, count, start, end, owner = columns
        run.add_closures(
            first=first, nodes=count, start=start.astype(np.float64), end=end.astype(np.float64), owner=owner
        )
    run.set_owners(row=np.arange(len(jobs)), owner=np.array([job.owner for job in jobs], dtype=np.int64))
    run.add_plugins(plugins)
    watts = {"job_mw": np.full(len(jobs), -1, dtype=np.int64)}
    run.load_plugins([watts if name == "power" else {} for name, _ in plugins])


def power_of(boots: Boots, jobs: list[Job]) -> dict[str, Any]:
    """What it draws is of no interest."""
    nodes = len(boots.boot)
    return {
        "state_mw": np.zeros(5 * nodes, dtype=np.int64),
        "unit_mw": np.zeros(nodes, dtype=np.int64),
        "boot_s": np.array(boots.boot, dtype=np.float64),
        "off_after_s": boots.off_after,
        "begin_s": min((job.submit for job in jobs), default=0.0),
    }


def failures_of(failures: Failures) -> dict[str, Any]:
    start, node, end = zip(*failures.table, strict=True) if failures.table else ((), (), ())
    return {
        "when": "given",
        "node": np.array(node, dtype=np.int64),
        "from_s": np.array(start, dtype=np.float64),
        "to_s": np.array(end, dtype=np.float64),
        "jobs": "lose" if failures.lose else "requeue",
        "checkpoint_s": failures.checkpoint,
        "restart_s": failures.restart,
    }


def cap_of(cap: Cap, jobs: list[Job], nodes: int) -> dict[str, Any]:
    return {
        **power_of(Boots([0.0] * nodes), jobs),
        "capped": True,
        "pool": float(cap.pool),
        "cap_from_s": np.array(cap.begins, dtype=np.float64),
        "cap_mw": np.array(cap.levels, dtype=np.int64),
        "cap_every_s": cap.every,
        "cap_origin_s": 0.0,
    }


def placements_of(run: Any, jobs: int) -> list[tuple[tuple[int, int], ...]]:
    """(node, units) of every job, in the order in which they were taken."""
    spans = run.placements()
    found: list[list[tuple[int, int]]] = [[] for _ in range(jobs)]
    for row, first, nodes, units in zip(
        *(spans[name].tolist() for name in ("row", "first", "nodes", "units")), strict=True
    ):
        found[row] += [(node, units) for node in range(first, first + nodes)]
    return [tuple(each) for each in found]
