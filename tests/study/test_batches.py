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
    grid = generated(jobs=100, seeds=100)
    assert sizes(taught(grid, SHORTEST_S / 16))[:8] == [16] * 8


def test_the_last_batches_are_small() -> None:
    found = sizes(taught(generated(jobs=100, seeds=100), SHORTEST_S / 16), threads=2)
    assert sum(found) == 200
    assert found == sorted(found, reverse=True)
    assert found[-4:] == [1] * 4


def test_long_runs_travel_alone() -> None:
    assert sizes(taught(generated(jobs=100, seeds=3), 2 * SHORTEST_S)) == [1] * 6


def test_many_threads_get_more_to_do_at_once() -> None:
    grid = generated(jobs=100, seeds=1000)
    threads = 50
    assert sizes(taught(grid, PER_THREAD_S * threads / 16), threads)[0] == 16


def test_a_batch_has_a_limit() -> None:
    assert max(sizes(taught(generated(jobs=100, seeds=2 * LARGEST), 0.0), threads=1)) == LARGEST


def test_the_newest_run_counts_most() -> None:
    grid = generated(jobs=100, seeds=30)
    batches = taught(grid, 100.0)  # the first also read the log
    for _ in range(30):
        for task in grid[:1] + grid[-1:]:
            batches.learn({"cell": task.cell, "seconds": SHORTEST_S / 4})
    assert sizes(batches, threads=1)[0] >= 3


def test_a_batch_has_one_log(tmp_path: Path) -> None:
    write_log(tmp_path)
    log = str(tmp_path / LOG)
    grid = tasks([{"generator": "default", "jobs": 100, "seed": 1}, {"log": log}, {"name": "same", "log": log}])
    batches, logs = taught(grid * 8, 0.0), []
    while batches:
        logs.append({task.spec["workload"].get("log") for task in batches.next(threads=1)})
    assert [len(each) for each in logs] == [1] * len(logs)


def test_tasks_are_asked_for_when_they_are_needed() -> None:
    asked: list[Task] = []

    def source() -> Iterator[Task]:
        for task in generated(jobs=100, seeds=5):
            asked.append(task)
            yield task

    batches = Batches(source())
    assert len(batches.next(threads=1)) == 1
    assert len(asked) == 2
