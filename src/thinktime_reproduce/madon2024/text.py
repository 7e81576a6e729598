"""What the text and the figures of Madon et al. 2024 say, as numbers that can fail.

Numbers that the text prints are judged by their digits. Where a figure is described without a number, the bound is ours
and stated in the row. `numbers` finds all of a log's numbers once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from thinktime.metrics import week_s
from thinktime.result import Result
from thinktime.workload import Workload, session_graph, sessions
from thinktime.workload.user_sessions.edge_think_times import share_under
from thinktime.workload.user_sessions.graph_shape import arities, longest_paths
from thinktime_reproduce.claim import (
    ABOVE,
    AT_LEAST,
    AT_MOST,
    BELOW,
    EQUAL,
    OWN,
    PRINTED,
    TEXT,
    Claim,
    Ours,
    Rule,
    Tolerance,
)
from thinktime_reproduce.madon2024.values import KTH, SDSC
from thinktime_reproduce.readings import over
from thinktime_reproduce.reproduction import Findings

HOUR_S, DAY_S = 3600.0, 86400.0
WORKING = (8.0, 18.0)  # hours of Monday to Friday
EVEN = 5 * (WORKING[1] - WORKING[0]) / 168  # their share of a week
FEEDBACK = ("a0", "a60")
DOUBLED, HALVED = ("perf*2", "infra*2"), ("perf/2", "infra/2")
RANKING = ("perf*2", "infra*2", "EASY", "infra/2", "perf/2")  # from the earliest submissions to the latest
MANY = 20_000  # jobs, from which on additional lateness is said to be stable

Runs = Mapping[tuple[str, str], Result]  # (case, replay) → the run


def shapes(workload: Workload) -> dict[str, float]:
    """Section 5.1 and Fig. 6: the log, its sessions and their graphs."""
    cut = {"a0": sessions(workload, threshold_s=0.0), "a60": sessions(workload, threshold_s=HOUR_S)}
    graphs = {name: session_graph(found) for name, found in cut.items()}
    of_user = np.bincount(np.searchsorted(cut["a0"].users, cut["a0"].user))
    first_s = cut["a60"].first_submit_s[cut["a60"].by_user[cut["a60"].user_start[:-1]]]
    found = {
        "jobs": float(len(workload)),
        "users": float(len(cut["a0"].users)),
        "largest session, a0": float(np.bincount(cut["a0"].session).max()),
        "fewest sessions of a user": float(of_user.min()),
        "most sessions of a user": float(of_user.max()),
        "last submission of the log after the last new user": (workload["submit_s"][-1] - first_s.max()) / DAY_S,
    }
    for name, graph in graphs.items():
        paths, most = longest_paths(cut[name]), arities(graph)
        shares = [100.0 * (share_under(graph, hours * HOUR_S) or 0.0) for hours in (10, 1)]
        found |= {f"sessions, {name}": float(len(cut[name])), f"longest path, {name}": float(paths.max())}
        found |= {f"largest arity, {name}": float(most.max()), f"edges, {name}": float(graph.edges)}
        found |= dict(zip((f"think times < 10 h, {name}", f"think times < 1 h, {name}"), shares, strict=True))
    return found


def waits(runs: Runs, recorded: Mapping[str, float]) -> dict[str, float]:
    """Section 5.3: waits and makespans."""
    every = {key: run.summary() for key, run in runs.items()}
    mean, longest, makespan = ({key: float(of[name] or 0.0) for key, of in every.items()}
                               for name in ("wait_mean_s", "wait_max_s", "makespan_s"))  # fmt: skip
    fed = [key for key in runs if key[1] in FEEDBACK]
    small = [mean["infra*2", replay] for replay in ("rigid", *FEEDBACK)]
    slower = [(case, replay) for case in ("FCFS", *HALVED) for replay in FEEDBACK]
    near = [abs(over(makespan[key], recorded["makespan_s"]) - 1) for key in runs if key[0] in DOUBLED]
    return {
        "infra*2, smallest mean wait": min(small),
        "infra*2, largest mean wait": max(small),
        "feedback, largest mean wait": max(mean[key] for key in fed) / DAY_S,
        "feedback, longest wait / recorded": over(max(longest[key] for key in fed), recorded["wait_max_s"]),
        "slower, smallest makespan / rigid": min(over(makespan[key], makespan[key[0], "rigid"]) for key in slower),
        "doubled, makespan from recorded": 100.0 * max(near),
        "EASY, mean wait / recorded": over(mean["EASY", "rigid"], recorded["wait_mean_s"]),
        "rejected, infra/2": float(every["infra/2", "rigid"]["rejected"] or 0.0),
    }


def lateness(runs: Runs) -> dict[str, float]:
    """Sections 6.2 to 7.2: who is late, and by how much."""
    cases = dict.fromkeys(case for case, _ in runs)
    mean = {key: float(run.summary()["lateness_mean_s"] or 0.0) for key, run in runs.items() if key[1] in FEEDBACK}
    users: dict[str, Any] = {case: runs[case, "a60"].lateness(by="user") for case in cases}
    spread = {case: of.percentiles("additional_s", (10, 50, 90)) for case, of in users.items()}
    drift = {name: [_drift(of, name) for of in users.values()] for name in ("mean_s", "additional_s")}
    later = [np.mean(_submits(runs, case, "a0") >= _submits(runs, case, "a60")) for case in cases]
    found = {
        "additional lateness, 10th to 90th percentile": min(each[90] - each[10] for each in spread.values()),
        "drift of mean lateness": float(np.mean(drift["mean_s"])),
        "drift of additional / of mean lateness": over(
            float(np.mean(drift["additional_s"])), float(np.mean(drift["mean_s"]))
        ),
        "cases with mean lateness of a60 ≤ a0": float(sum(mean[case, "a60"] <= mean[case, "a0"] for case in cases)),
        "jobs not later with a60 than with a0": 100.0 * float(np.mean(later)),
    }
    for replay in FEEDBACK:
        order = sorted(cases, key=lambda case: mean[case, replay])
        found |= {
            f"ranking, {replay}": float([case for case in order if case != "FCFS"] == list(RANKING)),
            f"place of FCFS, {replay}": float(order.index("FCFS") + 1),
            f"mean lateness, perf*2 / infra*2, {replay}": over(mean["perf*2", replay], mean["infra*2", replay]),
            f"mean lateness, perf/2 / infra/2, {replay}": over(mean["perf/2", replay], mean["infra/2", replay]),
        }
    return found


def _drift(users: Any, name: str) -> float:
    """Rank correlation of the size of a user's lateness with the number of the user's jobs."""
    values = np.abs(getattr(users, name))
    some = (users.jobs > 1) & ~np.isnan(values)
    return float(np.corrcoef(_ranks(values[some]), _ranks(users.jobs[some]))[0, 1])


def _ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 0; equal values share the mean of theirs."""
    _, group, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count + 1) / 2)[group]


