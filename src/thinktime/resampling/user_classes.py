"""Rank users by one quantity, split them into thirds (small, medium, large), and weight the draw by class.

`work:large=2` draws users from the third with the most work twice as often as others.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from thinktime.errors import InputError
from thinktime.resampling.pools import Pools
from thinktime.spec import is_number, one_of

CLASSES = ("small", "medium", "large")
#: quantities that rank users
RANKED_BY = ("jobs", "work", "processors", "run")


def user_classes(pools: Pools, by: str = "work") -> np.ndarray:
    """Return int64[sub-traces], indices into CLASSES; `by` is one of RANKED_BY (run: mean run time)."""
    one_of("by", by, RANKED_BY)
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
    """Return float64[sub-traces], relative draw frequencies, from a mapping by user or a text by class."""
    found = np.ones(len(pools.user))
    if bias is None:
        return found
    if isinstance(bias, str):
        by, given = parsed(bias)
        return np.array([given.get(name, 1.0) for name in CLASSES])[user_classes(pools, by)]
    for user, weight in bias.items():
        found[pools.user == _user_number(user)] = _checked_weight(user, weight)
    return found


def _user_number(user: object) -> float:
    """Return a user number; keys of a study file are strings."""
    try:
        return float(user)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(f"bias keys must be user numbers, for example {{17: 2.0}} (got {user!r})") from None


def parsed(text: str) -> tuple[str, dict[str, float]]:
    """Parse `work:large=2,small=0.5` into the quantity and the weights by class."""
    by, _, rest = text.partition(":")
    one_of(f"the quantity of bias {text!r}", by.strip(), RANKED_BY)
    given: dict[str, float] = {}
    for item in rest.split(","):
        name, _, value = item.partition("=")
        one_of(f"a class of bias {text!r}", name.strip(), CLASSES)
        given[name.strip()] = _checked_weight(name.strip(), _class_weight(text, name.strip(), value))
    return by.strip(), given


def _class_weight(text: str, name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InputError(f"the weight of {name} in bias {text!r} must be a number, for example work:large=2") from None


def _checked_weight(who: object, weight: float) -> float:
    if not is_number(weight) or not 0 < weight < np.inf:
        raise InputError(f"the bias of {who} must be a number above 0; 1 means as often as others (got {weight!r})")
    return float(weight)
