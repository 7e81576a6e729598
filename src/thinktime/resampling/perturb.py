"""Perturb a resampled log: displace submissions (shaking) and reorder the jobs of a user (locality).

Shaking displaces jobs, sessions or users (an appearance with all its passes) by a uniform number of seconds in
±amplitude, rounded. The order of jobs inside a session, or of a user, stays. The displacement is a hash of seed,
appearance and unit, so it does not depend on blocks. Tsafrir, Ouaknine and Feitelson 2007; Zakay and Feitelson 2014.

Locality keeps the submissions of a user and permutes what is submitted (run time, processors, request, and the rest of
the record) among a share of them: in random order locality falls; sorted by processors, request, run time and
executable it rises. Totals and marginal distributions of each user stay. Zakay and Feitelson 2014, section 6.5.5.
"""

from __future__ import annotations

import numpy as np

from thinktime.resampling.passes import Emitted
from thinktime.resampling.pools import Pools
from thinktime.support.random_streams import checked_seed, name_hash, stream
from thinktime.workload.user_sessions.sessions import sessions

#: unit → default amplitude in seconds; sessions are separated by an hour
AMPLITUDES_S = {"jobs": 30.0, "sessions": 600.0, "users": 1800.0}

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX = ((np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB)))


def units_of(pools: Pools, shake: str) -> np.ndarray:
    """Return int64[jobs]: for each position in the pools, the unit that is displaced as a whole."""
    if shake == "jobs":
        return np.arange(len(pools.rows))
    if shake == "users":
        return np.zeros(len(pools.rows), dtype=np.int64)
    return sessions(pools.workload).session[pools.rows]


def displacement_s(
    jobs: Emitted, instance: np.ndarray, unit: np.ndarray, shake: str, amplitude_s: float, seed: int
) -> np.ndarray:
    """Return whole seconds for each job; `instance` is the number of its appearance."""
    key = np.uint64(checked_seed(seed) ^ name_hash("resample", "shake"))
    passed = np.zeros_like(jobs.number) if shake == "users" else jobs.number
    drawn = uniform(key, instance, passed, unit[jobs.place])
    return np.rint((2.0 * drawn - 1.0) * amplitude_s)


def uniform(key: np.uint64, *numbers: np.ndarray) -> np.ndarray:
    """Return float64 in [0, 1), a hash of the numbers: SplitMix64's mixing function (Steele, Lea and Flood 2014)."""
    state = np.full(len(numbers[0]), key, dtype=np.uint64)
    for number in numbers:
        state = _mix_bits(state + _GOLDEN + np.asarray(number, dtype=np.int64).astype(np.uint64))
    return (state >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _mix_bits(state: np.ndarray) -> np.ndarray:
    for shift, factor in _MIX:
        state = (state ^ (state >> shift)) * factor
    return state ^ (state >> np.uint64(31))


SIMILAR = ("executable", "run_s", "requested_time_s", "processors")  # least significant key first


def bodies(pools: Pools, locality: float, seed: int, log: int = 0) -> np.ndarray:
    """Return int64[jobs]: for each position in the pools, the workload row that is submitted there."""
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
    """Return an order within each sub-trace: by random numbers, or by similarity."""
    if order is not None:
        return np.lexsort((order, trace))
    return np.lexsort((*(pools.workload[name][rows] for name in SIMILAR), trace))