def _submits(runs: Runs, case: str, replay: str) -> np.ndarray:
    return runs[case, replay].columns["submit_s"]


def windows(runs: Runs) -> dict[str, float]:
    """Fig. 9: utilisation and throughput over 4, 6 and 8 months from the second week on."""
    of = {key: run.long_windows() for key, run in runs.items()}
    used = {key: [100.0 * each.utilisation for each in found] for key, found in of.items()}
    ended = {key: [each.throughput_per_day for each in found] for key, found in of.items()}
    rigid = [share for case in DOUBLED for share in used[case, "rigid"]]
    doubled = [share for case in DOUBLED for replay in FEEDBACK for share in used[case, replay]]
    gained = [
        100.0 * (over(fed, fixed) - 1)
        for case in DOUBLED
        for replay in FEEDBACK
        for fed, fixed in zip(ended[case, replay], ended[case, "rigid"], strict=True)
    ]
    same = [over(doubled, once) - 1 for case in DOUBLED
            for doubled, once in zip(ended[case, "rigid"], ended["EASY", "rigid"], strict=True)]  # fmt: skip
    return {
        "utilisation, rigid doubled, smallest": min(rigid),
        "utilisation, rigid doubled, largest": max(rigid),
        "utilisation, feedback doubled, smallest": min(doubled),
        "utilisation, feedback doubled, largest": max(doubled),
        "utilisation, EASY rigid, smallest": min(used["EASY", "rigid"]),
        "utilisation, halved, smallest": min(min(used[case, replay]) for case in HALVED for replay in FEEDBACK),
        "throughput gained by feedback, smallest": min(gained),
        "throughput gained by feedback, largest": max(gained),
        "throughput, rigid doubled, largest change": 100.0 * max(map(abs, same)),
    }


