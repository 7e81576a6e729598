"""Compare a simulation of the engine with the reference, job by job."""

from __future__ import annotations

import math
from typing import Any

import reference
from reference import Job
from tests.engine.workloads import described, run_engine
from thinktime.metrics.status import STATUS_NAMES
from thinktime.schedulers import Scheduler


def assert_agreement(workload: list[Job], processors: int, scheduler: Scheduler, **rules: Any) -> None:
    workload = sorted(workload, key=lambda job: job.submit)
    expected = reference.simulate(workload, processors, described(scheduler), **rules)
    result = run_engine(workload, processors, scheduler, **rules)
    found = zip(*(result.columns[name] for name in ("start_s", "end_s", "status")), strict=True)
    for row, (start, end, status) in enumerate(found):
        told = (_none(start), _none(end), STATUS_NAMES[status])
        outcome = expected[row]
        assert told == (outcome.start, outcome.end, outcome.status), f"row {row}: {workload[row]}"


def _none(time: float) -> float | None:
    return None if math.isnan(time) else time
