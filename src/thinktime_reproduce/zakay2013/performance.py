"""What zakay2013 says of simulations: Figs. 8, 9, 12, and 13 to 16. The paper prints no numbers there but in its words,
which are bounds here.

A log's own result is "around" its resamples if it lies within 95 % of them, and "at the end" if 95 % are on one side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from thinktime.bootstrapping import Bootstrap, LoadSweep
from thinktime.support.time_units import WEEK_S
from thinktime.workload import Workload
from thinktime_reproduce.claim import ABOVE, AT_MOST, BELOW, EQUAL, OWN, TEXT, Claim, Ours, Tolerance
from thinktime_reproduce.reproduction import Findings
from thinktime_reproduce.zakay2013 import rules
from thinktime_reproduce.zakay2013.kept import (
    CLOSED,
    FLURRIES,
    RARE_RUNS,
    WITH_FLURRIES,
    bootstrap_of,
    rare_behaviours,
    sweep_of,
)
from thinktime_reproduce.zakay2013.runs import ALSO_SWEPT
from thinktime_reproduce.zakay2013.values import (
    BLUE,
    CTC,
    CURIE,
    DS,
    EXTREME,
    FLURRY_USERS,
    HPC2N,
    LANL_RAW,
    MEDIAN_JOBS,
    MEDIAN_UTILISATION,
    ONE_SIDE,
    PAR_RAW,
    SATURATES,
    SHOWN_OFTEN,
    SIMULATED,
    SIMULATED_OFTEN,
    SP2_RAW,
    SWEPT,
)

#: measure → its figure and words
JUDGED = {
    "jobs": ("Fig. 8", "jobs"),
    "utilisation": ("Fig. 8", "utilisation"),
    "bounded_slowdown_mean": ("Fig. 9", "mean slowdown"),
    "wait_mean_s": ("Fig. 9", "mean wait"),
}
AROUND, NEARLY_ALL, MOST = "0.975", "0.95", "0.50"
#: Where the paper shows a log's own result: around its resamples, below or above (nearly) all of them
SHOWN_AROUND = {"bounded_slowdown_mean": (BLUE, CTC), "wait_mean_s": (DS, CTC), "utilisation": (CTC,)}
SHOWN_BELOW = {"bounded_slowdown_mean": ((HPC2N, NEARLY_ALL),), "wait_mean_s": ((BLUE, MOST), (HPC2N, MOST))}
SHOWN_ABOVE = {"bounded_slowdown_mean": ((DS, NEARLY_ALL),), "utilisation": ((CURIE, MOST),)}

#: Own finding: resamples of reacting users wait like the log, within this factor of it
CLOSED_APART = Tolerance("an aim of ours, not the paper's", relative=0.25)
WEEKS = (rules.ANY_WEEK,)
CHOSEN = (rules.ANY_WEEK, rules.NO_EXTRA)

Of = Callable[[Bootstrap], float]


def claims() -> Iterator[Claim]:
    yield from _throughput()
    yield from _claims_of_shown_resamples()
    yield from _everywhere()
    yield from _closed_loop()
    yield from _loads()
    yield from _saturation()
    yield from _flurries()
    yield from _dosed()
    yield from _worse()


# --- Figs. 8 and 9: resamples beside the log ----------------------------------------------------------------------


def _ours_of_bootstrap(label: str, take: Of) -> Ours:
    return lambda found: take(bootstrap_of(found, label))


def _below(measure: str) -> Of:
    return lambda found: found.of(measure).below


def _above(measure: str) -> Of:
    return lambda found: 1 - found.of(measure).below


def _one_side(measure: str) -> Of:
    """The larger share of the resamples on one side of the log's own value."""

    def of(found: Bootstrap) -> float:
        values = found.of(measure)
        return max(float(np.mean(values.drawn < values.original)), float(np.mean(values.drawn > values.original)))

    return of


def _median_off(measure: str) -> Of:
    def of(found: Bootstrap) -> float:
        values = found.of(measure)
        return abs(float(np.median(values.drawn)) / values.original - 1)

    return of


def _farthest(measure: str) -> Of:
    def of(found: Bootstrap) -> float:
        values = found.of(measure)
        return float(np.abs(values.drawn / values.original - 1).max())

    return of


