"""Madon, Da Costa, Pierson 2024: replay with feedback. Six cases × {rigid, a0, a60}.

EASY and FCFS on the recorded machine, and EASY on one twice or half as fast or large; users who submit at the
recorded times, and users who wait for their sessions (a0: every job is a session, a60: sessions end after an
hour). Estimates are those of Batsim's converter: the request, but at least twice the run time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.reproduce.claim import Claim, Tolerance, Verdict
from thinktime.reproduce.madon2024_values import (
    ADDITIONAL_PERCENTILES,
    KTH,
    RECORDED,
    SDSC,
    TABLE_1,
    TABLE_2,
)
from thinktime.reproduce.reproduction import Findings, Reproduction
from thinktime.result import Result
from thinktime.spec import parse
from thinktime.study import Study
from thinktime.study.execute import simulated
from thinktime.workload import Workload

DAY_S = 86400.0

#: case → its scheduler and platform
CASES = {
    "EASY": ("easy", "recorded"),
    "FCFS": ("fcfs", "recorded"),
    "perf*2": ("easy", "perf*2"),
    "perf/2": ("easy", "perf/2"),
    "infra*2": ("easy", "infra*2"),
    "infra/2": ("easy", "infra/2"),
}
PLATFORMS = {
    "recorded": "log",
    "perf*2": "log:speed=2",
    "perf/2": "log:speed=0.5",
    "infra*2": "log:processors_factor=2",
    "infra/2": "log:processors_factor=0.5",
}
#: Of the releases at the shadow only those that the head needs are counted: with all of them, perf*2 a60 waits at most
#: 1.42 d and users are 80.98 s earlier a job; the paper prints 1.44 and 80.79.
EASY = "easy:count_ties=false"
USERS = {"rigid": "rigid", "a0": "session-replay:threshold_min=0", "a60": "session-replay:threshold_min=60"}

#: The printed rows without feedback fit the processors requested, those with feedback the ones allocated.
PROCESSORS = {"rigid": "requested", "a0": "allocated", "a60": "allocated"}

#: Where EASY backfills much, Batsim's sub-second offsets and its rounding of run times to the next second change
#: who fits into a gap, and with it everything that follows: there the makespan may differ by 0.5 %, what depends
#: on waits by 10 %. Elsewhere everything may by 0.1 %.
BACKFILLED = ("EASY", "perf/2", "infra/2")
ROUNDING = "Batsim rounds run times to the next second and has offsets below one"
GAPS = f"{ROUNDING}, which changes the jobs that fit into a gap"
EXACT, MAKESPAN = Tolerance(ROUNDING, relative=0.001), Tolerance(GAPS, relative=0.005)
OTHERS = Tolerance(GAPS, relative=0.1)


def study(label: str, log: Path) -> Study:
    """The 18 runs."""
    fields = sorted(set(PROCESSORS.values()))
    return Study.of(
        name=f"madon2024-{label}",
        question="How does the performance of a system change when its users submit?",
        workloads=[{"name": f"{label} {field}", "log": str(log), "processors": field} for field in fields],
        schedulers=[{"name": "easy", "spec": EASY}, "fcfs"],
        platforms=[{"name": name, "spec": spec} for name, spec in PLATFORMS.items()],
        users=[{"name": name, "spec": spec} for name, spec in USERS.items()],
        estimates=["at_least:2"],
        metrics=["makespan_s", "wait_mean_s", "lateness_mean_s", "additional_lateness_s"],
        keep="jobs",
        only=[cell(label, case, replay) for case in CASES for replay in USERS],
    )


def cell(label: str, case: str, replay: str) -> dict[str, Any]:
    """The run of a case under a replay."""
    scheduler, platform = CASES[case]
    workload = f"{label} {PROCESSORS[replay]}"
    return {"workload": workload, "scheduler": scheduler, "platform": platform, "users": replay}


def _recorded(label: str, metric: str) -> Callable[[Findings], float | None]:
    """Of the schedule that the log itself holds."""

    def ours(findings: Findings) -> float | None:
        from thinktime.platforms import AsLog
        from thinktime.simulation import recorded
        from thinktime.workload import read_swf

        workload = read_swf(findings.logs[label])
        machine = AsLog().machine(workload.machine_processors, label)
        value = recorded(workload, machine).summary()[metric]
        return None if value is None else value / DAY_S

    return ours


def _simulated(label: str, case: str, replay: str, metric: str, unit: float) -> Callable[[Findings], float | None]:
    def ours(findings: Findings) -> float | None:
        value = findings.value(label, metric, **cell(label, case, replay))
        return None if value is None else value / unit

    return ours


def _percentile(label: str, case: str, percent: float) -> Callable[[Findings], float | None]:
    """Over the users with more than one job, a60."""

    def ours(findings: Findings) -> float | None:

        users = findings.outcome(label, **cell(label, case, "a60"))["sketch"]["users"]
        late_s = users.get("additional_lateness_s", [0.0])  # not there: nobody was late
        known = [late for late in late_s if late is not None]
        return float(np.percentile(known, percent)) if known else None

    return ours


def _tolerance(case: str, replay: str, metric: str) -> Tolerance:
    heavy = case in BACKFILLED and not (case == "EASY" and replay == "rigid")
    if not heavy:
        return EXACT
    return MAKESPAN if metric in ("makespan_s", "relative_lateness") else OTHERS


#: quantity as printed → metric, unit, decimals
OF_TABLE_1 = (("makespan, d", "makespan_s"), ("mean wait, d", "wait_mean_s"), ("max wait, d", "wait_max_s"))
OF_TABLE_2 = (
    ("mean lateness, d", "lateness_mean_s", DAY_S),
    ("relative lateness", "relative_lateness", 1.0),
    ("additional lateness, s", "additional_lateness_s", 1.0),
)


def _table_1(label: str) -> Iterator[Claim]:
    for (quantity, metric), value in zip(OF_TABLE_1, RECORDED[label], strict=True):
        yield Claim("Table 1", f"{label}, recorded", quantity, f"{value:.2f}", label, _recorded(label, metric))
    for (case, replay), values in TABLE_1.items():
        for (quantity, metric), value in zip(OF_TABLE_1, values[label], strict=True):
            ours, apart = _simulated(label, case, replay, metric, DAY_S), _tolerance(case, replay, metric)
            yield Claim("Table 1", f"{label}, {case}, {replay}", quantity, f"{value:.2f}", label, ours, tolerance=apart)


def _table_2(label: str) -> Iterator[Claim]:
    for (case, replay), values in TABLE_2.items():
        for (quantity, metric, unit), value in zip(OF_TABLE_2, values[label], strict=True):
            ours, apart = _simulated(label, case, replay, metric, unit), _tolerance(case, replay, metric)
            yield Claim("Table 2", f"{label}, {case}, {replay}", quantity, f"{value:.2f}", label, ours, tolerance=apart)


def _figure_5c(label: str) -> Iterator[Claim]:
    for case, values in ADDITIONAL_PERCENTILES.items():
        for percent, value in zip((10, 50, 90), values[label], strict=True):
            quantity, apart = f"additional lateness, {percent} % of users, s", _tolerance(case, "a60", "")
            ours = _percentile(label, case, percent)
            yield Claim("Fig. 5(c)", f"{label}, {case}, a60", quantity, str(value), label, ours, tolerance=apart)


PREFIXES = 12  # lengths at which Fig. 11 is simulated


def draw(findings: Findings, verdicts: Sequence[Verdict], directory: Path, formats: Sequence[str]) -> list[Path]:
    """Figs. 2 to 11 for each log, in a folder of its name. The rigid runs beside the replays are of the same jobs."""
    from thinktime import plots
    from thinktime.workload import read_swf

    found = []
    for label, log in findings.logs.items():
        workload = read_swf(log, processors=PROCESSORS["a60"])
        runs = {case: {replay: _result(findings, label, case, replay) for replay in USERS} for case in CASES}
        figures = plots.feedback_figures(workload, runs, _prefixes(workload, label))
        for name, figure in figures.items():
            found += plots.save(figure, directory / label / name, formats)
    return found


def _result(findings: Findings, label: str, case: str, replay: str) -> Result:
    return findings.result(label, **cell(label, case, replay))


def _prefixes(workload: Workload, label: str) -> dict[str, tuple[list[int], list[float]]]:
    """Additional lateness of the first n jobs, simulated anew for each n, a60."""
    lengths = [len(workload) * (k + 1) // PREFIXES for k in range(PREFIXES)]
    return {case: (lengths, [_additional_s(workload, case, length) for length in lengths]) for case in CASES}


def _additional_s(workload: Workload, case: str, length: int) -> float:
    scheduler, platform = CASES[case]
    spec = {
        "platform": parse("platform", PLATFORMS[platform]).to_dict(),
        "scheduler": parse("scheduler", EASY if scheduler == "easy" else scheduler).to_dict(),
        "users": parse("users", USERS["a60"]).to_dict(),
        "estimates": {"name": "at-least", "factor": 2.0},
        "rules": {},
        "seed": 1,
    }
    first = workload.select(np.arange(length))
    return float(simulated(spec, first).summary()["additional_lateness_s"] or 0.0)


def _claims() -> list[Claim]:
    return [claim for table in (_table_1, _table_2, _figure_5c) for label in (KTH, SDSC) for claim in table(label)]


MADON2024 = Reproduction(
    name="madon2024",
    paper="M. Madon, G. Da Costa, J.-M. Pierson. Replay with Feedback: How does the performance of HPC system impact"
    " user submission behavior? Future Generation Computer Systems, 2024",
    logs={KTH: "KTH-SP2-1996-2.1-cln.swf", SDSC: "SDSC-SP2-1998-4.swf"},
    study=study,
    claims=_claims(),
    notes=(
        "processors: requested (field 8) in the rows without feedback, allocated (field 5) in those with it, as the"
        " printed values fit",
        "estimates: the request, but at least twice the run time, as Batsim's converter makes them",
        "sessions: immediate predecessors only, and a session begins after the latest end plus think time",
    ),
    draw=draw,
    jobs={KTH: 28475, SDSC: 67667},
    needs={SDSC: "needs SDSC-SP2-1998-4.swf, the raw log: the cleaned one has other jobs"},
)
