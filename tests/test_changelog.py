"""Changelog fragments: their names and texts, and how a release collects them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.shared_data import ROOT

CHANGELOG = "# Changelog\n\n## Unreleased\n\nSee changelog.d.\n\n## 0.0.9 (2025-01-01)\n\n### Fixed\n\n* Old.\n"


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("changelog_build", ROOT / "changelog.d" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "changelog.d").mkdir()
    (tmp_path / "changelog.d" / "README.md").write_text("How to write fragments.\n")
    (tmp_path / "src" / "thinktime").mkdir(parents=True)
    (tmp_path / "src" / "thinktime" / "__init__.py").write_text('__version__ = "0.1.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    return tmp_path


def test_the_fragments_of_this_repository_can_be_built(build: ModuleType) -> None:
    assert build.section(build.fragments(ROOT / "changelog.d")).startswith("### ")
    assert build.UNRELEASED in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_a_release_sorts_by_category_and_deletes_the_fragments(build: ModuleType, root: Path) -> None:
    for name, text in {"b.fixed": "Two\nlines.", "a.added": "One.", "c.added": "Three."}.items():
        (root / "changelog.d" / f"{name}.md").write_text(text + "\n")
    build.main(["--release"], root)
    text = (root / "CHANGELOG.md").read_text()
    assert text.startswith("# Changelog\n\n## Unreleased\n\nSee changelog.d.\n\n## 0.1.0 (")
    assert text.endswith(
        ")\n\n### Added\n\n* One.\n* Three.\n\n### Fixed\n\n* Two\n  lines.\n"
        "\n## 0.0.9 (2025-01-01)\n\n### Fixed\n\n* Old.\n"
    )
    assert [path.name for path in (root / "changelog.d").iterdir()] == ["README.md"]


@pytest.mark.parametrize(
    ("name", "text", "mistake"),
    [
        ("a.md", "Text.", "the name must be"),
        ("a.new.md", "Text.", "the name must be"),
        ("A-b.added.md", "Text.", "the name must be"),
        ("a.added.md", " \n", "empty"),
        ("a.added.md", "One.\n\nTwo.", "one paragraph"),
        ("a.added.md", "* One.", "one paragraph"),
        ("a.added.md", "word " * 121, "at most 120 words"),
    ],
)
def test_mistakes_in_fragments(build: ModuleType, root: Path, name: str, text: str, mistake: str) -> None:
    (root / "changelog.d" / name).write_text(text)
    with pytest.raises(SystemExit, match=mistake):
        build.main(["--check"], root)
