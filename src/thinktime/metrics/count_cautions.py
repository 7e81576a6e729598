"""Counts the cautions of a run, from its columns, its spec, the account of the reader and the statistics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from thinktime.metrics.caution_kinds import KINDS
from thinktime.metrics.cautions import Caution, Cautions
from thinktime.metrics.saturation import saturated_because
from thinktime.metrics.status import COMPLETED, KILLED, REJECTED, UNFINISHED
from thinktime.support.equality import ByContent
from thinktime.workload.load_scaling import scaling_lines
from thinktime.workload.reading.implausible_times import implausible_lines

Columns = Mapping[str, np.ndarray]
#: Schedulers that do not use estimates; on a cluster, calendars and queue limits do.
BLIND = ("fcfs", "reject")
ULPS = 4  # rounding error of a sum of two float64 times


@dataclass(frozen=True, eq=False, repr=False)
class Context(ByContent):
    """Facts about a run that are not in its columns."""

    overrun: str = ""
    speed: float = 1.0
    estimates_scaled: bool = True  # divided by the speed as well
    plans: bool = True  # whether estimates affect the schedule
    stopped_s: float | None = None  # when the run was stopped, if it was
    refusals: Mapping[str, int] = field(default_factory=dict)  # reason → rejected jobs
    no_estimate: int = 0
    clipped: int = 0
    lost: np.ndarray | None = None  # bool[jobs]
    requeued: int = 0
    ended: np.ndarray | None = None  # bool[jobs]: killed by the scheduler
    kills: Mapping[str, int] = field(default_factory=dict)  # reason → jobs that the scheduler killed
    requeues: Mapping[str, int] = field(default_factory=dict)  # reason → runs that the scheduler requeued
    account: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, spec: Mapping[str, Any], account: Mapping[str, Any], statistics: Mapping[str, Any]) -> Context:
        """Return the context from the content of run.json."""
        machine, estimates = (_mapping(spec.get(name)) for name in ("machine", "estimates"))
        return cls(
            overrun=str(spec.get("overrun", "")),
            speed=float(machine.get("speed", 1.0)),
            estimates_scaled=bool(estimates.get("scaled")) or estimates.get("name") == "perfect",
            plans=machine.get("name") == "cluster" or _mapping(spec.get("scheduler")).get("name") not in BLIND,
            stopped_s=statistics.get("clock_s") if statistics.get("stopped") else None,
            refusals=_mapping(statistics.get("rejected")),
            kills=_mapping(statistics.get("killed")),
            requeues=_mapping(statistics.get("requeued")),
            no_estimate=int(statistics.get("without_estimate", 0)),
            clipped=int(statistics.get("clipped", 0)),
            account=account,
        )


def find_cautions(
    columns: Columns, context: Context, among: np.ndarray | None = None, *, saturated: bool = True
) -> Cautions:
    """Return the cautions of a run; `among` limits the counts of jobs to some rows.

    With `saturated`, test whether the queue grew.
    """
    rows = ~np.isnan(columns["submit_s"]) if among is None else among
    growth = _saturated(columns, context.stopped_s) if saturated else ""
    return cautions(count_jobs(columns, rows, context), context, growth)


def _saturated(columns: Columns, stopped_s: float | None) -> str:
    """Test for saturation; of a stopped run, only with the jobs submitted before the stop."""
    if stopped_s is None:
        return saturated_because(columns)
    before = columns["submit_s"] <= stopped_s
    needed = ("submit_s", "start_s", "end_s", "run_s", "status")
    return saturated_because({name: columns[name][before] for name in needed})


def count_jobs(columns: Columns, among: np.ndarray, context: Context) -> dict[str, int]:
    """Return kind → number of jobs among these rows, and `jobs`. Counts of blocks of jobs can be added."""
    status, submit_s = columns["status"], columns["submit_s"]
    never = np.isnan(submit_s) & (status == UNFINISHED)
    left = (status == UNFINISHED) & ~never
    nothing = np.zeros(len(status), bool)
    lost = nothing if context.lost is None else context.lost
    ended = nothing if context.ended is None else context.ended
    masks = {
        "jobs": among | never,
        "unfinished": among & left,
        "never_submitted": never,
        "rejected": among & (status == REJECTED),
        "killed": among & (status == KILLED) & ~lost & ~ended,
        "killed_by_scheduler": among & ended,
        "lost": among & lost,
        "over_estimate": among & (status == COMPLETED) & over_estimate(columns),
    }
    return {name: int(np.count_nonzero(mask)) for name, mask in masks.items()}


def over_estimate(columns: Columns) -> np.ndarray:
    """bool[jobs]: ran longer than its estimate, by more than rounding."""
    if "estimate_s" not in columns:
        return np.zeros(len(columns["run_s"]), bool)
    more_s = columns["run_s"] - columns["estimate_s"]
    return more_s > ULPS * np.spacing(np.abs(columns["end_s"]))  # False without an end: NaN


def cautions(counts: Mapping[str, int], context: Context, saturated: str = "") -> Cautions:
    """Return the cautions; `saturated` states how the queue grew, if it did."""
    jobs = counts.get("jobs", 0)
    found = {name: Caution(name, count, jobs) for name, count in counts.items() if name in KINDS}
    for name, count in (("no_estimate", context.no_estimate), ("clipped", context.clipped)):
        found[name] = Caution(name, count, jobs)
    if not context.plans:
        found = {name: each for name, each in found.items() if name not in ("no_estimate", "over_estimate")}
    found["requeued"] = Caution("requeued", context.requeued, jobs + context.requeued)
    found["saturated"] = Caution("saturated", int(bool(saturated)), 1, saturated)
    found |= _of_reader(context.account)
    found = _stopped(found, context) | _explained(found, context)
    return Cautions(tuple(found[name] for name in KINDS if name in found and found[name].count))


def _stopped(found: Mapping[str, Caution], context: Context) -> dict[str, Caution]:
    """Count the remaining jobs of a stopped run as `stopped`."""
    if context.stopped_s is None:
        return dict(found)
    left = [found[name] for name in ("unfinished", "never_submitted") if name in found]
    others = {name: each for name, each in found.items() if each not in left}
    return {**others, "stopped": Caution("stopped", sum(each.count for each in left), left[0].of if left else 0)}


def _explained(found: Mapping[str, Caution], context: Context) -> dict[str, Caution]:
    """Return cautions with reasons and advice."""
    rejected, over, killed = (found.get(name) for name in ("rejected", "over_estimate", "killed"))
    explained: dict[str, Caution] = {}
    if rejected:
        reasons = context.refusals if sum(context.refusals.values()) == rejected.count else {}
        explained["rejected"] = Caution("rejected", rejected.count, rejected.of, _reasons(reasons))
    if over:
        explained["over_estimate"] = Caution(
            "over_estimate", over.count, over.of, OVERRUN.get(context.overrun, ""), _advice(context)
        )
    if killed:
        explained["killed"] = Caution("killed", killed.count, killed.of, "", _advice(context))
    return explained | _by_scheduler(found, context)


def _by_scheduler(found: Mapping[str, Caution], context: Context) -> dict[str, Caution]:
    """Return what the scheduler did to running jobs, with its reasons."""
    explained: dict[str, Caution] = {}
    for name, reasons in (("killed_by_scheduler", context.kills), ("requeued", context.requeues)):
        if (each := found.get(name)) and reasons:
            others = each.count - sum(reasons.values())
            because = {**reasons, **({"by a plugin": others} if others > 0 else {})}
            explained[name] = Caution(name, each.count, each.of, _reasons(because))
    return explained


#: rule → what the scheduler knew of a job that ran longer than its estimate
OVERRUN = {
    "extend": "overrun extend: the scheduler knew their real length",
    "extend-blind": "overrun extend-blind: the scheduler expected them to end at any moment",
}


def _advice(context: Context) -> str:
    """Return advice if a speed makes jobs exceed estimates that are not scaled."""
    if context.speed == 1 or context.estimates_scaled:
        return ""
    return (
        f"Speed {context.speed:g} changes run times and leaves estimates as recorded; `--estimates scaled`"
        f' (Python: machine.scaled(speed={context.speed:g}, estimates="scaled")) divides both by the speed.'
    )


def _of_reader(account: Mapping[str, Any]) -> dict[str, Caution]:
    """Return the cautions of the reader: changed and omitted jobs."""
    repaired, dropped = (_mapping(account.get(name)) for name in ("repaired", "dropped"))
    kept, lines = int(account.get("kept") or account.get("jobs") or 0), int(account.get("job_lines") or 0)
    bad, odd = (int(account.get(name) or 0) for name in ("malformed_lines", "implausible_times"))
    first, *_, advice = implausible_lines(account) or ("", "")
    changed = int(account.get("repaired_jobs") or max(repaired.values(), default=0))
    return {
        **scaling_caution(account.get("load_scaling")),
        "repaired": Caution("repaired", changed, max(kept, changed), _reasons(repaired)),
        "left_out": Caution("left_out", sum(dropped.values()), lines, _reasons(dropped)),
        "implausible": Caution("implausible", odd, kept, first.removeprefix("implausible: "), _advice_sentence(advice)),
        "malformed": Caution("malformed", bad, int(account.get("lines") or bad)),
    }


def scaling_caution(steps: object, runs: int = 1) -> dict[str, Caution]:
    """Return the caution of a load that was scaled by changing one column of every job, if it was."""
    lines = scaling_lines(steps)
    advice = "`tt.resample(log, load=…)` changes the load by the number of users and keeps the rest."
    return {"load_scaled": Caution("load_scaled", runs, runs, "; ".join(lines), advice)} if lines else {}


def _advice_sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def _reasons(counts: Mapping[str, int]) -> str:
    """Return reasons with counts, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{reason}: {count:,}" for reason, count in ordered if count)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
