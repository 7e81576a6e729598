"""Every example prints its `.out`. A mismatch leaves what it printed beside it, as `.new.out`."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
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


ROW = re.compile(r"\| (?P<theirs>\d+|–) \| `(?P<file>accasim_\w+\.py)` \| (?P<ours>\d+) \|")
NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def test_examples_are_no_longer_than_accasims() -> None:
    page = (ROOT / "docs" / "background" / "peers.md").read_text(encoding="utf-8")
    rows = {row["file"]: row for row in ROW.finditer(page)}
    assert set(rows) == {path.name for path in EXAMPLES if path.name.startswith("accasim_")}
    for name, row in rows.items():
        assert int(row["ours"]) == code_lines(ROOT / "examples" / name), name
        assert row["theirs"] == "–" or int(row["ours"]) <= int(row["theirs"])


def code_lines(path: Path) -> int:
    """Count the lines of code: no comments, docstrings and blank lines."""
    source = path.read_text(encoding="utf-8")
    documented = [
        node.body[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None
    ]
    texts = {line for each in documented for line in range(each.lineno, (each.end_lineno or each.lineno) + 1)}
    tokens = [each for each in tokenize.generate_tokens(io.StringIO(source).readline) if each.type not in NO_CODE]
    return len({line for each in tokens for line in range(each.start[0], each.end[0] + 1)} - texts)
