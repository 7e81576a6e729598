"""A run written block by block: the same jobs, the same means, nothing that looks finished too early."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest

from tests.metrics import schedule
from tests.result.runs import SPEC, hand_worked
from thinktime.errors import InputError
from thinktime.result import ParquetStream, Result, StreamedRun


def block(columns: dict[str, np.ndarray], begin: int, end: int) -> dict[str, np.ndarray]:
    return {name: values[begin:end] for name, values in columns.items()}


def test_blocks_become_the_same_run(tmp_path: Path) -> None:
    with StreamedRun(tmp_path / "run", 4, SPEC) as run:
        for begin in range(0, 6, 2):
            run.add(block(schedule.columns(), begin, begin + 2))
        run.add_timeline(block(schedule.timeline(), 0, 4))
        run.add_timeline(block(schedule.timeline(), 4, 10))
        assert not (tmp_path / "run").exists()
        summary = run.finish(account={"lines": 6}, statistics={"events": 17})
    loaded = Result.load(tmp_path / "run")
    assert loaded == hand_worked()
    assert loaded.timeline.equals(hand_worked().timeline)
    assert loaded.statistics == {"events": 17}
    assert summary["wait_mean_s"] == 44
    content = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (content["summary"]["wait_median_s"], content["summary"]["queued_jobs_max"]) == (0, 2)
    assert content["jobs"] == 6


def test_a_timeline_is_not_needed(tmp_path: Path) -> None:
    with StreamedRun(tmp_path / "run", 4, SPEC, window=(100, 170)) as run:
        run.add(schedule.columns())
        assert run.finish({}, {})["jobs_counted"] == 2
    assert len(Result.load(tmp_path / "run").timeline) == 0


def test_an_error_or_no_finish_leaves_nothing(tmp_path: Path) -> None:
    with contextlib.suppress(RuntimeError), StreamedRun(tmp_path / "run", 4, SPEC) as run:
        run.add(schedule.columns())
        raise RuntimeError
    with StreamedRun(tmp_path / "run", 4, SPEC) as run:
        run.add(schedule.columns())
        assert len(list(tmp_path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(ParquetStream, "_write_page", full)
    with pytest.raises(InputError, match=r"cannot write .*run: No space left on device"):
        stream_the_schedule(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def stream_the_schedule(directory: Path) -> None:
    with StreamedRun(directory, 4, SPEC) as run:
        run.add(schedule.columns())
        run.finish({}, {})


def test_an_existing_run_is_kept_until_the_new_one_is_finished(tmp_path: Path) -> None:
    hand_worked().save(tmp_path / "run")
    with pytest.raises(InputError, match="already exists"):
        StreamedRun(tmp_path / "run", 4, SPEC)
    with StreamedRun(tmp_path / "run", 4, {}, overwrite=True) as run:
        run.add(schedule.columns())
        assert Result.load(tmp_path / "run") == hand_worked()
        run.finish({}, {})
    assert Result.load(tmp_path / "run").spec == {}
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
