"""From a workload to what its jobs ask of a cluster: the unit of each job, its pools, and who is refused, and why.

A job asks for as many units as it has processors. A unit takes the cluster's `unit`, the job's memory per processor
where the nodes have `mem`, and whatever `requests` give. Most jobs ask for the same few units, so the engine gets
the distinct ones (*shapes*) and the row of every job.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.platforms.cluster import Cluster
from thinktime.platforms.cluster_checks import MEMORY_RESOURCE
from thinktime.platforms.cluster_parts import MOST_AMOUNT
from thinktime.platforms.node_layout import Layout
from thinktime.platforms.node_pools import PoolUses, pool_uses
from thinktime.platforms.node_queues import queue_of, refused_by_queue
from thinktime.spec import suggestion
from thinktime.support.equality import ByContent
from thinktime.workload import Workload

REFUSED = -1  # the shape of a job that is refused when it is submitted


@dataclass(frozen=True, eq=False, repr=False)
class NodeRequests(ByContent):
    """Arrays over the jobs, in the workload's order, and the tables that they point into."""

    processors: np.ndarray  # int32: units; `clip` may have made them fewer
    units: np.ndarray  # int64 [shape, resource], features included
    shape: np.ndarray  # int64: row of `units`, or REFUSED
    unit_of: np.ndarray  # int64: the same row also where the job is refused
    queue: np.ndarray  # int64: which queue of the cluster, -1 for none
    pools: PoolUses
    reason: np.ndarray  # int64: which of `reasons`, -1 where the job is admitted
    reasons: tuple[str, ...]

    def refusals(self, among: np.ndarray | None = None) -> dict[str, int]:
        """Return reason → number of jobs, of all or of some jobs."""
        refused = self.reason[(self.reason >= 0) & (True if among is None else among)]
        counts = np.bincount(refused, minlength=len(self.reasons)).tolist()
        return {reason: count for reason, count in zip(self.reasons, counts, strict=True) if count}

    def columns(self, cluster: Cluster) -> dict[str, np.ndarray]:
        """Return the columns of a result: `unit_core`, `unit_mem`, …; the queue; the pools."""
        units = [self.units[self.unit_of, k].astype(np.float64) for k in range(len(cluster.resources))]
        queue = [np.where(self.queue < 0, np.nan, self.queue)] if cluster.queues else []
        pools = [self.pools.taken(k).astype(np.float64) for k in range(len(cluster.pools))]
        return dict(zip(request_names(cluster), [*units, *queue, *pools], strict=True))


def request_names(cluster: Cluster) -> tuple[str, ...]:
    """Return the columns of jobs that depend on the cluster."""
    units, pools = (f"unit_{name}" for name in cluster.resources), (f"pool_{pool.name}" for pool in cluster.pools)
    return (*units, *(["cluster_queue"] if cluster.queues else []), *pools)


def node_requests(
    workload: Workload,
    cluster: Cluster,
    estimate_s: np.ndarray,
    *,
    admission: str = "request",
    oversized: str = "reject",
    requests: Mapping[str, Any] | None = None,
) -> NodeRequests:
    """Return what each job asks for; `requests` has amounts of resources per unit and of pools per job."""
    layout, given = Layout(cluster), checked_requests(workload, cluster, requests or {})
    queue = queue_of(workload, cluster)
    units, unit_of = shapes(_amounts(workload, cluster, layout, given, queue), len(workload))
    asked = workload["processors"]
    limit = _limit(layout, units, admission)[unit_of]
    processors = _clipped(asked, limit) if oversized == "clip" else asked
    pools = pool_uses(workload, cluster, queue, processors, given)
    found = _Refusals(len(workload))
    for text, rows in refused_by_queue(cluster, queue, asked, estimate_s):
        found.add(text, rows)
    for text, rows in pools.refused():
        found.add(text, rows)
    _refuse_large(found, workload, layout, units, unit_of, processors, limit, oversized)
    return NodeRequests(
        processors=np.minimum(processors, 2**31 - 1).astype(np.int32),
        units=units,
        shape=np.where(found.reason >= 0, REFUSED, unit_of),
        unit_of=unit_of,
        queue=queue,
        pools=pools.without(found.reason >= 0),
        reason=found.reason,
        reasons=tuple(found.reasons),
    )


