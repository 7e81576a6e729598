"""Small studies for the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from thinktime.study import Study

TEXT = """\
name = "small"
seeds = 2
schedulers = ["fcfs", "easy"]
[[workloads]]
generator = "default"
jobs = 60
"""


def small(**keys: Any) -> Study:
    """Two schedulers × two seeds of sixty jobs, unless told otherwise."""
    given: dict[str, Any] = {
        "name": "small",
        "workloads": [{"generator": "default", "jobs": 60}],
        "schedulers": ["fcfs", "easy"],
        "seeds": 2,
    }
    return Study.of(**given | keys)


def written(path: Path, text: str = TEXT) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def without_times(outcome: dict[str, Any]) -> dict[str, Any]:
    """What must be the same wherever a run is carried out."""
    return {key: value for key, value in outcome.items() if key != "seconds"}
