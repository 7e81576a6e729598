"""Jobs of AccaSim's generator: work from the fitted distribution, nodes in two stages, amounts within limits.

Run time = work / (nodes × speed of the amounts), so faster cores or accelerators shorten jobs and keep the work. This
follows the paper; the released program ignores the speed of the amounts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from thinktime.generate.accasim_profile import Profile, Sizes, System, Work
from thinktime.generate.draws import Draws, Make, uniforms
from thinktime.support.equality import ByContent

CORE, MEMORY = "core", "mem"
BEYOND = 1.2  # maximum work, as a multiple of the largest work of the log
EMPTY = 0.05  # probability to accept work in an empty bin of the log's histogram

Limits = dict[str, tuple[float, float]]


@dataclass(frozen=True, eq=False, repr=False)
class Target(ByContent):
    """The system to generate jobs for."""

    nodes: int
    capacity: dict[str, np.ndarray]  # resource → amount of each node, descending
    limits: Limits  # resource → minimum and maximum per node
    gflops: dict[str, float]  # resource → GFLOP/s of one unit

    @classmethod
    def of(cls, system: System, limits: Limits, gflops: dict[str, float]) -> Target:
        """Return the target; default limits are 1 core, a quarter of the memory and 0 of others, up to a whole node."""
        names = {resource for group in system.groups for resource, _ in group.resources}
        nodes = [group.nodes for group in system.groups]
        capacity: dict[str, np.ndarray] = {}
        for name in names:
            held = np.repeat([float(dict(group.resources).get(name, 0)) for group in system.groups], nodes)
            capacity[name] = np.sort(held)[::-1]
        least = {CORE: 1.0, MEMORY: capacity.get(MEMORY, np.zeros(1))[0] // 4}
        usual = {name: (least.get(name, 0.0), float(held[0])) for name, held in capacity.items()}
        return cls(system.nodes, capacity, {**usual, **limits}, gflops)


class Bodies:
    """The infinite sequence of jobs, without submissions."""

    def __init__(self, profile: Profile, target: Target, seed: int) -> None:
        self._profile, self._target = profile, target
        self._resources = [CORE, *sorted(set(target.limits) - {CORE})]
        names = ("generate.accasim", "jobs")
        self._work = Draws(_works(profile.work), seed, *names, "work")
        self._uniform = Draws(uniforms(3), seed, *names, "nodes")
        self._amounts = {name: Draws(uniforms(1), seed, *names, "amount", name) for name in self._resources}

    def take(self, count: int) -> dict[str, np.ndarray]:
        """Return `gflop`, `nodes`, `serial`, the amount of each resource per node, and `run_s`."""
        work = self._work.take(count)
        kind, stage, place = self._uniform.take(count).T
        serial = (kind < self._profile.sizes.serial) & (work <= self._profile.work.most_serial)
        nodes = np.where(serial, 1.0, node_counts(stage, place, self._profile.sizes, self._target.nodes))
        amounts = {name: self._amount(name, count, nodes, serial) for name in self._resources}
        speed = nodes * sum(amounts[name] * self._target.gflops.get(name, 0.0) for name in self._resources)
        run_s = np.maximum(np.rint(work / speed), 1.0)
        return {"gflop": work, "nodes": nodes, "serial": serial, "run_s": run_s, **amounts}

    def _amount(self, resource: str, count: int, nodes: np.ndarray, serial: np.ndarray) -> np.ndarray:
        """Draw a rounded amount within the limits and within the nodes' capacity.

        A parallel job on one node has at least two cores; a serial job has one core and no accelerator.
        """
        low, high = self._target.limits[resource]
        least = np.where(nodes == 1, np.minimum(max(low, 2.0), high), low) if resource == CORE else np.full(count, low)
        drawn = np.rint(least + (high - least) * self._amounts[resource].take(count)[:, 0])
        held = np.minimum(drawn, self._target.capacity[resource][nodes.astype(np.int64) - 1])
        return held if resource == MEMORY else np.where(serial, float(resource == CORE), held)


def node_counts(stage: np.ndarray, place: np.ndarray, sizes: Sizes, most: int) -> np.ndarray:
    """Return 2^u, with u uniform below or above log2 of the median."""
    middle, end = (math.log2(min(max(count, 1), most)) for count in (sizes.median, most))
    below = stage <= sizes.below
    exponent = np.where(below, middle * place, middle + (end - middle) * place)
    return np.clip(np.rint(2.0**exponent), 1.0, most)


def _works(work: Work) -> Make:
    """Draw GFLOP within BEYOND times the range of the log; accept empty bins with probability EMPTY."""

    def make(rng: np.random.Generator, count: int) -> np.ndarray:
        drawn, chance = work.law.draw(rng, count), rng.random(count)
        gflop = np.exp(np.minimum(drawn, 700.0)) if work.log else drawn
        taken = (gflop >= work.least) & (gflop <= BEYOND * work.most)
        return gflop[taken & (work.histogram.holds(drawn) | (chance < EMPTY))]

    return make
