"""The workload model of Lublin and Feitelson (2003), one job at a time.

Batch and interactive jobs come in two streams; the next job is the earlier one. The caller brings the random numbers:
`draws[kind]` has `gap()` (ln of an inter-arrival time), `size()` (three uniforms) and `run(job)`, an iterator of
attempts (a uniform and a draw of each gamma).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

SLOTS, SLOT = 48, 1800  # half-hours of a day, seconds

#: serial, power of two, low, medium, high, share of small; a1, b1, a2, b2, pa, pb; gap a, b, rush; cycle a, b
KINDS = {
    "interactive": {
        "size": (0.1541, 0.625, 1.0, 3.0, 5.5, 0.705),
        "run": (3.8351, 0.6605, 7.073, 0.6856, -0.0118, 0.9156),
        "gap": (6.5510, 0.6621, 0.9797),
        "cycle": (8.9186, 3.6680),
    },
    "batch": {
        "size": (0.2927, 0.6686, 1.2, 5.0, 7.0, 0.875),
        "run": (6.57, 0.823, 639.1, 0.0156, -0.003, 0.6986),
        "gap": (6.0415, 0.8531, 1.0519),
        "cycle": (6.1271, 5.2740),
    },
    "typeless": {
        "size": (0.244, 0.576, 0.8, 4.5, 7.0, 0.86),
        "run": (4.2, 0.94, 312.0, 0.03, -0.0054, 0.78),
        "gap": (10.2303, 0.4871, 1.0225),
        "cycle": (8.1737, 3.9631),
    },
}


def weights(kind: str) -> list[float]:
    """Of the half-hours of a day, from 00:00; one on average."""
    a, b = KINDS[kind]["cycle"]
    found = [0.0] * SLOTS
    for number in range(11, 59):
        found[(number - 1) % SLOTS] = gamma_below(number + 0.5, a, b) - gamma_below(number - 0.5, a, b)
    mean = sum(found) / SLOTS
    return [weight / mean for weight in found]


def gamma_below(x: float, a: float, b: float) -> float:
    """Probability that gamma(a, b) is below x, by its series."""
    z = x / b
    term = total = 1.0 / a
    n = a
    while term > total * 1e-17:
        n += 1.0
        term *= z / n
        total += term
    return total * math.exp(-z + a * math.log(z) - math.lgamma(a))


class Arrivals:
    """The clock of one kind: points pay for slots, what is left of them lasts for a part of the slot."""

    def __init__(self, kind: str) -> None:
        self.weights, self.slot, self.points, self.part, self.time = weights(kind), 0, 0.0, 0.0, 0.0

    def next(self, log_gap: float) -> float:
        self.points += math.exp(log_gap) / SLOT
        passed = 0.0
        while self.points > self.weights[self.slot]:
            self.points -= self.weights[self.slot]
            self.slot = (self.slot + 1) % SLOTS
            passed += SLOT
        part = self.points / self.weights[self.slot]
        self.time += passed + SLOT * (part - self.part)
        self.part = part
        return self.time


def size(kind: str, machine: int, sort: float, stage: float, place: float) -> int:
    serial, power2, low, medium, high, small = KINDS[kind]["size"]
    shift = math.log2(machine) - 7
    medium = max(low, medium + shift)
    high = max(medium, high + shift)
    if sort <= serial:
        return 1
    begin, end = (low, medium) if stage <= small else (medium, high)
    exponent = begin + (end - begin) * place
    if sort <= serial + power2:
        exponent = min(math.floor(exponent + 0.5), math.floor(math.log2(machine)))
    return min(math.floor(2**exponent + 0.5), machine)


def run_time(kind: str, nodes: int, attempts: Iterator[tuple[float, float, float]]) -> int:
    *_, pa, pb = KINDS[kind]["run"]
    first = min(max(pa * nodes + pb, 0.0), 1.0)
    for uniform, one, two in attempts:
        log_run = one if uniform <= first else two
        if log_run <= 12:
            return math.floor(math.exp(log_run))
    raise AssertionError("no attempt was short enough")


def jobs(kinds: list[str], machine: int, count: int, draws: dict[str, Any]) -> list[tuple[str, float, int, int]]:
    """Kind, submit time (not rounded), size and run time of the first jobs; of two at one second, the first kind's."""
    clocks, done, found = {kind: Arrivals(kind) for kind in kinds}, dict.fromkeys(kinds, 0), []
    coming = {kind: clocks[kind].next(draws[kind].gap()) for kind in kinds}
    for _ in range(count):
        kind = min(kinds, key=lambda each: math.floor(coming[each]))
        nodes = size(kind, machine, *draws[kind].size())
        found.append((kind, coming[kind], nodes, run_time(kind, nodes, draws[kind].run(done[kind]))))
        done[kind] += 1
        coming[kind] = clocks[kind].next(draws[kind].gap())
    return found
