"""Threads of this process: the engine releases the interpreter's lock, so that they run at once."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from thinktime.errors import InputError
from thinktime.study.execute import Hear, Outcome, execute
from thinktime.study.study import Task


class Threads:
    """`for outcome in Threads(2)(tasks)`. Tasks are taken one by one, as threads fall idle."""

    def __init__(self, number: int | None = None) -> None:
        self.number = len(os.sched_getaffinity(0)) if number is None else number
        if self.number < 1:
            raise InputError(f"{self.number} threads cannot run anything: choose 1 or more")
        self.running: dict[str, tuple[Task, float]] = {}  # run → its task and the share that is done

    def __call__(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        source, done = _Source(tasks), queue.SimpleQueue()  # type: tuple[_Source, queue.SimpleQueue[Outcome | None]]
        threads = [threading.Thread(target=self._work, args=(source, done), daemon=True) for _ in range(self.number)]
        for thread in threads:
            thread.start()
        try:
            yield from _until_all_ended(done, len(threads))
        finally:
            source.stop()  # whoever leaves the loop early waits for the runs in flight only
            for thread in threads:
                thread.join()
        source.raise_error()

    def _work(self, source: _Source, done: queue.SimpleQueue[Outcome | None]) -> None:
        worker = self._worker()
        try:
            while (task := source.next()) is not None:
                done.put(self._carried_out(worker, task))
        finally:
            worker.close()
            done.put(None)

    def _worker(self) -> Any:
        """What carries out the tasks of one thread: the thread itself."""
        return Here()

    def _carried_out(self, worker: Any, task: Task) -> Outcome:
        def hear(share: float) -> None:
            self.running[task.run] = task, share

        hear(0.0)
        try:
            return worker(task, hear)
        finally:
            self.running.pop(task.run, None)


class Here:
    """Carries out tasks in the thread that calls it."""

    def __call__(self, task: Task, hear: Hear) -> Outcome:
        return execute(task, hear)

    def close(self) -> None:
        """There is nothing to end."""


def _until_all_ended(done: queue.SimpleQueue[Outcome | None], threads: int) -> Iterator[Outcome]:
    while threads:
        outcome = done.get()
        if outcome is None:
            threads -= 1
        else:
            yield outcome


class _Source:
    """An iterator that several threads may ask, and that can be stopped."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks, self._lock = iter(tasks), threading.Lock()
        self._stopped, self._error = False, None  # type: tuple[bool, BaseException | None]

    def next(self) -> Task | None:
        with self._lock:
            if self._stopped:
                return None
            try:
                return next(self._tasks, None)
            except BaseException as error:  # told to whoever asked for the outcomes
                self._error, self._stopped = error, True
                return None

    def stop(self) -> None:
        with self._lock:
            self._stopped = True

    def raise_error(self) -> None:
        if self._error is not None:
            raise self._error
