"""The committed stub of the native module is the one that nanobind generates from it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared_data import ROOT

STUB = ROOT / "src" / "thinktime" / "_engine.pyi"


def test_the_stub_of_the_engine_is_current(tmp_path: Path) -> None:
    pytest.importorskip("nanobind", minversion="3.1")
    fresh = tmp_path / "_engine.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "thinktime._engine", "-o"]
    subprocess.run([*command, str(fresh)], check=True)
    assert fresh.read_text() == STUB.read_text(), f"run: python -m nanobind.stubgen -m thinktime._engine -o {STUB}"
