"""Run directories: what goes in comes out, and nothing half-written is ever taken for a run."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from tests.effort import examples
from tests.result.runs import changed, fcfs_runs, hand_worked
from tests.shared_data import ROOT
from thinktime.errors import InputError
from thinktime.result import Result
from thinktime.result.canonical_json import digest_of_file
from thinktime.result.directory import save_load, staging


def names(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir())


def test_save_and_load_give_the_result_back(tmp_path: Path) -> None:
    saved = hand_worked()
    saved.save(tmp_path / "run")
    loaded = Result.load(tmp_path / "run")
    assert loaded == saved
    assert loaded.spec == saved.spec
    assert loaded.account == saved.account
    assert loaded.statistics == saved.statistics
    assert loaded.columns["status"].dtype == np.uint8
    assert loaded.timeline.equals(saved.timeline)
    assert loaded.summary() == saved.summary()
    assert names(tmp_path / "run") == ["jobs.parquet", "run.json", "timeline.parquet"]


def with_decisions() -> Result:
    times = {"time_s": np.array([0.0, 5.0]), "queued_jobs": np.array([2, 1]), "decision_s": np.array([1e-6, 2e-6])}
    times |= {"rest_s": np.array([3e-6, 4e-6]), "memory_bytes": np.array([2**25, 2**26])}
    return replace(hand_worked(), decisions_columns=times)


def test_decisions_are_a_file_of_their_own_and_in_no_digest(tmp_path: Path) -> None:
    with_decisions().save(tmp_path / "run")
    loaded = Result.load(tmp_path / "run")
    assert names(tmp_path / "run") == ["decisions.parquet", "jobs.parquet", "run.json", "timeline.parquet"]
    assert loaded.decisions.equals(with_decisions().decisions)
    assert loaded == hand_worked()
    hand_worked().save(tmp_path / "run", overwrite=True)
    assert Result.load(tmp_path / "run").decisions.is_empty()


def test_wrong_decisions_are_said(tmp_path: Path) -> None:
    with_decisions().save(tmp_path / "run")
    path = tmp_path / "run" / "decisions.parquet"
    pl.DataFrame({"time_s": [1.0]}).write_parquet(path)
    with pytest.raises(InputError, match=r"decisions\.parquet differs from its hash"):
        Result.load(tmp_path / "run")
    with pytest.raises(InputError, match="the decision columns lack queued_jobs, decision_s, rest_s, memory_bytes"):
        replace(hand_worked(), decisions_columns={"time_s": np.empty(0)})
    assert names(tmp_path) == ["run"]


def test_run_json_is_sorted_and_complete(tmp_path: Path) -> None:
    hand_worked().save(tmp_path / "run")
    text = (tmp_path / "run" / "run.json").read_text(encoding="utf-8")
    content = json.loads(text)
    assert list(content) == sorted(content)
    assert content["digest"] == hand_worked().digest
    assert content["content_digest"] == hand_worked().content_digest
    assert (content["seed"], content["version"], content["jobs"]) == (7, "0.1.0", 6)
    assert content["summary"]["wait_mean_s"] == 44
    assert content["summary"]["settings"]["warmup_s"] == 0
    assert "größer" in text
    assert "NaN" not in text


def test_undefined_values_are_null(tmp_path: Path) -> None:
    empty = {name: values[:0] for name, values in hand_worked().columns.items()}
    Result(empty, 4, {}, statistics={"decision_s": np.nan, "events": np.int64(0)}).save(tmp_path / "run")
    content = json.loads((tmp_path / "run" / "run.json").read_text())
    assert content["summary"]["wait_mean_s"] is None
    assert content["statistics"] == {"decision_s": None, "events": 0}
    assert len(Result.load(tmp_path / "run")) == 0


@examples(20, shared_fixture=True)
@given(fcfs_runs())
def test_any_run_survives(tmp_path: Path, result: Result) -> None:
    result.save(tmp_path / "run", overwrite=(tmp_path / "run").exists())
    assert Result.load(tmp_path / "run") == result


def test_extra_columns_are_kept(tmp_path: Path) -> None:
    columns = dict(hand_worked().columns) | {"energy_j": np.arange(6.0)}
    Result(columns, 4).save(tmp_path / "run")
    assert Result.load(tmp_path / "run").columns["energy_j"].tolist() == [0, 1, 2, 3, 4, 5]


def test_an_existing_directory_is_not_touched(tmp_path: Path) -> None:
    hand_worked().save(tmp_path / "run")
    other = changed(hand_worked(), start_s={0: 1.0})
    with pytest.raises(InputError, match=r"run already exists: choose another directory or overwrite=True"):
        other.save(tmp_path / "run")
    assert Result.load(tmp_path / "run") == hand_worked()


def test_overwrite_replaces_a_run_and_only_a_run(tmp_path: Path) -> None:
    hand_worked().save(tmp_path / "run")
    other = changed(hand_worked(), start_s={0: 1.0})
    other.save(tmp_path / "run", overwrite=True)
    assert Result.load(tmp_path / "run") == other
    assert names(tmp_path) == ["run"]
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "thesis.tex").touch()
    with pytest.raises(InputError, match=r"holds no run.json of a run, so it is not replaced"):
        other.save(tmp_path / "precious", overwrite=True)
    assert names(tmp_path / "precious") == ["thesis.tex"]


@pytest.mark.parametrize("entry", ["thesis.tex", "figures/thesis.tex", "jobs.parquet.bak"])
def test_overwrite_keeps_what_is_not_ours(saved: Path, entry: str) -> None:
    (saved / "figures").mkdir()
    (saved / entry).write_text("years of work")
    with pytest.raises(InputError, match=r"also holds '.*', which is not part of a run, so it is not replaced"):
        hand_worked().save(saved, overwrite=True)
    assert (saved / entry).read_text() == "years of work"


def test_overwrite_needs_a_run_json_of_a_run(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "run.json").write_text('{"my": "own"}')
    with pytest.raises(InputError, match=r"holds no run.json of a run"):
        hand_worked().save(tmp_path / "mine", overwrite=True)
    assert names(tmp_path / "mine") == ["run.json"]


def test_overwrite_through_a_link_is_refused(saved: Path) -> None:
    (saved.parent / "link").symlink_to(saved)
    with pytest.raises(InputError, match=r"link is a symbolic link, so it is not replaced"):
        hand_worked().save(saved.parent / "link", overwrite=True)
    assert names(saved.parent) == ["link", "run"]


def test_overwrite_replaces_a_run_with_exports_and_figures(saved: Path) -> None:
    (saved / "figures").mkdir()
    for name in ("figures/run_overview.png", "schedule.swf", "jobs.csv", "batsim_jobs.csv"):
        (saved / name).write_text("drawn")
    hand_worked().save(saved, overwrite=True)
    assert names(saved) == ["jobs.parquet", "run.json", "timeline.parquet"]


def test_a_failing_swap_puts_the_old_run_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_worked().save(tmp_path / "run")
    rename = os.rename

    def refuse_the_new(source: Path, target: Path) -> None:
        if ".partial-" in str(source):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        rename(source, target)

    monkeypatch.setattr(staging.os, "rename", refuse_the_new)
    with pytest.raises(InputError, match="Input/output error"):
        changed(hand_worked(), start_s={0: 1.0}).save(tmp_path / "run", overwrite=True)
    assert Result.load(tmp_path / "run") == hand_worked()
    assert names(tmp_path) == ["run"]


def test_a_missing_parent_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no directory .*nowhere: create it first"):
        hand_worked().save(tmp_path / "nowhere" / "run")


def test_a_path_without_a_name_is_refused() -> None:
    with pytest.raises(InputError, match="does not name a directory"):
        hand_worked().save("/")


@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOSPC, errno.EROFS])
def test_a_refusing_system_is_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), "jobs.parquet")

    monkeypatch.setattr(save_load, "write_table", refuse)
    with pytest.raises(InputError) as error:
        hand_worked().save(tmp_path / "run")
    assert str(error.value) == (
        f"cannot write {tmp_path / 'run'}: {os.strerror(number)}: choose a place with room and write access"
    )
    assert names(tmp_path) == []


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(InputError, match="Permission denied"):
        hand_worked().save(tmp_path / "run")


def test_an_interrupt_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(save_load, "write_run_file", interrupt)
    with pytest.raises(KeyboardInterrupt):
        hand_worked().save(tmp_path / "run")
    assert names(tmp_path) == []


KILLED = """
import sys, time


