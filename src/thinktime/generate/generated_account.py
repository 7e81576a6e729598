"""What the account of a generated workload says: counts, and the offered load over all started weeks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from thinktime.support.json_types import JsonDict
from thinktime.support.time_units import WEEK_S


class GeneratedAccount:
    """`add` blocks of jobs in order of submission."""

    def __init__(self, processors: int) -> None:
        self.jobs = 0
        self._processors = processors
        self._area = self._last_s = 0.0
        self._users, self._requests_hit = np.empty(0), 0

    def add(self, block: Mapping[str, np.ndarray]) -> None:
        self.jobs += len(block["job"])
        self._area += float(block["run_s"] @ block["processors"])
        self._last_s = float(block["submit_s"][-1])
        self._users = np.union1d(self._users, block["user"][~np.isnan(block["user"])])
        self._requests_hit += int(np.sum(block["run_s"] == block["requested_time_s"]))

    def to_dict(self) -> JsonDict:
        weeks = int(self._last_s // WEEK_S) + 1
        return {
            "generated": True,
            "machine_processors": self._processors,
            "jobs": self.jobs,
            "users": len(self._users),
            "weeks": weeks,
            "offered_load": self._area / (self._processors * weeks * WEEK_S),
            "requests_hit": self._requests_hit,
        }
