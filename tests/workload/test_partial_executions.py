"""Partial executions: bursts are dropped, merged or left alone, as the header says (SWF 2.2, field 11)."""

from __future__ import annotations

from pathlib import Path

from tests.traces.lines import job, write
from thinktime.workload import Workload, read_swf

BURSTS = job(1, 10, f4=30, f11=2, f6=20) + job(1, -1, f4=-1, f11=2) + job(1, -1, f4=60, f11=3, f6=50)
SUMMARY = job(1, 10, f4=90, f11=1)
OTHER = job(2, 40) + job(3, 50, f4=5, f11=4)


def read(folder: Path, text: str, preemption: str | None) -> Workload:
    header = f"; Preemption: {preemption}\n" if preemption else "; Version: 2\n"
    return read_swf(write(folder, header + text), filter="all")


def test_double_drops_the_bursts(tmp_path: Path) -> None:
    workload = read(tmp_path, SUMMARY + BURSTS + job(2, 40), "Double")
    assert workload["job"].tolist() == [1, 2]
    assert workload["run_s"].tolist() == [90, 60]
    assert workload.account["dropped"] == {"partial execution": 3}


def test_yes_merges_by_number(tmp_path: Path) -> None:
    workload = read(tmp_path, BURSTS + OTHER, "Yes")
    assert workload["job"].tolist() == [1, 2, 3]
    assert workload["submit_s"].tolist() == [10, 40, 50]
    assert workload["run_s"].tolist() == [90, 60, 5]
    assert workload["cpu_s"].tolist()[0] == 70
    assert workload["status"].tolist() == [1, 1, 0]
    assert (workload.account["merged"], workload.account["kept"]) == (2, 3)


def test_yes_never_keeps_both(tmp_path: Path) -> None:
    workload = read(tmp_path, SUMMARY + BURSTS, "Yes")
    assert workload["run_s"].tolist() == [90]
    assert workload.account["dropped"] == {"partial execution": 3}


def test_a_silent_header_is_judged_by_the_lines(tmp_path: Path) -> None:
    assert read(tmp_path, SUMMARY + BURSTS, None)["run_s"].tolist() == [90]
    assert read(tmp_path, BURSTS + job(2, 40), None)["run_s"].tolist() == [90, 60]
    assert read(tmp_path, job(1, f11=2) + job(2, 5, f11=3), None)["status"].tolist() == [2, 3]


def test_no_leaves_exit_codes_alone(tmp_path: Path) -> None:
    for preemption in ("No", "TS"):
        workload = read(tmp_path, job(1, f11=265) + job(2, 1, f11=2) + job(2, 2, f11=2) + job(3, 3, f11=-4), preemption)
        assert workload["status"].tolist() == [265, 2, 2, -4]
        assert workload.account["merged"] == 0


def test_a_job_that_the_log_leaves_in_the_middle(tmp_path: Path) -> None:
    workload = read(tmp_path, job(1, 10, f4=30, f11=2) + job(1, -1, f4=9, f11=2), "Yes")
    assert workload["run_s"].tolist() == [39]
    assert workload.frame["status"].to_list() == [None]
