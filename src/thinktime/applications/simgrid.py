"""SimGrid as the application level."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from thinktime import trust
from thinktime.applications.other_simulator import WorkerLoop
from thinktime.errors import InputError

VARIABLE = "THINKTIME_SIMGRID_PYTHON"
SECONDS = 60.0  # for an interpreter to say whether it has a module
WORKER = Path(__file__).parent / "workers" / "simgrid_worker.py"


class SimGrid(WorkerLoop, name="simgrid"):
    """Simulates the loops of `loop` with SimGrid 3.32 or 4.1 in worker processes.

    `python` is an interpreter with the module `simgrid` (default: the first that has it of the current one, `python3`
    on the path and `/usr/bin/python3`). `workers` is the number of processes (default: one per CPU); a worker that is
    silent for `timeout_s` has failed. With the network `none` cores get chunks at once, as in `loop`. With `mesh` they
    send messages of `message_bytes` to a master on the node of the job's first core, over links of `bandwidth_gbps` and
    `latency_ns` (the paper's 50 Gb/s and 500 ns); the master serves one request at a time, in `service_ns` each. Nodes
    are those of the cluster, or have `cores_per_node`.

    Casanova, Giersch, Legrand, Quinson and Suter, "Versatile, scalable, and accurate simulation of distributed
    applications and platforms", 2014.
    """

    python: str | None = None

    @property
    def starts(self) -> str:
        return f"`{self.python or 'python3'} {WORKER.name}`"

    @classmethod
    def own_command(cls, spec: Mapping[str, Any]) -> str:
        """Return the command only if the spec names an interpreter: the worker itself is thinktime's."""
        return f"`{spec['python']} {WORKER.name}`" if spec.get("python") else ""

    def command(self) -> list[str]:
        return [simgrid_python(self.python), str(WORKER)]


def simgrid_python(named: str | None = None) -> str:
    """Return the named interpreter, or the first candidate that has `simgrid`."""
    trust.require("start a Python that has the module simgrid")
    if named is not None:
        return _named_python(named)
    if os.environ.get(VARIABLE):
        return _named_python(os.environ[VARIABLE])
    candidates = _candidates()
    for python in candidates:
        if _has_module(python, "simgrid"):
            return python
    raise InputError(
        f"no Python here has the module simgrid (looked at {', '.join(candidates)}): install Debian's python3-simgrid,"
        f" or name an interpreter that has it with python= or ${VARIABLE}"
    )


def _candidates() -> list[str]:
    """Return the current interpreter, the first on the path, and the system's, each once."""
    found = [sys.executable, shutil.which("python3"), "/usr/bin/python3"]
    return list(dict.fromkeys(python for python in found if python and os.path.exists(python)))


def _named_python(named: str) -> str:
    python = shutil.which(named)
    if python is None:
        raise InputError(f"No interpreter {named}: name a Python that has the module simgrid")
    return python


@cache
def _has_module(python: str, module: str) -> bool:
    """Return whether an interpreter finds a module, without an import."""
    ask = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
    try:
        return subprocess.run([python, "-c", ask], capture_output=True, timeout=SECONDS).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
