"""Means of users over blocks of jobs: sums by user, as many as there are users."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from thinktime.metrics.jobs import numbered
from thinktime.metrics.run_data import PerJob


class UserSums:
    """`add` blocks of jobs; `means` of a quantity are those of `means_by_user` over all so far."""

    def __init__(self, quantities: Iterable[PerJob]) -> None:
        self._users = np.empty(0)  # ascending
        self._totals = {quantity: np.empty(0) for quantity in quantities}
        self._jobs = {quantity: np.empty(0, np.int64) for quantity in self._totals}  # that have a value

    def __len__(self) -> int:
        return len(self._users)

    def add(self, user: np.ndarray, values: Mapping[PerJob, np.ndarray]) -> None:
        """Add jobs with the values of each quantity; jobs without a user belong to none."""
        has_user = ~np.isnan(user)
        found, index = numbered(user[has_user])
        self._make_room(found)
        of_user = np.searchsorted(self._users, found)[index]
        for quantity, totals in self._totals.items():
            given = values[quantity][has_user]
            known = ~np.isnan(given)
            totals += np.bincount(of_user[known], weights=given[known], minlength=len(self))
            self._jobs[quantity] += np.bincount(of_user[known], minlength=len(self))

    def _make_room(self, users: np.ndarray) -> None:
        new = np.setdiff1d(users, self._users, assume_unique=True)
        if not len(new):
            return
        at = np.searchsorted(self._users, new)
        self._users = np.insert(self._users, at, new)
        for sums in (self._totals, self._jobs):
            sums.update({quantity: np.insert(each, at, 0) for quantity, each in sums.items()})

    def means(self, quantity: PerJob) -> np.ndarray:
        """Return the mean of each user who has a value."""
        jobs = self._jobs[quantity]
        return np.asarray(self._totals[quantity][jobs > 0] / jobs[jobs > 0])
