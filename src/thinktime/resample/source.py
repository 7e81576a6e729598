"""The jobs of one log or of several as one table, from which resampled jobs are taken by row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from thinktime.workload.groups import known_end_s
from thinktime.workload.workload import COLUMNS, Workload

Block = dict[str, np.ndarray]

#: What a resampled job does not take from its source: it is new, or it would point to another job.
NEW = ("job", "submit_s", "user")
DROPPED = ("preceding_job", "think_time_s", "line")
#: Names that mean different things in different logs: the second log's are numbered on from the first's.
LOCAL = ("group", "executable", "queue", "partition")


@dataclass(frozen=True, eq=False)
class Source:
    """Columns of all logs, one log after the other."""

    known: Mapping[str, np.ndarray]  # columns with a value somewhere
    empty: tuple[str, ...]
    response_s: np.ndarray  # float64: from the submission to the recorded end

    @classmethod
    def of(cls, logs: Sequence[Workload]) -> Source:
        every = {name: _joined(name, logs) for name in (*COLUMNS, "processors") if name not in (*NEW, *DROPPED)}
        empty = tuple(name for name, values in every.items() if np.isnan(values).all())
        known = {name: values for name, values in every.items() if name not in empty}
        return cls(known, (*empty, *DROPPED), np.concatenate([known_end_s(log) - log["submit_s"] for log in logs]))

    def columns(self, rows: np.ndarray) -> Block:
        """What the jobs of these rows take along."""
        missing = np.full(len(rows), np.nan)
        taken = {name: values[rows] for name, values in self.known.items()}
        return taken | dict.fromkeys((*self.empty, *NEW), missing)


def _joined(name: str, logs: Sequence[Workload]) -> np.ndarray:
    if len(logs) == 1:
        return logs[0][name]
    parts, above = [], 0.0
    for log in logs:
        parts.append(log[name] + above if name in LOCAL else log[name])
        above = max(above, float(np.fmax.reduce(parts[-1], initial=0.0)))
    return np.concatenate(parts)
