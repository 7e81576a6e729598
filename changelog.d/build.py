"""Build the changelog from its fragments.

    python3 changelog.d/build.py             print the section of the next release
    python3 changelog.d/build.py --check     check names and texts of the fragments
    python3 changelog.d/build.py --release   move the section into CHANGELOG.md and delete the fragments

A fragment is a file NAME.CATEGORY.md, for example `shift_hours.fixed.md`, with one change in one paragraph.
"""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
#: category in a file's name → heading, in the order of the changelog
CATEGORIES = {
    "added": "Added",
    "changed": "Changed",
    "removed": "Removed",
    "fixed": "Fixed",
    "faster": "Faster",
    "security": "Security",
}
UNRELEASED = "## Unreleased\n"
LONGEST = 120  # words of a fragment


class Fragment(NamedTuple):
    path: Path
    category: str
    text: str


def fragments(folder: Path) -> list[Fragment]:
    """Return the fragments of a folder in the order of their names; raise ValueError if one cannot be used."""
    paths = [path for path in sorted(folder.glob("*.md")) if path.name != "README.md"]
    mistakes = [mistake for path in paths for mistake in _mistakes(path)]
    if mistakes:
        raise ValueError("\n".join(mistakes))
    return [Fragment(path, path.name.split(".")[1], path.read_text(encoding="utf-8").strip()) for path in paths]


def _mistakes(path: Path) -> Iterator[str]:
    """Say what is wrong with a fragment."""
    if not re.fullmatch(rf"[a-z0-9_]+\.({'|'.join(CATEGORIES)})\.md", path.name):
        yield f"{path.name}: the name must be subject.CATEGORY.md with one of {', '.join(CATEGORIES)}"
    text = path.read_text(encoding="utf-8").strip()
    if not text:
        yield f"{path.name}: the fragment is empty"
    if "\n\n" in text or re.search(r"^\s*[*-] ", text, re.MULTILINE):
        yield f"{path.name}: write one paragraph per change, without a list"
    if len(text.split()) > LONGEST:
        yield f"{path.name}: write at most {LONGEST} words (it has {len(text.split())})"


def section(found: list[Fragment]) -> str:
    """Return the fragments as lists under the headings of their categories."""
    parts = []
    for category, heading in CATEGORIES.items():
        texts = [each.text for each in found if each.category == category]
        if texts:
            parts.append(f"### {heading}\n\n" + "\n".join("* " + text.replace("\n", "\n  ") for text in texts) + "\n")
    return "\n".join(parts)


def released(changelog: str, found: list[Fragment], version: str, date: str) -> str:
    """Return the changelog with the fragments as a release, below the section of what is unreleased."""
    before, heading, after = changelog.partition(UNRELEASED)
    if not heading:
        raise ValueError(f"CHANGELOG.md has no heading {UNRELEASED.strip()!r}")
    note, _, releases = after.partition("\n## ")
    older = f"\n## {releases}" if releases else ""
    return f"{before}{heading}{note.rstrip()}\n\n## {version} ({date})\n\n{section(found)}{older}"


def version_of(root: Path) -> str:
    found = re.search(r'^__version__ = "(.+)"$', (root / "src/thinktime/__init__.py").read_text(), re.MULTILINE)
    if found is None:
        raise ValueError("src/thinktime/__init__.py has no __version__")
    return found[1]


def main(arguments: list[str] | None = None, root: Path = ROOT) -> None:
    parser = argparse.ArgumentParser(description="Build the changelog from its fragments.")
    parser.add_argument("--check", action="store_true", help="only check the fragments")
    parser.add_argument("--release", action="store_true", help="write CHANGELOG.md and delete the fragments")
    asked = parser.parse_args(arguments)
    try:
        found = fragments(root / "changelog.d")
        if asked.release:
            _release(root, found)
        elif not asked.check:
            print(section(found), end="")
    except ValueError as mistake:
        sys.exit(str(mistake))


def _release(root: Path, found: list[Fragment]) -> None:
    path, today = root / "CHANGELOG.md", datetime.date.today().isoformat()
    text = released(path.read_text(encoding="utf-8"), found, version_of(root), today)
    path.write_text(text, encoding="utf-8")
    for each in found:
        each.path.unlink()


if __name__ == "__main__":
    main()
