"""The runs of jobs whose insides are known: the last one of every job, and those that were aborted before.

A run is a part of a play. One that starts at the beginning is a play of its own, on its cores; one that goes on from a
checkpoint is the rest of the play in which that was made. Times of a play are counted from its begin.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.support.equality import ByContent

if TYPE_CHECKING:
    from thinktime.result.arrays import ResultArrays

#: Tables of a run whose jobs are looked into, one row an aborted run: what happened inside, and spans of its cores.
ABORTED, ABORTED_CORES = "aborted_inside", "aborted_cores"


@dataclass(frozen=True, eq=False, repr=False)
class Runs(ByContent):
    """Columns, one row a run."""

    row: np.ndarray  # of the job
    start_s: np.ndarray
    end_s: np.ndarray
    begin_s: np.ndarray  # when its tasks began, after a boot or a restart
    from_s: np.ndarray  # of the play: where it went on
    until_s: np.ndarray  # of the play: where it was cut; inf if it was not
    cores: np.ndarray  # whose cores it had: a job's (its row), or an aborted run's (after all jobs)
    play_begin_s: np.ndarray  # of the play that it is a part of: when that began, and whose cores it had
    play_cores: np.ndarray

    def __len__(self) -> int:
        return len(self.row)

    def __getitem__(self, which: np.ndarray) -> Runs:
        return Runs(*(getattr(self, field.name)[which] for field in fields(self)))


def last_runs(result: ResultArrays) -> Runs:
    """Of every job that ran, if nothing is known of aborted runs."""
    of, rows = result.columns, np.arange(len(result))
    begin_s = of["start_s"] + of.get("overhead_s", np.zeros(len(result)))
    nothing, never = np.zeros(len(result)), np.full(len(result), np.inf)
    every = Runs(rows, of["start_s"], of["end_s"], begin_s, nothing, never, rows, begin_s, rows)
    return every[~np.isnan(of["start_s"]) & ~np.isnan(of["end_s"])]


def all_runs(result: ResultArrays) -> Runs:
    """In no order. Jobs that still run are there up to the last event, where the account of their insides ends."""
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
        raise InputError("nothing is known of the insides of runs that were aborted: simulate again")
    return found


def _play_of(row: np.ndarray, from_s: np.ndarray) -> np.ndarray:
    """Of each run, given in the order of time within a job: the latest that started at the beginning."""
    order = np.argsort(row, kind="stable")
    first = np.where(from_s[order] == 0, np.arange(len(row)), 0)
    found = np.empty(len(row), np.int64)
    found[order] = order[np.maximum.accumulate(first)]
    return found
