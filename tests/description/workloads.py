"""Small workloads with users, and variants of them that need no resampling."""

from __future__ import annotations

from typing import Any

import numpy as np

from thinktime.generate import default_workload
from thinktime.workload import Workload

COLUMNS = ("submit_s", "wait_s", "run_s", "allocated_processors", "processors", "requested_time_s", "user")


def small(seed: int = 0, weeks: int = 3) -> Workload:
    return default_workload(weeks=weeks, seed=seed, processors=64)


def of_users(log: Workload, seed: int) -> Workload:
    """As many users drawn with replacement, each with all their jobs: what chance makes of the same users."""
    users = log.users
    drawn = np.random.default_rng(seed).choice(users, len(users))
    rows = [np.flatnonzero(log["user"] == user) for user in drawn]
    columns: dict[str, Any] = {name: np.concatenate([log[name][own] for own in rows]) for name in COLUMNS}
    columns["user"] = np.repeat(np.arange(len(drawn)), [len(own) for own in rows])
    return Workload.from_columns(name=f"variant {seed}", **columns)


def without_clock(log: Workload) -> Workload:
    """The same jobs from arrays: their local time is unknown."""
    columns: dict[str, Any] = {name: log[name] for name in COLUMNS}
    return Workload.from_columns(name=log.name, **columns)


def workload_of(users: list[list[list[float]]]) -> Workload:
    """Sessions of each user, two hours apart; the values are run times."""
    rows = [
        (7200.0 * number + place, user, value)
        for user, own in enumerate(users)
        for number, session in enumerate(own)
        for place, value in enumerate(session)
    ]
    submit, user, run = zip(*rows, strict=True) if rows else ((), (), ())
    return Workload.from_columns(submit_s=list(submit), user=list(user), run_s=list(run))
