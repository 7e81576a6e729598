"""The Result: frames, hashes, and what it refuses."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from tests.metrics import schedule
from tests.result.runs import SPEC, changed, hand_worked
from tests.shared_data import ROOT
from thinktime.errors import InputError
from thinktime.result import JOB_COLUMNS, TIMELINE_COLUMNS, Result


def test_jobs_are_a_frame_with_words_and_nulls() -> None:
    frame = hand_worked().jobs
    assert tuple(frame.columns) == JOB_COLUMNS
    assert frame["status"].to_list() == ["completed"] * 3 + ["rejected", "completed", "killed"]
    assert frame["start_s"].to_list() == [0, 100, 150, None, 160, 170]
    assert frame["session"].null_count() == 6
    whole = [name for name, kind in frame.schema.items() if kind == pl.Int64]
    assert whole == ["job", "user", "processors", "session"]


def test_the_timeline_is_a_frame() -> None:
    frame = hand_worked().timeline
    assert tuple(frame.columns) == TIMELINE_COLUMNS
    assert frame.dtypes == [pl.Float64, *[pl.Int64] * 4]
    assert frame["queued_jobs"].to_list() == [0, 1, 2, 2, 1, 0, 0, 0, 0, 0]


def test_a_result_without_jobs_has_frames() -> None:
    result = Result(schedule.empty(schedule.columns()), 4)
    assert len(result) == len(result.jobs) == len(result.timeline) == 0
    assert result.jobs.schema == hand_worked().jobs.schema
    assert result.timeline.schema == hand_worked().timeline.schema


def test_summary_passes_the_window_on() -> None:
    assert hand_worked().summary(warmup_s=100, cooldown_s=20)["jobs_counted"] == 2


def test_a_run_is_its_hash() -> None:
    one, same = hand_worked(), hand_worked()
    assert one == same
    assert hash(one) == hash(same)
    assert one.digest == same.digest
    other = changed(one, start_s={0: 1.0})
    assert other.digest == one.digest
    assert other.content_digest != one.content_digest
    assert other != one
    assert one != "a run"


def test_the_digest_does_not_depend_on_order_or_number_types() -> None:
    spec = dict(reversed(SPEC.items())) | {"seed": np.int64(7), "machine": {"processors": np.int32(4)}}
    assert Result(schedule.columns(), 4, spec).digest == hand_worked().digest


def test_the_content_digest_knows_one_zero_and_one_nan() -> None:
    odd_nan = np.array([0xFFF8000000000001], np.uint64).view(np.float64)[0]
    other = changed(hand_worked(), start_s={0: -0.0, 3: odd_nan})
    assert other.content_digest == hand_worked().content_digest


def test_repr_names_the_run() -> None:
    assert repr(hand_worked()).startswith(f"<Result {hand_worked().digest[:12]}: 6 jobs on 4 processors")


def test_missing_columns_are_named() -> None:
    columns = schedule.columns()
    del columns["start_s"]
    with pytest.raises(InputError, match="the job columns lack start_s"):
        Result(columns, 4)


def test_unequal_columns_are_named() -> None:
    with pytest.raises(InputError, match=r"differ in length .*user 2"):
        Result(schedule.columns() | {"user": np.zeros(2)}, 4)


def test_importing_results_loads_no_heavy_module() -> None:
    code = "import sys, thinktime.result; print({'polars', 'matplotlib', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "set()"