# --- what a unit takes ----------------------------------------------------------------------------------------


def _amounts(
    workload: Workload, cluster: Cluster, layout: Layout, given: Mapping[str, np.ndarray], queue: np.ndarray
) -> list[np.ndarray | int]:
    """Return for every resource and feature what a unit takes: one number for all jobs, or one per job."""
    unit, amounts = dict(cluster.unit), list[np.ndarray | int]()
    for resource in cluster.resources:
        least = unit.get(resource, 0)
        if resource in given:
            amounts.append(given[resource])
        elif resource == MEMORY_RESOURCE and cluster.memory != "ignore":
            amounts.append(np.maximum(memory_kb(workload, cluster.memory), least))
        else:
            amounts.append(least)
    bound = [np.array([each.partition == name for each in cluster.queues] + [False]) for name in layout.features]
    return [*amounts, *(inside[queue].astype(np.int64) for inside in bound)]


def memory_kb(workload: Workload, policy: str) -> np.ndarray:
    """Return the memory per processor in KB: field 10 of the log, or else field 7; 0 if unknown."""
    asked = workload["requested_memory_kb"]
    if policy == "requested-or-used":
        asked = np.where(np.isnan(asked), workload["used_memory_kb"], asked)
    whole: np.ndarray = np.ceil(np.clip(np.nan_to_num(asked), 0, MOST_AMOUNT + 1)).astype(np.int64)
    return whole


