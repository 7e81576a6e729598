"""Figures 14 to 17 and the words on them: submissions and work of generated jobs beside those of the log.

The paper calls the curves very similar and prints no number. Here *alike* is a number that can fail: at most 5 % of the
submissions are in another hour, weekday or month than the log's, the weekend share is within 2 points of the log's, and
the cumulated distributions of the work are at most 0.10 apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from thinktime import plots
from thinktime.errors import InputError
from thinktime.generate import DATA_SETS, AccaSim, published_data_sets
from thinktime.generate.accasim import performance_of
from thinktime.generate.accasim_arrivals import Arrivals, stretch_of
from thinktime.generate.accasim_profile import local_s, shares_of, submissions_of, work_of
from thinktime.platforms import Cluster
from thinktime.support.equality import ByContent
from thinktime.workload import read_swf
from thinktime_reproduce.claim import ABOVE, AT_MOST, OWN, Claim, Rule, Tolerance
from thinktime_reproduce.galleguillos2020.runs import CLUSTERS, HELD_OUT_LOGS, RICC, SETH
from thinktime_reproduce.galleguillos2020.values import ACCASIM_WEEKEND
from thinktime_reproduce.reproduction import Findings

ALIKE, WEEKEND, WORK = "0.050", "0.020", "0.100"
SUBMISSIONS = {SETH: "Fig. 14", RICC: "Fig. 15"}
GFLOP = {SETH: "Fig. 16", RICC: "Fig. 17"}
WORKING_HOURS = slice(8, 18)
DAY_S = 86_400
SEED = 1

WEEK = Rule("half-hours of a week instead of a day as weights (generator `accasim`, cycle=week)", (SETH,))
LOGARITHM = Rule("the law of the work is fitted to its logarithm (generator `accasim`, work=log)", (SETH,))
SPREAD = Tolerance("shares of single seeds differ by that much", absolute=0.02)

#: What was tried, with its distances
TRIED = {
    SETH: "submissions in other months with 50,000, 200,000 and 500,000 jobs: progress=quota 0.49, 0.12, 0.07;"
    " cycle=day 0.19, 0.07, 0.06; AccaSim's own generator 0.21 with 50,000 jobs",
    RICC: "200,000 jobs with three seeds: 0.05 to 0.06 in other hours, 0.03 to 0.05 on other weekdays; with cycle=day"
    " 0.05 to 0.07 and 0.07 to 0.12; AccaSim's own generator divides by zero in the first month that the log lacks",
}


@dataclass(frozen=True, eq=False, repr=False)
class Likeness(ByContent):
    """A generated data set and how far it is from its log."""

    shares: Mapping[str, np.ndarray]  # of the submissions, by hours, weekdays, months
    apart: Mapping[str, float]  # share of the submissions that are in another hour, weekday or month
    weekend: float  # generated minus the log's share
    years: float
    work: np.ndarray  # GFLOP
    work_apart: float  # greatest distance of the cumulated distributions


@dataclass(frozen=True, eq=False, repr=False)
class Beside(ByContent):
    """A log and what was generated from it."""

    shares: Mapping[str, np.ndarray]
    work: np.ndarray
    sets: Mapping[str, Likeness]


# --- what is generated ------------------------------------------------------------------------------------------


def beside(findings: Findings, label: str, share: float) -> Beside:
    """Generated once; raise InputError each time if the log is too short to learn from."""
    key = ("generated", label)
    if key not in findings.kept:
        try:
            findings.kept[key] = _generate(findings.logs[label], label, share)
        except InputError as error:
            findings.kept[key] = error
    found = findings.kept[key]
    if isinstance(found, InputError):
        raise found
    made: Beside = found
    return made


def _generate(path: Path, label: str, share: float) -> Beside:
    log, system = read_swf(path, filter="accasim"), Cluster.named(CLUSTERS[label])
    work = work_of(log, system, performance_of(AccaSim().performance))
    shares, work = shares_of(local_s(log, system)), np.sort(work[work > 0])
    made = published_data_sets(log, system, share=share)
    return Beside(shares, work, {name: _likeness(each, shares, work) for name, each in made.items()})


def _likeness(made: AccaSim, shares: Mapping[str, np.ndarray], work: np.ndarray) -> Likeness:
    first_s = made.learnt.profile.submissions.first_s // DAY_S * DAY_S
    time_s = first_s + np.concatenate([block["submit_s"] for block in made.blocks(seed=SEED)])
    gflop = np.sort(np.concatenate([block["gflop"] for block in made.requests(seed=SEED)]))
    found = shares_of(time_s)
    apart = {name: total_variation(found[name], shares[name]) for name in ("hours", "weekdays", "months")}
    years = float(time_s[-1] - time_s[0]) / DAY_S / 365.25
    return Likeness(found, apart, weekend(found) - weekend(shares), years, gflop, largest_gap(gflop, work))


def total_variation(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.abs(one - other).sum() / 2)


def weekend(shares: Mapping[str, np.ndarray]) -> float:
    """Share of the submissions on Saturday and Sunday."""
    return float(shares["weekdays"][5:].sum())


def largest_gap(one: np.ndarray, other: np.ndarray) -> float:
    """Between the cumulated distributions of two sorted samples."""
    places = np.concatenate([one, other])
    below = [np.searchsorted(each, places, side="right") / len(each) for each in (one, other)]
    return float(np.abs(below[0] - below[1]).max())


# --- claims -----------------------------------------------------------------------------------------------------


def claims(share: float) -> Iterator[Claim]:
    for label, table in SUBMISSIONS.items():
        for name in DATA_SETS:
            yield from _claims_of_alike_submissions(table, label, name, share)
        yield from _working(table, label, share)
    for label, table in GFLOP.items():
        for name in DATA_SETS:
            ours, row = _take_from_likeness(label, name, share, lambda of: of.work_apart), f"{label}, {name}"
            yield Claim(table, row, "work, distance from the log's", WORK, label, ours, AT_MOST, rules=(LOGARITHM,))
    yield from _as_published(share)
    for label in HELD_OUT_LOGS:
        yield _held_out(label)


def _take_from_likeness(
    label: str, name: str, share: float, take: Callable[[Likeness], float]
) -> Callable[[Findings], float]:
    return lambda findings: take(beside(findings, label, share).sets[name])


def _claims_of_alike_submissions(table: str, label: str, name: str, share: float) -> Iterator[Claim]:
    """Hours and weekdays are alike, months too unless the log has only some (RICC has five)."""
    row, tried = f"{label}, {name}", _lasts(label, name, share)
    for part in ("hours", "weekdays"):
        ours, quantity = _submissions_apart(label, name, share, part), f"submissions in other {part}"
        yield Claim(table, row, quantity, ALIKE, label, ours, AT_MOST, rules=(WEEK,), tried=tried)
    ours = _take_from_likeness(label, name, share, lambda of: abs(of.weekend))
    yield Claim(
        table, row, "weekend share, apart from the log's", WEEKEND, label, ours, AT_MOST, rules=(WEEK,), tried=tried
    )
    kind, ours = (AT_MOST if label == SETH else ABOVE), _submissions_apart(label, name, share, "months")
    yield Claim(table, row, "submissions in other months", ALIKE, label, ours, kind, tried=tried)


def _submissions_apart(label: str, name: str, share: float, part: str) -> Callable[[Findings], float]:
    return _take_from_likeness(label, name, share, lambda of: of.apart[part])


def _lasts(label: str, name: str, share: float) -> Callable[[Findings], str]:
    """What a miss prints."""

    def words(findings: Findings) -> str:
        years = beside(findings, label, share).sets[name].years
        return f"the jobs last {years:.2f} years and come in bursts. Tried: {TRIED[label]}"

    return words


def _working(table: str, label: str, share: float) -> Iterator[Claim]:
    """Submissions are mainly in working hours and on weekdays: more than their share of the time, in every data set."""
    for quantity, bound, part, taken in (
        ("submissions from 8 to 18 h, least", "0.417", "hours", WORKING_HOURS),
        ("submissions on weekdays, least", "0.714", "weekdays", slice(5)),
    ):
        yield Claim(table, f"{label}, all data sets", quantity, bound, label, _least(label, share, part, taken), ABOVE)


def _least(label: str, share: float, part: str, taken: slice) -> Callable[[Findings], float]:
    def ours(findings: Findings) -> float:
        return min(float(of.shares[part][taken].sum()) for of in beside(findings, label, share).sets.values())

    return ours


def _as_published(share: float) -> Iterator[Claim]:
    """AccaSim's own generator has too busy weekends, and so have we with its cycle and its quotas."""
    row, jobs = f"{SETH}, as released (cycle=day, progress=quota)", max(round(50_000 * share), 1)
    yield Claim("Fig. 14", row, "weekend share", ACCASIM_WEEKEND, SETH,
                lambda findings: _weekend_of(findings, SETH, jobs, cycle="day", progress="quota")[0],
                evidence=OWN, tolerance=SPREAD, source="AccaSim 1.1.3")  # fmt: skip


