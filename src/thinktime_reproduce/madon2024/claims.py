"""Madon, Da Costa, Pierson 2024: replay with feedback. Six cases × {rigid, a0, a60}.

EASY and FCFS on the recorded machine, and EASY on one twice or half as fast or large; users who submit at the
recorded times, and users who wait for their sessions (a0: every job is a session, a60: sessions end after an
hour). Estimates are those of Batsim's converter: the request, but at least twice the run time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from thinktime.result import Result
from thinktime.spec import parse
from thinktime.study.execute import simulated
from thinktime.workload import Estimates, Workload
from thinktime_reproduce.claim import Claim, Ours, Rule, Tolerance, Verdict, number
from thinktime_reproduce.madon2024.readings import (
    AS_USED,
    CASES,
    INSTANTS,
    PLATFORMS,
    PROCESSORS,
    USED,
    USERS,
    Options,
    cell,
    counted,
    options_of,
    others,
    study,
    under,
)
from thinktime_reproduce.madon2024.text import lateness, prefixes, shapes, text_claims, waits, week, windows
from thinktime_reproduce.madon2024.values import (
    ADDITIONAL_PERCENTILES,
    KTH,
    RECORDED,
    SDSC,
    TABLE_1,
    TABLE_2,
)
from thinktime_reproduce.readings import tried
from thinktime_reproduce.reproduction import Findings, Reproduction

DAY_S = 86400.0

#: Where EASY backfills much, Batsim's sub-second offsets and its rounding of run times to the next second change
#: who fits into a gap, and with it everything that follows: there the makespan may differ by 0.5 %, what depends
#: on waits by 10 %. Elsewhere everything may by 0.1 %.
BACKFILLED = ("EASY", "perf/2", "infra/2")
ROUNDING = "Batsim rounds run times to the next second and has offsets below one"
GAPS = f"{ROUNDING}, which changes the jobs that fit into a gap"
EXACT, MAKESPAN = Tolerance(ROUNDING, relative=0.001), Tolerance(GAPS, relative=0.005)
OTHERS = Tolerance(GAPS, relative=0.1)


RULE = Rule(
    "requested processors without feedback, allocated ones with it; estimates of at least twice the run time; EASY"
    " counts only the releases that the head needs, and decides after every single event, ends first",
    (KTH,),
)


def recorded(findings: Findings, label: str) -> dict[str, float]:
    """Metrics of the schedule that the log itself holds."""
    from thinktime import simulation
    from thinktime.platforms import AsLog
    from thinktime.workload import read_swf

    if ("recorded", label) not in findings.kept:
        workload = read_swf(findings.logs[label])
        machine = AsLog().machine(workload.machine_processors, label)
        findings.kept["recorded", label] = simulation.recorded(workload, machine).summary().values
    found: dict[str, float] = findings.kept["recorded", label]
    return found


def _recorded(label: str, metric: str) -> Ours:
    return lambda findings: recorded(findings, label)[metric] / DAY_S


def _metric_of_replay(label: str, case: str, replay: str, metric: str, unit: float) -> Ours:
    def ours(findings: Findings) -> float | None:
        value = findings.value(label, metric, **cell(label, case, replay))
        return None if value is None else value / unit

    return ours


def _percentile(label: str, case: str, percent: float) -> Ours:
    """Over the users with more than one job, a60."""

    def ours(findings: Findings) -> float | None:
        users = findings.outcome(label, **cell(label, case, "a60"))["sketch"]["users"]
        late_s = users.get("additional_lateness_s", [0.0])  # missing if no user was late
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
            ours, apart = _metric_of_replay(label, case, replay, metric, DAY_S), _tolerance(case, replay, metric)
            yield _claim("Table 1", (label, case, replay), quantity, f"{value:.2f}", ours, apart)


def _table_2(label: str) -> Iterator[Claim]:
    for (case, replay), values in TABLE_2.items():
        for (quantity, metric, unit), value in zip(OF_TABLE_2, values[label], strict=True):
            ours, apart = _metric_of_replay(label, case, replay, metric, unit), _tolerance(case, replay, metric)
            yield _claim("Table 2", (label, case, replay), quantity, f"{value:.2f}", ours, apart)


def _figure_5c(label: str) -> Iterator[Claim]:
    for case, values in ADDITIONAL_PERCENTILES.items():
        for percent, value in zip((10, 50, 90), values[label], strict=True):
            quantity, apart = f"additional lateness, {percent} % of users, s", _tolerance(case, "a60", "")
            ours = _percentile(label, case, percent)
            yield _claim("Fig. 5(c)", (label, case, "a60"), quantity, str(value), ours, apart)


def _claim(place: str, run: tuple[str, str, str], quantity: str, paper: str, ours: Ours, tolerance: Tolerance) -> Claim:
    """A row of one run (label, case, replay)."""
    other, row = others(run, quantity, ours, paper), ", ".join(run)
    return Claim(place, row, quantity, paper, run[0], ours, tolerance=tolerance, rules=(RULE,), tried=other)


def numbers(findings: Findings, label: str, reading: str = AS_USED) -> dict[str, float]:
    """What text and figures are judged by, found once for all rows of a log."""
    from thinktime.workload import read_swf

    if ("text", label, reading) not in findings.kept:
        options = options_of(reading)
        chosen = findings if reading == AS_USED else under(findings, label, reading)
        workload = read_swf(findings.logs[label], filter=options["filter"], processors=options["processors"]["a60"])
        runs = {(case, replay): _result(chosen, label, case, replay) for case in CASES for replay in USERS}
        findings.kept["text", label, reading] = {
            **shapes(workload),
            **waits(runs, recorded(findings, label)),
            **lateness(runs),
            **windows(runs),
            **week(workload, runs),
            **prefixes(len(workload), lambda case, length: _additional_s(workload, case, length, options)),
        }
    found: dict[str, float] = findings.kept["text", label, reading]
    return found


def _also_tried(label: str, name: str, paper: str) -> Callable[[Findings], str]:
    """For a row of the text that is missed: its number with other orders of events inside one instant."""

    def values(findings: Findings) -> dict[str, float | None]:
        return {reading: numbers(findings, label, reading).get(name) for reading in INSTANTS}

    return tried(label, f"{label}, {name}", number(paper), values)


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


def _additional_s(workload: Workload, case: str, length: int, options: Options = USED) -> float:
    scheduler, platform = CASES[case]
    spec = {
        "platform": parse("platform", PLATFORMS[platform]).to_dict(),
        "scheduler": parse("scheduler", options["easy"] if scheduler == "easy" else scheduler).to_dict(),
        "users": parse("users", USERS["a60"]).to_dict(),
        "estimates": Estimates.parse(options["estimates"]).to_dict(),
        "rules": {"same_instant": options["same_instant"]},
        "seed": 1,
    }
    first = workload.select(np.arange(length))
    return float(simulated(spec, first).summary()["additional_lateness_s"] or 0.0)


def _printed() -> list[Claim]:
    return [claim for table in (_table_1, _table_2, _figure_5c) for label in (KTH, SDSC) for claim in table(label)]


MADON2024 = Reproduction(
    name="madon2024",
    paper="M. Madon, G. Da Costa, J.-M. Pierson. Replay with Feedback: How does the performance of HPC system impact"
    " user submission behavior? Future Generation Computer Systems, 2024",
    logs={KTH: "KTH-SP2-1996-2.1-cln.swf", SDSC: "SDSC-SP2-1998-4.swf"},
    study=study,
    claims=[*_printed(), *text_claims(numbers, (RULE,), _also_tried)],
    readings=lambda findings, stage: counted(findings, stage, _printed()),
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
