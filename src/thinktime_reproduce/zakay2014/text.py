"""What the text and the figures of Zakay and Feitelson 2014 say, as numbers that can fail.

The paper describes its figures in words. Each row says which number stands for the words; where the words name no
number, the bound is ours and the row says so. All numbers are of the runs of the first seed, under EASY unless FIFO is
named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from thinktime.metrics import time_mean, week_s
from thinktime.result import Result
from thinktime.study.execute import simulated
from thinktime.study.sources import WORKLOADS
from thinktime.study.study import Task
from thinktime.workload import Workload
from thinktime_reproduce.claim import ABOVE, BELOW, Claim, Ours, Rule
from thinktime_reproduce.readings import over, tried
from thinktime_reproduce.reproduction import Findings
from thinktime_reproduce.zakay2014.readings import USED, cell, others
from thinktime_reproduce.zakay2014.values import (
    ADJUSTED,
    CONVENTIONAL,
    DISTRIBUTION,
    FLUID,
    LOGS,
    MODELS,
    TABLE_1,
)

HOUR_S, DAY_S = 3600.0, 86400.0
WORKING = (8.0, 18.0)  # hours of Monday to Friday
EVEN = 5 * (WORKING[1] - WORKING[0]) / 168  # their share of a week
MORNING, EVENING = (6.5, 8.5), (16.5, 18.5)  # when the hours of distribution-based users begin
QUEUED = (CONVENTIONAL, FLUID)  # the models of Fig. 10

Runs = tuple[Workload, dict[str, Result], dict[str, Result]]


def runs_of(findings: Findings, label: str, seed: int = 1) -> Runs:
    """The workload, and the runs of one seed: under EASY every model's, under FIFO those of Fig. 10."""
    easy = {model: _task(findings, label, model, USED["scheduler"]) for model in MODELS}
    fifo = {model: _task(findings, label, model, "fcfs") for model in QUEUED}
    workload = WORKLOADS.get(easy[CONVENTIONAL].spec["workload"], 1)
    return (
        workload,
        {model: simulated({**task.spec, "seed": seed}, workload) for model, task in easy.items()},
        {model: simulated({**task.spec, "seed": seed}, workload) for model, task in fifo.items()},
    )


def _task(findings: Findings, label: str, model: str, scheduler: str) -> Task:
    wanted = cell(label, model, scheduler).items()
    return next(task for task in findings.studies[label].tasks() if wanted <= task.cell.items())


# --- the numbers -----------------------------------------------------------------------------------------------


def numbers(findings: Findings, label: str, seed: int = 1) -> dict[str, float]:
    """Every number that a row names, found once for all rows of a log."""
    key = ("text", label, seed)
    if key not in findings.kept:
        workload, easy, fifo = runs_of(findings, label, seed)
        findings.kept[key] = {
            **_weekly_cycle(workload, easy),
            **_activity(easy),
            **_queue_ratios(easy, fifo),
            **_ended(easy),
        }
    found: dict[str, float] = findings.kept[key]
    return found


def _weekly_cycle(workload: Workload, easy: Mapping[str, Result]) -> dict[str, float]:
    """By the local clock: how much of the weekly cycle remains, and how sharp mornings and evenings are."""
    if workload.unix_start_s is None:
        return {}
    week = {model: week_s(workload, run.columns["submit_s"]) for model, run in easy.items()}  # from a Monday 00:00
    cycle = {model: _share_in_hours(times_s, WORKING, days=5) - EVEN for model, times_s in week.items()}
    drawn, recorded = week[DISTRIBUTION], week[CONVENTIONAL]
    return {
        "cycle, adjusted": over(cycle[ADJUSTED], cycle[CONVENTIONAL]),
        "cycle, fluid": over(cycle[FLUID], cycle[CONVENTIONAL]),
        "morning": over(_peak(drawn, MORNING), _peak(recorded, MORNING)),
        "evening": over(_peak(drawn, EVENING), _peak(recorded, EVENING)),
        "morning and evening": over(_share_in_hours(drawn, MORNING), _share_in_hours(drawn, EVENING)),
    }


def _peak(times_s: np.ndarray, slot: tuple[float, float]) -> float:
    """Submissions in these two hours against the mean of the two hours before and the two after."""
    around = [_share_in_hours(times_s, (slot[0] + shift, slot[1] + shift)) for shift in (-2, 2)]
    return over(_share_in_hours(times_s, slot), sum(around) / 2)


def _share_in_hours(times_s: np.ndarray, slot: tuple[float, float], days: int = 7) -> float:
    """The share of the submissions that come in these hours of the first days of the week."""
    hour = times_s % DAY_S / HOUR_S
    return float(np.mean((times_s % (7 * DAY_S) < days * DAY_S) & (hour >= slot[0]) & (hour < slot[1])))


def _activity(easy: Mapping[str, Result]) -> dict[str, float]:
    """How long users are active, from their first submission to their last."""
    length_s = {model: run.activity()["activity_s"].to_numpy() for model, run in easy.items()}
    recorded = length_s[CONVENTIONAL]
    some, longest = recorded > 0, {model: float(np.nanmax(times_s)) for model, times_s in length_s.items()}
    apart = {model: largest_gap(length_s[model], recorded) for model in (DISTRIBUTION, FLUID)}
    return {
        "shorter, distribution": float(np.mean(length_s[DISTRIBUTION][some] < recorded[some])),
        "longest, distribution": over(longest[DISTRIBUTION], longest[CONVENTIONAL]),
        "close, fluid": over(apart[FLUID], apart[DISTRIBUTION]),
        "longest, fluid": over(longest[FLUID], longest[CONVENTIONAL]),
    }


