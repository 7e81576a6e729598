"""The figures of zakay2013, in a folder for each log; which the paper draws of which log is in `values`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from thinktime import plots
from thinktime.description import Description, describe
from thinktime.workload import Workload
from thinktime_reproduce.reproduction import Findings, Verdict
from thinktime_reproduce.zakay2013.kept import (
    BOOTSTRAP,
    BUSIER_LOGS,
    DESCRIBED,
    ESTIMATED,
    FLURRIES,
    LOG,
    LONGER_PARTS,
    RARE_RUNS,
    SPREAD,
    SWEEP,
    WITH_FLURRIES,
)
from thinktime_reproduce.zakay2013.values import FLURRY_USERS

MARKED = 11  # users, in Fig. 14
DOSED = ("jobs_counted", "utilisation", "bounded_slowdown_mean", "wait_mean_s")  # Fig. 16


def draw(findings: Findings, verdicts: Sequence[Verdict], directory: Path, formats: Sequence[str]) -> list[Path]:
    """One after the other, so that no more than one is in memory."""
    return [
        path
        for label in findings.logs
        for name, figure in figures(findings, label)
        for path in plots.save(figure, directory / label / name, formats)
    ]


def figures(findings: Findings, label: str) -> Iterator[tuple[str, Any]]:
    """Of one log, with their names."""
    if label in FLURRY_USERS:
        yield from _flurries(findings, label)
        return
    kept = {what: found for (what, of), found in findings.kept.items() if of == label}
    log = kept[DESCRIBED]
    similar = kept[ESTIMATED] if ESTIMATED in kept and kept[ESTIMATED].similarity else log
    yield "fig01_similarity", plots.similarity_by_distance(similar)
    if similar.permutation:
        yield "fig02_shuffled_sessions", plots.shuffled_sessions(similar)
    if SPREAD in kept:
        yield from _resamples(log, kept[SPREAD])
    if BOOTSTRAP in kept:
        yield "fig08_09_resamples", plots.resample_histograms(kept[BOOTSTRAP])
    if LONGER_PARTS in kept:
        yield "fig10_longer", plots.user_marginals(log, kept[LONGER_PARTS])
    if BUSIER_LOGS in kept:
        yield "fig11_busier", plots.user_marginals(log, (), kept[BUSIER_LOGS], normalized=True)
    if SWEEP in kept:
        yield "fig12_load", plots.load_sweep(kept[SWEEP], ["bounded_slowdown_mean", "response_mean_s"])


def _resamples(log: Description, spread: Sequence[Description]) -> Iterator[tuple[str, Any]]:
    named = [replace(each, name=f"resample {k}") for k, each in enumerate(spread, start=1)]
    yield "fig04_marginals", plots.user_marginals(log, (), named)
    yield "fig05_concentration", plots.daily_concentrations(log, (), named)
    yield "fig06_pox_plots", plots.pox_plots(log, (), named)
    yield "fig07_pox_lines", plots.pox_lines(log, (), named)


def _flurries(findings: Findings, label: str) -> Iterator[tuple[str, Any]]:
    log = findings.kept[LOG, label]
    found = {each.behaviour.user for each in findings.kept[FLURRIES, label]}
    marked = found & set(FLURRY_USERS[label]) or found
    yield "fig13_flurries", plots.weekly_jobs({log.name: log}, users=sorted(marked))
    if (WITH_FLURRIES, label) not in findings.kept:
        return
    made = findings.kept[WITH_FLURRIES, label]
    first = {_often(often): logs[0] for often, logs in made.items()}
    yield "fig14_flurries_added", plots.weekly_jobs(first, most=MARKED)
    yield (
        "fig15_flurries_described",
        plots.user_marginals(_plainly(log), list(_descriptions_of_made_logs(made)), normalized=True),
    )
    runs = {_often(often): run for often, run in findings.kept[RARE_RUNS, label].items()}
    yield "fig16_flurries_simulated", plots.measures_by_dose(runs, DOSED)


def _descriptions_of_made_logs(made: dict[float, list[Workload]]) -> Iterator[Description]:
    for often, logs in made.items():
        yield from (replace(_plainly(each), name=_often(often)) for each in logs)


def _plainly(workload: Workload) -> Description:
    return describe(workload, medians=False)


def _often(often: float) -> str:
    return f"a flurry in {1 / often:g} weeks" if often else "no flurries"
