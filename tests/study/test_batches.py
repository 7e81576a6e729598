"""Short runs travel together, long ones and unknown ones alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.study.grids import LOG, generated, tasks, write_log
from thinktime.study.executors.batches import LARGEST, PER_THREAD_S, SHORTEST_S, Batches
from thinktime.study.study import Task


def sizes(batches: Batches, threads: int = 2) -> list[int]:
    found = []
    while batches:
        found.append(len(batches.next(threads)))
    return found


def taught(grid: list[Task], seconds: float) -> Batches:
    """Batches that know how long the runs of this grid take."""
    batches = Batches(iter(grid))
    for task in grid:
        batches.learn({"cell": task.cell, "seconds": seconds})
    return batches


def test_unknown_runs_travel_alone() -> None:
    assert sizes(Batches(generated(jobs=100, seeds=5))) == [1] * 10


def test_short_runs_fill_a_fraction_of_a_second() -> None:
    grid = generated(jobs=100, seeds=20)
    assert sizes(taught(grid, SHORTEST_S / 16)) == [16, 16, 8]


def test_long_runs_travel_alone() -> None:
    assert sizes(taught(generated(jobs=100, seeds=3), 2 * SHORTEST_S)) == [1] * 6


def test_many_threads_get_more_to_do_at_once() -> None:
    grid = generated(jobs=100, seeds=30)
    threads = 1000
    assert sizes(taught(grid, PER_THREAD_S * threads / 16), threads) == [16, 16, 16, 12]


def test_a_batch_has_a_limit() -> None:
    assert sizes(taught(generated(jobs=100, seeds=LARGEST), 0.0)) == [LARGEST, LARGEST]


def test_the_newest_run_counts_most() -> None:
    grid = generated(jobs=100, seeds=30)
    batches = taught(grid, 100.0)  # the first also read the log
    for _ in range(30):
        for task in grid[:1] + grid[-1:]:
            batches.learn({"cell": task.cell, "seconds": SHORTEST_S / 4})
    assert sizes(batches)[0] >= 3


def test_a_batch_has_one_log(tmp_path: Path) -> None:
    write_log(tmp_path)
    log = str(tmp_path / LOG)
    grid = tasks([{"generator": "default", "jobs": 100, "seed": 1}, {"log": log}, {"name": "same", "log": log}])
    assert sizes(taught(grid, 0.0)) == [2, 4]


def test_tasks_are_asked_for_when_they_are_needed() -> None:
    asked: list[Task] = []

    def source() -> Iterator[Task]:
        for task in generated(jobs=100, seeds=5):
            asked.append(task)
            yield task

    batches = Batches(source())
    batches.next(threads=1)
    assert len(asked) <= 2
