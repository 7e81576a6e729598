"""Plans of the user models with batches: arrays for the engine, from the batches of a workload.

There are two kinds of delays: think times, of batches that waited for an end, and inter-arrival times, of the others.
A pool holds the delays of a user of one kind, inside or between sessions, in the order of the batches.
"""

from __future__ import annotations

import numpy as np

from thinktime.support.json_types import JsonDict
from thinktime.support.random_streams import checked_seed, name_hash
from thinktime.support.time_units import DAY_S
from thinktime.workload import Workload
from thinktime.workload.user_sessions.batches import Batches, batches
from thinktime.workload.user_sessions.sessions import Sessions


def batch_plan(workload: Workload, threshold_min: float) -> tuple[JsonDict, Batches]:
    """Return batches, their jobs, and the batches that each batch depends on."""
    found = batches(workload, threshold_s=60.0 * threshold_min)
    plan = {
        "session": found.sessions.session,
        "recorded_s": workload["submit_s"],
        "batch": found.batch,
        "offset_s": workload["submit_s"] - found.first_submit_s[found.batch],
        "begin_s": found.first_submit_s,
        "user_start": found.user_start,
        "depends_start": found.depends_start,
        "depends_on": found.depends_on,
    }
    return plan, found


def delays(found: Batches) -> dict[str, np.ndarray]:
    """Return both kinds of delays by batch, NaN where there is none."""
    return {"think": found.think_s, "inter_arrival": found.inter_arrival_s}


def pool(name: str, delay_s: np.ndarray, user: np.ndarray, users: int, *, pooled: bool = False) -> JsonDict:
    """Return the known delays user by user; with `pooled`, followed by all of them as one more user."""
    known = ~np.isnan(delay_s)
    values, counts = delay_s[known], np.bincount(user[known], minlength=users)
    if pooled:
        values, counts = np.concatenate([values, values]), np.append(counts, len(values))
    start = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=start[1:])
    return {f"{name}_start": start, f"{name}_s": values}


def streams_of_users(seed: int, model: str, users: np.ndarray) -> np.ndarray:
    """Return uint64[2 n_users]: the keys of the random streams of all users."""
    keys = [word for user in users.tolist() for word in (checked_seed(seed), name_hash("users", model, int(user)))]
    return np.array(keys, dtype=np.uint64)


def periods(sessions: Sessions, repeat_days: float, stays_s: float = 0.0) -> JsonDict:
    """Return the periods of activity: begin and end of every session, user by user, and the period of repetition.

    A session lasts until `stays_s` after its last submission.
    """
    return {
        "session_start": sessions.user_start,
        "session_begin_s": sessions.first_submit_s[sessions.by_user],
        "session_end_s": sessions.last_submit_s[sessions.by_user] + stays_s,
        "week_s": DAY_S * repeat_days,
    }
