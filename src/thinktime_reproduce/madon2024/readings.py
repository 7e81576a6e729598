"""The runs of madon2024, and readings of what its text leaves open.

The paper names its simulator, Batsim, whose converter makes estimates and whose scheduler is called after events. Which
processor field was read, whether EASY counts all releases at the shadow, and what happens inside one instant, was
chosen on KTH, the log whose numbers come closest; SDSC judges it. `thinktime reproduce madon2024 --readings` counts the
printed values that each alternative gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from thinktime.study import Study
from thinktime.workload.reading.job_columns import ProcessorField
from thinktime_reproduce.claim import DIGITS, MISSED, TOLERANCE, Claim, Ours, number
from thinktime_reproduce.readings import tried
from thinktime_reproduce.reproduction import Findings, Stage, Table

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
USERS = {"rigid": "rigid", "a0": "session-replay:threshold_min=0", "a60": "session-replay:threshold_min=60"}

# The reading that is used.
EASY = "easy:count_ties=false"
SAME_INSTANT = "each-end-first"
PROCESSORS: dict[str, ProcessorField] = {"rigid": "requested", "a0": "allocated", "a60": "allocated"}
ESTIMATES = "at_least:2"

Options = Mapping[str, Any]
USED: Options = {
    "easy": EASY,
    "same_instant": SAME_INSTANT,
    "processors": PROCESSORS,
    "estimates": ESTIMATES,
    "filter": "base",
}
AS_USED = "as used"
#: reading → what it changes
READINGS: dict[str, Options] = {
    AS_USED: {},
    "one pass per instant": {"same_instant": "batch"},
    "one pass per event, submissions first": {"same_instant": "each-submit-first"},
    "all ends at the shadow counted": {"easy": "easy"},
    "shadow computed once": {"easy": "easy:count_ties=false,recompute=false"},
    "no extra processors": {"easy": "easy:count_ties=false,extra_nodes=false"},
    "always requested processors": {"processors": dict.fromkeys(USERS, "requested")},
    "always allocated processors": {"processors": dict.fromkeys(USERS, "allocated")},
    "requested times as estimates": {"estimates": "requested"},
    "jobs as Batsim's converter writes them": {"filter": "batsim"},
}
INSTANTS = ("one pass per instant", "one pass per event, submissions first")  # other orders inside one instant


def options_of(reading: str) -> dict[str, Any]:
    return {**USED, **READINGS[reading]}


def study(label: str, log: Path, reading: str = AS_USED) -> Study:
    """The 18 runs. Jobs are kept where text and figures are judged as well."""
    options = options_of(reading)
    of = {f"{label} {replay}": options["processors"][replay] for replay in USERS}
    return Study.of(
        name=f"madon2024-{label}",
        question="How does the performance of a system change when its users submit?",
        workloads=[
            {"name": name, "log": str(log), "filter": options["filter"], "processors": field}
            for name, field in of.items()
        ],
        schedulers=[{"name": "easy", "spec": options["easy"]}, "fcfs"],
        platforms=[{"name": name, "spec": spec} for name, spec in PLATFORMS.items()],
        users=[{"name": name, "spec": spec} for name, spec in USERS.items()],
        estimates=[options["estimates"]],
        rules=[{"name": "rules", "same_instant": options["same_instant"]}],
        metrics=["makespan_s", "wait_mean_s", "lateness_mean_s", "additional_lateness_s"],
        keep="jobs" if reading in (AS_USED, *INSTANTS) else "summary",
        only=[cell(label, case, replay) for case in CASES for replay in USERS],
    )


def cell(label: str, case: str, replay: str) -> dict[str, Any]:
    """The run of a case under a replay."""
    scheduler, platform = CASES[case]
    return {"workload": f"{label} {replay}", "scheduler": scheduler, "platform": platform, "users": replay}


def under(findings: Findings, label: str, reading: str) -> Findings:
    """The same findings as if this reading were used. Runs are kept in a store beside the log's own."""
    from thinktime_reproduce.runner import run

    if ("under", label, reading) not in findings.kept:
        of = study(label, findings.logs[label], reading)
        store = run(f"{label}-readings", of, findings.directory or Path())
        findings.kept["under", label, reading] = Findings({label: of}, {label: store}, findings.logs)
    found: Findings = findings.kept["under", label, reading]
    return found


def others(run: tuple[str, str, str], quantity: str, ours: Ours, paper: str) -> Callable[[Findings], str]:
    """For a row (label, case, replay) that is missed: its value under every other reading."""

    def values(findings: Findings) -> dict[str, float | None]:
        return {name: ours(under(findings, run[0], name)) for name in READINGS if name != AS_USED}

    return tried(run[0], f"{', '.join(run)}, {quantity}", number(paper), values)


def counted(findings: Findings, stage: Stage, claims: Sequence[Claim]) -> Table:
    """For each reading how many printed values come out to the digit, within the tolerance, or not."""
    rows = []
    for label in findings.logs:
        of = [claim for claim in claims if claim.log == label and "recorded" not in claim.row]
        for name in READINGS:
            with stage(f"{label}: {name}"):
                found = under(findings, label, name)
                kinds = [_match_kind(claim, claim.ours(found)) for claim in of]
            rows.append((label, name, *(str(kinds.count(kind)) for kind in (DIGITS, TOLERANCE, MISSED))))
    return ("log", "reading", "same digits", "within tolerance", "missed"), rows


def _match_kind(claim: Claim, ours: float | None) -> str:
    if ours is None or not claim.holds(ours):
        return MISSED
    return DIGITS if claim.same(ours) else TOLERANCE
