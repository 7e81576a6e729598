"""Techniques that measure the cores while the loop runs.

AWF-B, -C, -D, -E (Banicescu, Velusamy and Devaprasad 2003; Carino and Banicescu 2008): factoring with weights from
the time per task of each core's chunks so far, later chunks weighing more: pi = sum of k t_k / sum of k n_k over its
chunks k = 1, 2, ... The weight of a core is its rate 1 / pi by the mean rate. B and D fix a size for every batch of P
requests, C and E take ceil(R / 2P) at each request; B and C measure the tasks alone, D and E with the overhead of the
chunk.

AF (Banicescu and Liu 2000): every core's mean and variance of the task times, mu_i and sigma_i^2, give
D = sum of sigma_i^2 / mu_i, T = 1 / sum of 1 / mu_i, and (D + 2 T R - sqrt(D^2 + 4 D T R)) / (2 mu_i).

A core that has not been measured gets a chunk of `first` tasks; for the others it counts as a core of mean rate.
"""

from __future__ import annotations

import math

from reference.applications.technique import Batches, Facts, Technique, ceil_divided, rounded


def pairwise_sum(values: list[float]) -> float:
    """The sum, added two by two, then the sums two by two, and so on; zeros fill up to a power of 2."""
    values = values + [0.0] * ((1 << (len(values) - 1).bit_length()) - len(values))
    while len(values) > 1:
        values = [values[i] + values[i + 1] for i in range(0, len(values), 2)]
    return values[0]


def rate_of(time_per_task: float) -> float:
    """Tasks per second; 0 if unknown."""
    rate = 1.0 / time_per_task if time_per_task > 0 else 0.0
    return rate if math.isfinite(rate) else 0.0


class AdaptiveWeightedFactoring(Technique):
    by_batch = True  # a size for every batch, not for every chunk
    with_overhead = False  # measured

    def __init__(self, facts: Facts, first: int = 1) -> None:
        self.first = first
        super().__init__(facts)

    def begin(self) -> None:
        cores = self.facts.cores
        self.chunks, self.times, self.sizes = [0] * cores, [0.0] * cores, [0.0] * cores
        self.rates = [0.0] * cores  # tasks a second, 0: not measured
        self.batches = Batches(cores)

    def chunk(self, core: int, remaining: int) -> int:
        if self.rates[core] == 0:
            return self.first
        return rounded(self.weight(core) * self.size_now(remaining), remaining)

    def weight(self, core: int) -> float:
        measured = sum(rate > 0 for rate in self.rates)
        return self.rates[core] * measured / pairwise_sum(self.rates)

    def size_now(self, remaining: int) -> int:
        if not self.by_batch or self.batches.next()[1]:
            self.size = ceil_divided(remaining, 2 * self.facts.cores)
        return self.size

    def done(self, core: int, tasks: int, work_s: float, total_s: float) -> None:
        self.chunks[core] += 1
        k = self.chunks[core]
        self.times[core] += k * (total_s if self.with_overhead else work_s)
        self.sizes[core] += float(k) * tasks
        self.rates[core] = rate_of(self.times[core] / self.sizes[core])


class AwfB(AdaptiveWeightedFactoring):
    pass


class AwfC(AdaptiveWeightedFactoring):
    by_batch = False


class AwfD(AdaptiveWeightedFactoring):
    with_overhead = True


class AwfE(AdaptiveWeightedFactoring):
    by_batch, with_overhead = False, True


class AdaptiveFactoring(Technique):
    """The variance needs two chunks at least, so a core is measured when it has finished two."""

    def __init__(self, facts: Facts, first: int = 1) -> None:
        self.first = first
        super().__init__(facts)

    def begin(self) -> None:
        cores = self.facts.cores
        self.chunks, self.tasks, self.means, self.squares = [0] * cores, [0.0] * cores, [0.0] * cores, [0.0] * cores
        self.rates = [0.0] * cores  # 1 / mu, 0: not measured
        self.spreads = [0.0] * cores  # sigma^2 / mu

    def chunk(self, core: int, remaining: int) -> int:
        if self.rates[core] == 0:
            return self.first
        share = self.facts.cores / sum(rate > 0 for rate in self.rates)
        d = pairwise_sum(self.spreads) * share
        t_r = remaining / (pairwise_sum(self.rates) * share)
        time_s = (d + 2.0 * t_r - math.sqrt(d * (d + 4.0 * t_r))) / 2.0
        return rounded(time_s * self.rates[core], remaining)

    def done(self, core: int, tasks: int, work_s: float, total_s: float) -> None:
        self.measure(core, tasks, work_s / tasks)
        if self.chunks[core] >= 2:
            variance = self.squares[core] / (self.chunks[core] - 1)
            self.rates[core] = rate_of(self.means[core])
            self.spreads[core] = variance * self.rates[core]

    def measure(self, core: int, tasks: int, mean_s: float) -> None:
        """The mean of n tasks varies n times less than a task, so its square counts n times (West 1979)."""
        self.chunks[core] += 1
        self.tasks[core] += tasks
        difference = mean_s - self.means[core]
        self.means[core] += difference * (tasks / self.tasks[core])
        self.squares[core] += tasks * difference * (mean_s - self.means[core])
