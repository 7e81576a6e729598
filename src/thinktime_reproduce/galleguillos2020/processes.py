"""Time and memory of a command that runs as a process, sampled every ten milliseconds.

Papers that compare simulators measure this way. Memory is the resident memory of the process and of those
that it started, as in the scripts of Galleguillos et al. 2020; the CPU time is that of all of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from thinktime.errors import InputError

EVERY_S = 0.01
PAGE_MB = os.sysconf("SC_PAGESIZE") / 2**20


@dataclass(frozen=True)
class Cost:
    """Time and memory of a process. Memory is None on systems without /proc."""

    cpu_s: float
    wall_s: float
    mean_mb: float | None
    max_mb: float | None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def python(script: str, *arguments: object) -> Cost:
    """Of a script that this Python runs, with nothing of the script's folder on its path."""
    return cost([sys.executable, "-P", script, *map(str, arguments)])


def cost(command: Sequence[str]) -> Cost:
    """Of a command that must succeed."""
    begin = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said, env=_environment())
        held, status, usage = _watched(process.pid)
        wall_s = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        _require_success(process.returncode, command, said)
    memory = (sum(held) / len(held), max(held)) if held else (None, None)
    return Cost(usage.ru_utime + usage.ru_stime, wall_s, *memory)


def _watched(pid: int) -> tuple[list[float], int, Any]:
    """What it held at each look, in MB; how it ended; what it used."""
    held: list[float] = []
    while True:
        now = _resident_mb(pid)
        ended, status, usage = os.wait4(pid, os.WNOHANG)
        if ended:
            return held, status, usage
        held += [now] if now else []
        time.sleep(EVERY_S)


def _resident_mb(pid: int) -> float:
    return sum(_own_mb(each) for each in (pid, *_children(pid)))


def _own_mb(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE_MB
    except (OSError, IndexError):
        return 0.0


def _children(pid: int) -> list[int]:
    """Those of its first thread; none where the system does not say."""
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except OSError:
        return []


def _require_success(code: int, command: Sequence[str], said: Any) -> None:
    if code != 0:
        said.seek(0)
        words = said.read().decode(errors="replace").strip().splitlines()
        last = words[-1] if words else "it said nothing"
        raise InputError(f"{' '.join(command[:3])} … ended with {code}: {last}")


def _environment() -> dict[str, str]:
    """Ours, with the package that is running, wherever it was imported from; other simulators write times of day."""
    import thinktime

    package = str(Path(thinktime.__file__).parents[1])
    path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, "TZ": "UTC"}
