"""Times that are probably mistakes are named in the account; the jobs stay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.traces.lines import HEADER, job, write
from thinktime.workload import describe, read_swf, stream_swf

FAR = 999_999_999_999


def log_of(folder: Path, *lines: str) -> Path:
    return write(folder, HEADER + "".join(lines))


def ordinary(count: int = 10, begin: int = 0) -> list[str]:
    return [job(k + 1, begin + 60 * k) for k in range(count)]


ODD = {
    "submit": (job(99, FAR), "job 99 (line 18) submitted 31,688 years after the job before it"),
    "wait": (job(99, 600, f3=FAR), "job 99 (line 18) waited 31,688 years"),
    "run": (job(99, 600, f4=FAR), "job 99 (line 18) ran 31,688 years"),
    "estimate": (job(99, 600, f9=FAR), "job 99 (line 18) requested 31,688 years"),
}


@pytest.mark.parametrize("what", ODD)
def test_an_odd_time_is_named_and_its_job_is_kept(tmp_path: Path, what: str) -> None:
    line, sentence = ODD[what]
    workload = read_swf(log_of(tmp_path, *ordinary(), line))
    assert len(workload) == 11
    assert workload.account["implausible_times"] == 1
    assert f"implausible: {sentence}" in describe(workload.account)
    assert "--remove 'job=99'" in describe(workload.account)
    assert not read_swf(tmp_path / "toy.swf", remove="job=99").account["implausible"]


@pytest.mark.parametrize("block_bytes", [1, 100, 1 << 20])
def test_a_stream_names_the_same(tmp_path: Path, block_bytes: int) -> None:
    path = log_of(tmp_path, *ordinary(), job(99, FAR))
    stream = stream_swf(path, block_bytes=block_bytes)
    assert sum(len(block["line"]) for block in stream) == 11
    assert stream.account["implausible"] == read_swf(path).account["implausible"] != []


def test_absolute_unix_times_and_long_pauses_are_plausible(tmp_path: Path) -> None:
    a_year = 365 * 86400
    lines = [*ordinary(5, 1_300_000_000), *ordinary(5, 1_300_000_000 + 4 * a_year), job(99, 1_450_000_000, f9=2**32)]
    assert read_swf(log_of(tmp_path, *lines)).account["implausible"] == []


def test_the_few_before_a_pause_are_the_suspects(tmp_path: Path) -> None:
    account: Any = read_swf(log_of(tmp_path, job(99, 0), *ordinary(5, 1_300_000_000))).account
    assert [(each["job"], each["text"]) for each in account["implausible"]] == [
        (99, "submitted 41 years before the job after it")
    ]


def test_many_are_counted_and_some_are_named(tmp_path: Path) -> None:
    lines = [job(k + 1, 60 * k, f4=FAR) for k in range(100)]
    account: Any = read_swf(log_of(tmp_path, *lines)).account
    assert (account["implausible_times"], len(account["implausible"])) == (100, 20)
    assert "and 97 more implausible times" in describe(account)


def test_one_absurd_time_leaves_the_clock_of_the_others(tmp_path: Path) -> None:
    plain = read_swf(log_of(tmp_path, *ordinary()))
    dirty = read_swf(log_of(tmp_path, *ordinary(), job(99, FAR)))
    assert dirty.local_s()[:10].tolist() == plain.local_s().tolist()


@pytest.mark.parametrize("start", ["999999999999", "1e30", "-5", "yesterday", "9" * 5000])
def test_an_absurd_start_is_not_used_and_said(tmp_path: Path, start: str) -> None:
    workload = read_swf(write(tmp_path, HEADER.replace("843480031", start) + job()))
    assert workload.unix_start_s is None
    assert "UnixStartTime" in describe(workload.account)
