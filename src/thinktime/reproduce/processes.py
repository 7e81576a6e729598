"""A command as a process of its own: the time it took and the memory it held, looked at every ten milliseconds.

Papers that compare simulators measure so. The memory is that of the process itself, without the processes that it
starts; the CPU time is with them.
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
    """What a process cost. Memory is None where the system does not say (there is no /proc)."""

    cpu_s: float
    wall_s: float
    mean_mb: float | None
    max_mb: float | None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def thinktime(*arguments: object) -> Cost:
    """Of `thinktime …`, as a user starts it."""
    return cost([sys.executable, "-m", "thinktime", *map(str, arguments)])


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
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE_MB
    except (OSError, IndexError):
        return 0.0


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
