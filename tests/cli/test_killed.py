"""A run that is killed leaves nothing that looks finished, and nothing in the way of the next one."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.cli.commands import process, small_log, thinktime, wait_for_temporary


@pytest.mark.parametrize("options", [[], ["--stream"]])
def test_a_killed_run_leaves_nothing_finished(tmp_path: Path, options: list[str]) -> None:
    small_log(tmp_path / "large.swf", jobs=300_000)
    arguments = ["run", "large.swf", "--no-figures", "--out", "out", *options]
    run = process(tmp_path, *arguments)
    wait_for_temporary(tmp_path, "out", run)
    run.send_signal(signal.SIGKILL)
    assert run.wait(60) == -signal.SIGKILL
    assert not (tmp_path / "out").exists()
    assert thinktime(tmp_path, "check", "out").code == 2
    again = thinktime(tmp_path, *arguments)
    assert (again.code, again.err) == (0, "")
    assert thinktime(tmp_path, "check", "out").code == 0
