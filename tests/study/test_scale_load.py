"""Scaled loads in studies: hashed, named, and with their caution."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import thinktime as tt
from tests.study.studies import small, written
from thinktime.errors import InputError
from thinktime.study import Study, execute

FILE = """\
name = "loads"
schedulers = ["easy"]
workloads = [
    "small.swf",
    { log = "small.swf", scale_load = { factor = 1.2, by = "arrivals" } },
    { log = "small.swf", scale_load = "1.2:run_times", name = "longer" },
    { generator = "default", jobs = 100, scale_load = [{ factor = 2 }, { factor = 0.5, by = "run_times" }] },
    { resample = "default", weeks = 2, scale_load = { factor = 1.1 } },
]
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    tt.write_swf(tt.default_workload(jobs=120), tmp_path / "small.swf")
    return tmp_path / "small.swf"


def test_a_study_with_scaled_loads(log: Path) -> None:
    tasks = Study.read(written(log.parent / "study.toml", FILE)).tasks()
    assert [task.cell["workload"] for task in tasks] == [
        "small",
        "small (load × 1.2 by arrivals)",
        "longer",
        "default (load × 2 by arrivals, 0.5 by run_times)",
        "default resampled (weeks=2) (load × 1.1 by arrivals)",
    ]
    outcomes = [execute(task) for task in tasks]
    assert [outcome["error"] for outcome in outcomes] == [None] * 5
    assert ["load_scaled" in outcome["cautions"] for outcome in outcomes] == [False, True, True, True, True]
    by_hand = tt.simulate(tt.scale_load(tt.read_swf(log), 1.2), None, "easy").summary()
    assert outcomes[1]["summary"]["wait_mean_s"] == by_hand["wait_mean_s"]


def test_the_hash_is_over_factors_and_attributes(log: Path) -> None:
    def run(**more: Any) -> str:
        return small(workloads=[{"name": "x", "log": str(log), **more}]).tasks()[0].run

    assert run(scale_load="1.2") == run(scale_load={"factor": 1.2, "by": "arrivals"})
    others = [run(), run(scale_load="1.2"), run(scale_load="1.3"), run(scale_load="1.2:sizes")]
    assert len(set(others)) == 4


def test_wrong_scalings_are_named(log: Path) -> None:
    for wrong in ({"by": "sizes"}, 1.2, {"factor": 0}, "1.2:users"):
        with pytest.raises(InputError, match=r"scale_load|factor|by is"):
            small(workloads=[{"log": str(log), "scale_load": wrong}])
