"""Pools of users: long-term, temporary, discarded, and rare behaviours. Zakay and Feitelson 2014, section 4.

A user is active from the first submission to the last termination. A user who is active for more than 12 weeks is
long-term, any other temporary. A temporary user whose whole activity lies within 4 weeks of the begin or end of the log
is discarded, because it was probably cut off. The counts of the paper's Table V need 60 days instead of 4 weeks,
measured at the beginning from time 0 of the log (`edge_weeks="table_v"`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.resampling.rare_behaviours import RareBehaviour
from thinktime.resampling.weeks import origin_s, weeks_of
from thinktime.spec import is_number
from thinktime.support.html import facts_html
from thinktime.support.time_units import WEEK_S
from thinktime.workload.reading.implausible_times import suspect
from thinktime.workload.reading.read import as_workload
from thinktime.workload.user_sessions.groups import UNKNOWN_USER, begins, known_end_s, offsets
from thinktime.workload.workload import Workload

if TYPE_CHECKING:
    import polars as pl

LONG_TERM_WEEKS = 12.0
MOST_WEEKS = 1_000_000  # of a resampled log
MOST_LOG_WEEKS = 10_000  # over 190 years: an error in the log, and memory grows with users × weeks
TEXT, TABLE_V = "text", "table_v"
#: preset → weeks at both ends of the log: the rule of the paper's text, and of its Table V
EDGE_WEEKS = {TEXT: 4.0, TABLE_V: 60 / 7}
LONG_TERM, TEMPORARY, DISCARDED, RARE = range(4)
KINDS = ("long_term", "temporary", "discarded", "rare")


@dataclass(frozen=True, eq=False)
class Pools:
    """The users of a log as sub-traces, followed by one sub-trace per rare behaviour."""

    workload: Workload
    origin_s: float  # start of week 0, in workload time
    log_weeks: int  # from the first submission to the last termination, rounded
    rows: np.ndarray  # int64[jobs]: workload rows by sub-trace, each in submit order
    week: np.ndarray  # int64[jobs]: week of each row
    start: np.ndarray  # int64[n + 1]: the jobs of sub-trace u are rows[start[u] : start[u + 1]]
    user: np.ndarray  # float64[n]: user number in the log
    kind: np.ndarray  # int64[n]: index into KINDS
    first_submit_s: np.ndarray
    last_submit_s: np.ndarray
    last_end_s: np.ndarray  # latest termination

    def __repr__(self) -> str:
        return f"<Pools of {self.workload.name}: {self.text()}>"

    def _repr_html_(self) -> str:
        facts = {
            kind.replace("_", "-"): f"{self.count(kind):,} users, {self.jobs(kind):,} jobs"
            for kind in KINDS
            if self.count(kind)
        }
        return facts_html(f"Pools of {self.workload.name}", facts)

    def text(self) -> str:
        """Return for example `102 long-term (25,192 jobs), 82 temporary (3,039 jobs)`."""
        return ", ".join(
            f"{self.count(kind):,} {kind.replace('_', '-')} ({self.jobs(kind):,} jobs)"
            for kind in KINDS
            if self.count(kind)
        )

    def members(self, kind: str) -> np.ndarray:
        """Return int64: the sub-traces of a pool, by user number (rare behaviours in the order given)."""
        return self._members[KINDS.index(kind)]

    @cached_property
    def _members(self) -> list[np.ndarray]:
        return [np.flatnonzero(self.kind == kind) for kind in range(len(KINDS))]

    @cached_property
    def width(self) -> int:
        """Return the number of source weeks plus one, the factor that packs (sub-trace, week) into one integer."""
        return int(self.week.max()) + 2

    @cached_property
    def key(self) -> np.ndarray:
        """Return int64[jobs]: sub-trace and week of each job packed into one ascending integer."""
        return np.repeat(np.arange(len(self.user)), np.diff(self.start)) * self.width + self.week

    def users(self, kind: str) -> np.ndarray:
        """Return float64: the user numbers of a pool."""
        return self.user[self.members(kind)]

    def count(self, kind: str) -> int:
        """Return the number of users of a pool."""
        return len(self.members(kind))

    def jobs(self, kind: str) -> int:
        """Return the number of jobs that the users of a pool submitted."""
        return int(np.diff(self.start)[self.members(kind)].sum())

    @property
    def long_term(self) -> np.ndarray:
        return self.users("long_term")

    @property
    def temporary(self) -> np.ndarray:
        return self.users("temporary")

    @property
    def discarded(self) -> np.ndarray:
        return self.users("discarded")

    @cached_property
    def first_week(self) -> np.ndarray:
        """Return int64[n]: week of the first submission."""
        return self.week[self.start[:-1]]

    @cached_property
    def last_week(self) -> np.ndarray:
        """Return int64[n]: week of the last submission."""
        return self.week[self.start[1:] - 1]

    @cached_property
    def active_weeks(self) -> np.ndarray:
        """Return int64[n]: weeks from the first submission to the last, both included."""
        return self.last_week - self.first_week + 1

    @cached_property
    def period_weeks(self) -> np.ndarray:
        """Return int64[n]: weeks between two starts of a long-term user: the length of the log, or of the activity."""
        own = np.ceil((self.last_submit_s - self.first_submit_s) / WEEK_S).astype(np.int64)
        return np.maximum(own, self.log_weeks)


def user_pools(
    log: Workload | str | PathLike[str],
    *,
    long_term_weeks: float = LONG_TERM_WEEKS,
    edge_weeks: float | str = TEXT,
    rare: Sequence[RareBehaviour] = (),
) -> Pools:
    """Sort the users of a log into pools: long-term, temporary, discarded, and rare behaviours.

    Parameters
    ----------
    log
        A workload, or the name or path of a log.
    long_term_weeks
        Users who are active for longer are long-term.
    edge_weeks
        Discard temporary users whose whole activity lies within this distance of the begin or end of the log: a number
        of weeks, `"text"` (4) or `"table_v"` (60 days, from time 0).
    rare
        Rare behaviours; each becomes a sub-trace.

    Returns
    -------
    Pools
        `long_term`, `temporary`, `discarded` (user numbers), `count(kind)` and `jobs(kind)`.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.user_pools(tt.default_workload(weeks=30))
    <Pools of default: 60 long-term (76,793 jobs)>
    """
    workload = _with_submit_times(as_workload(log))
    submit_s, end_s, origin = workload["submit_s"], known_end_s(workload), origin_s(workload)
    number, user = sub_traces(workload, rare)
    rows = np.lexsort((user, number))  # stable; the workload is sorted by submit time
    begin = np.flatnonzero(begins(number[rows]) | begins(user[rows]))
    start = offsets(np.diff(np.append(begin, len(rows))))
    firsts, lasts = submit_s[rows[begin]], np.maximum.reduceat(end_s[rows], begin)
    log_s = float(submit_s.min()), float(end_s.max())
    kind = _kinds(firsts, lasts, log_s, long_term_weeks, checked_edge(edge_weeks))
    return Pools(
        workload=workload,
        origin_s=origin,
        log_weeks=_log_weeks(workload, log_s[1] - log_s[0]),
        rows=rows,
        week=weeks_of(submit_s[rows], origin),
        start=start,
        user=_known_user(workload)[rows[begin]],
        kind=np.where(number[rows[begin]] > 0, RARE, kind),
        first_submit_s=firsts,
        last_submit_s=submit_s[rows[start[1:] - 1]],
        last_end_s=lasts,
    )


def _with_submit_times(workload: Workload) -> Workload:
    """Raise InputError for a log without jobs, or with a job without a submit time."""
    if len(workload) == 0:
        raise InputError(f"{workload.name} has no jobs: read it with another filter")
    missing = np.isnan(workload["submit_s"])
    if missing.any():
        raise InputError(f"row {missing.argmax()} of {workload.name} has no submit time: drop such jobs first")
    return workload


def _kinds(
    first_s: np.ndarray,
    last_s: np.ndarray,
    log_s: tuple[float, float],  # begin and end of the log
    long_term_weeks: float,
    edge_weeks: float | str,
) -> np.ndarray:
    """Return long-term, temporary or discarded for users who are active from `first_s` to `last_s`."""
    edge_s = _seconds_of_weeks("edge_weeks", EDGE_WEEKS.get(edge_weeks, edge_weeks))  # type: ignore[arg-type]
    long_term = last_s - first_s > _seconds_of_weeks("long_term_weeks", long_term_weeks)
    recording_s = min(log_s[0], 0.0) if edge_weeks == TABLE_V else log_s[0]  # assumed start of recording
    near_edge = (last_s <= recording_s + edge_s) | (first_s >= log_s[1] - edge_s)
    return np.select([long_term, near_edge], [LONG_TERM, DISCARDED], TEMPORARY)


def _log_weeks(workload: Workload, length_s: float) -> int:
    weeks = max(1, int(np.floor(length_s / WEEK_S + 0.5)))
    if weeks > MOST_LOG_WEEKS:
        raise InputError(
            f"a log to resample may last at most {MOST_LOG_WEEKS:,} weeks ({workload.name} lasts {weeks:,})"
            f"{suspect(workload.account)}"
        )
    return weeks


def sub_traces(workload: Workload, rare: Sequence[RareBehaviour]) -> tuple[np.ndarray, np.ndarray]:
    """Return for each job (0, user), or (number of the rare behaviour from 1, 0)."""
    number, user = np.zeros(len(workload)), _known_user(workload).copy()
    for k, behaviour in enumerate(rare, start=1):
        own = behaviour.jobs_of(workload) & (number == 0)
        if not own.any():
            raise InputError(f"{behaviour.text()} has no job in {workload.name}: check the user and the times")
        number[own], user[own] = k, 0.0
    return number, user


def _known_user(workload: Workload) -> np.ndarray:
    """Assign jobs without a user to one unknown user, as user models do."""
    return np.where(np.isnan(workload["user"]), UNKNOWN_USER, workload["user"])


def checked_edge(edge_weeks: float | str) -> float | str:
    """Return the weeks, or `table_v`, which also changes the start of recording."""
    if isinstance(edge_weeks, str) and edge_weeks not in EDGE_WEEKS:
        raise InputError(f"edge_weeks must be a number of weeks or one of {', '.join(EDGE_WEEKS)} (got {edge_weeks!r})")
    return EDGE_WEEKS[TEXT] if edge_weeks == TEXT else edge_weeks


def _seconds_of_weeks(what: str, weeks: float) -> float:
    if not is_number(weeks) or not 0 <= weeks < np.inf:
        raise InputError(f"{what} must be a number of weeks of at least 0 (got {weeks!r})")
    return float(weeks) * WEEK_S


POOL_COLUMNS = ("log", *(f"{kind}_{what}" for kind in KINDS[:3] for what in ("users", "jobs")))


def pool_table(
    workloads: Sequence[Workload], *, long_term_weeks: float = LONG_TERM_WEEKS, edge_weeks: float | str = "text"
) -> pl.DataFrame:
    """Return the counts of users and jobs per pool, one row per log, as in Table V of Zakay and Feitelson 2014.

    `edge_weeks="table_v"` gives the published counts of temporary users.
    """
    import polars as pl

    rows = []
    for workload in workloads:
        pools = user_pools(workload, long_term_weeks=long_term_weeks, edge_weeks=edge_weeks)
        counts = [number for kind in KINDS[:3] for number in (pools.count(kind), pools.jobs(kind))]
        rows.append((workload.name, *counts))
    return pl.DataFrame(rows, schema=list(POOL_COLUMNS), orient="row")
