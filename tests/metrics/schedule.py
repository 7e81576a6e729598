"""Six jobs on four processors, FCFS, worked by hand. Everything the metrics should say is in the tests.

job user submit processors run    start  end   status
 1   1      0       2      100       0   100   completed
 2   1     10       4       50     100   150   completed
 3   2     20       1        5     150   155   completed
 4   2     30       9       60       –     –   rejected (the machine has 4)
 5   2    160       3        0     160   160   completed (no length)
 6   3    170       2       20     170   190   killed at its estimate of 20 s

time   queued jobs/processors   running jobs/processors
  0           0 / 0                   1 / 2
 10           1 / 4                   1 / 2
 20           2 / 5                   1 / 2
 30           2 / 5                   1 / 2     (job 4 is rejected)
100           1 / 1                   1 / 4
150           0 / 0                   1 / 1
155           0 / 0                   0 / 0
160           0 / 0                   0 / 0
170           0 / 0                   1 / 2
190           0 / 0                   0 / 0
"""

from __future__ import annotations

import numpy as np

NAN = np.nan
PROCESSORS = 4


def columns() -> dict[str, np.ndarray]:
    submit = np.array([0.0, 10, 20, 30, 160, 170])
    return {
        "job": np.array([1.0, 2, 3, 4, 5, 6]),
        "user": np.array([1.0, 1, 2, 2, 2, 3]),
        "submit_s": submit,
        "start_s": np.array([0, 100, 150, NAN, 160, 170]),
        "end_s": np.array([100, 150, 155, NAN, 160, 190]),
        "processors": np.array([2.0, 4, 1, 9, 3, 2]),
        "run_s": np.array([100.0, 50, 5, 60, 0, 20]),
        "estimate_s": np.array([120.0, 60, 5, 60, 10, 20]),
        "status": np.array([0, 0, 0, 2, 0, 1], np.uint8),
        "recorded_submit_s": submit.copy(),
        "recorded_start_s": np.array([0, 90.5, NAN, NAN, 160, 170]),
        "recorded_end_s": np.array([100, 140.5, NAN, NAN, 160, 200]),
        "session": np.full(6, NAN),
    }


def timeline() -> dict[str, np.ndarray]:
    return {
        "time_s": np.array([0.0, 10, 20, 30, 100, 150, 155, 160, 170, 190]),
        "queued_jobs": np.array([0, 1, 2, 2, 1, 0, 0, 0, 0, 0]),
        "queued_processors": np.array([0, 4, 5, 5, 1, 0, 0, 0, 0, 0]),
        "running_jobs": np.array([1, 1, 1, 1, 1, 1, 0, 0, 1, 0]),
        "used_processors": np.array([2, 2, 2, 2, 4, 1, 0, 0, 2, 0]),
    }


def empty(columns_of: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: values[:0] for name, values in columns_of.items()}
