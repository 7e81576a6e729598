"""A pool of worker processes: distributes jobs and waits for their answers.

It needs no thread: workers compute in parallel, and their messages are read while the pool waits for an answer. An
answer depends neither on the worker nor on the number of workers.
"""

from __future__ import annotations

import select
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thinktime.applications.worker_messages import JobAnswer, JobMessage, MessageError
from thinktime.applications.worker_process import PAGE, Worker


@dataclass
class _Playing:
    number: int
    play: JobMessage
    until: float  # deadline for the next message of the worker


class WorkerPool:
    """`wait(submit(job))` returns the answer to a job. `with`, `close` or a failure ends the workers."""

    def __init__(self, command: Sequence[str], workers: int = 1, timeout_s: float = 600.0) -> None:
        """A worker that is silent for longer than `timeout_s` has failed."""
        self.command, self.workers, self.timeout_s = command, workers, timeout_s
        self._waiting: deque[tuple[int, JobMessage]] = deque()
        self._busy: dict[Worker, _Playing] = {}
        self._idle: list[Worker] = []
        self._answers: dict[int, JobAnswer] = {}  # by the number that `submit` returned
        self._submitted = 0

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all workers."""
        for worker in [*self._busy, *self._idle]:
            worker.close()
        self._busy.clear()
        self._idle.clear()

    @property
    def simulator(self) -> str:
        """Return name and version of the simulator."""
        if not self._busy and not self._idle:
            self._idle.append(Worker(self.command))
        return next(iter([*self._idle, *self._busy])).name

    def can(self, what: str) -> bool:
        """Return whether all workers offer `ask`, `events`, `network` or `slowdowns`."""
        return all(what in worker.hello.get("can", ()) for worker in [*self._idle, *self._busy])

    @property
    def room(self) -> int:
        """Return the number of idle workers."""
        return self.workers - len(self._busy) - len(self._waiting)

    def submit(self, play: JobMessage, *, first: bool = False) -> int:
        """Submit a job, if `first` before the waiting ones; return the number to wait for."""
        self._submitted += 1
        (self._waiting.appendleft if first else self._waiting.append)((self._submitted, play))
        number = self._submitted
        self._closing(self._hand_out)
        return number

    def attend(self) -> None:
        """Read the messages that have arrived, without waiting."""
        self._closing(self._attend, 0.0)

    def wait(self, number: int, more: Callable[[], None] = lambda: None) -> JobAnswer:
        """Return the answer to a job. `more` is called after each reading, and may submit."""
        while number not in self._answers:
            self._closing(self._attend, self._patience())
            more()
        return self._answers.pop(number)

    def _closing(self, do: Callable[..., None], *arguments: Any) -> None:
        """End all workers after a failure or an interruption."""
        try:
            do(*arguments)
        except BaseException:
            self.close()
            raise

    def _hand_out(self) -> None:
        while self._waiting and (self._idle or len(self._busy) < self.workers):
            worker = self._idle.pop() if self._idle else Worker(self.command)
            number, play = self._waiting.popleft()
            self._busy[worker] = _Playing(number, play, time.monotonic() + self.timeout_s)
            if missing := sorted(play.needs() - set(worker.hello.get("can", ()))):
                worker.fail(f"cannot do {', '.join(missing)}: leave that out, or use another application model")
            worker.send(play.message(number), self.timeout_s)

    def _patience(self) -> float:
        return max(min(playing.until for playing in self._busy.values()) - time.monotonic(), 0.0)

    def _attend(self, patience_s: float) -> None:
        for worker in select.select(list(self._busy), [], [], patience_s)[0]:
            worker.listen()
            self._busy[worker].until = time.monotonic() + self.timeout_s
            while (message := worker.heard()) is not None:
                self._hear(worker, message)
        for worker, playing in self._busy.items():
            if playing.until < time.monotonic():
                worker.silent(self.timeout_s)
        self._hand_out()

    def _hear(self, worker: Worker, message: dict[str, Any]) -> None:
        playing = self._busy.get(worker)
        if playing is None or message.get("job") != playing.number:
            worker.fail(f"wrote {_short_message(message)}: it must name the job that it got last, once ({PAGE})")
        if "error" in message:
            worker.fail(f"could not simulate the job in row {playing.play.row}: {message['error']}")
        try:
            if "ask" in message:
                worker.send({"chunk": playing.play.asked(message)}, self.timeout_s)
                return
            self._answers[playing.number] = JobAnswer.of(message, playing.play)
        except MessageError as rule:
            worker.fail(f"wrote {_short_message(message)}: {rule} ({PAGE})")
        self._idle.append(worker)
        del self._busy[worker]


def _short_message(message: Mapping[str, Any]) -> str:
    text = str(dict(message))
    return text if len(text) <= 80 else text[:77] + "…"
