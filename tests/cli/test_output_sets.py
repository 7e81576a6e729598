"""Outputs of a command are one set: what an earlier call wrote and this one does not is gone; other files stay."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from tests.cli.commands import process, small_log, thinktime
from thinktime.result.directory.staging import OWN_FILES
from thinktime.support.output_files import WRITTEN, OutputSet


def test_bootstrap_with_other_options_leaves_nothing_stale(tmp_path: Path) -> None:
    log = ["bootstrap", "default", "--long-term-weeks", "3", "--edge-weeks", "1"]
    usual = [*log, "--resamples", "12", "--jackknife", "0", "--out", "b", "--no-figures"]
    assert thinktime(tmp_path, *usual, "--scheduler", "easy", "--scheduler", "fcfs").code == 0
    (tmp_path / "b" / "mine.csv").write_text("x")
    assert (tmp_path / "b" / "differences.csv").is_file()
    assert thinktime(tmp_path, *usual, "--scheduler", "easy").code == 0
    assert not (tmp_path / "b" / "differences.csv").exists()
    assert {path.name for path in (tmp_path / "b").glob("*.csv")} == {"intervals.csv", "mine.csv"}


def test_a_set_removes_what_it_wrote_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    (folder / "figures").mkdir(parents=True)
    first = OutputSet(folder)
    for name in ("a.csv", "figures/b.png"):
        (folder / name).touch()
        first.add([folder / name])
    (folder / "mine.csv").touch()
    second = OutputSet(folder)
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == [WRITTEN, "mine.csv"]
    second.add([])


@pytest.mark.parametrize("text", ['["../precious.csv"]', '["/etc/passwd"]', '"x"', "[[1]]", "[", '["a/b/c"]'])
def test_a_list_of_a_stranger_removes_nothing_outside(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (tmp_path / "precious.csv").touch()
    (folder / WRITTEN).write_text(text)
    OutputSet(folder)
    assert (tmp_path / "precious.csv").exists()


def test_every_export_of_a_run_may_be_replaced(tmp_path: Path) -> None:
    small_log(tmp_path / "small.swf", jobs=60)
    exports = ["--swf", "--csv", "--batsim", "--accasim"]
    arguments = ["run", "small.swf", "--cluster", "seth", *exports, "--no-figures", "--out", "out"]
    first = thinktime(tmp_path, *arguments)
    assert (first.code, first.err) == (0, "")
    assert {path.name for path in (tmp_path / "out").iterdir()} <= set(OWN_FILES)
    again = thinktime(tmp_path, *arguments, "--overwrite")
    assert (again.code, again.err) == (0, "")


@pytest.mark.parametrize("moment", ["out/figures/.*", "out/run.json", ".out.partial-*"])
def test_a_run_that_was_killed_can_be_overwritten(tmp_path: Path, moment: str) -> None:
    """While it draws, when it has just been written, and while it is written."""
    small_log(tmp_path / "small.swf", jobs=3000)
    arguments = ["run", "small.swf", "--figures", "--formats", "png,pdf,svg", "--out", "out"]
    run = process(tmp_path, *arguments)
    end = time.monotonic() + 60
    while not list(tmp_path.glob(moment)):
        assert run.poll() is None, "the run was over before it could be killed"
        assert time.monotonic() < end
    run.send_signal(signal.SIGKILL)
    run.wait(60)
    again = thinktime(tmp_path, "run", "small.swf", "--no-figures", "--out", "out", "--overwrite")
    assert (again.code, again.err) == (0, "")
    assert not list((tmp_path / "out").rglob(".*"))