def _throughput() -> Iterator[Claim]:
    """No log deviates more than BLUE in throughput, or than CEA in utilisation."""
    for label in SIMULATED:
        ours, quantity = _ours_of_bootstrap(label, _one_side("jobs")), "jobs: share of resamples on one side"
        yield Claim("Fig. 8", label, quantity, ONE_SIDE, label, ours, AT_MOST, rules=WEEKS, tried=rules.left_out(label))
        for measure, kind, bound in (("jobs", AT_MOST, MEDIAN_JOBS), ("utilisation", BELOW, MEDIAN_UTILISATION)):
            ours, quantity = (
                _ours_of_bootstrap(label, _median_off(measure)),
                f"{measure}: median off the log's, relative",
            )
            yield Claim("Fig. 8", label, quantity, bound, label, ours, kind, rules=WEEKS, tried=_tried(measure, label))


def _claims_of_shown_resamples() -> Iterator[Claim]:
    for measure, (figure, words) in JUDGED.items():
        for label in SHOWN_AROUND.get(measure, ()):
            quantity, ours = f"{words}: share of resamples on one side", _ours_of_bootstrap(label, _one_side(measure))
            yield Claim(figure, label, quantity, AROUND, label, ours, BELOW, rules=CHOSEN, tried=_tried(measure, label))
        for label, share in SHOWN_BELOW.get(measure, ()):
            ours, quantity = _ours_of_bootstrap(label, _above(measure)), f"{words}: resamples above the log's"
            yield Claim(figure, label, quantity, share, label, ours, ABOVE, rules=CHOSEN, tried=_tried(measure, label))
        for label, share in SHOWN_ABOVE.get(measure, ()):
            ours, quantity = _ours_of_bootstrap(label, _below(measure)), f"{words}: resamples below the log's"
            yield Claim(figure, label, quantity, share, label, ours, ABOVE, rules=CHOSEN, tried=_tried(measure, label))


def _everywhere() -> Iterator[Claim]:
    """The log's result is never completely separated from the resamples; these are mostly within 10 to 20 %."""
    for label in SIMULATED:
        for measure, (figure, words) in JUDGED.items():
            tried = _tried(measure, label)
            if measure != "jobs" and label not in SHOWN_AROUND.get(measure, ()):  # these have a lower bound already
                quantity, ours = (
                    f"{words}: share of resamples on one side",
                    _ours_of_bootstrap(label, _one_side(measure)),
                )
                yield Claim(figure, label, quantity, "1.000", label, ours, BELOW, rules=CHOSEN, tried=tried)
            quantity, ours = (
                f"{words}: most extreme difference, relative",
                _ours_of_bootstrap(label, _farthest(measure)),
            )
            yield Claim(figure, label, quantity, EXTREME, label, ours, BELOW, rules=CHOSEN, tried=tried)


def _tried(measure: str, label: str) -> rules.Tried:
    if measure == "jobs":
        return rules.left_out(label)
    return rules.open_loop(label) if JUDGED[measure][0] == "Fig. 9" else rules.beyond(label, measure)


def _closed_loop() -> Iterator[Claim]:
    """Users of a real machine hold back while it is full, which resampling user by user removes."""
    for label in SIMULATED:
        quantity = "mean wait, median of resamples / log, users wait for their jobs"
        yield Claim("Fig. 9", label, quantity, "1.00", label, _wait_ratio(label), EQUAL, OWN, CLOSED_APART, CHOSEN,
                    rules.open_loop(label), source="own finding")  # fmt: skip


def _wait_ratio(label: str) -> Ours:
    def ours(found: Findings) -> float | None:
        values = found.kept[CLOSED, label].of("wait_mean_s")
        return float(np.median(values.drawn)) / values.original if values.original > 0 else None

    return ours


# --- Fig. 12: load ------------------------------------------------------------------------------------------------


def _loads() -> Iterator[Claim]:
    """At higher loads fewer runs are stable, and these are slower."""
    for label in (*SWEPT, *ALSO_SWEPT):
        for quantity, kind, bound, take in (
            ("share of stable runs, lightest minus heaviest load", ABOVE, "0.00", _fewer_stable),
            ("mean slowdown, heaviest load with stable runs / lightest", ABOVE, "1.00", _slower),
        ):
            ours = lambda found, label=label, take=take: take(sweep_of(found, label))  # noqa: E731
            yield Claim("Fig. 12", label, quantity, bound, label, ours, kind)