from tests.result.runs import hand_worked
from thinktime.result.directory import save_load, staging
def stall(*_):
    print("stalled", flush=True)
    time.sleep(60)
setattr(save_load if sys.argv[2] == "write_run_file" else staging, sys.argv[2], stall)
hand_worked().save(sys.argv[1])
"""


@pytest.mark.parametrize("step", ["write_run_file", "_publish"])
def test_a_killed_process_leaves_nothing_that_looks_finished(tmp_path: Path, step: str) -> None:
    target = tmp_path / "run"
    command = [sys.executable, "-c", KILLED, str(target), step]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "stalled\n"
        process.send_signal(signal.SIGKILL)
    assert not target.exists()
    left = names(tmp_path)
    assert [name.startswith(".run.partial-") for name in left] == [True]
    with pytest.raises(InputError, match="is not a directory"):
        Result.load(target)
    hand_worked().save(target)
    assert Result.load(target) == hand_worked()


LIMITED = """
import resource, sys
import numpy as np
from thinktime.result.canonical_json import digest_of_file
from thinktime.result.directory import save_load, staging
from tests.result.runs import hand_worked
from thinktime.errors import InputError
from thinktime.result import Result
of = {name: np.resize(values, 200_000).copy() for name, values in hand_worked().columns.items()}
of["submit_s"] = np.random.default_rng(1).random(200_000)
result = Result(of, 4)
result.jobs
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    getattr(result, sys.argv[2])(sys.argv[1])
except InputError as error:
    print(error)
