"""Which Python here has a module that ours need not have."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache

from thinktime import trust
from thinktime.errors import InputError

VARIABLE = "THINKTIME_SIMGRID_PYTHON"
SECONDS = 60.0  # for an interpreter to say whether it has a module


def simgrid_python(named: str | None = None) -> str:
    """The interpreter that was named, or the first of the usual ones that has `simgrid`."""
    trust.require("start a Python that has the module simgrid")
    if named is not None:
        return _found(named)
    if os.environ.get(VARIABLE):
        return _found(os.environ[VARIABLE])
    candidates = _candidates()
    for python in candidates:
        if _has(python, "simgrid"):
            return python
    raise InputError(
        f"no Python here has the module simgrid (looked at {', '.join(candidates)}): install Debian's python3-simgrid,"
        f" or name an interpreter that has it with python= or ${VARIABLE}"
    )


def _candidates() -> list[str]:
    """Ours, the first on the path, and the system's; each once."""
    found = [sys.executable, shutil.which("python3"), "/usr/bin/python3"]
    return list(dict.fromkeys(python for python in found if python and os.path.exists(python)))


def _found(named: str) -> str:
    python = shutil.which(named)
    if python is None:
        raise InputError(f"there is no interpreter {named}: name a Python that has the module simgrid")
    return python


@cache
def _has(python: str, module: str) -> bool:
    """Looked up without running the module."""
    ask = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
    try:
        return subprocess.run([python, "-c", ask], capture_output=True, timeout=SECONDS).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
