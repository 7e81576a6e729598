"""Resampled logs as files: what is read back is what was made, with its provenance, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import thinktime as tt
from tests.shared_data import log as shared_log
from thinktime.resampling import REPLICA_COLUMNS, Resampler, origin_s
from thinktime.resampling.write import replicas_path
from thinktime.workload import Workload, write_swf

OPTIONS: dict[str, Any] = {"weeks": 40, "long_term_weeks": 3, "edge_weeks": 1, "load": 1.5}


@pytest.fixture
def log() -> Workload:
    return tt.default_workload(weeks=6, users=15, load=0.3)


@pytest.mark.parametrize("name", ["x.swf", "x.swf.gz"])
def test_read_back(tmp_path: Path, log: Workload, name: str) -> None:
    resampler = Resampler(log, **OPTIONS)
    heard: list[int] = []
    written = tt.write_resample(resampler, tmp_path / name, seed=3, progress=heard.append)
    made, back = resampler.workload(3), tt.read_swf(tmp_path / name)
    for column in ("submit_s", "user", "run_s", "processors", "requested_time_s", "job"):
        np.testing.assert_array_equal(back[column], made[column])
    table = pl.read_csv(written.replicas)
    assert table.columns == list(REPLICA_COLUMNS)
    assert table.equals(made.replicas_frame)
    assert (written.jobs, written.users) == (len(made), table.height)
    assert heard[-1] == 40
    assert written.replicas == tmp_path / "x.replicas.csv"


def test_a_stream_of_blocks_is_the_workload_written_whole(tmp_path: Path, log: Workload, monkeypatch) -> None:
    resampler = Resampler(log, **OPTIONS)
    whole = tmp_path / "whole.swf"
    write_swf(resampler.workload(1), whole, notes=resampler.notes(1))
    monkeypatch.setattr("thinktime.resampling.resampler.BLOCK_JOBS", 1)
    tt.write_resample(resampler, tmp_path / "blocks.swf", seed=1)
    assert whole.read_bytes() == (tmp_path / "blocks.swf").read_bytes()


def test_the_header_says_where_it_comes_from(tmp_path: Path) -> None:
    log = tt.read_swf(shared_log("KTH-SP2-1996-2.1-cln"))
    resampler = Resampler(log, weeks=3, load=1.1)
    tt.write_resample(resampler, tmp_path / "x.swf", seed=5)
    back = tt.read_swf(tmp_path / "x.swf")
    assert back.header is not None
    notes = "\n".join(back.header.notes)
    for words in (log.source["sha256"], "102 long-term (25,192 jobs)", "load 1.1", "seed 5", "3 weeks"):
        assert words in notes
    assert back.header.integer("MaxJobs") == len(back)
    assert back.unix_start_s == (log.unix_start_s or 0.0) + origin_s(log)
    assert back.header.first("StartTime") == "Mon Sep 30 00:00:00 CEST 1996"
    assert origin_s(back) == 0.0


def test_a_failure_leaves_nothing(tmp_path: Path, log: Workload) -> None:
    def stop(weeks: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tt.write_resample(Resampler(log, **OPTIONS), tmp_path / "x.swf", progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_names_of_side_tables() -> None:
    assert [replicas_path(name).name for name in ("a.swf.gz", "a.swf", "a.parquet", "a.xz")] == ["a.replicas.csv"] * 4
