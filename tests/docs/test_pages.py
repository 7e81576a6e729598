"""Every page of the documentation does what it shows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.applications.workers import simgrid_command
from tests.docs.pages import NEEDED_LOG, NEEDS_ORACLE, NEEDS_SIMGRID, differences, environment, pages
from tests.shared_data import ROOT, log, oracle


@pytest.mark.parametrize("name", pages())
def test_a_page_prints_what_it_shows(name: str, tmp_path: Path) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    for needed in NEEDED_LOG.findall(page):
        log(needed)
    if NEEDS_ORACLE in page:
        oracle("pyss")
    if NEEDS_SIMGRID in page:
        simgrid_command()
    command = [sys.executable, "-m", "tests.docs.pages", "check", str(ROOT / name)]
    done = subprocess.run(command, cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True)
    assert done.returncode == 0, f"{name}: {done.stderr}"


def test_a_wrong_page_is_found(tmp_path: Path) -> None:
    page = "```python\nprint(1 + 1)\n```\n\n```text\n{}\n```\n"
    found = [len(differences(page.format(text), tmp_path)) for text in ("2", "3", "…", "2…3")]
    assert found == [0, 1, 0, 1]