def _held_out(label: str) -> Claim:
    def ours(findings: Findings) -> float:
        found, wanted = _weekend_of(findings, label, None, cycle="week", progress="share")
        return abs(found - wanted)

    return Claim("Other logs", label, "weekend share, apart from the log's", WEEKEND, label, ours, AT_MOST, OWN,
                 rules=(WEEK,), source="aim", tried="one seed; cycle=day is 0.07 to 0.13 off")  # fmt: skip


def _weekend_of(findings: Findings, label: str, jobs: int | None, *, cycle: str, progress: str) -> tuple[float, float]:
    """Weekend share of generated submissions, by default as many as the log has, and the log's."""
    log = read_swf(findings.logs[label], filter="accasim")
    logged_s = local_s(log, Cluster.named(CLUSTERS[label])) if label in CLUSTERS else np.sort(log.local_s())
    submissions, jobs = submissions_of(logged_s), jobs or len(log)
    how: dict[str, Any] = {"cycle": cycle, "progress": progress, "stretch": stretch_of(submissions, progress, cycle)}
    time_s = Arrivals(submissions, SEED, jobs=jobs, **how).take(jobs) + submissions.first_s // DAY_S * DAY_S
    return weekend(shares_of(time_s)), float(submissions.weekdays[5:].sum())


# --- figures ----------------------------------------------------------------------------------------------------


def draw(findings: Findings, share: float, directory: Path, formats: Sequence[str]) -> list[Path]:
    """Figs. 14 to 17 of the logs that are there."""
    drawn = []
    for label in [label for label in SUBMISSIONS if label in findings.logs]:
        try:
            found = beside(findings, label, share)
        except InputError:
            continue  # its rows say why
        shares = {"original": found.shares, **{name: each.shares for name, each in found.sets.items()}}
        work = {"original": found.work, **{name: each.work for name, each in found.sets.items()}}
        names = [f"fig{figures[label].split()[-1]}" for figures in (SUBMISSIONS, GFLOP)]
        drawn += plots.save(plots.submission_shares(shares), directory / f"{names[0]}_submissions_{label}", formats)
        drawn += plots.save(plots.work_distribution(work), directory / f"{names[1]}_work_{label}", formats)
    return drawn
