"""A report of a study in which something went wrong everywhere: the page says so, and is a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.study.studies import small
from thinktime.report import Content
from thinktime.report.page import page
from thinktime.report.print_figures import all_figures

REJECTS_TOO = {"name": "also", "spec": "reject"}
CASES: dict[str, dict[str, Any]] = {
    "one scheduler rejects every job": {"schedulers": ["easy", "reject"]},
    "the baseline does": {"schedulers": ["reject", "easy", "fcfs"]},
    "all do": {"schedulers": ["reject", REJECTS_TOO]},
    "one does, with its jobs kept": {"schedulers": ["easy", "reject", "fcfs"], "keep": "jobs", "seeds": 1},
    "the only one does": {"schedulers": ["reject"]},
    "every job is killed": {"rules": [{"overrun": "kill"}], "platforms": ["log:speed=0.001"]},
    "some runs fail": {"platforms": ["log", "machine:processors=2"], "rules": [{"oversized": "error"}]},
    "one job": {"workloads": [{"generator": "default", "jobs": 1}]},
    "one job, kept": {"workloads": [{"generator": "default", "jobs": 1}], "keep": "jobs", "seeds": 1},
}


def content_of(tmp_path: Path, **keys: Any) -> Content:
    done = small(**keys).run(tmp_path / "store", threads=1)
    return Content(done.study, done.store)


@pytest.mark.parametrize("case", CASES)
def test_a_page_is_made(tmp_path: Path, case: str) -> None:
    content = content_of(tmp_path, **CASES[case])
    text = page(content)
    assert "<h1>small</h1>" in text
    assert "utilisation" in text


def test_the_page_says_that_every_job_was_rejected(tmp_path: Path) -> None:
    content = content_of(tmp_path, **CASES["one scheduler rejects every job"])
    text = page(content)
    answer = text[text.index("Answer") : text.index("Warnings")]
    assert "Rejected: 120 of 120 jobs (100.0 %) in reject; none in the others." in answer
    assert ">120 rejected<" in text
    assert all_figures(content)


def test_a_log_without_users(tmp_path: Path) -> None:
    made = tt.default_workload(jobs=40)
    empty = tt.Workload(
        {**made.columns, "user": np.full(40, np.nan)}, made.name, made.header, made.account, made.source
    )
    tt.write_swf(empty, tmp_path / "empty.swf")
    content = content_of(tmp_path, workloads=[str(tmp_path / "empty.swf")])
    assert "Users" not in page(content)
