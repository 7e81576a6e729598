"""Run a command as a process: its output, time and memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Prints the peak memory of the process to stderr at its end. getrusage would include the process that it was forked
#: from, with its logs in memory.
MEMORY = """
import atexit, sys
def say():
    with open("/proc/self/status") as status:
        print([line for line in status if line.startswith("VmHWM")][0], end="", file=sys.stderr)
atexit.register(say)
"""
COMMAND = "from thinktime.cli import main; main(sys.argv[1:])"


@dataclass(frozen=True)
class Ended:
    """A process that has ended."""

    out: str
    err: str
    wall_s: float
    cpu_s: float  # user and system

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def peak_mb(self) -> float | None:
        """Peak memory in MiB, if the process printed it (MEMORY)."""
        said = [line for line in self.err.splitlines() if line.startswith("VmHWM")]
        return int(said[-1].split()[1]) / 1024 if said else None


def thinktime(*arguments: object) -> Ended:
    """Run `thinktime …`."""
    return run([sys.executable, "-m", "thinktime", *map(str, arguments)])


def with_memory(code: str, *arguments: object) -> Ended:
    """Run Python code that prints its peak memory (on Linux)."""
    prefix = MEMORY if Path("/proc/self/status").exists() else "import sys"
    return run([sys.executable, "-c", f"{prefix}\n{code}", *map(str, arguments)])


def run(command: list[str]) -> Ended:
    """Run a command to its end; raise RuntimeError if it fails."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=err, env=_environment())
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        said = [_text_of_output(file) for file in (out, err)]
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}: {said[1].strip()[-2000:]}")
    return Ended(said[0], said[1], wall_s=wall, cpu_s=usage.ru_utime + usage.ru_stime)


def _text_of_output(file: Any) -> str:
    file.seek(0)
    return str(file.read().decode())


def _environment() -> dict[str, str]:
    """Return our environment with the running package on its path."""
    import thinktime

    package = str(Path(thinktime.__file__).parents[1])
    path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}
