"""Classes of users, and sampling that favours some: `work:large=2` draws the users with most work twice as often.

Users are ranked by one number and cut into thirds: small, medium and large.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from thinktime.errors import InputError
from thinktime.resampling.pools import Pools
from thinktime.spec import is_number, one_of

CLASSES = ("small", "medium", "large")
#: by what users are ranked
RANKED_BY = ("jobs", "work", "processors", "run")


def user_classes(pools: Pools, by: str = "work") -> np.ndarray:
    """int64[sub-traces]: index into CLASSES, by number of jobs, processor-seconds, mean processors or mean run time."""
    one_of("what users are ranked by", by, RANKED_BY)
    value = _values(pools, by)
    rank = np.empty(len(value), dtype=np.int64)
    rank[np.argsort(value, kind="stable")] = np.arange(len(value))
    return rank * len(CLASSES) // max(len(value), 1)


def _values(pools: Pools, by: str) -> np.ndarray:
    jobs = np.diff(pools.start).astype(np.float64)
    if by == "jobs":
        return jobs
    run_s, processors = (np.nan_to_num(pools.workload[name][pools.rows]) for name in ("run_s", "processors"))
    amount = {"work": run_s * processors, "processors": processors, "run": run_s}[by]
    total = np.add.reduceat(amount, pools.start[:-1])
    return total if by == "work" else total / jobs


def weights(pools: Pools, bias: Mapping[int, float] | str | None) -> np.ndarray:
    """float64[sub-traces]: how often each is drawn relative to others; by user, or by class as `work:large=2`."""
    found = np.ones(len(pools.user))
    if bias is None:
        return found
    if isinstance(bias, str):
        by, given = parsed(bias)
        return np.array([given.get(name, 1.0) for name in CLASSES])[user_classes(pools, by)]
    for user, weight in bias.items():
        found[pools.user == _number(user)] = _checked(user, weight)
    return found


def _number(user: object) -> float:
    """A user's number; in a study's file, keys are texts."""
    try:
        return float(user)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(f"the bias names the user {user!r}: give numbers of users, as in {{17: 2.0}}") from None


def parsed(text: str) -> tuple[str, dict[str, float]]:
    """`work:large=2,small=0.5`."""
    by, _, rest = text.partition(":")
    one_of(f"in the bias {text!r} what users are ranked by", by.strip(), RANKED_BY)
    given: dict[str, float] = {}
    for item in rest.split(","):
        name, _, value = item.partition("=")
        one_of(f"in the bias {text!r} a class", name.strip(), CLASSES)
        given[name.strip()] = _checked(name.strip(), _weight(text, name.strip(), value))
    return by.strip(), given


def _weight(text: str, name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InputError(f"the bias {text!r} gives {name} no number: write it as work:large=2") from None


def _checked(who: object, weight: float) -> float:
    if not is_number(weight) or not 0 < weight < np.inf:
        raise InputError(f"the bias of {who} is {weight!r}: give a number above 0, 1 is as often as others")
    return float(weight)
