"""Where the tests find real logs and the schedules of other simulators. Neither is part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from thinktime.errors import InputError
from thinktime.traces import find_log

ROOT = Path(__file__).resolve().parent.parent
LOGS = Path(os.environ.get("THINKTIME_LOGS", ROOT.parent / "shared" / "logs"))
ORACLE = Path(os.environ.get("THINKTIME_ORACLE", ROOT.parent / "shared" / "oracle"))


def log(name: str) -> Path:
    """Return the file of a real log, e.g. `KTH-SP2-1996-2.1-cln`; skip the test if it is missing."""
    try:
        return find_log(name, folders=[LOGS])
    except InputError as error:
        pytest.skip(f"{error} Looked in {LOGS}.")


def oracle(name: str) -> Path:
    """A file of other simulators' schedules, e.g. `pyss/KTHn-easy.csv.gz`."""
    if not (ORACLE / name).exists():
        pytest.skip(f"{name} is not in {ORACLE}: set $THINKTIME_ORACLE to the folder that has it")
    return ORACLE / name
