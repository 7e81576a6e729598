"""Small studies for the tests of executors, and what of an outcome must be the same wherever it was made."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import thinktime as tt
from thinktime.study.executors import Threads
from thinktime.study.study import Study, Task

LOG = "made.swf.gz"


def write_log(folder: Path, jobs: int = 500) -> None:
    tt.write_swf(tt.default_workload(jobs=jobs), folder / LOG)


def tasks(workloads: list[dict[str, Any]], seeds: int = 1, keep: Literal["summary", "jobs"] = "summary") -> list[Task]:
    """The runs of these workloads under two schedulers."""
    keys: dict[str, Any] = {"platforms": ["machine:processors=128"], "schedulers": ["easy", "fcfs"]}
    return Study.of(name="small", workloads=workloads, seeds=seeds, keep=keep, **keys).tasks()


def generated(jobs: int, seeds: int) -> list[Task]:
    return tasks([{"generator": "default", "jobs": jobs}], seeds)


def comparable(outcomes: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """By run, without what is measured with a clock."""
    found = [
        (outcome["run"], {key: value for key, value in outcome.items() if key != "seconds"}) for outcome in outcomes
    ]
    assert len(dict(found)) == len(found), "a run came back twice"
    return dict(found)


def on_threads(tasks: Iterable[Task]) -> dict[str, dict[str, Any]]:
    return comparable(Threads(2)(tasks))
