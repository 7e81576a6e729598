"""Energy of nodes and jobs, from a schedule: second by second of what changes, without tricks.

A node with jobs draws its own watts and those of the units on it; one without draws its idle watts. A job pays for its
units, and of the node's own watts the part of its units.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Run(NamedTuple):
    """Of a job, from start to end, aborted or not: (node, units) of each of its nodes."""

    job: int
    start: float
    end: float
    nodes: Sequence[tuple[int, int]]


class Energy(NamedTuple):
    """In joules."""

    by_job: list[float]
    idle: list[float]  # by node
    active: list[float]


def drawn_w(
    placements: Sequence[Sequence[tuple[int, int]]], nodes: int, idle_w: float, active_w: float, unit_w: float
) -> float:
    """Return the power of all nodes while jobs run on these nodes, with these numbers of units."""
    units = [0] * nodes
    for placement in placements:
        for node, count in placement:
            units[node] += count
    return sum(active_w + each * unit_w if each else idle_w for each in units)


def energy(
    runs: Sequence[Run], jobs: int, nodes: int, begin: float, end: float, idle_w: float, active_w: float, unit_w: float
) -> Energy:
    """What was used from `begin` to `end`."""
    found = Energy([0.0] * jobs, [0.0] * nodes, [0.0] * nodes)
    times = sorted({begin, end, *(run.start for run in runs), *(run.end for run in runs)})
    for now, then in pairwise(times):
        for node in range(nodes):
            here = units_on(runs, node, now)
            charge(found, node, here, then - now, idle_w, active_w, unit_w)
    return found


def units_on(runs: Sequence[Run], node: int, now: float) -> list[tuple[int, int]]:
    """(job, units) that are on the node from now on."""
    running = [run for run in runs if run.start <= now < run.end]
    return [(run.job, units) for run in running for at, units in run.nodes if at == node]


def charge(
    found: Energy, node: int, here: list[tuple[int, int]], seconds: float, idle_w: float, active_w: float, unit_w: float
) -> None:
    total = sum(units for _, units in here)
    if not total:
        found.idle[node] += idle_w * seconds
        return
    found.active[node] += (active_w + total * unit_w) * seconds
    for job, units in here:
        found.by_job[job] += units * (unit_w + active_w / total) * seconds
