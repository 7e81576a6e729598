"""The arrays of a result, read-only, and the digests that name it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from thinktime.result.attempts import Attempts
from thinktime.result.canonical_json import digest_of, digest_of_columns, digest_of_run
from thinktime.result.columns import (
    DECISION_COLUMNS,
    JOB_COLUMNS,
    TIMELINE_COLUMNS,
    check_columns,
    empty_decisions,
    empty_timeline,
    ordered,
    read_only,
)
from thinktime.result.placements import PLACEMENT_COLUMNS, empty_placements
from thinktime.spec import from_stored
from thinktime.support.json_types import JsonTable
from thinktime.traces.attributes import ColumnType
from thinktime.traces.content_hash import content_sha256

if TYPE_CHECKING:
    from thinktime.platforms import Cluster


@dataclass(frozen=True, eq=False, repr=False)
class ResultArrays:
    """One value per job in each column, in the workload's order. Equal digests make equal results."""

    columns: Mapping[str, np.ndarray]  # JOB_COLUMNS; float64 with NaN for missing, status uint8
    processors: int  # of the machine
    spec: JsonTable = field(default_factory=dict)  # what was simulated; JSON-able
    timeline_columns: Mapping[str, np.ndarray] = field(default_factory=empty_timeline)
    account: JsonTable = field(default_factory=dict)  # of the reader of the log
    statistics: JsonTable = field(default_factory=dict)  # of the engine: events, passes, engine_s, …
    claims: JsonTable = field(default_factory=dict)  # of a loaded run: digests, counts and summary in run.json
    decisions_columns: Mapping[str, np.ndarray] = field(default_factory=empty_decisions)  # timing: in no digest
    placement_columns: Mapping[str, np.ndarray] = field(default_factory=empty_placements)  # spans of nodes
    attempts_made: Attempts = field(default_factory=Attempts.none)  # runs that were aborted
    report_columns: Mapping[str, Mapping[str, np.ndarray]] = field(default_factory=dict)  # tables of plugins
    types: Mapping[str, ColumnType] = field(default_factory=dict)  # of the attributes among the columns
    trusted: bool = True  # whether `tasks` may start the simulator that the spec names; False for a loaded run

    def __post_init__(self) -> None:
        """Check the columns and make them read-only: digests are computed once."""
        for what, name, expected in (
            ("job", "columns", JOB_COLUMNS),
            ("timeline", "timeline_columns", TIMELINE_COLUMNS),
            ("decision", "decisions_columns", DECISION_COLUMNS),
            ("placement", "placement_columns", PLACEMENT_COLUMNS),
        ):
            check_columns(what, getattr(self, name), expected)
            object.__setattr__(self, name, read_only(getattr(self, name)))

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self.columns["job"])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ResultArrays):
            return NotImplemented
        return (self.digest, self.content_digest) == (other.digest, other.content_digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def digest(self) -> str:
        """sha256 of settings, version and content of the jobs: the name of this run.

        It does not depend on the file or the format that the jobs were read from.
        """
        return digest_of_run(self.spec)

    @cached_property
    def content_digest(self) -> str:
        """sha256 of the columns and placements of the jobs."""
        placed = {f"placed_{name}": self.placement_columns[name] for name in PLACEMENT_COLUMNS if self.has_nodes}
        plain = [name for name in ordered(self.columns) if name not in self.types]
        digest = digest_of_columns({**self.columns, **placed}, [*plain, *placed])
        own = {name: self.columns[name] for name in self.types}
        return digest_of([digest, content_sha256(own, self.types)]) if own else digest

    @cached_property
    def cluster(self) -> Cluster | None:
        """The cluster of the run; None on a counted machine."""
        machine = self.spec.get("machine")
        if not isinstance(machine, Mapping) or machine.get("name") != "cluster":
            return None
        return from_stored("platform", dict(machine))  # type: ignore[return-value]

    @property
    def has_nodes(self) -> bool:
        """Whether the nodes of jobs are known."""
        return len(self.placement_columns["row"]) > 0

    @property
    def every_pass_timed(self) -> bool:
        """Whether the durations of all scheduling passes are known, not only of a sample."""
        timed = len(self.decisions_columns["time_s"])
        return timed > 0 and timed == self.statistics.get("passes", timed)
