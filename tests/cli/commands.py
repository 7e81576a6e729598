"""Runs `thinktime` as a user does, with its exit code, its output and its errors."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from thinktime.cli import main

PATIENCE_S = 60.0
COMMANDS = (
    "demo",
    "run",
    "compare",
    "plot",
    "inspect",
    "import",
    "trace",
    "sessions",
    "generate",
    "resample",
    "bootstrap",
    "study",
    "report",
    "reproduce",
    "check",
    "logs",
    "bench",
)


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "thinktime", *map(str, arguments)]


def environment(folder: Path) -> dict[str, str]:
    """This process's, but with logs from a folder of the test, and no terminal to adapt to."""
    import thinktime

    package = str(Path(thinktime.__file__).parents[1])
    inherited = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([package, *([inherited] if inherited else [])])
    kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "THINKTIME_LOGS_URL")}
    return {**kept, "PYTHONPATH": path, "THINKTIME_LOGS": str(folder / "logs"), "NO_COLOR": "1"}


def thinktime(folder: Path, *arguments: object) -> Outcome:
    """One command in a folder, inside this process: the entry point with its exit code and its streams."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.chdir(folder))
        stack.enter_context(mock.patch.dict(os.environ, environment(folder), clear=True))
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(err))
        code = stack.enter_context(pytest.raises(SystemExit))
        main(list(map(str, arguments)))
    return Outcome(int(code.value.code or 0), out.getvalue(), err.getvalue())


def process(folder: Path, *arguments: object, **options: Any) -> subprocess.Popen:
    """Start the command in a process of its own, to be watched or killed."""
    options["preexec_fn"] = _accept_interrupts
    return subprocess.Popen(command(*arguments), cwd=folder, env=environment(folder), **options)


def _accept_interrupts() -> None:
    """Undo the setting of a shell that runs the tests in the background, which ignores Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for_temporary(folder: Path, name: str, run: subprocess.Popen) -> None:
    """Until a run is being written under its temporary name."""
    end = time.monotonic() + PATIENCE_S
    while not list(folder.glob(f".{name}.partial-*")):
        assert run.poll() is None, "the run was over before it could be stopped"
        assert time.monotonic() < end, "the run has not begun to write"


def small_log(path: Path, jobs: int = 200, header: bool = True) -> Path:
    """A generated log of a few jobs on 128 processors."""
    from thinktime.generate import default_workload
    from thinktime.workload import write_swf

    write_swf(default_workload(jobs=jobs), path)
    if not header:
        lines = [line for line in path.read_text().splitlines() if not line.startswith(";")]
        path.write_text("\n".join(lines) + "\n")
    return path
