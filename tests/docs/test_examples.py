"""Every example prints its `.out`. A mismatch leaves what it printed beside it, as `.new.out`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import environment
from tests.shared_data import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_its_output(example: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(example)],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    old, new = example.with_suffix(".out"), example.with_suffix(".new.out")
    if old.exists() and old.read_text(encoding="utf-8") == done.stdout:
        new.unlink(missing_ok=True)
        return
    new.write_text(done.stdout, encoding="utf-8")
    pytest.fail(f"{example.name} does not print {old} but {new}: replace the old one if the change is meant")


def test_there_are_examples_and_they_are_short() -> None:
    assert len(EXAMPLES) >= 5
    assert [path.name for path in EXAMPLES if len(path.read_text(encoding="utf-8").splitlines()) > 40] == []
