"""Sends batches of runs to a Dask cluster, some ahead of the workers, and yields outcomes as they arrive.

Dask repeats the batches of lost workers elsewhere, up to its `allowed-failures`. A batch that lost more workers is
split into single runs. A single run that lost them is repeated at the end, alone on the cluster, because another run
may have ended those workers; if it fails again, it is recorded as failed.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from thinktime.errors import InputError
from thinktime.study.execute import Outcome
from thinktime.study.executors.batches import Batches, hashes
from thinktime.study.executors.dask_worker import Answer, held, run_batch
from thinktime.study.sources import REQUESTS, files_of
from thinktime.study.study import Task

if TYPE_CHECKING:
    from distributed import Client, Future

LOOK_S = 2.0  # between two looks at the workers
PAUSE_S = 0.002  # between two looks at the answers
SILENT_S = 30.0  # without workers, until a note

Note = Callable[[str], None]


class Batch(NamedTuple):
    """Tasks that are sent together."""

    tasks: list[Task]
    alone: bool = False  # nothing else is on the cluster


class Flow:
    """Iterates over outcomes in the order of arrival; `cancel` drops the rest."""

    def __init__(self, client: Client, tasks: Iterable[Task], note: Note, modules: Sequence[str] = ()) -> None:
        from distributed import as_completed

        self._client, self._note, self._modules = client, note, tuple(modules)
        self._batches = Batches(tasks)
        self._single: deque[Task] = deque()  # of batches that failed
        self._suspected: deque[Task] = deque()
        self._sent: dict[Future, Batch] = {}
        self._done = as_completed(loop=client.loop, with_results=True, raise_errors=False)
        self._files: dict[str, Future] = {}  # hash → the file's bytes on the cluster
        self._threads, self._looked, self._last_worker = 0, -LOOK_S, time.monotonic()

    def __iter__(self) -> Iterator[Outcome]:
        while self._sent or self._single or self._suspected or self._batches:
            self._look()
            self._send()
            for future, answer in self._done.next_batch(block=False) or self._pause():
                yield from self._take(self._sent.pop(future), future.status, answer)

    def cancel(self) -> None:
        if self._sent and self._client.status == "running":
            self._client.cancel(list(self._sent), reason="the study was ended", msg="the study was ended")
        self._sent.clear()
        self._files.clear()

    # --- sending

    def _send(self) -> None:
        """Keep two batches per thread on the cluster, so that no worker waits.

        Submit them together, which costs less.
        """
        free, ready = 2 * self._threads - len(self._sent), list[Batch]()
        while len(ready) < free and (batch := self._next(alone=not ready)):
            ready.append(batch)
        self._submit(ready)

    def _next(self, alone: bool) -> Batch | None:
        """Return the next batch; a suspected run only when nothing else is left and nothing is on the cluster."""
        if self._single:
            return Batch([self._single.popleft()])
        if self._batches:
            return Batch(self._batches.next(self._threads))
        if self._suspected and alone and not self._sent:
            return Batch([self._suspected.popleft()], alone=True)
        return None

    def _submit(self, batches: list[Batch]) -> None:
        if batches:
            wanted = [hashes(batch.tasks[0]) for batch in batches]
            logs, tables = ([self._files.get(each.get(what, "")) for each in wanted] for what in ("log", REQUESTS))
            tasks, modules = [batch.tasks for batch in batches], self._modules
            sent = self._client.map(run_batch, tasks, logs, tables, pure=False, modules=modules)
            self._sent.update(zip(sent, batches, strict=True))
            self._done.update(sent)

    def _upload(self, task: Task, sha256: str) -> None:
        """Send the bytes of a log, or of a table of requests, to the cluster once, by hash."""
        import dask

        if sha256 not in self._files:
            path = dict(files_of(task.spec["workload"]).values())[sha256]
            with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TB"}):
                data, key = Path(path).read_bytes(), f"thinktime-file-{sha256}"
                self._files[sha256] = self._client.submit(held, data, key=key)

    # --- receiving

    def _pause(self) -> list[Any]:
        time.sleep(PAUSE_S)
        return []

    def _take(self, batch: Batch, status: str, answer: Any) -> Iterator[Outcome]:
        if status == "error":
            yield from self._lost(batch, answer[1])
        elif status != "finished":
            raise InputError(f"The scheduler {self._address} is gone: outcomes so far are stored, resume the study")
        else:
            yield from self._answered(batch, answer)

    def _answered(self, batch: Batch, answer: Answer) -> Iterator[Outcome]:
        task = batch.tasks[0]
        if answer.other_version is not None:
            raise InputError(
                f"a worker has thinktime {answer.other_version} but the study is of {task.spec['version']}:"
                f" install the same version on all workers"
            )
        if answer.missing is not None:
            self._upload(task, answer.missing)
            self._submit([batch])
        for outcome in answer.outcomes:
            self._batches.learn(outcome)
            yield outcome

    def _lost(self, batch: Batch, error: BaseException) -> Iterator[Outcome]:
        """Handle a batch without outcomes: its workers died, or could not begin."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, ImportError):
            raise InputError(
                f"A worker cannot import what a run needs ({error}): install thinktime, and your own modules, on all"
                " workers"
            )
        if len(batch.tasks) > 1:
            self._single.extend(batch.tasks)
        elif isinstance(error, KilledWorker) and not batch.alone:
            self._suspected.extend(batch.tasks)
        else:
            yield failed(batch.tasks[0], _worker_failure(error))

    # --- workers

    def _look(self) -> None:
        now = time.monotonic()
        if now - self._looked < LOOK_S or self._client.status != "running":
            return
        self._looked, self._threads = now, sum(self._client.nthreads().values())
        if self._threads:
            self._last_worker = now
        elif now - self._last_worker > SILENT_S:
            self._last_worker = now
            self._note(f"no worker is connected to {self._address}: waiting for one")

    @property
    def _address(self) -> str:
        return str(self._client.scheduler.address)


def failed(task: Task, sentence: str) -> Outcome:
    return {"run": task.run, "cell": dict(task.cell), "error": sentence, "seconds": 0.0}


def _worker_failure(error: BaseException) -> str:
    from distributed.scheduler import KilledWorker

    if isinstance(error, KilledWorker):
        died = error.allowed_failures + 1
        return f"{died} workers died during this run: it may need more memory than they have"
    return f"the worker failed ({type(error).__name__}: {error}): look at its log"
