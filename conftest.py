"""Settings of all tests: random searches, and a registry of specs that each test leaves as it was."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests", "verification")  # helpers show the values that they compare, too

from tests.effort import load_profile  # noqa: E402
from thinktime.spec import REGISTRY  # noqa: E402

load_profile()

_KNOWN = pytest.StashKey[dict[str, set[str]]]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark random searches: `make verify` repeats them with more examples."""
    for item in items:
        drawn = hasattr(getattr(item, "obj", None), "hypothesis")
        if drawn or "seed" in getattr(getattr(item, "callspec", None), "params", {}):
            item.add_marker("search")


def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[_KNOWN] = {kind: set(specs) for kind, specs in REGISTRY.items()}


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Remove the specs that a test registered; specs of the package that it loaded stay."""
    known = item.stash.get(_KNOWN, {})
    for kind, specs in REGISTRY.items():
        for name in set(specs) - known.get(kind, set()):
            if not specs[name].__module__.startswith("thinktime."):
                del specs[name]