def largest_gap(first: np.ndarray, second: np.ndarray) -> float:
    """The Kolmogorov-Smirnov distance: the largest gap between two empirical distributions."""
    at = np.sort(np.concatenate([first, second]))
    shares = [np.searchsorted(np.sort(values), at, side="right") / len(values) for values in (first, second)]
    return float(np.abs(shares[0] - shares[1]).max())


def _queue_ratios(easy: Mapping[str, Result], fifo: Mapping[str, Result]) -> dict[str, float]:
    """Mean queue lengths in jobs, weighted by time, over the period from the first submission to the last end."""
    mean = {
        (model, name): _mean_queue_over_time(of[model])
        for name, of in (("easy", easy), ("fifo", fifo))
        for model in QUEUED
    }
    more = {model: mean[model, "fifo"] - mean[model, "easy"] for model in QUEUED}
    return {
        "queue, fifo": over(mean[CONVENTIONAL, "fifo"], mean[FLUID, "fifo"]),
        "queue, fluid": over(mean[FLUID, "fifo"], mean[FLUID, "easy"]),
        "queue, difference": over(more[FLUID], more[CONVENTIONAL]),
        "queue, easy": over(mean[FLUID, "easy"], mean[CONVENTIONAL, "easy"]),
    }


def _mean_queue_over_time(run: Result) -> float:
    time_s = run.timeline["time_s"].to_numpy()
    return time_mean(run.timeline["queued_jobs"].to_numpy(), time_s, float(time_s[0]), float(time_s[-1]))


def _ended(easy: Mapping[str, Result]) -> dict[str, float]:
    """Throughput: jobs that end while the recorded users still submit."""
    last_s = float(np.nanmax(easy[CONVENTIONAL].columns["submit_s"]))
    ended = {model: int(np.count_nonzero(run.columns["end_s"] <= last_s)) for model, run in easy.items()}
    return {"throughput, fluid": over(ended[FLUID], ended[CONVENTIONAL])}


# --- the rows --------------------------------------------------------------------------------------------------

#: place, quantity, kind, bound, name of the number
SAID = (
    ("Fig. 5", "weekly cycle left, adjusted, share of the recorded (our bound)", BELOW, "0.50", "cycle, adjusted"),
    ("Fig. 8", "weekly cycle left, fluid, share of the recorded (our bound)", ABOVE, "0.50", "cycle, fluid"),
    ("Fig. 6", "peak 6:30 to 8:30 over the hours around it, distribution / recorded", ABOVE, "1.0", "morning"),
    ("Fig. 6", "peak 16:30 to 18:30 over the hours around it, distribution / recorded", ABOVE, "1.0", "evening"),
    ("Fig. 6", "submissions 6:30 to 8:30 / 16:30 to 18:30, distribution", ABOVE, "1.0", "morning and evening"),
    ("Fig. 7", "users active for less than recorded, distribution", ABOVE, "0.50", "shorter, distribution"),
    ("Fig. 7", "longest activity, distribution / recorded", ABOVE, "1.0", "longest, distribution"),
    ("Fig. 9", "KS distance of activity from the recorded, fluid / distribution", BELOW, "1.0", "close, fluid"),
    ("Fig. 9", "longest activity, fluid / recorded", ABOVE, "1.0", "longest, fluid"),
    ("Fig. 10", "mean queue under FIFO, conventional / fluid (our bound)", ABOVE, "2.0", "queue, fifo"),
    ("Fig. 10", "mean queue, fluid, FIFO / EASY", ABOVE, "1.0", "queue, fluid"),
    ("Fig. 10", "FIFO − EASY in mean queue, fluid / conventional (our bound)", BELOW, "0.10", "queue, difference"),
    ("Fig. 10", "mean queue under EASY, fluid / conventional", BELOW, "1.0", "queue, easy"),
    (
        "Section VII",
        "jobs ended by the last recorded submission, fluid / conventional (our bound)",
        ABOVE,
        "0.90",
        "throughput, fluid",
    ),
)


def text_claims(rules: tuple[Rule, ...]) -> Iterator[Claim]:
    """The rows of every log; and of Table I, on which side of the conventional wait each model lies."""
    for label in LOGS:
        for place, quantity, kind, bound, name in SAID:
            ours, other = _ours_of_zakay2014_number(label, name), _other_seeds(label, name, bound)
            yield Claim(place, label, quantity, bound, label, ours, kind, rules=rules, tried=other)
        for model in (ADJUSTED, DISTRIBUTION, FLUID):
            above = TABLE_1[label, model] > TABLE_1[label, CONVENTIONAL]
            ours, kind, row = _ratio(label, model), ABOVE if above else BELOW, f"{label}, {model}"
            quantity, other = "mean wait / conventional", others(label, model)
            yield Claim("Table I, order", row, quantity, "1.0", label, ours, kind, rules=rules, tried=other)


def _ours_of_zakay2014_number(label: str, name: str) -> Ours:
    return lambda findings: numbers(findings, label).get(name)


def _other_seeds(label: str, name: str, bound: str) -> Callable[[Findings], str]:
    """For a row that is missed: its number with other seeds. A log without a clock has no week."""

    def values(findings: Findings) -> dict[str, float | None]:
        return {f"seed {seed}": numbers(findings, label, seed).get(name) for seed in (2, 3)}

    return tried(label, f"{label}, {name}", float(bound), values)


def _ratio(label: str, model: str) -> Ours:
    def ours(findings: Findings) -> float | None:
        waits = [findings.mean(label, "wait_mean_s", **cell(label, each)) for each in (model, CONVENTIONAL)]
        return waits[0] / waits[1] if None not in waits and waits[1] else None  # type: ignore[operator]

    return ours
