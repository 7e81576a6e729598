"""How many random examples tests try: $THINKTIME_EFFORT times the usual."""

from __future__ import annotations

import os

from hypothesis import settings

EFFORT = float(os.environ.get("THINKTIME_EFFORT", "1"))
USUAL = 100  # examples of a test that says nothing else


def examples(usual: int) -> settings:
    return settings(max_examples=max(10, int(usual * EFFORT)), deadline=None)


def load_profile() -> None:
    """No test fails for the time that it takes."""
    settings.register_profile("thinktime", examples(USUAL))
    settings.load_profile("thinktime")
