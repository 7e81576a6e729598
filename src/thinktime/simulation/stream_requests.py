"""Requests of streamed jobs on a cluster, block by block, and the reasons of rejections so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.platforms import Cluster
from thinktime.platforms.cluster_parts import LIMITS
from thinktime.platforms.node_requests import request_names
from thinktime.platforms.request_files import RequestTable, named_requests
from thinktime.simulation.job_columns import refusals, with_others
from thinktime.simulation.plugins import Inputs, split_inputs
from thinktime.simulation.requests import Requests, cluster_with_requests
from thinktime.simulation.settings import Settings
from thinktime.support.json_types import JsonDict
from thinktime.workload import Workload

StreamedRequestsLike = Mapping[str, Any] | str | PathLike[str] | None


class StreamedRequests:
    """Amounts of the cluster's resources and inputs of plugins by block; reasons of rejections so far."""

    def __init__(self, settings: Settings, requests: StreamedRequestsLike = None) -> None:
        self._counts = Counter[str]()
        self._settings, self._rows = settings, 0
        self.rejections = 0
        self.names: tuple[str, ...] = ()
        if settings.cluster:
            _require_no_limits_by_user(settings.cluster)
            self.names = request_names(settings.cluster)
        self._table: RequestTable | None = None
        self._given: Mapping[str, Any] | None = None
        if isinstance(requests, str | PathLike) and (named := named_requests(requests)):
            self._given = named
        elif isinstance(requests, str | PathLike):
            self._table = RequestTable(Path(requests), cluster_with_requests(requests, settings))
        else:
            self._given = requests

    def of(self, jobs: Workload) -> tuple[JsonDict, Inputs]:
        """Return the amounts of a block, and the inputs of plugins."""
        begin, self._rows = self._rows, self._rows + len(jobs)
        if self._table is not None:
            return split_inputs(jobs, self._table.of(jobs))
        if isinstance(self._given, Mapping):
            return split_inputs(jobs, {name: self._part(name, all_, begin) for name, all_ in self._given.items()})
        return split_inputs(jobs, self._given)

    def _part(self, name: str, values: Any, begin: int) -> Any:
        """Return the amounts of the rows from `begin` on; a single number applies to all jobs."""
        if values is None or np.ndim(values) == 0:
            return values
        if len(values) < self._rows:
            raise InputError(
                f"requests has {len(values):,} amounts of {name}, but the stream has more jobs: give one per job"
            )
        return np.asarray(values[begin : self._rows])

    def end(self) -> None:
        """Raise InputError if there are amounts of more jobs than the stream has."""
        for name, values in (self._given or {}).items():
            if np.ndim(values) > 0 and len(values) != self._rows:
                raise InputError(
                    f"requests has {len(values):,} amounts of {name} for {self._rows:,} jobs: give one per job"
                )

    def columns(self, requests: Requests) -> list[np.ndarray]:
        """Return the columns that the engine carries with the jobs, and count refusals."""
        if requests.nodes is None or self._settings.cluster is None:
            return []
        self._counts.update(requests.nodes.refusals())
        return list(requests.nodes.columns(self._settings.cluster).values())

    def refuse(self, rejected: np.ndarray, processors: np.ndarray) -> None:
        """Count the jobs of a block that were rejected."""
        self.rejections += int(np.count_nonzero(rejected))
        if not self.names:
            self._counts.update(refusals(rejected, processors, self._settings).get("rejected", {}))

    def rejected(self, reasons: Mapping[str, int]) -> JsonDict:
        """Return reason → rejected jobs; `reasons` are those of a scheduler in Python."""
        if self.names:
            others = "by a plugin" if self._settings.plugins else self._settings.scheduler.name
            return {"rejected": with_others(self._counts + Counter(reasons), self.rejections, others)}
        counts = self._counts - Counter({"by the scheduler": sum(reasons.values())}) + Counter(reasons)
        return {"rejected": dict(counts)} if counts else {}


def _require_no_limits_by_user(cluster: Cluster) -> None:
    for queue in cluster.queues:
        for limit, (_, by_user) in LIMITS.items():
            if by_user and getattr(queue, limit) is not None:
                raise InputError(
                    f"queue {queue.name!r} has {limit}, which needs all users in memory: remove the limit, or simulate"
                    " without streaming"
                )
