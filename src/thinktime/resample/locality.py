"""More or less locality: the jobs of a user change places among that user's submissions.

Submissions stay where they are; what is submitted (run time, processors, request, and the rest of the record) moves.
A share of each user's jobs takes part: drawn in random order, locality falls; in the order of processors, request, run
time and executable, similar jobs follow each other, and it rises. Every user's jobs stay the same, so all totals and
marginal distributions do too. Zakay and Feitelson 2014 name the aim, in 6.5.5, and leave the way open.
"""

from __future__ import annotations

import numpy as np

from thinktime.resample.pools import Pools
from thinktime.streams import stream

SIMILAR = ("executable", "run_s", "requested_time_s", "processors")  # the last is compared first


def bodies(pools: Pools, locality: float, seed: int, log: int = 0) -> np.ndarray:
    """int64[jobs]: for each place in the pools the row of the workload whose job is submitted there."""
    rows = pools.rows.copy()
    if locality == 0:
        return rows
    rng = stream(seed, "resample", log, "locality")
    places = np.flatnonzero(rng.random(len(rows)) < abs(locality))
    trace = np.repeat(np.arange(len(pools.user)), np.diff(pools.start))[places]
    order = rng.random(len(places)) if locality < 0 else None
    rows[places] = rows[places][_arranged(pools, rows[places], trace, order)]
    return rows


def _arranged(pools: Pools, rows: np.ndarray, trace: np.ndarray, order: np.ndarray | None) -> np.ndarray:
    """An order inside each sub-trace: by random numbers, or by what makes jobs similar."""
    if order is not None:
        return np.lexsort((order, trace))
    return np.lexsort((*(pools.workload[name][rows] for name in SIMILAR), trace))
