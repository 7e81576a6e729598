"""The guide on reading logs does what it shows, and the format page lists the filters there are."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from thinktime.workload import FILTERS, PROCESSORS

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
BLOCK = re.compile(r"```(python|text)\n(.*?)```", re.S)


def test_the_guide_prints_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((DOCS / "guides" / "reading_logs.md").read_text())
    names: dict[str, object] = {}
    printed = io.StringIO()
    for language, text in blocks:
        if language == "python":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(text, names)
        else:
            assert printed.getvalue() == text
    assert len(blocks) > 10


def test_the_format_page_lists_every_filter_and_policy() -> None:
    page = (DOCS / "formats" / "swf.md").read_text()
    rows = "".join(
        f"| `{name}` | {chosen.about} | `{chosen.processors}` |\n" for name, chosen in FILTERS.items()
    )
    assert rows in page
    assert all(f"| `{name}` |" in page for name in PROCESSORS)
