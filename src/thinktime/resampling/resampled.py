"""A resampled workload: an ordinary one that also knows where its users come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from thinktime.workload.workload import Workload

if TYPE_CHECKING:
    import polars as pl

#: The columns of the side table, one row an appearance of a user.
REPLICA_COLUMNS = ("user", "source_user", "replica", "kind", "log", "week", "start_week", "shift_weeks")


@dataclass(frozen=True, repr=False, eq=False)
class Resampled(Workload):
    """`replicas` has REPLICA_COLUMNS: the user's number here and in the source, how often it appeared before, its pool,
    the source's number among the logs, the week in which it begins here, the source's week with which it begins, and by
    how many weeks it is moved (in its first pass)."""

    replicas: Mapping[str, np.ndarray] = field(default_factory=dict, repr=False)

    @property
    def replicas_frame(self) -> pl.DataFrame:
        """The side table as a polars data frame."""
        import polars as pl

        return pl.DataFrame({name: self.replicas[name] for name in REPLICA_COLUMNS})

    @property
    def rare_users(self) -> tuple[int, ...]:
        """The users that are rare behaviours: what `run.summary(exclude_users=…)` takes."""
        return tuple(int(user) for user in self.replicas["user"][self.replicas["kind"] == "rare"])
