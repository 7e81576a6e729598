"""Arrivals, sizes and run times of one kind of jobs in the model of Lublin and Feitelson.

Each of the three has its own sequence of draws, so another load, machine or kind does not shift the others.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from thinktime.generate.daily_cycle import SLOT_S, SLOTS, Day
from thinktime.generate.draws import Draws, Make, uniforms
from thinktime.generate.generator import Block
from thinktime.generate.lublin_constants import (
    CYCLE_BEGINS,
    LOG2_MACHINE,
    LONGEST_LOG_GAP,
    LONGEST_LOG_RUN,
    Constants,
)
from thinktime.support.random_streams import stream


def for_machine(kind: Constants, processors: int) -> Constants:
    """Shift medium and high sizes by the difference of log2 of the machine sizes."""
    shift = math.log2(processors) - LOG2_MACHINE
    medium = max(kind.low, kind.medium + shift)
    return replace(kind, medium=medium, high=max(medium, kind.high + shift))


def day_of(kind: Constants) -> Day:
    """Return the daily cycle; slot i, from 11 to 58, is half-hour (i − 1) mod 48 of the day."""
    from scipy.special import gammainc

    number = np.arange(CYCLE_BEGINS, CYCLE_BEGINS + SLOTS)
    share = gammainc(kind.a_cycle, (number + 0.5) / kind.b_cycle) - gammainc(
        kind.a_cycle, (number - 0.5) / kind.b_cycle
    )
    weights = np.empty(SLOTS)
    weights[(number - 1) % SLOTS] = share
    return Day(weights)


def sizes(draws: np.ndarray, kind: Constants, processors: int) -> np.ndarray:
    """Return sizes from rows of three uniforms: kind of size, stage, position in the stage."""
    sort, stage, place = draws.T
    below = stage <= kind.small
    low, high = np.where(below, kind.low, kind.medium), np.where(below, kind.medium, kind.high)
    exponent = low + (high - low) * place
    power2 = np.minimum(np.floor(exponent + 0.5), math.floor(math.log2(processors)))
    exponent = np.where(sort <= kind.serial + kind.power2, power2, exponent)
    parallel = np.minimum(np.floor(2.0**exponent + 0.5), processors)
    return np.where(sort <= kind.serial, 1.0, parallel)


def _gaps(kind: Constants) -> Make:
    """Draw inter-arrival times in points; times above the maximum are rejected."""

    def make(rng: np.random.Generator, count: int) -> np.ndarray:
        log_s = rng.gamma(kind.a_gap * kind.rush, kind.b_gap, count)
        return np.exp(log_s[log_s <= LONGEST_LOG_GAP]) / SLOT_S

    return make


class Jobs:
    """The infinite stream of jobs of one kind."""

    def __init__(self, name: str, kind: Constants, processors: int, stretch: float, seed: int) -> None:
        names = ("generate.lublin", name)
        self._kind, self._processors, self._stretch = for_machine(kind, processors), processors, stretch
        self._day, self._points = day_of(kind), 0.0  # since the beginning
        self._gaps = Draws(_gaps(kind), seed, *names, "gaps")
        self._sizes = Draws(uniforms(3), seed, *names, "sizes")
        self._seed, self._names, self._done = seed, names, 0

    def take(self, count: int) -> Block:
        """Return the next jobs."""
        submit_s = self._submissions(count)
        size = sizes(self._sizes.take(count), self._kind, self._processors)
        run_s = self._run_times(size)
        self._done += count
        queue, completed = (np.full(count, value) for value in (self._kind.queue, 1.0))
        columns = {"submit_s": submit_s, "run_s": run_s, "queue": queue, "status": completed}
        return {**columns, **dict.fromkeys(("processors", "requested_processors", "allocated_processors"), size)}

    def _submissions(self, count: int) -> np.ndarray:
        """Return submit times in whole seconds; points are summed in order, independent of blocks."""
        points = np.cumsum(np.append(self._points, self._gaps.take(count) * self._stretch))[1:]
        self._points = float(points[-1])
        return np.floor(self._day.seconds(points))

    def _run_times(self, size: np.ndarray) -> np.ndarray:
        """Return truncated whole seconds; run times above the maximum are drawn again in another round."""
        first = np.clip(self._kind.pa * size + self._kind.pb, 0.0, 1.0)  # probability of the first gamma
        log_s, open_, attempt = np.full(len(size), np.inf), np.arange(len(size)), 0
        while open_.size:
            log_s[open_] = self._attempt(attempt, open_, first[open_])
            open_, attempt = open_[log_s[open_] > LONGEST_LOG_RUN], attempt + 1
        return np.floor(np.exp(log_s))

    def _attempt(self, attempt: int, rows: np.ndarray, first: np.ndarray) -> np.ndarray:
        """Draw one round for the given rows; draws are keyed by job number."""
        uniform, one, two = run_draws(self._kind, self._seed, self._names, attempt, self._done + rows).T
        return np.where(uniform <= first, one, two)


RUN_CHUNK = 4096  # run times per stream


def run_draws(kind: Constants, seed: int, names: tuple[str, ...], attempt: int, jobs: np.ndarray) -> np.ndarray:
    """Return rows of a uniform and both gammas by job number, independent of the other rows."""
    chunk = jobs // RUN_CHUNK
    found = np.empty((len(jobs), 3))
    for number in np.unique(chunk):
        rng, rows = stream(seed, *names, "run", attempt, int(number)), chunk == number
        made = [rng.random(RUN_CHUNK), rng.gamma(kind.a1, kind.b1, RUN_CHUNK), rng.gamma(kind.a2, kind.b2, RUN_CHUNK)]
        found[rows] = np.column_stack(made)[jobs[rows] % RUN_CHUNK]
    return found
