"""The runs of jobs with an application level: the last run of every job, and aborted runs.

A play is one simulated execution of all tasks of a job on its cores. A run from the beginning is a whole play. A run
that resumes from a checkpoint is the rest of the play in which the checkpoint was made. Times count from its begin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Protocol

import numpy as np

from thinktime.errors import InputError
from thinktime.support.equality import ByContent

if TYPE_CHECKING:
    from thinktime.result.arrays import ResultArrays
    from thinktime.result.attempts import Attempts

#: Tables of the application level with one row per aborted run: what happened inside, and the spans of its cores.
ABORTED, ABORTED_CORES = "aborted_inside", "aborted_cores"


@dataclass(frozen=True, eq=False, repr=False)
class Runs(ByContent):
    """Columns with one value per run."""

    row: np.ndarray  # of the job
    start_s: np.ndarray
    end_s: np.ndarray
    begin_s: np.ndarray  # when its tasks began, after a boot or a restart
    from_s: np.ndarray  # of the play: where the run begins
    until_s: np.ndarray  # of the play: where the run was aborted; inf if it was not
    cores: np.ndarray  # its cores: the row of a job, or len(result) plus the number of an aborted run
    play_begin_s: np.ndarray  # of its play: the begin, and the cores
    play_cores: np.ndarray

    def __len__(self) -> int:
        return len(self.row)

    def __getitem__(self, which: np.ndarray) -> Runs:
        return Runs(*(getattr(self, field.name)[which] for field in fields(self)))


class JobRuns(Protocol):
    """Columns of jobs, and their aborted runs."""

    @property
    def columns(self) -> Mapping[str, np.ndarray]: ...
    @property
    def attempts_made(self) -> Attempts: ...
    @property
    def report_columns(self) -> Mapping[str, Mapping[str, np.ndarray]]: ...
    def __len__(self) -> int: ...


def work_s(of: JobRuns) -> np.ndarray:
    """Return the seconds of work of each job in all its runs: without boots, restarts and repeated work."""
    if "overhead_s" not in of.columns:
        return of.columns["run_s"]
    saved = of.attempts_made.by_job(of.attempts_made.columns["saved_s"], len(of))
    worked: np.ndarray = of.columns["run_s"] - of.columns["overhead_s"] + saved
    return worked


def last_runs(result: ResultArrays) -> Runs:
    """Return the last run of every job that ran, without aborted runs."""
    of, rows = result.columns, np.arange(len(result))
    begin_s = of["start_s"] + of.get("overhead_s", np.zeros(len(result)))
    nothing, never = np.zeros(len(result)), np.full(len(result), np.inf)
    every = Runs(rows, of["start_s"], of["end_s"], begin_s, nothing, never, rows, begin_s, rows)
    return every[~np.isnan(of["start_s"]) & ~np.isnan(of["end_s"])]


def all_runs(result: ResultArrays) -> Runs:
    """Return all runs in no order; jobs that still run end at the last event."""
    last, tried = _with_running(result), result.attempts_made.columns
    if not len(result.attempts_made):
        return last
    inside = _aborted(result)
    again = np.flatnonzero(tried["lost"] == 0)
    saved_s = result.attempts_made.by_job(tried["saved_s"], len(result))[last.row]
    cut = np.isfinite(last.until_s) | np.isin(last.row, tried["row"][tried["lost"] > 0])
    from_s = np.concatenate([inside["from_s"][again], saved_s])
    begin_s = np.concatenate([inside["begin_s"][again], last.begin_s])
    end_s = np.concatenate([tried["end_s"][again], last.end_s])
    cut = np.concatenate([np.ones(len(again), bool), cut])
    row, cores = np.concatenate([tried["row"][again], last.row]), np.concatenate([len(result) + again, last.cores])
    play = _play_of(row, from_s)
    return Runs(
        row=row,
        start_s=np.concatenate([tried["start_s"][again], last.start_s]),
        end_s=end_s,
        begin_s=begin_s,
        from_s=from_s,
        until_s=np.where(cut, from_s + np.maximum(0.0, end_s - begin_s), np.inf),
        cores=cores,
        play_begin_s=begin_s[play],
        play_cores=cores[play],
    )


def _with_running(result: ResultArrays) -> Runs:
    ended, times = last_runs(result), result.timeline_columns["time_s"]
    of, clock_s = result.columns, float(times[-1]) if len(times) else -np.inf
    row = np.flatnonzero(np.isnan(of["end_s"]) & (of["start_s"] < clock_s))
    start_s, end_s = of["start_s"][row], np.full(len(row), clock_s)
    begin_s = start_s + of.get("overhead_s", np.zeros(len(result)))[row]
    worked_s = np.maximum(0.0, end_s - begin_s)
    running = Runs(row, start_s, end_s, begin_s, np.zeros(len(row)), worked_s, row, begin_s, row)
    return Runs(*(np.concatenate([getattr(part, f.name) for part in (ended, running)]) for f in fields(Runs)))


def _aborted(result: ResultArrays) -> dict[str, np.ndarray]:
    found = dict(result.report_columns.get(ABORTED, {}))
    if len(found.get("from_s", ())) != len(result.attempts_made):
        raise InputError("the tasks of aborted runs were not recorded: simulate again")
    return found


def _play_of(row: np.ndarray, from_s: np.ndarray) -> np.ndarray:
    """Return, for each run, the latest run of its job that started at the beginning; runs are in order of time."""
    order = np.argsort(row, kind="stable")
    first = np.where(from_s[order] == 0, np.arange(len(row)), 0)
    found = np.empty(len(row), np.int64)
    found[order] = order[np.maximum.accumulate(first)]
    return found