def _fewer_stable(found: LoadSweep) -> float:
    shares = found.summary()["unsaturated"].to_list()
    return float(shares[0] - shares[-1])


def _slower(found: LoadSweep) -> float:
    known = [value for value in found.summary()["bounded_slowdown_mean"].to_list() if not np.isnan(value)]
    return float(known[-1] / known[0]) if len(known) > 1 else float("nan")


def _fullest(found: LoadSweep) -> float:
    return float(np.max(found.columns["utilisation"][found.rows("EASY", stable=True)], initial=0.0))


def _saturation() -> Iterator[Claim]:
    """DS saturates at less than 90 %, BLUE and OSC close to 100 %."""
    for label, (low, high) in SATURATES.items():
        ours = lambda found, label=label: _fullest(sweep_of(found, label))  # noqa: E731
        quantity, kind = "utilisation at which it saturates", ABOVE if low else BELOW
        yield Claim("Fig. 12", label, quantity, low or high, label, ours, kind, tried=rules.by_load(label))


# --- Figs. 13 to 16: flurries -------------------------------------------------------------------------------------


def _flurries() -> Iterator[Claim]:
    """These users have flurries; in SDSC-Par all their late activity is one."""
    for label, users in FLURRY_USERS.items():
        ours = lambda found, label=label: float(  # noqa: E731
            len({each.behaviour.user for each in found.kept[FLURRIES, label]} & set(FLURRY_USERS[label]))
        )
        why = "the paper takes all late activity of two users, with or without a flurry" if label == PAR_RAW else ""
        named = f"of users {', '.join(map(str, users))}, found"
        yield Claim("Fig. 13", label, named, str(len(users)), label, ours, EQUAL, TEXT, tried=why)


def _dosed() -> Iterator[Claim]:
    """More flurries, higher peaks."""
    often, none = SHOWN_OFTEN[-1], SHOWN_OFTEN[0]
    for figure, label, words, take in (
        ("Fig. 14", SP2_RAW, "jobs in the busiest week", _busiest_week),
        ("Fig. 15", LANL_RAW, "jobs of the busiest user", _busiest_user),
    ):
        ours = lambda found, label=label, take=take: (  # noqa: E731
            _mean_with_flurries(found, label, often, take) / _mean_with_flurries(found, label, none, take)
        )
        yield Claim(figure, label, f"{words}, a flurry in 4 weeks / none", "1.0", label, ours, ABOVE)


def _mean_with_flurries(findings: Findings, label: str, often: float, take: Callable[[Workload], float]) -> float:
    if not rare_behaviours(findings, label):
        return float("nan")
    return float(np.mean([take(each) for each in findings.kept[WITH_FLURRIES, label][often]]))


def _busiest_week(workload: Workload) -> float:
    return float(np.bincount(np.floor(workload["submit_s"] / WEEK_S).astype(np.int64)).max())


def _busiest_user(workload: Workload) -> float:
    return float(np.unique(workload["user"], return_counts=True)[1].max())


def _worse() -> Iterator[Claim]:
    """With more flurries there are slightly fewer other jobs, and these wait longer."""
    for measure, words, kind in (
        ("jobs_counted", "other jobs", BELOW),
        ("utilisation", "utilisation", BELOW),
        ("bounded_slowdown_mean", "mean slowdown of other jobs", ABOVE),
        ("wait_mean_s", "mean wait of other jobs", ABOVE),
    ):
        quantity = f"{words}, a flurry in 2 weeks / none"
        yield Claim("Fig. 16", LANL_RAW, quantity, "1.00", LANL_RAW, _flurried(measure), kind)


def _flurried(measure: str) -> Ours:
    def ours(findings: Findings) -> float | None:
        runs = findings.kept.get((RARE_RUNS, LANL_RAW))
        if runs is None:
            return None
        often, none = (float(np.mean(runs[each].of(measure).drawn)) for each in (SIMULATED_OFTEN[-1], 0.0))
        return often / none

    return ours
