"""Progress on stderr: a bar with rate and remaining time, for what takes more than a second.

Shown only if stderr is a terminal. A thread draws the bar, so that a step that cannot report its progress still
shows that it is running.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from thinktime.support import terminal

PATIENCE_S = 1.0  # shorter steps show nothing
REFRESH_S = 0.1
OPEN_FILES = Path("/proc/self/fd")  # of this process, where the system has such a table


class Stage:
    """`with Stage("simulating", total=days, unit="days") as stage: stage.done = 12.0`.

    `position` returns the progress if `done` is not set; `total=None` shows a bar without an end.
    """

    def __init__(
        self,
        words: str,
        total: float | None = None,
        unit: str = "",
        position: Callable[[], float] | None = None,
    ) -> None:
        self.words, self.total, self.unit = terminal.plain(words), total, unit
        self.done = 0.0
        self.seconds = 0.0  # that the stage took, when it is over
        self._position = position or (lambda: self.done)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True) if sys.stderr.isatty() else None

    def __enter__(self) -> Self:
        self._begin = time.perf_counter()
        if self._thread:
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.seconds = time.perf_counter() - self._begin
        self._over.set()
        if self._thread:
            self._thread.join()

    def _watch(self) -> None:
        if self._over.wait(PATIENCE_S):
            return
        with _bar() as bar:
            task = bar.add_task(self.words, total=self.total, said="")
            while not self._over.wait(REFRESH_S):
                self.done = max(self.done, self._position())  # a file that is closed again was read to its end
                bar.update(task, completed=self.done, said=self._said(self.done))
                bar.refresh()

    def _said(self, done: float) -> str:
        if self.total is None:
            return f"{time.perf_counter() - self._begin:.0f} s"
        rate = done / (time.perf_counter() - self._begin)
        return f"{done:,.0f} of {self.total:,.0f} {self.unit}, {rate:,.0f} {self.unit}/s"


def _bar() -> Any:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    words, said = TextColumn("{task.description}", markup=False), TextColumn("{task.fields[said]}", markup=False)
    columns = (words, BarColumn(), said, TimeRemainingColumn())
    return Progress(*columns, console=terminal.console(stderr=True), transient=True, auto_refresh=False)


def reading(path: Path) -> Stage:
    """A stage that knows how far this process has read the file."""
    words = f"reading {path.name}"
    if not (OPEN_FILES.is_dir() and path.is_file()):
        return Stage(words)
    return Stage(words, path.stat().st_size / 1e6, "MB", lambda: bytes_read(path) / 1e6)


def bytes_read(path: Path) -> int:
    """Where we are in an open file, as the system's table of our open files says; 0 if it is not open."""
    target = os.path.realpath(path)
    for descriptor in os.listdir(OPEN_FILES):
        try:
            if os.readlink(OPEN_FILES / descriptor) == target:
                return os.lseek(int(descriptor), 0, os.SEEK_CUR)
        except OSError:
            continue  # closed meanwhile
    return 0
