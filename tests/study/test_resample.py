"""Resampled logs in studies: seeds make different logs, schedulers see the same ones, the hash says what they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.study.studies import small
from thinktime.errors import InputError
from thinktime.resampling import RareBehaviour
from thinktime.study import sources
from thinktime.study.execute import execute
from thinktime.workload import write_swf

OPTIONS: dict[str, Any] = {"long_term_weeks": 2, "edge_weeks": 0, "weeks": 3}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "old.swf.gz"
    write_swf(tt.default_workload(weeks=5, users=12, load=0.3), path)
    return path


def test_text_and_table_are_the_same(log: Path) -> None:
    text = f"resample:log={log},load=1.2,long_term_weeks=2,edge_weeks=0,weeks=3"
    table = {"resample": str(log), "load": 1.2, **OPTIONS}
    one, other = (small(workloads=[each]).tasks() for each in (text, table))
    assert [task.run for task in one] == [task.run for task in other]
    assert one[0].cell["workload"] == "old resampled (load=1.2, long_term_weeks=2, edge_weeks=0, weeks=3)"


def test_seeds_count_and_schedulers_share_logs(log: Path) -> None:
    tasks = small(workloads=[{"name": "r", "resample": str(log), **OPTIONS}], seeds=3).tasks()
    assert len(tasks) == 6
    outcomes = [execute(task) for task in tasks]
    assert [outcome["error"] for outcome in outcomes] == [None] * 6
    jobs = [outcome["summary"]["jobs"] for outcome in outcomes]
    assert jobs[:3] == jobs[3:]
    assert len(set(jobs)) > 1
    wanted = tt.resample(tt.read_swf(log), seed=2, **OPTIONS)
    assert jobs[1] == len(wanted)
    again = execute(tasks[1])
    assert again["summary"] == outcomes[1]["summary"]


def test_a_seed_of_its_own_makes_one_log(log: Path) -> None:
    assert len(small(workloads=[{"resample": str(log), "seed": 7, **OPTIONS}], seeds=3).tasks()) == 2


def test_the_hash_is_over_contents_and_options(log: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere" / "old.swf.gz"
    moved.parent.mkdir()
    moved.write_bytes(log.read_bytes())
    runs = [
        small(workloads=[{"name": "r", **table}]).tasks()[0].run
        for table in (
            {"resample": str(log), **OPTIONS},
            {"resample": str(moved), **OPTIONS},
            {"resample": str(log), **OPTIONS, "load": 1.1},
            {"log": str(log)},
            {"resample": [str(log), "default"], **OPTIONS},
            {"resample": [str(moved), "default"], **OPTIONS},
        )
    ]
    assert runs[0] == runs[1]
    assert runs[4] == runs[5]
    assert len({runs[0], runs[2], runs[3], runs[4]}) == 4


def test_the_default_workload_and_several_logs(log: Path) -> None:
    entry = small(workloads=[{"resample": ["default", str(log)], "load": [1.0, 0.5], **OPTIONS}]).tasks()[0]
    made = sources.load(entry.spec["workload"], 1)
    assert set(made.replicas["log"]) == {0, 1}  # type: ignore[attr-defined]


def test_rare_behaviours_do_not_count(log: Path) -> None:
    workload = tt.read_swf(log)
    busiest = np.bincount(workload["user"].astype(int)).argmax()
    rare = RareBehaviour(int(busiest), 0.0, 1e6).text()
    options = {"long_term_weeks": 4, "edge_weeks": 0, "rare": [rare], "rare_per_week": 0.3, "weeks": 30}
    task = small(workloads=[{"name": "r", "resample": str(log), **options}]).tasks()[0]
    made = sources.load(task.spec["workload"], task.spec["seed"])
    own = np.isin(made["user"], made.rare_users)  # type: ignore[attr-defined]
    assert own.any()
    summary = execute(task)["summary"]
    assert summary["jobs"] == len(made)
    assert summary["jobs_counted"] <= np.count_nonzero(~own)


@pytest.mark.parametrize(
    ("workload", "words"),
    [
        ("resample:load=2", "names no log"),
        ({"resample": "default", "lode": 2}, "no option 'lode' (did you mean 'load'?)"),
        ({"resample": "default", "load": 0}, "load must be above 0"),
        ({"resample": "default", "seed": -1}, "seed is -1"),
        ({"resample": "nowhere.swf"}, "No file or downloaded log named nowhere.swf"),
        ({"resample": "default", "log": "x"}, "needs one of the keys log, generator and resample"),
        ({"resample": []}, "resample is empty"),
    ],
)
def test_mistakes(workload: object, words: str) -> None:
    with pytest.raises(InputError, match=r".+") as error:
        small(workloads=[workload])
    assert words in str(error.value)
