"""The format page lists the filters and processor policies there are."""

from __future__ import annotations

from pathlib import Path

from thinktime.workload import FILTERS, PROCESSORS

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


def test_the_format_page_lists_every_filter_and_policy() -> None:
    page = (DOCS / "formats" / "swf.md").read_text()
    rows = "".join(f"| `{name}` | {chosen.about} | `{chosen.processors}` |\n" for name, chosen in FILTERS.items())
    assert rows in page
    assert all(f"| `{name}` |" in page for name in PROCESSORS)