def week(workload: Workload, runs: Runs) -> dict[str, float]:
    """Fig. 8: what is left of the weekly cycle, as the excess of submissions in working hours; EASY."""
    if workload.unix_start_s is None:
        return {}
    excess = {
        replay: _working(week_s(workload, _submits(runs, "EASY", replay))) - EVEN for replay in ("rigid", *FEEDBACK)
    }
    return {
        "submissions in working hours, rigid": 100.0 * (excess["rigid"] + EVEN),
        **{f"weekly cycle left, {replay}": over(excess[replay], excess["rigid"]) for replay in FEEDBACK},
    }


def _working(times_s: np.ndarray) -> float:
    """The share of the submissions in working hours; times count from a Monday 00:00."""
    hour = times_s % DAY_S / HOUR_S
    weekday = times_s % (7 * DAY_S) < 5 * DAY_S
    return float(np.mean(weekday & (hour >= WORKING[0]) & (hour < WORKING[1])))


Prefix = Callable[[str, int], float]  # case, number of jobs → additional lateness in seconds, a60


def prefixes(jobs: int, additional_s: Prefix) -> dict[str, float]:
    """Fig. 11: additional lateness of the first 5,000 jobs, the first 20,000 and all."""
    cases = ("EASY", "perf*2", "perf/2", "FCFS")
    few, many, every = (
        {case: additional_s(case, n) for case in cases} for n in (min(MANY // 4, jobs), min(MANY, jobs), jobs)
    )
    return {
        **{f"{case}, first 20,000 − first 5,000": many[case] - few[case] for case in cases},
        **{f"{case}, first 20,000 / first 5,000": over(many[case], few[case]) for case in cases},
        **{f"{case}, all / first 20,000": over(every[case], many[case]) for case in cases},
        **{
            f"{case}, change after 20,000 / before": over(abs(every[case] - many[case]), abs(many[case] - few[case]))
            for case in cases
        },
    }


# --- the rows --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """A sentence of the paper as a row, for the logs of `bounds`."""

    place: str
    name: str  # of the number
    bounds: Mapping[str, str]
    kind: str = EQUAL
    unit: str = ""
    evidence: str = ""
    tolerance: Tolerance | None = None
    source: str = "paper"
    words: str = ""  # what the paper says, where the name does not tell


def both(text: str) -> dict[str, str]:
    return {KTH: text, SDSC: text}


FIVES = Tolerance("the text rounds to multiples of five, for both logs together", absolute=2.5)
AROUND = Tolerance("the text says around, for both logs together", absolute=1.0)
MONTHS = Tolerance("the text gives whole per cent, and its months may be of other lengths than 30 days", absolute=1.0)

#: Rows that only describe the log and its sessions depend on no reading.
OF_LOG = (
    Said("Section 5.1", "jobs", {KTH: "28475", SDSC: "67667"}),
    Said("Section 5.1", "users", {KTH: "214", SDSC: "428"}),
    Said("Section 5.1", "largest session, a0", both("1"), unit="jobs", evidence=TEXT),
    Said("Fig. 6", "largest arity, a60", both("11"), AT_MOST, words="sessions that wait for one"),
    Said("Fig. 6", "largest arity, a0", both("11"), ABOVE, words="a60 reduces it"),
    Said("Fig. 6", "fewest sessions of a user", both("1"), evidence=TEXT),
    Said("Fig. 6", "most sessions of a user", both("1000"), AT_LEAST, words="a0; thousands"),
    Said("Fig. 6", "longest path, a0", both("200"), AT_LEAST, "sessions", words="several hundred"),
    Said("Fig. 6", "longest path, a60", both("200"), AT_LEAST, "sessions", words="several hundred"),
    Said("Section 7.2", "think times < 10 h, a0", both("75"), unit="% of edges", tolerance=FIVES),
    Said("Section 7.2", "think times < 1 h, a0", both("35"), unit="% of edges", tolerance=FIVES),
    Said("Section 7.2", "think times < 10 h, a60", both("50"), unit="% of edges", tolerance=FIVES),
    Said("Section 7.2", "think times < 1 h, a60", both("13"), unit="% of edges", tolerance=AROUND),
    Said(
        "Fig. 10", "last submission of the log after the last new user", both("7"), BELOW, "d", words="a few; our bound"
    ),
    Said("Prototype", "edges, a0", {KTH: "85936"}, evidence=OWN, source="prototype"),
    Said("Prototype", "edges, a60", {KTH: "13481"}, evidence=OWN, source="prototype"),
    Said("Prototype", "longest path, a0", {KTH: "883"}, evidence=OWN, source="prototype"),
    Said("Prototype", "longest path, a60", {KTH: "312"}, evidence=OWN, source="prototype"),
)

ORDER = "perf*2 < infra*2 < EASY < infra/2 < perf/2: 1 if so"
JOBS = "rank correlation with the user's jobs"
OURS = "our bound"
OF_RUNS = (
    Said("Table 1, caption", "infra*2, smallest mean wait", {KTH: "162"}, AT_LEAST, "s"),
    Said("Table 1, caption", "infra*2, largest mean wait", {KTH: "229"}, AT_MOST, "s"),
    Said("Section 5.3", "feedback, largest mean wait", {KTH: "0.62", SDSC: "1.61"}, AT_MOST, "d"),
    Said("Section 5.3", "feedback, longest wait / recorded", both("1.00"), BELOW),
    Said("Section 5.3", "slower, smallest makespan / rigid", both("1.00"), ABOVE, words="FCFS, perf/2, infra/2"),
    Said(
        "Section 5.3",
        "doubled, makespan from recorded",
        {KTH: "0.11", SDSC: "0.86"},
        AT_MOST,
        "%",
        words="Table 1's most",
    ),
    Said("Section 5.3", "EASY, mean wait / recorded", both("1.00"), BELOW),
    Said(
        "Section 6.2",
        "additional lateness, 10th to 90th percentile",
        both("10000"),
        ABOVE,
        "s",
        words="smallest of six",
    ),
    Said("Fig. 4", "drift of mean lateness", both("0.30"), ABOVE, words=f"{JOBS}; {OURS}"),
    Said("Fig. 5", "drift of additional / of mean lateness", both("0.50"), BELOW, words=OURS),
    *(Said("Section 7.1", f"ranking, {replay}", both("1"), evidence=TEXT, words=ORDER) for replay in FEEDBACK),
    *(
        Said("Section 7.1", f"place of FCFS, {replay}", {KTH: "5", SDSC: "4"}, unit="of 6", evidence=TEXT)
        for replay in FEEDBACK
    ),
    *(
        Said("Section 7.1", f"mean lateness, {pair}, {replay}", both("1.00"), ABOVE)
        for pair in ("perf*2 / infra*2", "perf/2 / infra/2")
        for replay in FEEDBACK
    ),
    Said("Section 7.2", "cases with mean lateness of a60 ≤ a0", both("6"), unit="of 6", evidence=TEXT),
    Said("Fig. 7", "jobs not later with a60 than with a0", {KTH: "90"}, ABOVE, "%", words=f"almost all; {OURS}"),
    Said("Fig. 8", "submissions in working hours, rigid", {KTH: "40"}, ABOVE, "%", words=f"29.8 if even; {OURS}"),
    *(Said("Fig. 8", f"weekly cycle left, {replay}", {KTH: "0.50"}, BELOW, words=OURS) for replay in FEEDBACK),
    Said("Fig. 9", "utilisation, rigid doubled, smallest", {KTH: "36"}, unit="%", tolerance=MONTHS),
    Said("Fig. 9", "utilisation, rigid doubled, largest", {KTH: "37"}, unit="%", tolerance=MONTHS),
    Said("Fig. 9", "utilisation, feedback doubled, smallest", {KTH: "40"}, unit="%", tolerance=MONTHS),
    Said("Fig. 9", "utilisation, feedback doubled, largest", {KTH: "47"}, unit="%", tolerance=MONTHS),
    Said("Fig. 9", "utilisation, EASY rigid, smallest", {KTH: "70"}, ABOVE, "%"),
    Said("Fig. 9", "utilisation, halved, smallest", {KTH: "90"}, ABOVE, "%"),
    Said("Fig. 9", "throughput gained by feedback, smallest", {KTH: "5"}, unit="%", tolerance=MONTHS),
    Said("Fig. 9", "throughput gained by feedback, largest", {KTH: "11"}, unit="%", tolerance=MONTHS),
    Said("Fig. 9", "throughput, rigid doubled, largest change", {KTH: "1.0"}, BELOW, "%", words=f"no effect; {OURS}"),
    *(
        Said("Fig. 11", f"{case}, first 20,000 − first 5,000", both("0.0"), ABOVE, "s", words="increases at first")
        for case in ("EASY", "perf*2")
    ),
    *(
        Said("Fig. 11", f"{case}, change after 20,000 / before", both("0.50"), BELOW, words=f"plateau; {OURS}")
        for case in ("EASY", "perf*2")
    ),
    Said("Fig. 11", "perf/2, first 20,000 / first 5,000", both("1.00"), BELOW, words="falls"),
    Said("Fig. 11", "perf/2, all / first 20,000", both("1.00"), ABOVE, words="rises again"),
    Said("Fig. 11", "FCFS, all / first 20,000", {KTH: "1.00"}, BELOW, words="falls"),
    Said("Fig. 11", "FCFS, all / first 20,000", {SDSC: "1.00"}, ABOVE, words="rises"),
    Said("Prototype", "rejected, infra/2", {KTH: "650"}, unit="jobs", evidence=OWN, source="prototype"),
)

Numbers = Callable[[Findings, str], Mapping[str, float]]
Tried = Callable[[str, str, str], Callable[[Findings], str]]  # label, name, paper → what other readings give


def text_claims(numbers: Numbers, rules: tuple[Rule, ...], tried: Tried) -> Iterator[Claim]:
    for said in (*OF_LOG, *OF_RUNS):
        quantity = ", ".join(part for part in (said.name, said.unit) if part)
        for label, bound in said.bounds.items():
            yield Claim(
                said.place,
                label,
                f"{quantity} ({said.words})" if said.words else quantity,
                bound,
                label,
                _ours_of_madon_number(numbers, label, said.name),
                said.kind,
                said.evidence or (PRINTED if said.kind == EQUAL else TEXT),
                said.tolerance,
                rules if said in OF_RUNS else (),
                tried(label, said.name, bound) if said in OF_RUNS else "",
                said.source,
            )


def _ours_of_madon_number(numbers: Numbers, label: str, name: str) -> Ours:
    return lambda findings: numbers(findings, label).get(name)
