"""Madon, Da Costa, Pierson 2024: replay with feedback. So far the rows of Table 1 without feedback.

Six cases on the log of KTH: EASY and FCFS on the recorded machine, and EASY on one twice or half as fast or
large. Estimates are those of Batsim's converter: the request, but at least twice the run time.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from thinktime.reproduce.reproduction import Claim, Findings, Reproduction
from thinktime.study import Study

DAY_S = 86400.0
KTH, SDSC = "KTH", "SDSC"

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

#: case → makespan, mean and maximal wait in days, at KTH and at SDSC
RECORDED = {KTH: (332.93, 0.18, 11.34), SDSC: (736.12, 0.26, 62.48)}
RIGID = {
    "EASY": {KTH: (332.91, 0.07, 4.07), SDSC: (731.36, 0.19, 5.73)},
    "FCFS": {KTH: (333.10, 4.51, 11.79), SDSC: (794.26, 14.82, 63.96)},
    "perf*2": {KTH: (332.91, 0.01, 1.34), SDSC: (731.32, 0.01, 1.84)},
    "perf/2": {KTH: (471.85, 31.84, 141.34), SDSC: (1239.37, 64.62, 508.38)},
    "infra*2": {KTH: (332.91, 0.00, 0.54), SDSC: (731.36, 0.01, 1.28)},
    "infra/2": {KTH: (386.70, 4.15, 58.87), SDSC: (1167.94, 37.43, 437.28)},
}

#: Where much is backfilled, Batsim's sub-second offsets and its rounding of run times to the next second change
#: who fits into a gap, and with it everything that follows. There the makespan may differ by 0.5 %, the waits by
#: 10 %; elsewhere all by 0.1 %.
BACKFILLED = ("perf/2", "infra/2")
QUANTITIES = (("makespan, d", "makespan_s"), ("mean wait, d", "wait_mean_s"), ("max wait, d", "wait_max_s"))


def study(label: str, log: Path) -> Study:
    """The runs without feedback."""
    return Study.of(
        name=f"madon2024-{label}",
        workloads=[{"name": label, "log": str(log), "processors": "requested"}],
        schedulers=["easy", "fcfs"],
        platforms=[{"name": name, "spec": spec} for name, spec in PLATFORMS.items()],
        estimates=["at_least:2"],
        only=[{"platform": platform, "scheduler": scheduler} for scheduler, platform in CASES.values()],
    )


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


def _simulated(label: str, case: str, metric: str) -> Callable[[Findings], float | None]:
    scheduler, platform = CASES[case]

    def ours(findings: Findings) -> float | None:
        value = findings.value(label, metric, scheduler=scheduler, platform=platform)
        return None if value is None else value / DAY_S

    return ours


def _relative(case: str, metric: str) -> float:
    if case not in BACKFILLED:
        return 0.001
    return 0.005 if metric == "makespan_s" else 0.1


def _claims() -> list[Claim]:
    found = []
    for label in (KTH, SDSC):
        for (quantity, metric), value in zip(QUANTITIES, RECORDED[label], strict=True):
            row = f"{label}, recorded"
            found.append(Claim("Table 1", row, quantity, value, 2, 0.0, label, _recorded(label, metric)))
        for case, values in RIGID.items():
            for (quantity, metric), value in zip(QUANTITIES, values[label], strict=True):
                row, share = f"{label}, {case}, rigid", _relative(case, metric)
                found.append(Claim("Table 1", row, quantity, value, 2, share, label, _simulated(label, case, metric)))
    return found


MADON2024 = Reproduction(
    name="madon2024",
    paper="M. Madon, G. Da Costa, J.-M. Pierson. Replay with Feedback: How does the performance of HPC system impact"
    " user submission behavior? Future Generation Computer Systems, 2024",
    logs={KTH: "KTH-SP2-1996-2.1-cln.swf", SDSC: "SDSC-SP2-1998-4.swf"},
    study=study,
    claims=_claims(),
    notes=(
        "processors: the requested ones (field 8), which the printed rigid rows fit",
        "estimates: the request, but at least twice the run time, as Batsim's converter makes them",
        "the rows with feedback are not part of this reproduction yet",
    ),
    needs={SDSC: "needs SDSC-SP2-1998-4.swf, the raw log: the cleaned one has other jobs"},
)
