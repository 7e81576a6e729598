"""Eleliemy, Mohammed, Ciorba 2017: two levels of scheduling. Three schedulers × four techniques × five variations.

The paper shows bars without numbers and describes them in words; the words are bounds here. Task
lengths are drawn at random, so means of ten seeds are judged, and where that is stricter every seed. The paper's jobs
are not known (`measured`), so its seconds cannot come out, and are printed as missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from thinktime_reproduce.claim import ABOVE, BELOW, COST, EQUAL, OWN, TEXT, Claim, Ours, Tolerance
from thinktime_reproduce.eleliemy2017.figures import draw
from thinktime_reproduce.eleliemy2017.measured import PAPER_JOBS, PAPER_TIME_S, measure
from thinktime_reproduce.eleliemy2017.runs import (
    CURIE,
    LOGS,
    MOST,
    SCHEDULERS,
    SEEDS,
    TECHNIQUES,
    VARIATIONS,
    VARIED,
    combinations,
    ratios,
    study,
    time_s,
    times,
)
from thinktime_reproduce.reproduction import Findings, Reproduction

PAPER_WALL_S = 261
OUR_WALL_S = 1  # what this package set out to reach
MOST_JOBS = 16_000
APART = 3.0  # standard deviations between seeds that are significant
ABOUT = Tolerance("the paper says about 1,700", relative=0.03)
DRAWS = Tolerance("the mean of ten draws of task lengths is uncertain by about this", relative=0.01)
STRAIGHT = 0.95  # R² of a straight line
WORST = ("FCFS", "STATIC")

Tried = str | Callable[[Findings], str]


def _bound(table: str, row: str, quantity: str, kind: str, bound: float, ours: Ours, why: Tried = "", digits: int = 2,
           source: str = "paper", evidence: str = "") -> Claim:  # fmt: skip
    return Claim(table, row, quantity, f"{bound:.{digits}f}", CURIE, ours, kind, evidence, tried=why, source=source)


# --- Figure 3: the parallel execution time ------------------------------------------------------------------


def _growing() -> Iterator[Claim]:
    """More variation, more time, whatever the combination."""
    quantity = "T_par, least growth, %"
    for scheduler, technique in combinations():
        ours = _least_growth(scheduler, technique)
        yield _bound("Fig. 3", f"{scheduler}-{technique}", quantity, ABOVE, 0.0, ours)
    row = f"all combinations, each of {SEEDS} seeds"
    yield _bound("Fig. 3", row, quantity, ABOVE, 0.0, _least_growth_of_all, _falling)


def _least_growth(scheduler: str, technique: str) -> Ours:
    def ours(found: Findings) -> float:
        mean_s = [time_s(found, scheduler, technique, variation) for variation in VARIATIONS]
        return min(100.0 * (later / earlier - 1.0) for earlier, later in pairwise(mean_s))

    return ours


def _least_growth_of_all(found: Findings) -> float:
    """The same for each seed on its own."""
    return min(
        float(np.min(100.0 * (times(found, *each, later) / times(found, *each, earlier) - 1.0)))
        for each in combinations()
        for earlier, later in pairwise(VARIATIONS)
    )


def _falling(found: Findings) -> str:
    """Which steps do not grow, and with how many seeds."""
    told = []
    for each in combinations():
        for earlier, later in pairwise(VARIATIONS):
            growth = times(found, *each, later) / times(found, *each, earlier) - 1.0
            if (growth <= 0).any():
                fell, mean, sd = int((growth <= 0).sum()), growth.mean(), growth.std(ddof=1)
                step = f"{'-'.join(each)} from {earlier:g} to {later:g}"
                told.append(f"{step}: falls with {fell} of {len(growth)} seeds, mean {mean:+.1%}, deviation {sd:.1%}")
    return "; ".join(told)


def _worst() -> Iterator[Claim]:
    """FCFS-STATIC performs least."""
    name = "-".join(WORST)
    for variation in VARIED:
        row = f"{name} / slowest other, variation {variation:g}"
        yield _bound("Fig. 3", row, "T_par, ratio", ABOVE, 1.0, _against_others(variation))
    row = f"{name} / slowest other, each of {SEEDS} seeds"
    yield _bound("Fig. 3", row, "T_par, least ratio", ABOVE, 1.0, _against_others_by_seed)


def _against_others(variation: float) -> Ours:
    def ours(found: Findings) -> float:
        others = [time_s(found, *each, variation) for each in combinations() if each != WORST]
        return time_s(found, *WORST, variation) / max(others)

    return ours


def _against_others_by_seed(found: Findings) -> float:
    def least(variation: float) -> float:
        others = np.max([times(found, *each, variation) for each in combinations() if each != WORST], axis=0)
        return float(np.min(times(found, *WORST, variation) / others))

    return min(least(variation) for variation in VARIED)


def _ideal() -> Iterator[Claim]:
    """With equal tasks the technique does not matter."""
    for scheduler in SCHEDULERS:
        row, quantity = f"{scheduler}, all techniques, variation 0", "T_par, apart, s"
        yield Claim("Fig. 3", row, quantity, "0.000", CURIE, _range_over_techniques(scheduler), EQUAL, TEXT)


def _range_over_techniques(scheduler: str) -> Ours:
    return lambda found: float(np.ptp([time_s(found, scheduler, technique, 0.0) for technique in TECHNIQUES]))


# --- Figure 4: against the ideal time -----------------------------------------------------------------------


def _differing() -> Iterator[Claim]:
    """Combinations differ in how they absorb variation; what is done inside jobs matters to the batch."""
    for variation in VARIED:
        row, quantity = f"most - least sensitive, variation {variation:g}", "spread, deviations"
        yield _bound("Fig. 4", row, quantity, ABOVE, APART, _sensitivities_apart(variation), digits=0)
    for scheduler in SCHEDULERS:
        row, quantity = f"{scheduler}, slowest - fastest technique, variation {MOST:g}", "T_par, deviations"
        yield _bound("Fig. 4", row, quantity, ABOVE, APART, _techniques_apart(scheduler), digits=0)


def _sensitivities_apart(variation: float) -> Ours:
    def ours(found: Findings) -> float | None:
        return _deviations_apart([ratios(found, *each, variation) for each in combinations()])

    return ours


def _techniques_apart(scheduler: str) -> Ours:
    return lambda found: _deviations_apart([times(found, scheduler, technique, MOST) for technique in TECHNIQUES])


def _deviations_apart(samples: Sequence[np.ndarray]) -> float | None:
    """How many standard deviations between seeds the largest mean is from the smallest."""
    ordered = sorted(samples, key=np.mean)
    least, most = ordered[0], ordered[-1]
    deviation = max(float(least.std(ddof=1)), float(most.std(ddof=1)))
    return float(most.mean() - least.mean()) / deviation if deviation > 0 else None


# --- Figures 5 and 6, what is printed -----------------------------------------------------------------------


def _printed() -> Iterator[Claim]:
    yield Claim(
        "Fig. 5",
        "most intensive 24 h",
        "jobs",
        f"{PAPER_JOBS:,}",
        CURIE,
        _jobs_of_curie,
        tolerance=ABOUT,
        tried=_nearest_readings,
    )
    row, printed = "FCFS-GSS, nearest variation", f"{PAPER_TIME_S:,}"
    yield Claim("Fig. 5", row, "T_par, s", printed, CURIE, _nearest, tolerance=DRAWS, tried=_nearest_readings)
    row = f"FCFS-STATIC, {MOST_JOBS:,} jobs"
    yield _bound("Fig. 6", row, "wall clock, s", BELOW, PAPER_WALL_S, _wall_s, digits=0, evidence=COST)
    yield _bound("Fig. 6", row, "wall clock, s", BELOW, OUR_WALL_S, _wall_s, digits=0, source="own aim", evidence=OWN)
    yield _bound("Fig. 6", "linear in jobs", "R²", ABOVE, STRAIGHT, _straight("jobs"), _by_tasks)
    yield _bound("Fig. 6", "linear in tasks", "R²", ABOVE, STRAIGHT, _straight("tasks"), source="own aim", evidence=OWN)


def _nearest_readings(found: Findings) -> str:
    """Other readings of `the most intensive 24 hours`, and the nearest in jobs and in time."""
    tried = found.measured.get("readings", ())
    if not tried:
        return ""
    jobs = min(tried, key=lambda each: abs(each["jobs"] - PAPER_JOBS))
    alike = min(tried, key=_off_s)
    return (
        f"{len(tried)} readings were tried, with work as cores × run time and as run time (verdicts.json, measured)."
        f" Nearest in jobs: {jobs['reading']}, {jobs['jobs']:,} jobs, T_par {jobs['t_par_s']:,.0f} s or"
        f" {jobs['t_par_alone_s']:,.0f} s; nearest in time: {alike['reading']}, {alike['jobs']:,} jobs,"
        f" {min(alike['t_par_s'], alike['t_par_alone_s'], key=lambda each: abs(each - PAPER_TIME_S)):,.0f} s"
    )


def _off_s(reading: Mapping[str, float]) -> float:
    return min(abs(reading[key] - PAPER_TIME_S) for key in ("t_par_s", "t_par_alone_s"))


def _by_tasks(found: Findings) -> str:
    wall, r2 = found.measured.get("wall", ()), _straight("tasks")(found)
    if not wall or r2 is None:
        return ""
    tasks = [each["tasks"] / each["jobs"] for each in (wall[0], wall[-1])]
    return f"a line over tasks has R² {r2:.3f}; tasks per job grow from {tasks[0]:.0f} to {tasks[1]:.0f} with the jobs"


def _jobs_of_curie(found: Findings) -> float | None:
    return found.value(CURIE, "jobs", scheduler="FCFS", applications="STATIC 0")


def _nearest(found: Findings) -> float:
    every = [time_s(found, "FCFS", "GSS", variation) for variation in VARIATIONS]
    return min(every, key=lambda each: abs(each - PAPER_TIME_S))


def _wall_s(found: Findings) -> float | None:
    taken = {each["jobs"]: each["wall_s"] for each in found.measured.get("wall", ())}
    return taken.get(MOST_JOBS)


def _straight(size: str) -> Ours:
    """R² of a straight line through the CPU times; other programs change the wall clock."""

    def ours(found: Findings) -> float | None:
        wall = found.measured.get("wall", ())
        if len(wall) < 3:
            return None
        return float(np.corrcoef([each[size] for each in wall], [each["cpu_s"] for each in wall])[0, 1] ** 2)

    return ours


ELELIEMY2017 = Reproduction(
    name="eleliemy2017",
    paper="A. Eleliemy, A. Mohammed, F. M. Ciorba. Exploring the Relation Between Two Levels of Scheduling Using a"
    " Novel Simulation Approach. ISPDC, 2017",
    logs=LOGS,
    study=study,
    claims=[claim for part in (_growing, _worst, _ideal, _differing, _printed) for claim in part()],
    notes=(
        "jobs: the 24 hours of the log with most arrivals, read as Alea reads it; larger jobs are clipped to 256 cores",
        "deadlines are submit + estimate; all schedulers stop at the first job that does not fit",
        "a job's work is its cores × its run time; tasks, about one a core, are drawn until they make it up; FAC: FAC2",
        f"T_par is from the first arrival to the last end; means of {SEEDS} seeds, figures with the range of seeds",
        "the paper prints no values of Figs. 3 and 4: what it says of them are bounds",
    ),
    draw=draw,
    needs={CURIE: f"needs {LOGS[CURIE]}"},
    measure=measure,
)
