"""Job steps: dropped, but what they measured (memory) belongs to their job."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thinktime.traces.sacct.job_ids import JOB, STEP
from thinktime.traces.sacct.quantities import count, resources, used_kb
from thinktime.traces.sacct.text_columns import TextColumns


@dataclass(frozen=True, eq=False)
class StepUse:
    """The memory that the steps of each job used, in KiB; NaN where unknown."""

    largest_task_kb: np.ndarray  # MaxRSS: of the largest task
    total_kb: np.ndarray  # of all tasks of the largest step
    orphans: int  # steps whose job is not in the file


def is_step(texts: TextColumns, id_name: str) -> np.ndarray:
    ids = texts.get(id_name)
    assert ids is not None
    return ids.str.contains(STEP).to_numpy()


def step_use(texts: TextColumns, step: np.ndarray, id_name: str) -> StepUse:
    """Return the use of each job (row without a step), from its own row and from the steps that follow it."""
    ids = texts.get(id_name)
    assert ids is not None
    jobs = int(np.count_nonzero(~step))
    owner = np.cumsum(~step) - 1
    largest, total = _measured(texts)
    parent = ids.str.extract(JOB).fill_null("").to_numpy()
    known = owner >= 0
    known[known] = parent[known] == parent[np.flatnonzero(~step)[owner[known]]]
    found = StepUse(np.full(jobs, np.nan), np.full(jobs, np.nan), int(np.count_nonzero(~known & step)))
    np.fmax.at(found.largest_task_kb, owner[known], largest[known])
    np.fmax.at(found.total_kb, owner[known], total[known])
    return found


def _measured(texts: TextColumns) -> tuple[np.ndarray, np.ndarray]:
    """Return the memory of the largest task and of all tasks, row by row."""
    largest = texts.numbers("MaxRSS", used_kb)
    tasks = texts.numbers("NTasks", count)
    total = texts.numbers("TRESUsageInTot", _total_kb)
    average = texts.numbers("AveRSS", used_kb)
    alone = np.where(np.isnan(tasks) | (tasks == 1), largest, np.nan)
    for other in (average * tasks, largest * tasks, alone):
        total = np.where(np.isnan(total), other, total)
    return largest, total


def _total_kb(text: str) -> float | None:
    found = resources(text)
    return None if found is None else found.memory_kb
