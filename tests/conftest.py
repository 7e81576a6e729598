"""What a test registers leaves with it: other tests go through the registry of specs."""

from __future__ import annotations

import pytest

from tests.effort import load_profile
from thinktime.spec import REGISTRY

load_profile()

_KNOWN = pytest.StashKey[dict[str, set[str]]]()


def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[_KNOWN] = {kind: set(specs) for kind, specs in REGISTRY.items()}


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Specs of the package may have been loaded meanwhile; they stay."""
    known = item.stash.get(_KNOWN, {})
    for kind, specs in REGISTRY.items():
        for name in set(specs) - known.get(kind, set()):
            if not specs[name].__module__.startswith("thinktime."):
                del specs[name]
