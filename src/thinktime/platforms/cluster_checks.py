"""Checks of a cluster as a whole: its options, its unit, the names that parts refer to, its size."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from thinktime.platforms.cluster_parts import MOST_NODES, Group, PartError, is_whole, require_amount
from thinktime.platforms.machine import ESTIMATES, MOST_PROCESSORS
from thinktime.spec import is_number, suggestion

if TYPE_CHECKING:
    from thinktime.platforms.cluster import Cluster

#: Source of the memory of a request: the log's field 10, else field 7; field 10 only; none.
MEMORY = ("requested-or-used", "requested", "ignore")
MEMORY_RESOURCE = "mem"  # in KB


def checked_unit(value: Any) -> tuple[tuple[str, int], ...]:
    pairs = tuple(value.items()) if isinstance(value, Mapping) else tuple(value)
    for resource, amount in pairs:
        require_amount(_UnitTable, f"{resource} of the unit", resource, amount, least=1)
    if not pairs:
        raise PartError("the unit is empty: say what one processor of the log is, as in core = 1", "unit")
    return tuple((resource, operator.index(amount)) for resource, amount in pairs)


class _UnitTable:
    table = "unit"


def require_words(cluster: Cluster) -> None:
    if cluster.memory not in MEMORY:
        near = suggestion(str(cluster.memory), MEMORY)
        message = f"memory is {cluster.memory!r}{near}: choose one of {', '.join(MEMORY)}"
        raise PartError(message, "cluster", 0, "memory")
    if not is_number(cluster.speed) or not math.isfinite(cluster.speed) or cluster.speed <= 0:
        message = f"speed is {cluster.speed!r}: choose a number above 0, 1.0 for the recorded machine"
        raise PartError(message, "cluster", 0, "speed")
    object.__setattr__(cluster, "speed", float(cluster.speed))
    if cluster.estimates not in ESTIMATES:
        near = suggestion(str(cluster.estimates), ESTIMATES)
        message = f"estimates is {cluster.estimates!r}{near}: choose one of {', '.join(ESTIMATES)}"
        raise PartError(message, "cluster", 0, "estimates")
    if not isinstance(cluster.title, str):
        raise PartError(f"the name of the cluster is {cluster.title!r}: give a text", "cluster", 0, "name")
    if cluster.unix_start_s is not None and not is_whole(cluster.unix_start_s):
        message = f"unix_start_s is {cluster.unix_start_s!r}: give whole seconds since 1970, or leave it out"
        raise PartError(message, "cluster", 0, "unix_start_s")


def require_unit(groups: tuple[Group, ...], unit: tuple[tuple[str, int], ...]) -> None:
    """Raise PartError if a node is too small for one unit."""
    for resource, amount in unit:
        for index, group in enumerate(groups):
            has = dict(group.resources).get(resource)
            if has is None or has < amount:
                what = f"no {resource}" if has is None else f"{has} {resource}"
                message = (
                    f"a node of group {group.name!r} has {what} but a unit, one processor of the log, needs {amount}:"
                    f" give it {resource} = {amount} or more, or change the unit"
                )
                raise PartError(message, "group", index, resource)


def require_names(cluster: Cluster) -> None:
    """Raise PartError if a part refers to an unknown part."""
    groups, partitions = ({part.name for part in table} for table in (cluster.groups, cluster.partitions))
    for index, partition in enumerate(cluster.partitions):
        for name in partition.groups:
            _require_known(f"partition {partition.name!r}", "group", name, groups, ("partition", index, "groups"))
    for index, queue in enumerate(cluster.queues):
        if queue.partition is not None:
            place = ("queue", index, "partition")
            _require_known(f"queue {queue.name!r}", "partition", queue.partition, partitions, place)
        if queue.takes_all and index < len(cluster.queues) - 1:
            message = (
                f"queue {queue.name!r} takes every job, so the queues after it get none:"
                " put it last, or give it log_queues or log_partitions"
            )
            raise PartError(message, "queue", index, "name")
    for index, pool in enumerate(cluster.pools):
        if pool.name in cluster.resources:
            message = f"pool {pool.name!r} has the name of a resource of the nodes: give it another"
            raise PartError(message, "pool", index, "name")


def _require_known(who: str, what: str, name: str, known: set[str], place: tuple[str, int, str]) -> None:
    if name not in known:
        listed = f"choose from {', '.join(sorted(known))}" if known else f"add a {what} first"
        raise PartError(
            f"{who} names the {what} {name!r}{suggestion(name, known)}, which is not there: {listed}", *place
        )


def require_size(cluster: Cluster) -> None:
    if cluster.nodes > MOST_NODES:
        raise PartError(f"the cluster has {cluster.nodes:,} nodes: choose at most {MOST_NODES:,}")
    if cluster.processors > MOST_PROCESSORS:
        raise PartError(f"the cluster holds {cluster.processors:,} units: choose at most {MOST_PROCESSORS:,}")


def units_of_group(group: Group, unit: tuple[tuple[str, int], ...]) -> int:
    """Return the number of units that a node of the group holds."""
    has = dict(group.resources)
    return min(has[resource] // amount for resource, amount in unit)
