"""The tasks of a job: lengths with a mean and a variation, drawn until they make up the work of the job."""

from __future__ import annotations

from reference.applications.deviates import Stream


def draw_tasks(
    processors: int, each: float, tasks_per_core: int, distribution: str, variation: float, key: tuple[int, int]
) -> list[float]:
    """`each` is what each processor has to do, in seconds of a core of speed 1; `key` names the stream of the job."""
    if each <= 0:
        return []
    mean, work = each / tasks_per_core, each * processors
    if variation == 0:
        return [mean] * (tasks_per_core * processors)
    stream, lengths, total = Stream(*key), [], 0.0
    while total < work:
        length = draw_one(stream, mean, distribution, variation)
        if length > 0:
            lengths.append(length)
            total += length
    return lengths


def draw_one(stream: Stream, mean: float, distribution: str, variation: float) -> float:
    if distribution == "normal":
        return mean * (1.0 + variation * stream.normal())
    if distribution == "gamma":
        return mean * (variation * variation * stream.gamma(1.0 / (variation * variation)))
    return mean * stream.exponential()
