"""The arrays of a run that formulas read; what several formulas need is computed once, when it is first read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from thinktime.metrics.application_level import ApplicationSums
from thinktime.metrics.jobs import TAU_S, means_by_user
from thinktime.metrics.lateness import Lateness, mean_lateness
from thinktime.metrics.timeline import Lasting
from thinktime.metrics.window import Window, choose_window, counted_jobs, last_submission, of_users, submitted_in

Columns = Mapping[str, np.ndarray]
PerJob = Callable[[Columns, float], np.ndarray]

NO_ATTEMPTS: Columns = {name: np.empty(0) for name in ("row", "start_s", "end_s", "processors", "lost", "saved_s")}
NO_TABLES: Mapping[str, Columns] = {}


class RunData:
    """One run, the window of its metrics, and which of its jobs count."""

    def __init__(
        self,
        columns: Columns,
        timeline: Columns,
        processors: int,
        *,
        window: Window | None = None,
        warmup_s: float = 0.0,
        cooldown_s: float = 0.0,
        exclude: Sequence[str] = ("rejected",),
        exclude_users: Sequence[float] = (),
        tau_s: float = TAU_S,
        stopped_s: float | None = None,
        tables: Mapping[str, Columns] = NO_TABLES,
        attempts: Columns = NO_ATTEMPTS,
        span_s: tuple[float, float] | None = None,
    ) -> None:
        self.columns, self.timeline, self.processors = columns, timeline, processors
        self.exclude, self.exclude_users, self.tau_s = exclude, exclude_users, tau_s
        self.tables: Mapping[str, Columns] = tables  # of plugins and application models, by name
        self.attempts = attempts  # aborted runs of jobs
        self._chosen = (window, warmup_s, cooldown_s, stopped_s)
        self._span_s = span_s
        self._per_job: dict[PerJob, np.ndarray] = {}
        self._by_user: dict[PerJob, np.ndarray] = {}
        self._lasting: dict[tuple[float, float], Lasting] = {}

    @cached_property
    def window(self) -> tuple[float, float]:
        """(t1, t2) in seconds."""
        return choose_window(self.columns, *self._chosen)

    @cached_property
    def latest_submit_s(self) -> float:
        """The last submit time that counts."""
        return last_submission(self.window[1], self._chosen[0], self._chosen[2])

    @cached_property
    def span_s(self) -> tuple[float, float]:
        """From the first submission to the last end: what plugins measure."""
        return self._span_s if self._span_s is not None else self.window

    @cached_property
    def _counted(self) -> tuple[np.ndarray, dict[str, int]]:
        return counted_jobs(self.columns, self.window[0], self.latest_submit_s, self.exclude, self.exclude_users)

    @property
    def kept(self) -> np.ndarray:
        """bool[jobs]: counted."""
        return self._counted[0]

    @property
    def excluded(self) -> dict[str, int]:
        """Reason → jobs that are not counted."""
        return self._counted[1]

    @cached_property
    def counted(self) -> Columns:
        """The columns of the counted jobs."""
        return SelectedRows(self.columns, self.kept)

    @cached_property
    def others(self) -> Columns:
        """The columns of all jobs, without those of excluded users."""
        if not len(self.exclude_users):
            return self.columns
        return SelectedRows(self.columns, ~of_users(self.columns, self.exclude_users))

    @cached_property
    def submitted(self) -> np.ndarray:
        """bool[others]: submitted in the window."""
        return submitted_in(self.others["submit_s"], self.window[0], self.latest_submit_s)

    def per_job(self, quantity: PerJob) -> np.ndarray:
        """Return a quantity of each counted job."""
        if quantity not in self._per_job:
            self._per_job[quantity] = quantity(self.counted, self.tau_s)
        return self._per_job[quantity]

    def by_user(self, quantity: PerJob) -> np.ndarray:
        """Return the mean of a quantity over the counted jobs of each user."""
        if quantity not in self._by_user:
            self._by_user[quantity] = means_by_user(self.per_job(quantity), self.counted["user"])[1]
        return self._by_user[quantity]

    def lasting(self, t1: float, t2: float) -> Lasting:
        """Return how long each state of the timeline lasts in a window."""
        if (t1, t2) not in self._lasting:
            self._lasting[t1, t2] = Lasting(self.timeline["time_s"], t1, t2)
        return self._lasting[t1, t2]

    @cached_property
    def lateness(self) -> Lateness:
        """Of all jobs submitted in the window, rejected ones included."""
        of, rows = self.others, self.submitted
        return mean_lateness(of["submit_s"][rows], of["recorded_submit_s"][rows])

    @cached_property
    def application(self) -> ApplicationSums | None:
        """Sums over the tasks inside jobs; None without an application model."""
        if "inside" not in self.tables:
            return None
        return ApplicationSums.of(self.timeline, self.tables["inside"], self.processors)


class SelectedRows(Mapping[str, np.ndarray]):
    """Some rows of columns; a column is selected when it is first read."""

    def __init__(self, columns: Columns, rows: np.ndarray) -> None:
        self._columns, self._rows, self._all = columns, rows, bool(rows.all())
        self._made: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if self._all:
            return self._columns[name]
        if name not in self._made:
            self._made[name] = self._columns[name][self._rows]
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)
