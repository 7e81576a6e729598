"""Errors of common mistakes with files and readers: each says what to do."""

from __future__ import annotations

import datetime
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import thinktime as tt
from thinktime.workload.reading.stream import as_stream

SACCT = "JobID|Submit|NCPUS|ElapsedRaw\n1|1700000000|4|5\n"
LINE = "1 0 0 5 4 -1 -1 4 5 -1 1 1 1 1 1 1 -1 -1\n"


@pytest.mark.parametrize("call", ["read_sacct", "read", "stream"])
@pytest.mark.parametrize("given", [None, 5])
def test_a_log_that_is_no_path(call: str, given: object) -> None:
    with pytest.raises(tt.InputError, match=r"name or path|name or a path"):
        getattr(tt, call)(given)


@pytest.mark.parametrize("call", ["write", "write_swf"])
def test_a_target_that_is_no_path(call: str) -> None:
    with pytest.raises(tt.InputError, match=r"the file to write must be a name or a path \(got None\)"):
        getattr(tt, call)(tt.default_workload(jobs=5), None)


def test_a_salt_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "sacct.txt").write_text(SACCT)
    salt: Any = 5
    with pytest.raises(tt.InputError, match=r"salt must be a text or bytes \(got int\)"):
        tt.read_sacct(tmp_path / "sacct.txt", anonymise=True, salt=salt)


@pytest.mark.parametrize("when", [datetime.datetime(2024, 1, 1), "2024-01-01T00:00:00"])
def test_dates_of_an_own_reader(when: object) -> None:
    block = {"submit_s": [when], "run_s": [5], "processors": [1]}
    with pytest.raises(tt.InputError, match=r"submit_s holds .*: give numbers of seconds \(for dates, the seconds"):
        list(as_stream([block]))


def test_a_zip_of_two_files(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.txt", SACCT)
        archive.writestr("b.txt", SACCT)
    with pytest.raises(tt.InputError, match=r"holds 2 files \(a\.txt, b\.txt\), a log is one: unpack it"):
        tt.read(tmp_path / "two.zip")


@pytest.mark.parametrize(
    ("name", "text"),
    [("log.txt", SACCT), ("log.csv", "submit_s,run_s,processors\n1,5,4\n"), ("log.swf", "; MaxProcs: 4\n" + LINE)],
)
def test_lines_that_end_in_a_carriage_return_alone(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_bytes(text.replace("\n", "\r").encode())
    with pytest.raises(tt.InputError, match="carriage return alone: convert it"):
        tt.read(tmp_path / name)


def test_output_of_squeue(tmp_path: Path) -> None:
    job = {"job_id": 5, "submit_time": {"set": True, "number": 1700000000}, "job_state": ["RUNNING"]}
    (tmp_path / "squeue.json").write_text(json.dumps({"meta": {}, "jobs": [job]}))
    with pytest.raises(tt.InputError, match=r"is output of squeue or scontrol, .* run sacct --json"):
        tt.read(tmp_path / "squeue.json")


@pytest.mark.parametrize("name", ["log.csv", "log.parquet", "log.json"])
def test_an_attribute_with_its_unit_needs_no_note(tmp_path: Path, name: str) -> None:
    columns: dict[str, Any] = {"submit_s": [0], "run_s": [5], "processors": [1]}
    tt.write(tt.Workload.from_columns(**columns, attributes={"max_rss_kb": [7.5]}), tmp_path / name)
    assert "notes" not in tt.read(tmp_path / name).account
