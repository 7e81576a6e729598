"""EASY never delays the head's promise: whoever reached the head of the queue starts by the time it was promised.

The promise is recomputed from the finished schedule: from the jobs that ran when a job became the blocked head,
and from their expected ends. Later promises are never later, so the first one is the test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from thinktime.metrics.status import COMPLETED, KILLED, UNFINISHED
from thinktime.result.result import Result
from thinktime.result.timeline_invariants import Finding


def heads_promise(result: Result) -> Iterator[Finding]:
    """Holds for EASY in order of arrival where the scheduler knows when jobs will be over at the latest.

    On a cluster a promise is of nodes, which counting processors does not give again.
    """
    if result.cluster is not None or not _promises(result):
        return
    of = result.columns
    ran = np.flatnonzero((of["status"] == COMPLETED) | (of["status"] == KILLED))
    promised = _promised_starts(result, ran)
    late = of["start_s"][ran] > promised

    def say(i: int) -> str:
        name = f"row {i}" if np.isnan(of["job"][i]) else f"job {of['job'][i]:.0f}"
        due = promised[np.searchsorted(ran, i)]
        return (
            f"{name} starts at {of['start_s'][i]:.15g} s although it was promised {due:.15g} s as the head of the queue"
        )

    yield Finding(ran[late], say, of_jobs=True)


def _promises(result: Result) -> bool:
    spec, scheduler = result.spec, result.spec.get("scheduler")
    if not ties_by_row(result) or not isinstance(scheduler, Mapping) or (result.columns["status"] == UNFINISHED).any():
        return False
    usual = scheduler.get("order", "arrival") == "arrival" and scheduler.get("recompute", True)
    looked_into = spec.get("applications", {}).get("name", "fixed") != "fixed"  # nobody knows when jobs will be over
    easy = not looked_into and scheduler.get("name") == "easy" and usual and not scheduler.get("compat")
    return bool(easy and spec.get("same_instant") == "batch" and spec.get("overrun") in ("extend", "kill"))


def ties_by_row(result: Result) -> bool:
    """Do jobs submitted at one instant queue in the order of the rows?

    A streamed run has lost that order. Users who react may submit upon something that happened in the same instant,
    after others have joined.
    """
    workload, users = result.spec.get("workload"), result.spec.get("users")
    streamed = isinstance(workload, Mapping) and workload.get("streamed")
    return not streamed and (not isinstance(users, Mapping) or users.get("name") == "rigid")


def _promised_starts(result: Result, ran: np.ndarray) -> np.ndarray:
    from thinktime import _engine

    of = {name: np.ascontiguousarray(values[ran]) for name, values in result.columns.items()}
    known = np.maximum(of["estimate_s"], of["run_s"]) if result.spec["overrun"] == "extend" else of["estimate_s"]
    promised: np.ndarray = _engine.easy_promises(
        submit=of["submit_s"],
        start=of["start_s"],
        end=of["end_s"],
        expected_end=of["start_s"] + known,
        processors=of["processors"].astype(np.int32),
        machine=result.processors,
    )
    return promised
