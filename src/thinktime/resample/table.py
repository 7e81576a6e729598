"""Table V of Zakay and Feitelson 2014 for any logs: how many users, and jobs of theirs, are in each pool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thinktime.resample.pools import KINDS, LONG_TERM_WEEKS, user_pools
from thinktime.workload.workload import Workload

if TYPE_CHECKING:
    import polars as pl

POOL_COLUMNS = ("log", *(f"{kind}_{what}" for kind in KINDS[:3] for what in ("users", "jobs")))


def pool_table(
    workloads: Sequence[Workload], *, long_term_weeks: float = LONG_TERM_WEEKS, edge_weeks: float | str = "text"
) -> pl.DataFrame:
    """One row a log; `edge_weeks="table_v"` gives the published counts of temporary users."""
    import polars as pl

    rows = []
    for workload in workloads:
        pools = user_pools(workload, long_term_weeks=long_term_weeks, edge_weeks=edge_weeks)
        counts = [number for kind in KINDS[:3] for number in (pools.count(kind), pools.jobs(kind))]
        rows.append((workload.name, *counts))
    return pl.DataFrame(rows, schema=list(POOL_COLUMNS), orient="row")
