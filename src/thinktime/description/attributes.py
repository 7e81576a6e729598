"""The three attributes of jobs whose locality is measured: processors, estimate, run time.

Processors are those that were allocated, because these reproduce the published stack depths; the workload's size where
the log has no allocations. An estimate is the requested time; a job without one has no estimate, although schedulers
take its run time. With run times in their place the stack depth of LANL-CM5 would be 4.22 instead of the printed 2.53.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError

if TYPE_CHECKING:
    from thinktime.workload.workload import Workload


class NotMeasuredError(InputError):
    """The workload lacks data for a measure. A description keeps the reason in `missing`."""


#: attribute → its name in sentences; the order is that of Tables II to IV
ATTRIBUTES = {"processors": "processors", "estimate": "estimates", "run": "run times"}


def attribute_values(workload: Workload, attribute: str) -> np.ndarray:
    """One value per job; NaN where it is unknown, infinite or negative."""
    if attribute not in ATTRIBUTES:
        raise InputError(f"attribute must be one of {', '.join(ATTRIBUTES)} (got {attribute!r})")
    values = _VALUES[attribute](workload)
    return np.where(np.isfinite(values) & (values >= 0), values, np.nan)


def _processors(workload: Workload) -> np.ndarray:
    allocated = workload["allocated_processors"]
    return np.where(allocated > 0, allocated, workload["processors"])


def _estimates(workload: Workload) -> np.ndarray:
    asked = workload["requested_time_s"]
    return np.where(asked > 0, asked, np.nan)


def _run_times_of_log(workload: Workload) -> np.ndarray:
    return workload["run_s"]


_VALUES = {"processors": _processors, "estimate": _estimates, "run": _run_times_of_log}
