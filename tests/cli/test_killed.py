"""A run that is killed leaves nothing that looks finished, and nothing in the way of the next one."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.commands import command, environment, small_log, thinktime

PATIENCE_S = 60.0


@pytest.mark.parametrize("options", [[], ["--stream"]])
def test_a_killed_run_leaves_nothing_finished(tmp_path: Path, options: list[str]) -> None:
    small_log(tmp_path / "large.swf", jobs=300_000)
    arguments = ["run", "large.swf", "--no-figures", "--out", "out", *options]
    process = subprocess.Popen(command(*arguments), cwd=tmp_path, env=environment(tmp_path))
    _wait_for_temporary(tmp_path, process)
    process.send_signal(signal.SIGKILL)
    assert process.wait(PATIENCE_S) == -signal.SIGKILL
    assert not (tmp_path / "out").exists()
    assert thinktime(tmp_path, "check", "out").code == 2
    again = thinktime(tmp_path, *arguments)
    assert (again.code, again.err) == (0, "")
    assert thinktime(tmp_path, "check", "out").code == 0


def _wait_for_temporary(folder: Path, process: subprocess.Popen) -> None:
    """Until the run is being written under its temporary name."""
    end = time.monotonic() + PATIENCE_S
    while not list(folder.glob(".out.partial-*")):
        assert process.poll() is None, "the run was over before it could be killed"
        assert time.monotonic() < end, "the run has not begun to write"