def shapes(amounts: list[np.ndarray | int], jobs: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct rows in ascending order, and the row of every job."""
    code, count = np.zeros(jobs, np.int64), min(jobs, 1)
    for each in amounts:
        if isinstance(each, np.ndarray):
            values, inverse = np.unique(each, return_inverse=True)
            _, code = np.unique(code * len(values) + inverse, return_inverse=True)
            count = int(code.max(initial=-1)) + 1
    first = np.zeros(count, np.int64)
    first[code[::-1]] = np.arange(jobs)[::-1]
    rows = [each[first] if isinstance(each, np.ndarray) else np.full(count, each) for each in amounts]
    return np.ascontiguousarray(np.stack(rows, axis=1).astype(np.int64)), code


def checked_requests(workload: Workload, cluster: Cluster, requests: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Return amounts by name as whole numbers by job; a single number applies to all jobs."""
    require_names(requests, cluster)
    found = {}
    for name, value in requests.items():
        values, least = numbers_by_job(workload, name, value), dict(cluster.unit).get(name, 0)
        if isinstance(value, str):  # a job without a value in a column takes the unit of the cluster
            values = np.where(np.isnan(values), least, values)
        found[name] = _whole_amounts(workload, name, values, least)
    return found


def require_names(names: Iterable[str], cluster: Cluster) -> None:
    """Raise InputError unless all names are resources or pools of the cluster."""
    known = (*cluster.resources, *(pool.name for pool in cluster.pools))
    for name in names:
        if name not in known:
            near = suggestion(str(name), known)
            raise InputError(f"the cluster has no resource or pool {name!r}{near}: give amounts of {', '.join(known)}")


def numbers_by_job(workload: Workload, name: str, value: object) -> np.ndarray:
    """Return one number per job; a text names a column of the workload, a single number applies to all jobs."""
    if isinstance(value, str):
        return _column_of_numbers(workload, name, value)
    values = np.asarray(value)
    if values.dtype == object:  # None among numbers: an amount that is not known, whose job is named later
        with suppress(TypeError, ValueError):
            values = values.astype(np.float64)
    if values.dtype.kind not in "biuf":
        raise InputError(f"requests has {value!r} as amounts of {name}: give a number, or one per job")
    if values.ndim == 0:
        return np.full(len(workload), float(values))
    if values.shape != (len(workload),):
        many = " × ".join(map(str, values.shape))
        raise InputError(f"requests has {many} amounts of {name} for {len(workload)} jobs: give one per job")
    return values.astype(np.float64)


def _column_of_numbers(workload: Workload, name: str, column: str) -> np.ndarray:
    known = [each for each in workload.columns if workload.type_of(each).kind != "text"]
    if column not in known:
        holds = "holds texts" if column in workload.columns else f"is not in {workload.name}"
        own = [each for each in known if each in workload.attributes]
        listed = (
            f"one of its attributes {', '.join(own)}" if own else "a column of numbers, such as requested_memory_kb"
        )
        raise InputError(
            f"requests takes {name} from the column {column!r}{suggestion(column, known)}, which {holds}: name {listed}"
        )
    return workload[column]


def _whole_amounts(workload: Workload, name: str, values: np.ndarray, least: int) -> np.ndarray:
    bad = np.flatnonzero(~((values >= least) & (values <= MOST_AMOUNT) & (values == np.floor(values))))
    if bad.size:
        rule = "give a whole number from 0 to 2^40"
        if values[bad[0]] < least and least:
            rule = f"give at least {least}, which the unit of the cluster takes"
        raise InputError(f"{job_name(workload, bad[0])} requests {values[bad[0]]:g} of {name}: {rule}")
    return values.astype(np.int64)


# --- rejected jobs --------------------------------------------------------------------------------------------


class _Refusals:
    """The first reason for the rejection of each job."""

    def __init__(self, jobs: int) -> None:
        self.reason, self.reasons = np.full(jobs, -1), list[str]()

    def add(self, text: str, rows: np.ndarray) -> None:
        """Reject the masked jobs for this reason, unless they have one."""
        if text not in self.reasons:
            self.reasons.append(text)
        self.reason[rows & (self.reason < 0)] = self.reasons.index(text)


def _limit(layout: Layout, units: np.ndarray, admission: str) -> np.ndarray:
    """Return by shape the largest number of units that a job may ask for."""
    if admission == "none":
        return np.full(len(units), MOST_AMOUNT)
    return layout.most_units(units) if admission == "request" else layout.most_units_in_total(units)


def _clipped(asked: np.ndarray, limit: np.ndarray) -> np.ndarray:
    """Clip to the limit; a job of which no unit fits keeps its size."""
    return np.where(limit > 0, np.minimum(asked, limit), asked)


def _refuse_large(
    found: _Refusals,
    workload: Workload,
    layout: Layout,
    units: np.ndarray,
    unit_of: np.ndarray,
    processors: np.ndarray,
    limit: np.ndarray,
    oversized: str,
) -> None:
    large = np.flatnonzero((processors > limit) & (found.reason < 0))
    if not large.size:
        return
    if oversized == "error":
        raise InputError(_too_large(workload, layout, large[0], processors[large[0]], limit[large[0]]))
    rows = units[unit_of[large]]
    for text, mask in _reasons(layout, rows, layout.most_units_by_resource(rows) < processors[large, None]):
        chosen = np.zeros(len(workload), bool)
        chosen[large[mask]] = True
        found.add(text, chosen)


def _reasons(layout: Layout, rows: np.ndarray, too_much: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield reasons: a resource that alone is too scarce; else the partition; else all resources together."""
    for k, name in enumerate(layout.cluster.resources):
        yield f"more {name} than the nodes have", too_much[:, k]
    for k, name in enumerate(layout.features, layout.real):
        yield f"more than partition {name} has", rows[:, k] > 0
    yield "more than the nodes have together", np.ones(len(rows), bool)


def _too_large(workload: Workload, layout: Layout, row: int, processors: float, limit: int) -> str:
    return (
        f"{job_name(workload, row)} needs {processors:g} processors but the {layout.cluster.nodes:,} nodes hold at most"
        f" {limit:,} of its units: choose a larger cluster or --oversized=reject"
    )


def job_name(workload: Workload, row: int) -> str:
    number = workload["job"][row]
    return f"the job in row {row}" if np.isnan(number) else f"job {number:.0f}"


def rows_of(requests: NodeRequests, rows: slice) -> NodeRequests:
    """Return the requests of some jobs."""
    parts = {name: getattr(requests, name)[rows] for name in ("processors", "shape", "unit_of", "queue", "reason")}
    return replace(requests, **parts, pools=requests.pools.rows(rows))
