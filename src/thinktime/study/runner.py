"""Runs what a store does not have yet of a study, and keeps each outcome at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from thinktime.outputs import RUN_FILE
from thinktime.study.execute import Outcome
from thinktime.study.executors import Local
from thinktime.study.foreign import prepare
from thinktime.study.store import Store
from thinktime.study.study import Study, Task

Executor = Callable[[Iterable[Task]], Iterator[Outcome]]
Hear = Callable[[Outcome], None]


@dataclass
class Counts:
    """Of the study's runs."""

    total: int
    there: int = 0  # before
    done: int = 0  # now
    failed: int = 0  # now
    failures: list[Outcome] = field(default_factory=list)


def run_study(
    study: Study, store: Store, executor: Executor | None = None, *, again: bool = False, hear: Hear | None = None
) -> Counts:
    """Carry out what is missing; `again` also tries what failed before. `hear` is told of each outcome."""
    prepare(study)
    tasks = sorted({task.run: task for task in study.tasks()}.values(), key=_block)
    counts = Counts(len(tasks), sum(_settled(store, task, again) for task in tasks))
    before = set(store.outcomes)
    for outcome in (executor or Local())(_missing(tasks, store, again, before)):
        store.add(outcome)
        _count(counts, outcome)
        if hear is not None:
            hear(outcome)
    return counts


def _missing(tasks: list[Task], store: Store, again: bool, before: set[str]) -> Iterator[Task]:
    """Asked for task by task: what another process has done meanwhile is left out."""
    for task in tasks:
        store.glance()
        retry = again and task.run in before and not _settled(store, task, True)
        if retry or not _settled(store, task, False):
            yield task


def _block(task: Task) -> tuple[int, str]:
    """Block by block, so that a study that is stopped has all configurations of some blocks."""
    return task.cell["seed"], task.cell["workload"]


def _settled(store: Store, task: Task, again: bool) -> bool:
    """Succeeded, with its jobs if these are to be kept; or failed before."""
    if store.succeeded(task.run):
        return task.keep != "jobs" or (store.run_directory(task.run) / RUN_FILE).is_file()
    return task.run in store.outcomes and not again


def _count(counts: Counts, outcome: Outcome) -> None:
    counts.done += outcome["error"] is None
    counts.failed += outcome["error"] is not None
    if outcome["error"] is not None:
        counts.failures.append(outcome)
