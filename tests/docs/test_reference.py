"""The reference pages say what there is; links lead somewhere; the index has every page."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

import thinktime
from tests.shared_data import ROOT
from thinktime.simulation.settings import OVERRUN, OVERSIZED, SAME_INSTANT

REFERENCE = ROOT / "docs" / "reference"
PAGES = runpy.run_path(str(ROOT / "docs" / "generate.py"))["PAGES"]


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_up_to_date(name: str) -> None:
    committed = (REFERENCE / name).read_text(encoding="utf-8")
    assert committed == PAGES[name](), f"{name} is out of date: run python docs/generate.py"


def test_the_python_page_has_every_public_name() -> None:
    """Except policies, which are on the pages made from the registry."""
    page = (REFERENCE / "python.md").read_text(encoding="utf-8")
    words = [*thinktime._LAYER_OF, *OVERRUN, *OVERSIZED, *SAME_INSTANT]  # type: ignore[attr-defined]
    assert [word for word in words if f"`{word}" not in page and f"tt.{word}" not in page] == []


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    assert [str(page) for page in pages if page.name != "README.md" and f"({page})" not in index] == []


def _without_code(page: Path) -> str:
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def test_every_link_to_a_file_leads_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "engine").rglob("*.md")]
    links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", _without_code(page))]
    local = [(page, link) for page, link in links if "://" not in link]
    assert local
    assert [f"{page.name}: {link}" for page, link in local if not (page.parent / link).exists()] == []
