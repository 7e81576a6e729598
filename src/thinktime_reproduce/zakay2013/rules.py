"""Readings of zakay2013 that were chosen because they fit, with the logs they were chosen on; tolerances; and the
reasons for misses, computed from the rows and logs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from thinktime.description import hurst
from thinktime.description.distances import shares_of
from thinktime.resampling import user_pools
from thinktime.traces.find import log_name
from thinktime_reproduce.claim import Rule, Tolerance
from thinktime_reproduce.reproduction import Findings
from thinktime_reproduce.zakay2013.kept import (
    CLOSED,
    bootstrap_of,
    description_of,
    estimated_of,
    log_of,
    spread_of,
    sweep_of,
)
from thinktime_reproduce.zakay2013.values import (
    BLUE,
    CTC,
    CURIE,
    DS,
    EXTREME,
    HPC2N,
    KTH,
    LANL,
    LOGS,
    SLOPES,
    SP2,
    TABLE_2,
    TABLE_3,
    TABLE_7,
)

Tried = Callable[[Findings], str]

# --- chosen readings ----------------------------------------------------------------------------------------------

ELIGIBLE = Rule(
    "users with six sessions or more, one of them with two jobs, count", (LANL, CTC, KTH, SP2, BLUE, HPC2N, DS, CURIE)
)
IDENTICAL = Rule("similarity is the share of identical pairs", (KTH, CTC, HPC2N, CURIE))
POOLED = Rule("similarity is the mean over all pairs of jobs", (KTH, CTC))
HAVING_ESTIMATES = Rule("jobs without an estimate are left out", (LANL,))
ALL_ESTIMATED = (KTH, HPC2N, DS, CURIE)  # logs on which this rule changes nothing
#: LANL was known to be exact at 8.5 weeks before 60 days were tried.
EDGES = Rule("temporary users are left out within 60 days of the ends, not 4 weeks", (KTH, CTC, HPC2N, CURIE, LANL))
TERMINATION = Rule("activity ends with the last termination", (CTC, CURIE))
STACK = Rule("a found entry moves to the top unchanged; times match within 5 % of it", (KTH, CTC, SP2))
ANY_WEEK = Rule("long-term users begin at a random week of the log, not of their activity", (KTH, CTC, HPC2N, CURIE))
COUNTS = Rule(
    "arrivals are counted in 4 hours, in blocks of 10 and more", (KTH, CTC, SP2, LANL, HPC2N, BLUE, DS, CURIE)
)
NO_EXTRA = Rule(
    "EASY does not test extra processors, as the waits of the authors' next paper fit", (BLUE, HPC2N, SP2, KTH, CURIE)
)


def with_estimates(label: str) -> tuple[Rule, ...]:
    return () if label in ALL_ESTIMATED else (HAVING_ESTIMATES,)


# --- tolerances ---------------------------------------------------------------------------------------------------

NEAREST = Tolerance(
    "which statistic Table IV has is not known, and the mean over pairs, the nearest, is as far off on KTH and CTC",
    absolute=0.03,
)
#: Table V: users are counted exactly
JOBS_APART = Tolerance("later versions of a log lack up to 20 jobs, and a user may change class", relative=0.001)
DEPTH_APART = Tolerance("later versions of a log lack up to 20 jobs", relative=0.005)
HURST_APART = Tolerance(
    "unit of time and smallest block are not printed; readings that were tried differ by this", absolute=0.06
)
CONCENTRATION_APART = Tolerance(
    "the figure has no numbers; our reading of `as concentrated, or a little less`", absolute=0.05
)
LOAD_APART = Tolerance("the load depends on the users that are drawn", relative=0.1)


def deviations(sd: str) -> Tolerance:
    return Tolerance("two standard deviations of resamples, as printed", absolute=2 * float(sd))


# --- what is said of a miss ---------------------------------------------------------------------------------------


def other_version(label: str) -> Tried:
    """Which version was read, if it is not the paper's; else nothing."""

    def tried(found: Findings) -> str:
        read, own = log_name(found.logs[label].name), log_name(LOGS[label][0])
        return "" if read.lower() == own.lower() else f"read from {read}, the paper had {own}; no other is there"

    return tried


NO_ESTIMATES = "no user has six sessions of jobs with estimates"


def not_processors(label: str) -> Tried:
    """Table II: a user who always asks for one number is equally similar at every distance."""

    def tried(found: Findings) -> str:
        similar = estimated_of(found, label).similarity.get("processors")
        if similar is None:
            return NO_ESTIMATES
        constant, equal = float(np.mean(similar.anywhere == 1.0)), TABLE_2[label][1]
        if constant <= float(equal):
            return ""
        return (
            f"{constant:.4f} of the users always have one number of processors and are equally similar at"
            f" every distance, but only {equal} are printed as equal: the table cannot be of processors, as captioned"
        )

    return tried


