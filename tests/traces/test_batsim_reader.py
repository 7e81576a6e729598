"""Batsim's workloads: run times of profiles, names of jobs, further fields, malformed jobs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt

PROFILES = {
    "short": {"type": "delay", "delay": 20.25},
    "new": {"type": "DelayProfile", "delay": 7},
    "twice": {"type": "sequence", "repeat": 2, "seq": ["short", "new"]},
    "work": {"type": "parallel_homogeneous", "cpu": 4e9, "com": 0},
    "shared": {"type": "parallel_homogeneous_total", "cpu": 8e9, "com": 0},
    "uneven": {"type": "parallel", "cpu": [1e9, 3e9], "com": [0, 0, 0, 0]},
    "talk": {"type": "parallel_homogeneous", "cpu": 4e9, "com": 1e6},
    "trace": {"type": "smpi", "trace": "x.txt"},
    "ring": {"type": "composed", "seq": ["ring"]},
    "odd": {"type": "delay", "delay": "long"},
}


def job(name: Any, profile: str = "short", **more: Any) -> dict[str, Any]:
    return {"id": name, "subtime": 1.5, "res": 4, "profile": profile, **more}


def read(folder: Path, jobs: Any, reader: str | None = None, **more: Any) -> tt.Workload:
    document = {"nb_res": 16, "jobs": jobs, "profiles": PROFILES, **more}
    (folder / "log.json").write_text(json.dumps(document))
    return tt.read(folder / "log.json", reader=reader)


def test_run_times_of_profiles(tmp_path: Path) -> None:
    log = read(tmp_path, [job("1"), job("2", "new"), job("3", "twice", walltime=60)])
    assert log["run_s"].tolist() == [20.25, 7, 54.5]
    assert log["job"].tolist() == [1, 2, 3]
    np.testing.assert_array_equal(log["requested_time_s"], [np.nan, np.nan, 60])
    assert log.machine_size() == (16, "MaxProcs in the log's header")


def test_computations_at_a_speed(tmp_path: Path) -> None:
    jobs = [job("1", "work"), job("2", "shared"), job("3", "uneven")]
    assert read(tmp_path, jobs, "batsim:speed_flops=1e9")["run_s"].tolist() == [4, 2, 3]


@pytest.mark.parametrize(
    ("profile", "reader", "message"),
    [
        (
            "work",
            None,
            "profile 'work', of type parallel_homogeneous, which computes: give the speed",
        ),
        ("talk", "batsim:speed_flops=1e9", "profile 'talk', .* which communicates: its run time needs a network"),
        ("trace", None, "profile 'trace', of type 'smpi', which says no run time"),
        ("ring", None, "profile 'ring', a sequence that is not understood"),
        ("odd", None, "profile 'odd', whose delay is 'long'"),
        ("none", None, "profile 'none', which it does not define"),
    ],
)
def test_profiles_without_a_time_are_refused_by_name(
    tmp_path: Path, profile: str, reader: str | None, message: str
) -> None:
    with pytest.raises(tt.InputError, match=message):
        read(tmp_path, [job("1", profile)], reader)


def test_names_of_jobs(tmp_path: Path) -> None:
    log = read(tmp_path, [job("w0!12"), job("w0!13")])
    assert (log["job"].tolist(), log.texts("job_id").tolist()) == ([12, 13], ["w0!12", "w0!13"])
    log = read(tmp_path, [job("w0!1"), job("w1!1"), job("x")])
    assert (log["job"].tolist(), log.texts("job_id").tolist()) == ([1, 2, 3], ["w0!1", "w1!1", "x"])
    assert read(tmp_path, [job(5), job(7)]).attributes == ()


def test_further_fields_are_attributes(tmp_path: Path) -> None:
    second = job("2") | {"start_s": 3, "my field": 1.5}
    log = read(tmp_path, [job("1", user="ann", deps=["a", "b"], gpu=True), second])
    assert log.attributes == ("deps", "gpu", "log_start_s", "my_field")
    assert log.texts("deps").tolist() == ['["a", "b"]', None]
    assert log.texts("user").tolist() == ["ann", None]


def test_too_many_fields(tmp_path: Path) -> None:
    with pytest.raises(tt.InputError, match="has 3,004 columns, more than 2,000"):
        read(tmp_path, [job(str(k)) | {f"field{k}": 1} for k in range(3000)])


def test_malformed_jobs_are_in_the_account(tmp_path: Path) -> None:
    bad = [
        7,
        {"id": "2"},
        job("3", res="x"),
        job(True),
        job("5", subtime="a"),
        job("6", res=1.5),
        job("7", walltime="x"),
    ]
    bad += [{**job("8"), "profile": 3}, {**job("9"), "subtime": float("nan")}]
    log = read(tmp_path, [job("1"), *bad])
    assert (len(log), log.account["malformed_lines"], log.account["lines"]) == (1, 9, 10)
    assert [each["line"] for each in log.account["malformed"]] == list(range(2, 11))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"jobs": [', "is not JSON"),
        ('{"jobs": 3, "profiles": {}}', "has no list of jobs"),
        ('{"jobs": [], "profiles": {}}', "has no job with"),
        ('{"jobs": [{"id": "1", "subtime": 0, "res": 1, "profile": "a"}], "nb_res": 1}', "has no table of profiles"),
        ('{"jobs": ' + "[" * 100_000, "is not JSON"),
    ],
)
def test_documents_that_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "log.json").write_text(text)
    with pytest.raises(tt.InputError, match=message):
        tt.read(tmp_path / "log.json")


def test_what_thinktime_wrote_is_recognised_and_its_size_is_not_the_largest_job(tmp_path: Path) -> None:
    names = [f"{'long' * 20} {k}" for k in range(2000)]  # their labels fill more than the head of the file
    jobs: dict[str, Any] = {"submit_s": np.arange(2000), "run_s": np.full(2000, 9), "processors": np.full(2000, 4)}
    tt.write(tt.Workload.from_columns(**jobs, attributes={"job_name": names}), tmp_path / "kept.json")
    assert tt.BatsimReader.recognises((tmp_path / "kept.json").read_bytes()[: 1 << 16])
    log = tt.read(tmp_path / "kept.json")
    assert log.texts("job_name").tolist() == names
    with pytest.raises(tt.InputError, match="does not say how many processors"):
        log.machine_size()
