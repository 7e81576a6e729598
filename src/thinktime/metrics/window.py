"""Which jobs a summary counts: the window, its cuts, and the excluded statuses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.machine import first, last
from thinktime.metrics.status import COMPLETED, KILLED, STATUS_NAMES
from thinktime.spec import is_number, one_of

#: (t1, t2) in seconds of the run's own time; None is the run's own first submission or last end.
Window = tuple[float | None, float | None]

BEFORE = "submitted before the window"
AFTER = "submitted after the window"
NEVER = "never submitted"
OF_USERS = "of excluded users"


def choose_window(
    columns: Mapping[str, np.ndarray],
    window: Window | None,
    warmup_s: float,
    cooldown_s: float,
    stopped_s: float | None = None,
) -> tuple[float, float]:
    """Return the window after the cuts; by default from the first submission to the last end.

    The default window of a stopped run ends at the stop.
    """
    check_cut("warmup_s", warmup_s)
    check_cut("cooldown_s", cooldown_s)
    t1, t2 = check_window(window)
    t1 = first(columns["submit_s"]) if t1 is None else t1
    own_end = last_instant(last(columns["end_s"]), last(columns["submit_s"])) if stopped_s is None else stopped_s
    t2 = own_end if t2 is None else t2
    t1 = min(t1, t2) if stopped_s is not None and window is None else t1
    if t1 > t2:
        raise InputError(
            f"the window ends at {t2:.15g} s, before it begins at {t1:.15g} s: choose an earlier beginning"
        )
    if t1 + warmup_s > t2 - cooldown_s:
        raise InputError(
            f"a warm-up of {warmup_s:.15g} s and a cool-down of {cooldown_s:.15g} s leave nothing of the "
            f"window from {t1:.15g} s to {t2:.15g} s: choose smaller cuts"
        )
    return t1 + warmup_s, t2 - cooldown_s


def last_submission(t2: float, window: Window | None, cooldown_s: float) -> float:
    """The last submit time that counts: the window's end where one was asked for, else any.

    The run's own window ends with its last end; a stopped run may have unfinished jobs submitted later.
    """
    asked = cooldown_s > 0 or (window is not None and window[1] is not None)
    return t2 if asked else math.inf


def last_instant(last_end_s: float, last_submit_s: float) -> float:
    """Where a run's own window ends: its last end; its last submission if nothing ended."""
    return last_submit_s if math.isnan(last_end_s) else last_end_s


def check_window(window: Window | None) -> Window:
    """Return the window as a pair; raise InputError if it is invalid."""
    window = (None, None) if window is None else window
    pair = hasattr(window, "__len__") and len(window) == 2 and all(t is None or is_number(t) for t in window)
    if not pair:
        raise InputError(f"window must be (begin, end) in seconds, such as (7 * 86400, 8 * 86400) (got {window!r})")
    t1, t2 = window
    for time in (t1, t2):
        if time is not None and not math.isfinite(time):
            raise InputError(f"the window holds {time}: give finite seconds, or None for the run's own first or last")
    if t1 is not None and t2 is not None and t1 > t2:
        raise InputError(f"the window ({t1:.15g}, {t2:.15g}) ends before it begins: give the earlier time first")
    return t1, t2


def check_cut(name: str, seconds: float) -> None:
    if not is_number(seconds) or not 0 <= seconds < math.inf:
        raise InputError(f"{name} must be at least 0 seconds (got {seconds!r})")


def check_tau(tau_s: float) -> None:
    if not is_number(tau_s) or not 0 < tau_s < math.inf:
        raise InputError(f"tau_s must be above 0 seconds (got {tau_s!r})")


def check_exclude(exclude: Sequence[str]) -> tuple[str, ...]:
    """Return the excluded statuses; raise InputError for unknown ones."""
    names = (exclude,) if isinstance(exclude, str) else tuple(exclude)
    for name in names:
        one_of("an excluded status", name, STATUS_NAMES)
    return names


def submitted_in(submit_s: np.ndarray, t1: float, t2: float) -> np.ndarray:
    """t1 ≤ submit ≤ t2: both borders belong to the window."""
    return (submit_s >= t1) & (submit_s <= t2)


def counted_jobs(
    columns: Mapping[str, np.ndarray],
    t1: float,
    t2: float,
    exclude: Sequence[str],
    exclude_users: Sequence[float] = (),
) -> tuple[np.ndarray, dict[str, int]]:
    """Mask of the jobs whose waits and slowdowns count, and how many do not, by reason.

    Counted: submitted inside the window, ended (completed or killed), of no excluded status and no excluded user.
    """
    submit, status = columns["submit_s"], columns["status"]
    inside = submitted_in(submit, t1, t2)
    ended = (status == COMPLETED) | (status == KILLED)
    kept = inside & ended & ~np.isin(status, [STATUS_NAMES.index(name) for name in exclude])
    excluded = {
        BEFORE: _count_marked(submit < t1),
        AFTER: _count_marked(submit > t2),
        NEVER: _count_marked(np.isnan(submit)),
    }
    for code, name in enumerate(STATUS_NAMES):
        excluded[name] = _count_marked(inside & ~kept & (status == code))
    if len(exclude_users):
        left_out = kept & of_users(columns, exclude_users)
        kept, excluded[OF_USERS] = kept & ~left_out, _count_marked(left_out)
    return kept, {reason: count for reason, count in excluded.items() if count}


def of_users(columns: Mapping[str, np.ndarray], users: Sequence[float]) -> np.ndarray:
    """Return a mask of the jobs of these users."""
    if not len(users):
        return np.zeros(len(columns["submit_s"]), dtype=bool)
    return np.isin(columns["user"], np.asarray(users, dtype=np.float64))


def _count_marked(mask: np.ndarray) -> int:
    return int(np.count_nonzero(mask))