def other_users(label: str) -> Tried:
    """Table III: whether the printed shares are possible with as many users as count here."""

    def tried(found: Findings) -> str:
        similar = estimated_of(found, label).similarity.get("estimate")
        if similar is None:
            return NO_ESTIMATES
        row, users = TABLE_3[label], len(similar.users)
        impossible = [text for text in row if not _is_share(text, users)]
        same = sum(
            _same_as_printed(text, ours) for text, ours in zip(row, shares_of(similar, "identical"), strict=True)
        )
        words = f"{same} of 6 shares of identical pairs are the printed ones, of {users} users"
        if impossible:
            words += f"; no number of {users} users gives {', '.join(dict.fromkeys(impossible))}"
        filters = "; none of the named filters of jobs gives all six" if label == CURIE else ""
        return "; ".join(filter(None, (words + filters, other_version(label)(found))))

    return tried


def _same_as_printed(text: str, value: float) -> bool:
    return f"{value:.{len(text.partition('.')[2])}f}" == text


def _is_share(text: str, users: int) -> bool:
    """Whether some number of so many users is printed so, rounded or cut off."""
    digits, value = len(text.partition(".")[2]), float(text)
    near = np.arange(int(value * users), int(value * users) + 2) / users
    return bool((np.abs(near - value) < 10.0**-digits).any())


UNKNOWN = (
    "tried on KTH-SP2: mean, median and share of identical pairs, pooled and by session; shares of pairs within any"
    " tolerance, in equal bins and in bins of logarithms; also of work and waits: none gives all six values"
)


def other_blocks(label: str) -> Tried:
    def tried(found: Findings) -> str:
        hourly = hurst(log_of(found, label)["submit_s"], unit_s=3600.0, least=50).h
        return f"hourly counts in blocks of 50 and more give {hourly:.3f}"

    return tried


def printed_spread(label: str) -> Tried:
    """How far the bounds are from the printed mean, in printed deviations."""

    def tried(found: Findings) -> str:
        _, mean, sd = TABLE_7[label]
        away = [abs(float(mean) - float(bound)) / float(sd) for bound in SLOPES]
        return f"a bound is {min(away):.1f} printed deviations from the printed mean, {mean} ± {sd}"

    return tried


def whole_log(label: str) -> Tried:
    """A long-term user who passes the end of the log goes on at its beginning."""

    def tried(found: Findings) -> str:
        log, resamples = description_of(found, label), spread_of(found, label)
        own, *others = (_active_throughout(each.marginals["activity_span"]) for each in (log, *resamples))
        return (
            f"{own:.1%} of the log's users are active for 90 % of it or more, {np.mean(others):.1%} of its"
            " resamples': long-term users who pass the end of the log go on at its beginning"
        )

    return tried


def _active_throughout(span_s: np.ndarray) -> float:
    return float(np.mean(span_s >= 0.9 * span_s.max()))


def left_out(label: str) -> Tried:
    def tried(found: Findings) -> str:
        log = log_of(found, label)
        jobs = user_pools(log).jobs("discarded")
        share = jobs / max(len(log), 1)
        return f"{jobs:,} jobs ({share:.1%}) of temporary users near the ends are left out and not made up for"

    return tried


def beyond(label: str, measure: str) -> Tried:
    """How many resamples are as extreme as the paper's bound."""

    def tried(found: Findings) -> str:
        values = bootstrap_of(found, label).of(measure)
        off = np.abs(values.drawn / values.original - 1)
        return f"{int((off >= float(EXTREME)).sum()):,} of {len(off):,} resamples differ by {EXTREME} or more"

    return tried


def by_load(label: str) -> Tried:
    """Fig. 12: what is stable, and how full it is, at each load."""

    def tried(found: Findings) -> str:
        rows = sweep_of(found, label).summary().iter_rows(named=True)
        stable = [row for row in rows if row["unsaturated"] > 0]
        told = (f"{row['load']:g}: {row['unsaturated']:.0%}, {row['utilisation']:.2f}" for row in stable)
        return f"load: share of stable runs, their mean utilisation: {'; '.join(told)}"

    return tried


def open_loop(label: str) -> Tried:
    """Fig. 9: users of a real machine hold back while it is full; resampled one by one they do not."""

    def tried(found: Findings) -> str:
        rigid = _hours(bootstrap_of(found, label))
        closed = found.kept.get((CLOSED, label))
        words = f"mean wait, log → median of resamples: {rigid}"
        if closed is not None:
            words += f"; if users wait for their jobs (session replay): {_hours(closed)}"
        return f"{words}; see docs/guides/bootstrap.md#resamples-wait-longer-than-their-log"

    return tried


def _hours(found: object) -> str:
    values = found.of("wait_mean_s")  # type: ignore[attr-defined]
    return f"{values.original / 3600:.2f} → {np.median(values.drawn) / 3600:.2f} h"
