"""Rules for the tests themselves."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.shared_data import ROOT

FILES = sorted([*(ROOT / "tests").rglob("*.py"), *(ROOT / "verification").rglob("*.py")])
EFFORT = ROOT / "tests" / "effort.py"
#: What decides how long a random search is.
SEARCH = {"settings", "HealthCheck", "max_examples"}


def imported(source: str) -> set[str]:
    """The modules that a source imports, and the names that it takes from them, with dots."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_helpers_live_in_modules_without_tests(path: Path) -> None:
    parts = {part for name in imported(path.read_text(encoding="utf-8")) for part in name.split(".")[1:-1]}
    assert not {part for part in parts if part.startswith("test_")}, "move the helper to a module without tests"


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_the_effort_of_random_searches_comes_from_one_place(path: Path) -> None:
    names = imported(path.read_text(encoding="utf-8"))
    if path != EFFORT:
        assert not names & {f"hypothesis.{name}" for name in SEARCH}, "use examples() of tests/effort.py"


def test_the_rules_see_what_they_forbid() -> None:
    source = "from tests.engine.test_nodes import cluster\nfrom hypothesis import given, settings\n"
    assert imported(source) == {"tests.engine.test_nodes.cluster", "hypothesis.given", "hypothesis.settings"}
