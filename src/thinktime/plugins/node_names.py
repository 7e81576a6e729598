"""Names of nodes: `all`, a group, `g0-3`, `g0-[0-3,7]`, a number, or a list of these."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from thinktime.errors import InputError
from thinktime.platforms import Cluster
from thinktime.spec import suggestion

#: `"all"`, a group, `"g0-3"`, `"g0-[0-3,7]"`, a number, or a list of these.
NodesLike: TypeAlias = str | int | Sequence[str | int]

_SOME = re.compile(r"(?P<group>.+?)-(?:\[(?P<many>[^\]]*)\]|(?P<one>\d+))")


def nodes_of(cluster: Cluster, where: object, whose: str) -> np.ndarray:
    """Return the indices of the named nodes, ascending, without repetition; `whose` begins the error message."""
    items = where if isinstance(where, Sequence) and not isinstance(where, str) else [where]
    found = [_named_nodes(cluster, item, whose) for item in items]
    if not found:
        raise InputError(f"{whose} names no nodes: write all, a group, a node as g0-3, or g0-[0-3,7]")
    return np.unique(np.concatenate(found))


def group_begins(cluster: Cluster) -> dict[str, tuple[int, int]]:
    """Return group → (its first node, its number of nodes)."""
    begins, first = {}, 0
    for group in cluster.groups:
        begins[group.name] = (first, group.nodes)
        first += group.nodes
    return begins


def _named_nodes(cluster: Cluster, where: object, whose: str) -> np.ndarray:
    if where == "all":
        return np.arange(cluster.nodes)
    if isinstance(where, int | np.integer) and not isinstance(where, bool):
        return np.array([_within(int(where), cluster.nodes, whose, where)])
    groups = group_begins(cluster)
    if isinstance(where, str) and where.isdecimal():
        return np.array([_within(int(where), cluster.nodes, whose, where)])
    if isinstance(where, str) and where in groups:
        first, count = groups[where]
        return np.arange(first, first + count)
    match = _SOME.fullmatch(where) if isinstance(where, str) else None
    if match is None or match["group"] not in groups:
        near = suggestion(str(where), [*groups, *cluster.node_names[:1000]])
        raise InputError(f"{whose} names the nodes {where!r}{near}: write all, a group, a node as g0-3, or g0-[0-3,7]")
    first, count = groups[match["group"]]
    return first + _node_numbers(match["many"] or match["one"] or "", count, whose, where)


def _within(number: int, count: int, whose: str, where: object) -> int:
    if not 0 <= number < count:
        raise InputError(f"{whose} names the nodes {where!r}: they are numbered from 0 to {count - 1}")
    return number


def _node_numbers(parts: str, count: int, whose: str, where: object) -> np.ndarray:
    ranges = []
    for part in parts.replace(" ", "").split(","):
        low, dash, high = part.partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()):
            raise InputError(f"{whose} names the nodes {where!r}: write numbers and ranges as in g0-[0-3,7]")
        first, last = (_within(int(each), count, whose, where) for each in (low, high if dash else low))
        if first > last:
            raise InputError(f"{whose} names the nodes {where!r}: a range goes from the lower number to the higher")
        ranges.append(np.arange(first, last + 1))
    return np.concatenate(ranges)


def spans(nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return blocks of neighbours in ascending nodes: the first node of each, and its length."""
    begins = np.flatnonzero(np.diff(nodes, prepend=-2) != 1)
    return nodes[begins], np.diff(np.append(begins, len(nodes)))
