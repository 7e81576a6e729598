"""A small log, quickly resampled and simulated."""

from __future__ import annotations

from functools import cache
from typing import Any

import thinktime as tt

MACHINE = tt.Machine(processors=128)
#: users of a short log can be long-term, and none is discarded
POOLS: dict[str, Any] = {"long_term_weeks": 2, "edge_weeks": 0}


@cache
def small_log() -> tt.Workload:
    return tt.default_workload(weeks=6, users=15, load=0.5)


def bootstrapped(**options: Any) -> tt.Bootstrap:
    given: dict[str, Any] = {"resamples": 12, "jackknife": 5, "resample": POOLS} | options
    schedulers = given.pop("schedulers", [tt.Easy(), tt.FCFS()])
    return tt.bootstrap(given.pop("log", small_log()), given.pop("machine", MACHINE), schedulers, **given)
