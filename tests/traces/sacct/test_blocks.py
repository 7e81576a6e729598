"""Where a block of bytes ends does not matter: steps, components and texts of several lines stay with their job."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import thinktime as tt
from tests.shared_data import oracle
from tests.traces.sacct.sacct_text import job, text_of
from thinktime.traces.sacct import records

STEP = {"User": "", "TimelimitRaw": "", "MaxRSS": "800K"}
RECORDS = [
    job(1) | {"MaxRSS": "", "SubmitLine": "sbatch a"},
    job(1) | STEP | {"JobID": "1.batch", "JobIDRaw": "1.batch"},
    job(34, JobID="34+0") | {"SubmitLine": "sbatch\nb | c"},
    job(34, JobID="34+0.batch") | STEP | {"JobIDRaw": "34.batch"},
    job(34, JobID="34+1", NCPUS="6", AllocTRES="cpu=6,node=1") | {"JobIDRaw": "35"},
    *(job(50 + k, JobID=f"50_{k}") for k in range(20)),
    job(90) | {"SubmitLine": "x"},
]


def same(one: tt.Workload, other: tt.Workload) -> None:
    assert one.frame.drop("line").equals(other.frame.drop("line").select(one.frame.drop("line").columns))
    counts = ("lines", "comment_lines", "blank_lines", "malformed_lines", "job_lines", "dropped", "notes")
    assert [one.account.get(key) for key in counts] == [other.account.get(key) for key in counts]


@pytest.mark.parametrize("size", [64, 300, 1000])
def test_small_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    path = tmp_path / "sacct.txt"
    path.write_text(text_of([{"MaxRSS": "", "SubmitLine": "", **record} for record in RECORDS]))
    whole = tt.read(path)
    assert whole["processors"][whole.texts("job_id").tolist().index("34")] == 10
    monkeypatch.setattr(records, "BLOCK_BYTES", size)
    same(whole, tt.read(path))


@pytest.mark.parametrize("name", ["sacct_steps.txt", "sacct_X_duplicates.txt"])
def test_small_blocks_of_odd_jobs(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    path = oracle(f"slurm/samples/special/{name}")
    whole = tt.read(path, reader="sacct:zone=UTC")
    monkeypatch.setattr(records, "BLOCK_BYTES", 1024)
    same(whole, tt.read(path, reader="sacct:zone=UTC"))


def test_streams_that_do_not_wait_for_the_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "sacct.txt"
    path.write_text(text_of([job(k) for k in range(1, 300)]))
    whole = tt.read(path)
    monkeypatch.setattr(records, "BLOCK_BYTES", 2048)
    monkeypatch.setattr(records, "HELD_JOBS", 20)
    blocks = list(tt.stream(path))
    assert len(blocks) > 5
    for name in ("job", "submit_s", "wait_s", "user", "priority", "allocated_nodes"):
        if name in whole.columns:
            assert np.array_equal(np.concatenate([block[name] for block in blocks]), whole[name], equal_nan=True)


def test_attempts_of_several_clusters(tmp_path: Path) -> None:
    path = tmp_path / "sacct.txt"
    path.write_text(text_of([job(1) | {"Cluster": cluster} for cluster in ("a", "b")]))
    assert len(tt.read(path, reader="sacct:attempts=last,attributes=none")) == 2


@pytest.mark.parametrize("typed", ["\\t", "\t"])
def test_a_delimiter_may_be_typed_with_a_backslash(tmp_path: Path, typed: str) -> None:
    path = tmp_path / "sacct.txt"
    path.write_text(text_of([job(1)], "\t"))
    assert len(tt.read(path, reader=tt.SacctReader(delimiter=typed))) == 1
    with pytest.raises(tt.InputError, match="delimiter is empty"):
        tt.read(path, reader=tt.SacctReader(delimiter=""))
