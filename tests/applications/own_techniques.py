"""Techniques in Python that the engine has too, for comparison; a module that other processes can import."""

from __future__ import annotations

from typing import Any

import thinktime as tt


class Guided(tt.OwnTechnique, name="guided-in-python"):
    """GSS: the P-th part of what remains."""

    def chunk(self, remaining: int, worker: int, loop: Any) -> int:
        return -(-remaining // loop.workers)


class Factoring(tt.OwnTechnique, name="factoring-in-python"):
    """FAC2: batches of P equal chunks, each batch a part of what remains."""

    parts: int = 2

    def start(self, loop: Any) -> Any:
        return Batches(loop.workers, self.parts)


class Batches:
    def __init__(self, workers: int, parts: int) -> None:
        self.workers, self.parts = workers, parts
        self.left, self.size = 0, 1

    def chunk(self, remaining: int, worker: int, loop: Any) -> int:
        if self.left == 0:
            self.left, self.size = self.workers, -(-remaining // (self.parts * self.workers))
        self.left -= 1
        return self.size


class Weighted(tt.OwnTechnique, name="weighted-in-python"):
    """WF: factoring with the relative speeds as weights."""

    def start(self, loop: Any) -> Any:
        return WeightedBatches(loop.workers, 2)


class WeightedBatches(Batches):
    def chunk(self, remaining: int, worker: int, loop: Any) -> int:
        size = super().chunk(remaining, worker, loop)
        if not len(loop.speeds):
            return size
        weight = loop.speeds[worker] * float(loop.workers) / total_of(loop.speeds)
        return max(1, int(weight * size + 0.55))


def total_of(speeds: Any) -> float:
    total = 0.0
    for speed in speeds.tolist():  # in the engine's order
        total += speed
    return total


class MeasuredAwfC(tt.OwnTechnique, name="awf-c-in-python"):
    """AWF-C: chunks of weighted factoring, with weights from the measured times."""

    def start(self, loop: Any) -> Any:
        return Measured(loop.workers)


class Measured:
    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.chunks, self.times, self.sizes = [0.0] * workers, [0.0] * workers, [0.0] * workers

    def rate(self, worker: int) -> float:
        return self.sizes[worker] / self.times[worker] if self.times[worker] else 0.0

    def chunk(self, remaining: int, worker: int, loop: Any) -> int:
        if not self.rate(worker):
            return 1
        rates = [self.rate(each) for each in range(self.workers)]
        measured = sum(rate > 0 for rate in rates)
        weight = rates[worker] * measured / sum(rates)
        return max(1, min(int(weight * -(-remaining // (2 * self.workers)) + 0.55), remaining))

    def done(self, worker: int, tasks: int, work_s: float, total_s: float) -> None:
        self.chunks[worker] += 1
        self.times[worker] += self.chunks[worker] * work_s
        self.sizes[worker] += self.chunks[worker] * tasks


class Drawing(tt.OwnTechnique, name="drawing-in-python"):
    """Chunks by chance, from the seed of the loop."""

    def start(self, loop: Any) -> Any:
        from random import Random

        random = Random(loop.seed)

        class Draws:
            def chunk(self, remaining: int, worker: int, loop: Any) -> int:
                return random.randint(1, 4)

        return Draws()
