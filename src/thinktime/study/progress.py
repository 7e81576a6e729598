"""The progress of a study: runs, rate, remaining time, failures, and the runs in flight.

It is shown on a terminal and in a notebook only.
"""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Any, Self

from thinktime.study.execute import Outcome
from thinktime.study.outcomes import configuration
from thinktime.support import terminal
from thinktime.support.json_types import JsonTable

REFRESH_S = 0.2
SHOWN = 8  # runs in flight that are listed
PATIENCE_S = 1.0  # runs are listed after this time


class Progress:
    """`with Progress(total, running) as bar: run_study(…, on_outcome=bar.count)`; `running` is that of an executor."""

    def __init__(self, total: int, running: JsonTable | None = None, there: int = 0) -> None:
        self.total, self.done, self.failed = total, there, 0
        self._there, self._running = there, running if running is not None else {}
        self._since: dict[str, float] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True) if _is_shown() else None

    def count(self, outcome: Outcome) -> None:
        self.done += 1
        self.failed += outcome["error"] is not None

    def __enter__(self) -> Self:
        self._begin = time.monotonic()
        if self._thread:
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        if self._thread:
            self._thread.join()

    def words(self) -> str:
        """`412 of 1,000 runs, 38.1 runs/s, 2 failed`."""
        seconds = max(time.monotonic() - self._begin, 1e-9)
        failed = f", {self.failed:,} failed" if self.failed else ""
        return f"{self.done:,} of {self.total:,} runs, {(self.done - self._there) / seconds:,.1f} runs/s{failed}"

    def _watch(self) -> None:
        from rich.live import Live

        with Live(self._picture(), console=terminal.console(stderr=True), refresh_per_second=5, transient=True) as live:
            while not self._over.wait(REFRESH_S):
                live.update(self._picture())

    def _picture(self) -> Any:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.text import Text

        overall = Text(f"{self.words()}{self._remaining()}")
        bar = ProgressBar(total=max(self.total, 1), completed=self.done, width=60)
        return Group(overall, bar, *(Text(f"  {line}", style="dim") for line in self._in_flight()))

    def _remaining(self) -> str:
        done, seconds = self.done - self._there, time.monotonic() - self._begin
        if not done:
            return ""
        left = seconds / done * (self.total - self.done)
        return f", about {left:,.0f} s left" if left < 120 else f", about {left / 60:,.0f} min left"

    def _in_flight(self) -> list[str]:
        """Return the runs that take longer, with the simulated share of their workload."""
        now, running = time.monotonic(), dict(self._running)
        self._since = {run: self._since.get(run, now) for run in running}
        old = [run for run in running if now - self._since[run] > PATIENCE_S][:SHOWN]
        return [
            f"{_running_cell_name(running[run][0].cell)}: {running[run][1]:.0%}, {now - self._since[run]:.0f} s"
            for run in old
        ]


def _running_cell_name(cell: JsonTable) -> str:
    return configuration(cell, [name for name in cell if cell[name] not in ("rigid", "fixed", "requested", "default")])


def _is_shown() -> bool:
    """Whether stderr is a terminal, or a notebook is running."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules
