"""The columns of the jobs of a result, the reasons of rejections, and the hash of the jobs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import numpy as np

from thinktime.metrics import REJECTED
from thinktime.simulation.settings import Settings
from thinktime.support.json_types import JsonDict
from thinktime.workload import Workload


def refusals(rejected: np.ndarray, processors: np.ndarray, settings: Settings) -> dict[str, dict[str, int]]:
    """Return reason → rejected jobs on a counted machine; empty if none was rejected."""
    large = int(np.count_nonzero(rejected & (processors > settings.machine.processors)))
    others = int(np.count_nonzero(rejected)) - large
    why = {"larger than the machine": large, "by the scheduler": others}
    found = {reason: count for reason, count in why.items() if count}
    return {"rejected": found} if found else {}


def with_others(known: Mapping[str, int], rejected: int, scheduler: str) -> dict[str, int]:
    """Return reason → rejected jobs; the engine rejected those that are not in `known`."""
    others = rejected - sum(known.values())
    usual = "no nodes that the allocator could choose"
    why = {"reject": "by the scheduler", "by a plugin": "by a plugin"}.get(scheduler, usual)
    return {**known, **({why: others} if others else {})}


def job_columns(
    recorded: Mapping[str, np.ndarray], simulated: dict[str, np.ndarray], session: np.ndarray | None = None
) -> dict[str, np.ndarray]:
    """Return the columns of `Result.jobs` from the recorded and the simulated ones."""
    start = recorded["submit_s"] + recorded["wait_s"]
    rejected = simulated["status"] == REJECTED
    simulated["processors"] = np.where(rejected, recorded["processors"], simulated["processors"])
    return {
        "job": recorded["job"],
        "user": recorded["user"],
        **{k: simulated[k] for k in ("submit_s", "start_s", "end_s", "processors", "run_s", "estimate_s", "status")},
        "recorded_submit_s": recorded["submit_s"],
        "recorded_start_s": start,
        "recorded_end_s": start + recorded["run_s"],
        "session": np.full(len(start), np.nan) if session is None else session.astype(np.float64),
        **({"overhead_s": simulated["overhead_s"]} if "overhead_s" in simulated else {}),
    }


def workload_spec(workload: Workload, requests: Iterable[np.ndarray]) -> JsonDict:
    """Return the source of the jobs and the hash of the arrays that the engine was given."""
    content = hashlib.sha256()
    hash_jobs(content, workload, requests)
    return {"name": workload.name, "jobs": len(workload), "jobs_sha256": content.hexdigest(), **workload.source}


def hash_jobs(content: hashlib._Hash, workload: Workload, requests: Iterable[np.ndarray]) -> None:
    """Add to a hash what decides about a run: the names of the jobs and the arrays that the engine is given."""
    for column in (workload["job"], workload["user"], workload["wait_s"], *requests):
        content.update(np.ascontiguousarray(column).data)
