"""Counts of unusual jobs, and the sentences of the account about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from thinktime.traces.sacct.job_table import JobTable

SHIFTED = "records with a delimiter or a newline inside a text, columns found by content"
JOINED_NOTE = "components joined to their heterogeneous jobs, which start together"
IN_NODES = "jobs without a number of CPUs, sizes are in nodes"
OTHER_LENGTH = "jobs with End − Start other than elapsed + suspended time (the elapsed time counts)"
EARLY = "jobs with a start before their submission"
RESIZED = "parts of jobs that changed their size while they ran, each is a job of its size"
UNLIMITED = "jobs without a time limit (UNLIMITED, Partition_Limit)"
ORPHANS = "steps without a record of their job"
_MOST_CLUSTERS = 10  # named in the header
_SLACK_S = 2.0


@dataclass
class JobCounts:
    """What the account mentions of the jobs."""

    orphans: int = 0
    joined: int = 0
    nodes_only: int = 0
    odd_length: int = 0
    early: int = 0
    resized: int = 0
    clusters: dict[str, None] = field(default_factory=dict)

    def add(self, table: JobTable) -> None:
        numbers = table.numbers
        self.nodes_only += int(np.nansum(numbers["size_is_nodes"]))
        self.odd_length += int(np.count_nonzero(numbers["differs_s"] > _SLACK_S))
        self.early += int(np.count_nonzero(numbers["start"] < numbers["submit"]))
        self.resized += int(np.count_nonzero(numbers["resized"] > 0))
        if "cluster" in table.texts and len(self.clusters) < _MOST_CLUSTERS:
            self.clusters.update(dict.fromkeys(table.texts["cluster"].drop_nulls().unique(maintain_order=True)))

    def notes(self, realigned: int, limits_unknown: int) -> Iterator[str]:
        """Yield a sentence per count that is not 0."""
        counts = {
            SHIFTED: realigned,
            JOINED_NOTE: self.joined,
            IN_NODES: self.nodes_only,
            OTHER_LENGTH: self.odd_length,
            EARLY: self.early,
            RESIZED: self.resized,
            UNLIMITED: limits_unknown,
            ORPHANS: self.orphans,
        }
        for what, count in counts.items():
            if count:
                yield f"{what}: {count:,}"
