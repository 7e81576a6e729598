"""Runs `thinktime` as a user does: a process of its own, with its exit code, output and errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMANDS = ("demo", "run", "inspect", "check", "logs", "bench")


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
    """One command in a folder."""
    done = subprocess.run(
        command(*arguments),
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def small_log(path: Path, jobs: int = 200, header: bool = True) -> Path:
    """A generated log of a few jobs on 128 processors."""
    from thinktime.generate import default_workload
    from thinktime.workload import write_swf

    write_swf(default_workload(jobs=jobs), path)
    if not header:
        lines = [line for line in path.read_text().splitlines() if not line.startswith(";")]
        path.write_text("\n".join(lines) + "\n")
    return path