"""


@pytest.mark.parametrize("method", ["save", "write_csv", "write_swf"])
def test_a_file_that_outgrows_its_place_is_one_message(tmp_path: Path, method: str) -> None:
    command = [sys.executable, "-c", LIMITED, str(tmp_path / "out"), method]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stdout.startswith(f"cannot write {tmp_path / 'out'}: "), done.stderr
    assert "File too large" in done.stdout
    assert done.stdout.count("\n") == 1
    assert names(tmp_path) == []


def test_loading_nothing_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none is not a directory: give the directory that a run was saved to"):
        Result.load(tmp_path / "none")
    with pytest.raises(InputError, match=r"has no run.json, so it is not a finished run"):
        Result.load(tmp_path)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    hand_worked().save(tmp_path / "run")
    return tmp_path / "run"


def test_a_missing_file_is_named(saved: Path) -> None:
    (saved / "timeline.parquet").unlink()
    with pytest.raises(InputError, match=r"timeline.parquet is missing although run.json lists it"):
        Result.load(saved)


def test_a_damaged_file_is_noticed(saved: Path) -> None:
    content = bytearray((saved / "jobs.parquet").read_bytes())
    content[len(content) // 2] ^= 1
    (saved / "jobs.parquet").write_bytes(content)
    with pytest.raises(InputError, match=r"jobs.parquet differs from its hash in run.json"):
        Result.load(saved)


def test_a_file_that_is_no_parquet_is_noticed(saved: Path) -> None:
    (saved / "jobs.parquet").write_bytes(b"no parquet")
    content = json.loads((saved / "run.json").read_text())
    content["files"]["jobs.parquet"] = digest_of_file(saved / "jobs.parquet")
    (saved / "run.json").write_text(json.dumps(content))
    with pytest.raises(InputError, match=r"jobs.parquet is not a readable Parquet file"):
        Result.load(saved)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": "other"}, "does not say format 'thinktime-run'"),
        (
            {"format_version": 99},
            "has format version 99, this thinktime reads up to 2: install a newer thinktime",
        ),
        ({"format_version": None}, "has format version None"),
        ({"files": {}}, "lists no jobs.parquet"),
        ({"files": {"jobs.parquet": None}}, "lists the file 'jobs.parquet' with null"),
        ({"files": {"jobs.parquet": "", "../other": ""}}, "lists the file '../other'"),
        *(({name: ...}, f"lacks '{name}'") for name in save_load.FIELDS),
        *(({name: value}, f"has {name} = ") for name in save_load.FIELDS for value in (None, [1], True)),
    ],
)
def test_a_strange_run_json_is_one_message(saved: Path, change: dict[str, object], sentence: str) -> None:
    content = json.loads((saved / "run.json").read_text()) | change
    (saved / "run.json").write_text(json.dumps({k: v for k, v in content.items() if v is not ...}))
    with pytest.raises(InputError, match=sentence):
        Result.load(saved)


@pytest.mark.parametrize(
    ("file", "column", "sentence"),
    [
        ("jobs", pl.lit("lost").alias("status"), "the status 'lost' is not one of completed, killed"),
        ("jobs", pl.lit(7).alias("status"), "the status 7 is not one of completed, killed"),
        ("jobs", pl.lit(None, dtype=pl.String).alias("status"), "the status None is not one of"),
        ("jobs", pl.lit("soon").alias("start_s"), "the column start_s holds String, not numbers"),
        ("timeline", pl.lit("many").alias("queued_jobs"), "the column queued_jobs holds String, not numbers"),
        ("timeline", pl.lit(None, dtype=pl.Int64).alias("queued_jobs"), "the column queued_jobs has empty cells"),
    ],
)
def test_strange_columns_are_one_message(saved: Path, file: str, column: pl.Expr, sentence: str) -> None:
    path = saved / f"{file}.parquet"
    pl.read_parquet(path).with_columns(column).write_parquet(path)
    rehash(saved)
    with pytest.raises(InputError, match=sentence):
        Result.load(saved)


def test_a_missing_column_is_one_message(saved: Path) -> None:
    path = saved / "jobs.parquet"
    pl.read_parquet(path).drop("status").write_parquet(path)
    rehash(saved)
    with pytest.raises(InputError, match="lack status"):
        Result.load(saved)


def rehash(saved: Path) -> None:
    """run.json as if the Parquet files had been so from the beginning."""
    content = json.loads((saved / "run.json").read_text())
    content["files"] = {name: digest_of_file(saved / name) for name in content["files"]}
    (saved / "run.json").write_text(json.dumps(content))


def test_a_truncated_run_json_is_one_message(saved: Path) -> None:
    (saved / "run.json").write_text('{"format": ')
    with pytest.raises(InputError, match=r"Cannot read .*run.json .*: save the run again"):
        Result.load(saved)


def test_what_is_not_ours_is_never_replaced(tmp_path: Path) -> None:
    """A file named run.json does not allow deleting a folder."""
    precious = tmp_path / "precious"
    (precious / "thesis").mkdir(parents=True)
    (precious / "run.json").write_text('{"my": "own"}')
    with pytest.raises(InputError, match=r"holds no run.json of a run, so it is not replaced"):
        hand_worked().save(precious, overwrite=True)
    run = hand_worked()
    run.save(tmp_path / "run")
    (tmp_path / "run" / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"also holds 'notes.txt', which is not part of a run"):
        run.save(tmp_path / "run", overwrite=True)
    assert (precious / "thesis").exists()
    assert (tmp_path / "run" / "notes.txt").read_text() == "mine"


def test_of_two_that_write_the_same_run_one_stays(tmp_path: Path) -> None:
    target = tmp_path / "run"
    with pytest.raises(InputError, match="written by another process in the meantime"):
        _write_while_another_does(target)
    assert Result.load(target) == hand_worked()
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def _write_while_another_does(target: Path) -> None:
    with staging.staged_directory(target) as temporary:
        (temporary / "file").touch()
        hand_worked().save(target)
