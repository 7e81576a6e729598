"""Where the tests find real logs and the schedules of other simulators. Neither is part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOGS = Path(os.environ.get("THINKTIME_LOGS", ROOT.parent / "shared" / "logs"))
ORACLE = Path(os.environ.get("THINKTIME_ORACLE", ROOT.parent / "shared" / "oracle"))


def log(name: str) -> Path:
    """A real log, e.g. `KTH-SP2-1996-2.1-cln`; the test is skipped, and says why, where it is missing."""
    return _existing(LOGS / f"{name}.swf.gz", "THINKTIME_LOGS")


def oracle(name: str) -> Path:
    """A file of other simulators' schedules, e.g. `pyss/KTHn-easy.csv.gz`."""
    return _existing(ORACLE / name, "THINKTIME_ORACLE")


def _existing(path: Path, variable: str) -> Path:
    if not path.exists():
        pytest.skip(f"{path.name} is not in {path.parent}: set ${variable} to the folder that has it")
    return path
