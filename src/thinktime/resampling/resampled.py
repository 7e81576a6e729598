"""A resampled workload: a Workload with the table of its users' origins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from thinktime.workload.workload import Workload

if TYPE_CHECKING:
    import polars as pl

#: Columns of the table of replicas, one row per appearance of a user.
REPLICA_COLUMNS = ("user", "source_user", "replica", "kind", "log", "week", "start_week", "shift_weeks")


@dataclass(frozen=True, repr=False, eq=False)
class Resampled(Workload):
    """A workload made by `resample`.

    Attributes
    ----------
    replicas
        Columns of one row per appearance of a user: `user` (number here), `source_user` (number in the log), `replica`
        (earlier appearances of the same user), `kind` (pool), `log` (index of the log), `week` (first week here),
        `start_week` (first week in the source) and `shift_weeks` (difference, in the first pass).
    """

    replicas: Mapping[str, np.ndarray] = field(default_factory=dict, repr=False)

    @property
    def replicas_frame(self) -> pl.DataFrame:
        """Return `replicas` as a polars data frame."""
        import polars as pl

        return pl.DataFrame({name: self.replicas[name] for name in REPLICA_COLUMNS})

    @property
    def rare_users(self) -> tuple[int, ...]:
        """Return the users that are rare behaviours, for `run.summary(exclude_users=…)`."""
        return tuple(int(user) for user in self.replicas["user"][self.replicas["kind"] == "rare"])
