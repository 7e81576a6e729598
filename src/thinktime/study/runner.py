"""Run what a store does not have yet of a study, and keep each outcome at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thinktime.errors import InputError
from thinktime.result import Result
from thinktime.study.comparison.conclusions import Conclusions, conclusions
from thinktime.study.dimensions import cell_matches
from thinktime.study.execute import Outcome
from thinktime.study.executors import Local
from thinktime.study.outcomes import frame
from thinktime.study.own_classes import import_own_classes
from thinktime.study.progress import Progress
from thinktime.study.store import PATIENCE_S, Store, of_study, open_store
from thinktime.study.store.claims import Claims
from thinktime.study.study import Study, Task
from thinktime.support.output_files import RUN_FILE

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

Executor = Callable[[Iterable[Task]], Iterator[Outcome]]
OnOutcome = Callable[[Outcome], None]
Interrupted = Callable[[Store, Progress], None]


@dataclass
class Counts:
    """Numbers of runs of a study."""

    total: int
    there: int = 0  # succeeded before
    done: int = 0  # succeeded now
    failed: int = 0  # failed now
    failures: list[Outcome] = field(default_factory=list)

    @property
    def computed(self) -> int:
        return self.done + self.failed


@dataclass(frozen=True, repr=False)
class Studied:
    """A study that was run: `done = study.run("store")`.

    `done.table` has one row per run, `print(done.compare())` the conclusions, `done.plot()` a figure of them, and
    `done.result(scheduler="easy")` a single run.
    """

    study: Study
    store: Store
    counts: Counts  # of this call

    def __repr__(self) -> str:
        failed = f", {self.counts.failed} failed" if self.counts.failed else ""
        return f"<Studied {self.study.name}: {self.counts.total:,} runs, {self.counts.computed:,} of them new{failed}>"

    def _repr_html_(self) -> str:
        head = f"<p>{escape(repr(self).strip('<>'))}</p>"
        try:
            return head + self.compare()._repr_html_()
        except InputError as error:  # a study of one configuration has nothing to compare
            return head + f"<p>{escape(str(error))}</p>"

    def plot(self, metric: str | None = None, *, pooled: bool = False) -> Figure:
        """Draw every configuration against the baseline in one metric, by default the first of the study."""
        chosen = metric or self.study.metrics[0]
        return self.compare(chosen, pooled=pooled).plot(chosen)

    @property
    def table(self) -> pl.DataFrame:
        """One row per run."""
        return frame(of_study(self.store, self.study))

    def compare(self, *metrics: str, pooled: bool = False) -> Conclusions:
        """Compare every configuration with the baseline on each log, in the metrics of the study unless others are
        named.

        With `pooled` the logs are averaged.
        """
        return conclusions(self.study, self.store, metrics or self.study.metrics, pooled=pooled)

    def result(self, **cell: Any) -> Result:
        """Return the run that these names select; the study must keep jobs."""
        found = [task for task in self.study.tasks() if cell_matches(cell, task.cell)]
        if len(found) != 1:
            raise InputError(f"{len(found)} runs match {cell}: name more dimensions, so that one run matches")
        place = self.store.run_directory(found[0].run)
        if not place.is_dir():
            raise InputError(f"The jobs of {cell} were not kept: run the study with keep='jobs'")
        return Result.load(place, trust=self.study.trusted)


def run_in_store(
    study: Study,
    place: Path,
    executor: Executor | None = None,
    *,
    again: bool = False,
    interrupted: Interrupted | None = None,
) -> Studied:
    """Open or make the store at `place`, run what it lacks with a progress display, and return the runs.

    `interrupted` is called on KeyboardInterrupt, before it propagates: every outcome so far is in the store.
    """
    executor, tasks = executor or Local(), study.tasks()
    with open_store(place, study) as store:
        there = sum(store.succeeded(task.run) for task in tasks)
        with Progress(len(tasks), getattr(executor, "running", None), there) as progress:
            try:
                counts = run_study(study, store, executor, again=again, on_outcome=progress.count)
            except KeyboardInterrupt:
                if interrupted is not None:
                    interrupted(store, progress)
                raise
    return Studied(study, store, counts)


def run_study(
    study: Study,
    store: Store,
    executor: Executor | None = None,
    *,
    again: bool = False,
    on_outcome: OnOutcome | None = None,
) -> Counts:
    """Run what the store lacks; `again` also repeats what failed before. `on_outcome` is called with each outcome."""
    import_own_classes(study)
    tasks = sorted({task.run: task for task in study.tasks()}.values(), key=_block)
    counts = Counts(len(tasks), sum(_settled(store, task, again) for task in tasks))
    work = Work(tasks, store, again)
    try:
        while work.left():
            for outcome in (executor or Local())(work.tasks()):
                work.keep(outcome)
                _count_outcome(counts, outcome)
                if on_outcome is not None:
                    on_outcome(outcome)
            work.wait()
    finally:
        work.claims.close()
    return counts


class Work:
    """The tasks of a study that this process may run: without those that are done, or claimed by another process."""

    def __init__(self, tasks: list[Task], store: Store, again: bool) -> None:
        self.claims = Claims(store.directory)
        self._left, self._store, self._again = tasks, store, again
        self._before, self._done = set(store.outcomes), set[str]()

    def left(self) -> bool:
        self._left = [task for task in self._left if self._needed(task)]
        return bool(self._left)

    def tasks(self) -> Iterator[Task]:
        """Yield the tasks one by one; each is checked when its turn comes."""
        for task in self._left:
            self._store.glance()
            if self._needed(task) and self.claims.take(task.run):
                if self.claims.shared():
                    self._store.look()  # the owner of an earlier claim may have finished the run
                if self._needed(task):
                    yield task
                else:
                    self.claims.release(task.run)

    def keep(self, outcome: Outcome) -> None:
        self._store.add(outcome)
        self._done.add(outcome["run"])
        self.claims.release(outcome["run"])

    def wait(self) -> None:
        """Wait until other processes have completed more, or one of them has died."""
        self._store.look()
        if self.left():
            time.sleep(PATIENCE_S)

    def _needed(self, task: Task) -> bool:
        if task.run in self._done:
            return False
        retry = self._again and task.run in self._before and not _settled(self._store, task, True)
        return retry or not _settled(self._store, task, False)


def _block(task: Task) -> tuple[int, str]:
    """Order by block, so that a stopped study has all configurations of some blocks."""
    return task.cell["seed"], task.cell["workload"]


def _settled(store: Store, task: Task, again: bool) -> bool:
    """Whether the run succeeded, with its jobs if these are kept; or failed before and is not repeated."""
    if store.succeeded(task.run):
        return task.keep != "jobs" or (store.run_directory(task.run) / RUN_FILE).is_file()
    return task.run in store.outcomes and not again


def _count_outcome(counts: Counts, outcome: Outcome) -> None:
    counts.done += outcome["error"] is None
    counts.failed += outcome["error"] is not None
    if outcome["error"] is not None:
        counts.failures.append(outcome)
