"""Workers for the tests: SimGrid's where it can start, and scripts that misbehave."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from thinktime.applications.simgrid import WORKER, simgrid_python
from thinktime.errors import InputError

#: where a missing SimGrid is a failure, not a reason to skip
REQUIRED = bool(os.environ.get("CI")) or "simgrid" in os.environ.get("THINKTIME_TESTS_REQUIRE", "")


def simgrid_command() -> list[str]:
    """How SimGrid's worker is started here; without SimGrid the test is skipped, or fails where it is required."""
    try:
        return [simgrid_python(), str(WORKER)]
    except InputError as error:
        if REQUIRED:
            pytest.fail(f"{error} (this must not be skipped here)")
        pytest.skip(str(error))


def scripted(folder: Path, text: str) -> list[str]:
    """A worker that runs this Python text; `send(message)` and `receive()` are there, and `HELLO`."""
    script = folder / "worker.py"
    script.write_text(HEAD + text)
    return [sys.executable, str(script)]


HEAD = """
import json, sys, time

HELLO = {"protocol": 1, "simulator": "stub", "version": "0", "can": ["ask"]}

def send(message):
    print(json.dumps(message) if isinstance(message, dict) else message, flush=True)

def receive():
    line = sys.stdin.readline()
    return json.loads(line) if line else sys.exit()

"""
