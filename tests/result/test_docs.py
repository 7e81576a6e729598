"""The reference page names every metric, and the format page every column."""

from __future__ import annotations

from tests.shared_data import ROOT
from thinktime.metrics import CATALOGUE, STATUS_NAMES
from thinktime.result import DECISION_COLUMNS, JOB_COLUMNS, TIMELINE_COLUMNS


def test_the_reference_names_every_metric() -> None:
    page = (ROOT / "docs" / "reference" / "metric_catalogue.md").read_text(encoding="utf-8")
    assert [name for name in CATALOGUE if f"`{name}`" not in page] == []


def test_the_format_names_every_column_and_status() -> None:
    page = (ROOT / "docs" / "formats" / "run_directory.md").read_text(encoding="utf-8")
    words = (*JOB_COLUMNS, *TIMELINE_COLUMNS, *DECISION_COLUMNS, *STATUS_NAMES)
    assert [word for word in words if f"`{word}`" not in page] == []
