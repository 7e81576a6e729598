"""Some metrics of a run and no others: for thousands of runs of which only means are wanted.

The values are those of `summarize`, bit for bit. If all that is asked for is in QUICK, nothing else is computed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics import jobs, machine
from thinktime.metrics.names import METRICS
from thinktime.metrics.summarize import summarize
from thinktime.metrics.window import choose_window, counted_jobs
from thinktime.spec import suggestion

Columns = Mapping[str, np.ndarray]
_OF_TIMELINE = ("queued_", "event_", "loss_of_capacity")


def checked_metrics(names: Sequence[str]) -> tuple[str, ...]:
    """Names of metrics, each once, or a sentence."""
    given = (names,) if isinstance(names, str) else tuple(names)
    for name in given:
        if name not in METRICS:
            near = suggestion(str(name), METRICS)
            raise InputError(f"no metric is called {name!r}{near}: choose from {', '.join(METRICS)}")
    if not given or len(set(given)) < len(given):
        raise InputError(f"the metrics are {list(given)}: name one or more, each once")
    return given


def need_timeline(names: Sequence[str]) -> bool:
    """Whether a run must keep its timeline for these metrics."""
    return any(name.startswith(_OF_TIMELINE) for name in names)


def selected(
    columns: Columns, timeline: Columns, processors: int, names: Sequence[str], exclude_users: Sequence[float] = ()
) -> dict[str, float]:
    """The metrics of these names, over the whole run."""
    if all(name in QUICK for name in names):
        of = Counted(columns, processors, exclude_users)
        return {name: QUICK[name](of) for name in names}
    found = summarize(columns, timeline, processors, exclude_users=exclude_users).values
    return {name: math.nan if found[name] is None else float(found[name] or 0.0) for name in names}


class Counted:
    """The jobs that count, and what means are over, each computed when it is asked for."""

    def __init__(self, columns: Columns, processors: int, exclude_users: Sequence[float]) -> None:
        self.columns, self.processors = columns, processors
        self.window = choose_window(columns, None, 0.0, 0.0)
        self._kept, _ = counted_jobs(columns, self.window[0], math.inf, ("rejected",), exclude_users)
        self._all = bool(self._kept.all())

    def __getitem__(self, name: str) -> np.ndarray:
        return self.columns[name] if self._all else self.columns[name][self._kept]

    @cached_property
    def response(self) -> np.ndarray:
        return jobs.response(self["submit_s"], self["end_s"])

    @cached_property
    def wait(self) -> np.ndarray:
        return jobs.wait(self["submit_s"], self["start_s"])

    @cached_property
    def slowdown(self) -> np.ndarray:
        return jobs.slowdown(self.response, self["run_s"])

    @cached_property
    def bounded_slowdown(self) -> np.ndarray:
        return jobs.bounded_slowdown(self.response, self["run_s"])

    def utilisation(self) -> float:
        of = self.columns
        return machine.utilisation(of["start_s"], of["end_s"], of["processors"], self.processors, *self.window)

    def offered_load(self) -> float:
        return machine.offered_load(self["submit_s"], self["run_s"], self["processors"], self.processors)


def _mean(values: np.ndarray) -> float:
    return float(np.mean(values)) if len(values) else math.nan


#: metric → from what counts to its value, for those that cost little
QUICK: dict[str, Callable[[Counted], float]] = {
    "jobs": lambda of: float(len(of.columns["submit_s"])),
    "jobs_counted": lambda of: float(np.count_nonzero(of._kept)),
    "wait_mean_s": lambda of: _mean(of.wait),
    "response_mean_s": lambda of: _mean(of.response),
    "slowdown_mean": lambda of: _mean(of.slowdown),
    "bounded_slowdown_mean": lambda of: _mean(of.bounded_slowdown),
    "utilisation": Counted.utilisation,
    "offered_load": Counted.offered_load,
    "makespan_s": lambda of: machine.makespan(of["submit_s"], of["end_s"]),
}
