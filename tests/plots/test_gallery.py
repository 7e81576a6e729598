"""The gallery in the docs has every kind of figure."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from tests.shared_data import ROOT
from thinktime import plots

IMAGES = ROOT / "docs" / "images" / "gallery"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_gallery", ROOT / "docs" / "make_gallery.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_shows_the_catalogue(script: ModuleType) -> None:
    page = (ROOT / "docs" / "guides" / "figures.md").read_text(encoding="utf-8")
    assert script.gallery() in page, "run python docs/make_gallery.py --page"


def test_every_kind_has_a_picture_and_no_other_is_kept() -> None:
    assert {path.stem for path in IMAGES.glob("*.png")} == set(plots.kinds())
    assert sum(path.stat().st_size for path in IMAGES.glob("*.png")) < 3e6
