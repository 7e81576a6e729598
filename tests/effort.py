"""How many random examples the tests try. $THINKTIME_EFFORT scales every random search.

`make test` uses 0.2 and stays quick; `make verify` repeats all searches with 1. A search is either a hypothesis test
(`@examples(300)`, or nothing for the usual number) or a loop over seeds (`seeds(40)`). Sample sizes of statistical
tests are not searches and do not change.

Every run of `make test` or `make verify` draws new examples. With THINKTIME_SEARCHES=fixed, as in `.ci/run`, the
examples of a test depend on its code only, so that a change passes or fails by what it contains.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

EFFORT = float(os.environ.get("THINKTIME_EFFORT", "0.2"))
FIXED = os.environ.get("THINKTIME_SEARCHES") == "fixed"
USUAL, LEAST = 100, 10  # examples of a hypothesis test: without @examples, and at the smallest effort
LEAST_SEEDS = 3


def examples(usual: int, *, shared_fixture: bool = False, slow_draws: bool = False) -> settings:
    """Return the settings of a hypothesis test that tries `usual` examples at effort 1.

    Parameters
    ----------
    usual
        Number of examples at effort 1; at least 10 are tried.
    shared_fixture
        Allow a fixture, such as `tmp_path`, that all examples share.
    slow_draws
        Allow examples that take long to draw.
    """
    checks = [(shared_fixture, HealthCheck.function_scoped_fixture), (slow_draws, HealthCheck.too_slow)]
    suppressed = [check for allowed, check in checks if allowed]
    return settings(
        max_examples=max(LEAST, int(usual * EFFORT)),
        deadline=None,
        suppress_health_check=suppressed,
        derandomize=FIXED,
    )


def seeds(usual: int) -> range:
    """Return the seeds of a search that tries `usual` of them at effort 1; at least 3 are tried."""
    return range(max(min(usual, LEAST_SEEDS), int(usual * EFFORT)))


def load_profile() -> None:
    """Make the usual number of examples hypothesis's default; no test fails because of its duration."""
    settings.register_profile("thinktime", examples(USUAL))
    settings.load_profile("thinktime")
