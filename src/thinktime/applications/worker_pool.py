"""The bridge to another simulator: a pool of workers that jobs are handed to, and whose answers are waited for.

One thread does it all: workers compute while we wait for one of them, and are heard when somebody asks. An answer is
the same whichever worker gives it, and however many there are.
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
    until: float  # by when the worker must say something


class WorkerPool:
    """`wait(submit(play))` hands a job over and gets its answer. Closed by `with`, by `close`, or by a failure."""

    def __init__(self, command: Sequence[str], workers: int = 1, timeout_s: float = 600.0) -> None:
        """A worker that says nothing for longer than `timeout_s` has failed."""
        self.command, self.workers, self.timeout_s = command, workers, timeout_s
        self._waiting: deque[tuple[int, JobMessage]] = deque()
        self._busy: dict[Worker, _Playing] = {}
        self._idle: list[Worker] = []
        self._answers: dict[int, JobAnswer] = {}  # by the number that a job got when it was handed over
        self._submitted = 0

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends all workers, whatever they do."""
        for worker in [*self._busy, *self._idle]:
            worker.close()
        self._busy.clear()
        self._idle.clear()

    @property
    def simulator(self) -> str:
        """Name and version of what the workers run."""
        if not self._busy and not self._idle:
            self._idle.append(Worker(self.command))
        return next(iter([*self._idle, *self._busy])).name

    def can(self, what: str) -> bool:
        """Whether workers say that they do this: `ask`, `events`, `network` or `slowdowns`."""
        return all(what in worker.hello.get("can", ()) for worker in [*self._idle, *self._busy])

    @property
    def room(self) -> int:
        """Workers that nobody has given anything to do."""
        return self.workers - len(self._busy) - len(self._waiting)

    def submit(self, play: JobMessage, *, first: bool = False) -> int:
        """Hands a job over, if `first` before those that wait; the number to wait for."""
        self._submitted += 1
        (self._waiting.appendleft if first else self._waiting.append)((self._submitted, play))
        number = self._submitted
        self._closing(self._hand_out)
        return number

    def attend(self) -> None:
        """Hears what workers have said meanwhile, without waiting."""
        self._closing(self._attend, 0.0)

    def wait(self, number: int, more: Callable[[], None] = lambda: None) -> JobAnswer:
        """The job's answer. `more` is called whenever workers have been heard, and may submit."""
        while number not in self._answers:
            self._closing(self._attend, self._patience())
            more()
        return self._answers.pop(number)

    def _closing(self, do: Callable[..., None], *arguments: Any) -> None:
        """After a failure, or an interruption, nothing is left running."""
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
                worker.fail(f"cannot do {', '.join(missing)}: leave that out, or take another application level")
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
            worker.fail(f"wrote {_shown(message)}: it speaks of the job that it was given last, once ({PAGE})")
        if "error" in message:
            worker.fail(f"could not play the job in row {playing.play.row}: {message['error']}")
        try:
            if "ask" in message:
                worker.send({"chunk": playing.play.asked(message)}, self.timeout_s)
                return
            self._answers[playing.number] = JobAnswer.of(message, playing.play)
        except MessageError as rule:
            worker.fail(f"wrote {_shown(message)}: {rule} ({PAGE})")
        self._idle.append(worker)
        del self._busy[worker]


def _shown(message: Mapping[str, Any]) -> str:
    text = str(dict(message))
    return text if len(text) <= 80 else text[:77] + "…"
