"""Runs the pages of the documentation: what a page shows is what happens.

The blocks of a page run in order, in one temporary directory: `python` blocks in one namespace, `sh` blocks
in bash. A `text` block is what the block above it prints, where `…` stands for anything. A block below the
comment `<!-- not run: reason -->` is left out, and a page with `<!-- needs log: NAME -->`,
`<!-- needs oracle -->` or `<!-- needs simgrid -->` is skipped where these are missing. Blocks in other
languages are only shown.

`python -m tests.docs.pages check PAGE` runs a page in a process of its own, so that it depends on nothing
that ran before it. With `update`, what is printed now is written into the page's `text` blocks.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import thinktime
from tests.shared_data import LOGS, ORACLE, ROOT

BLOCK = re.compile(r"(<!-- not run: [^\n]+ -->\n)?```(python|sh|text)\n(.*?)```", re.S)
NEEDED_LOG = re.compile(r"<!-- needs log: (\S+) -->")
NEEDS_ORACLE = "<!-- needs oracle -->"
NEEDS_SIMGRID = "<!-- needs simgrid -->"
#: run by tests/cli/test_guide.py, which also looks at stderr
ELSEWHERE = {"docs/guides/command_line.md"}


class Shown(NamedTuple):
    """A `text` block and what was really printed."""

    begin: int  # place of its text in the page
    text: str
    printed: str

    @property
    def agrees(self) -> bool:
        pattern = ".*?".join(map(re.escape, self.text.split("…")))
        return re.fullmatch(pattern, self.printed, re.S) is not None


def _trimmed(text: str) -> str:
    """Without blanks at the ends of lines: tables are printed with them, pages are better without."""
    return re.sub(r"[ \t]+$", "", text, flags=re.M)


def pages() -> list[str]:
    """Every page with something to run, as a path in the repository."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    names = [page.relative_to(ROOT).as_posix() for page in found if _runs(page.read_text(encoding="utf-8"))]
    return [name for name in names if name not in ELSEWHERE]


def _runs(page: str) -> bool:
    return any(language != "text" and not left_out for left_out, language, _ in BLOCK.findall(page))


def run_page(page: str, directory: Path) -> Iterator[Shown]:
    """Runs the blocks in `directory`, the current one; yields each `text` block with the truth."""
    names: dict[str, object] = {"__name__": "__main__"}
    printed = ""
    for block in BLOCK.finditer(page):
        left_out, language, text = block.groups()
        if language == "text":
            yield Shown(block.start(3), text, _trimmed(printed))
        elif not left_out:
            printed = _python(text, names) if language == "python" else _shell(text, directory)


def _python(text: str, names: dict[str, object]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, "<block of the page>", "exec"), names)
    return printed.getvalue()


def _shell(text: str, directory: Path) -> str:
    done = subprocess.run(
        ["bash", "-euc", text], cwd=directory, env=environment(directory), capture_output=True, text=True
    )
    assert done.returncode == 0, f"{text}ended with code {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def environment(directory: Path) -> dict[str, str]:
    """Ours, with `thinktime` and `python` that are the ones under test."""
    tools = directory / ".bin"
    if not tools.exists():
        tools.mkdir()
        for name, words in (("thinktime", '-c "from thinktime.cli import main; main()"'), ("python", "")):
            (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
            (tools / name).chmod(0o755)
    found = {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "110", "NO_COLOR": "1"}
    folders = {"THINKTIME_LOGS": str(LOGS.resolve()), "THINKTIME_ORACLE": str(ORACLE.resolve())}
    package = Path(thinktime.__file__).resolve().parents[1]
    return {**os.environ, "PYTHONPATH": f"{package}{os.pathsep}{ROOT}", **found, **folders}


def differences(page: str, directory: Path) -> list[str]:
    """A sentence for every `text` block that is not what is printed."""
    return [
        f"line {page.count(chr(10), 0, shown.begin)} does not show what is printed:\n{shown.printed}"
        for shown in run_page(page, directory)
        if not shown.agrees
    ]


def updated(page: str, directory: Path) -> str:
    """The page with every `text` block that does not agree replaced by what is printed."""
    for shown in reversed(list(run_page(page, directory))):
        if not shown.agrees:
            page = page[: shown.begin] + shown.printed + page[shown.begin + len(shown.text) :]
    return page


def main(verb: str, name: str) -> None:
    path = Path(name).resolve()
    page = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as directory, contextlib.chdir(directory):
        os.environ |= environment(Path(directory))
        if verb == "update":
            path.write_text(updated(page, Path(directory)), encoding="utf-8")
        elif found := differences(page, Path(directory)):
            sys.exit("\n".join(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
