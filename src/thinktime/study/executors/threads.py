"""Runs tasks on threads of this process; the engine releases the interpreter's lock."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from thinktime.errors import InputError
from thinktime.study.execute import OnProgress, Outcome, execute
from thinktime.study.study import Task


class Threads:
    """`for outcome in Threads(2)(tasks)`. An idle thread takes the next task."""

    def __init__(self, number: int | None = None) -> None:
        self.number = len(os.sched_getaffinity(0)) if number is None else number
        if self.number < 1:
            raise InputError(f"threads must be at least 1 (got {self.number})")
        self.running: dict[str, tuple[Task, float]] = {}  # run → its task and the share that is done

    def __call__(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        source, done = _Source(tasks), queue.SimpleQueue()  # type: tuple[_Source, queue.SimpleQueue[Outcome | None]]
        threads = [threading.Thread(target=self._work, args=(source, done), daemon=True) for _ in range(self.number)]
        for thread in threads:
            thread.start()
        try:
            yield from _until_all_ended(done, len(threads))
        finally:
            source.stop()  # after an early exit, wait only for the runs in flight
            for thread in threads:
                thread.join()
        source.raise_error()

    def _work(self, source: _Source, done: queue.SimpleQueue[Outcome | None]) -> None:
        worker = self._worker()
        try:
            while (task := source.next()) is not None:
                done.put(self._run_task(worker, task))
        finally:
            worker.close()
            done.put(None)

    def _worker(self) -> Any:
        """Return what runs the tasks of one thread: here the thread itself."""
        return SameThread()

    def _run_task(self, worker: Any, task: Task) -> Outcome:
        def on_progress(share: float) -> None:
            self.running[task.run] = task, share

        on_progress(0.0)
        try:
            return worker(task, on_progress)
        finally:
            self.running.pop(task.run, None)


class SameThread:
    """Runs tasks in the thread that calls it."""

    def __call__(self, task: Task, on_progress: OnProgress) -> Outcome:
        return execute(task, on_progress)

    def close(self) -> None:
        """Do nothing: there is no process to end."""


def _until_all_ended(done: queue.SimpleQueue[Outcome | None], threads: int) -> Iterator[Outcome]:
    while threads:
        outcome = done.get()
        if outcome is None:
            threads -= 1
        else:
            yield outcome


class _Source:
    """An iterator that several threads share, and that can be stopped."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks, self._lock = iter(tasks), threading.Lock()
        self._stopped, self._error = False, None  # type: tuple[bool, BaseException | None]

    def next(self) -> Task | None:
        with self._lock:
            if self._stopped:
                return None
            try:
                return next(self._tasks, None)
            except BaseException as error:  # raised where the outcomes are read
                self._error, self._stopped = error, True
                return None

    def stop(self) -> None:
        with self._lock:
            self._stopped = True

    def raise_error(self) -> None:
        if self._error is not None:
            raise self._error
