"""The version is written down once, in `thinktime/__init__.py`; packaging and citation agree with it."""

from __future__ import annotations

import re
import tomllib

import thinktime
from tests.shared_data import ROOT


def test_packaging_reads_the_version_from_the_package() -> None:
    content = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in content["project"]
    assert content["project"]["dynamic"] == ["version"]
    assert content["tool"]["scikit-build"]["metadata"]["version"]["input"] == "src/thinktime/__init__.py"


def test_the_citation_has_the_version_of_the_package() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (\S+)$", citation, re.MULTILINE) == [thinktime.__version__]


def test_a_version_is_three_numbers() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", thinktime.__version__)
