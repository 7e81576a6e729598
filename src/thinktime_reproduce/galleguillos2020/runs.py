"""The runs of galleguillos2020: which they are, and the facts that claims and figures use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.metrics import Box, box, growth, mean_by_queue, response, slowdown, wait
from thinktime.result import Result
from thinktime.study import Study
from thinktime.support.equality import ByContent
from thinktime_reproduce.reproduction import Findings

#: Seth's log on its nodes; the same log on processors that are only counted; two logs for the rejecting dispatcher
SETH, COUNTED, RICC, METACENTRUM = "Seth", "counted", "RICC", "MC"
LOGS = {
    SETH: "HPC2N-2002-2.2-cln.swf",
    COUNTED: "HPC2N-2002-2.2-cln.swf",
    RICC: "RICC-2010-2.swf",
    METACENTRUM: "METACENTRUM-2013-3.swf",
    "KTH": "KTH-SP2-1996-2.1-cln.swf",
    "CTC": "CTC-SP2-1996-3.1-cln.swf",
    "SDSC": "SDSC-SP2-1998-4.2-cln.swf",
}
#: Not the paper's: rules of the generator that were chosen on Seth are judged on them.
HELD_OUT_LOGS = ("KTH", "CTC", "SDSC")
CLUSTERS = {SETH: "seth", RICC: "ricc", METACENTRUM: "metacentrum"}

#: EBF is what AccaSim 1.0 calls so, as it was released; EASY is backfilling by the book
SCHEDULERS = {"FIFO": "fcfs", "SJF": "sjf", "LJF": "ljf", "EBF": "easy:compat=accasim-1.0", "EASY": "easy"}
ALLOCATORS = {"FF": "first-fit", "BF": "best-fit"}
REJECT = "reject"
#: Whether requests have the log's memory. The paper's system has it. AccaSim 1.1.3 looks at the first job only to find
#: out whether a log has any; HPC2N's first job has none, so no job requests memory there.
WITH_MEMORY, WITHOUT_MEMORY = "with memory", "without memory"

#: AccaSim never corrects an estimate that a job has outlived.
RULES = [{"name": "accasim", "overrun": "extend-blind"}]
#: What the prototype did: of the releases at the shadow it counted only those that the head needs.
PROTOTYPE_SCHEDULERS = {**SCHEDULERS, "EASY": "easy:count_ties=false"}


def study(label: str, log: Path) -> Study:
    return {SETH: _seth, COUNTED: _study_of_counted_processors}.get(label, _rejecting)(label, log)


def _seth(label: str, log: Path) -> Study:
    """Every dispatcher on nodes with memory; without it, where both allocators give the same starts, first fit."""
    return Study.of(
        name="galleguillos2020-seth",
        question="Which dispatcher suits Seth, and what does it cost?",
        workloads=[{"name": label, "log": str(log), "filter": "accasim"}],
        platforms=[{"name": WITH_MEMORY, "spec": "seth"}, {"name": WITHOUT_MEMORY, "spec": "seth:memory=ignore"}],
        schedulers=[{"name": name, "spec": spec} for name, spec in SCHEDULERS.items()],
        allocators=[{"name": name, "spec": spec} for name, spec in ALLOCATORS.items()],
        rules=RULES,
        metrics=["slowdown_mean", "wait_mean_s", "event_queued_jobs_mean"],
        decisions=True,
        keep="jobs",
        only=[{"platform": WITH_MEMORY}, {"platform": WITHOUT_MEMORY, "allocator": "FF"}],
    )


def _study_of_counted_processors(label: str, log: Path) -> Study:
    """What the prototype simulated: 240 processors, the allocated ones of each job."""
    return Study.of(
        name="galleguillos2020-counted",
        workloads=[{"name": label, "log": str(log), "processors": "allocated"}],
        platforms=["machine:processors=240"],
        schedulers=[{"name": name, "spec": spec} for name, spec in PROTOTYPE_SCHEDULERS.items()],
        rules=RULES,
        keep="jobs",
    )


def _rejecting(label: str, log: Path) -> Study:
    platforms: dict[str, Any] = {"platforms": [CLUSTERS[label]]} if label in CLUSTERS else {}
    return Study.of(
        name=f"galleguillos2020-{label}",
        workloads=[{"name": label, "log": str(log), "filter": "accasim"}],
        schedulers=[REJECT],
        **platforms,
    )


@dataclass(frozen=True)
class Effort:
    """How much is measured and generated."""

    repeats: int = 10  # of each process
    share: float = 1.0  # of the jobs of the generated data sets


FULL = Effort()


@dataclass(frozen=True, eq=False, repr=False)
class Facts(ByContent):
    """Of one run."""

    mean_wait_s: float
    mean_slowdown: float
    slowdowns: np.ndarray  # above 1, as AccaSim draws them
    queues: np.ndarray  # waiting jobs after each instant
    queue_over_time: float  # mean, weighted with time
    queue_before: float  # mean before deciding
    points: int  # time points
    decision_s: float  # in all
    rest_s: float
    usual_rest_s: float  # of a time point, mean without the longest tenth
    sizes: np.ndarray  # of the queue before deciding, in classes
    mean_s: np.ndarray  # of deciding, in each class
    growth_s: float  # seconds longer for each waiting job more

    @cached_property
    def slowdown(self) -> Box:
        return box(self.slowdowns)

    @cached_property
    def queue(self) -> Box:
        return box(self.queues)

    @property
    def rest_ms(self) -> float:
        """At a time point."""
        return 1e3 * self.rest_s / max(self.points, 1)


def facts(findings: Findings, label: str, **cell: Any) -> Facts:
    """Read once, of the runs that were kept."""
    key = (label, *sorted(cell.items()))
    if key not in findings.kept:
        findings.kept[key] = facts_of(findings.result(label, **cell))
    found: Facts = findings.kept[key]
    return found


def facts_of(run: Result) -> Facts:
    of, decisions = run.columns, run.decisions_columns
    slowdowns = slowdown(response(of["submit_s"], of["end_s"]), of["run_s"])
    sizes, mean_s = mean_by_queue(decisions["queued_jobs"], decisions["decision_s"])
    return Facts(
        mean_wait_s=float(np.nanmean(wait(of["submit_s"], of["start_s"]))),
        mean_slowdown=float(np.nanmean(slowdowns)),
        slowdowns=slowdowns[slowdowns > 1.0],
        queues=run.timeline_columns["queued_jobs"].astype(np.float64),
        queue_over_time=_over_time(run),
        queue_before=float(np.mean(decisions["queued_jobs"])) if len(decisions["queued_jobs"]) else 0.0,
        points=run.statistics["instants"],
        decision_s=float(np.sum(decisions["decision_s"])),
        rest_s=float(np.sum(decisions["rest_s"])),
        usual_rest_s=_usual(decisions["rest_s"]),
        sizes=sizes,
        mean_s=mean_s,
        growth_s=growth(decisions["queued_jobs"], decisions["decision_s"]),
    )


def _usual(seconds: np.ndarray) -> float:
    """Mean without the longest tenth, in which another process got the core. A median has only the clock's 10 ns."""
    kept = np.sort(seconds)[: max(9 * len(seconds) // 10, 1)]
    return float(kept.mean()) if len(kept) else 0.0


def _over_time(run: Result) -> float:
    time_s, queue = run.timeline_columns["time_s"], run.timeline_columns["queued_jobs"]
    lasted_s = np.diff(time_s)
    return float(np.sum(queue[:-1] * lasted_s) / max(np.sum(lasted_s), 1.0))


def on_seth(findings: Findings, dispatcher: str, platform: str = WITH_MEMORY) -> Facts:
    """Of `SJF-BF`."""
    scheduler, _, allocator = dispatcher.partition("-")
    return facts(findings, SETH, scheduler=scheduler, allocator=allocator, platform=platform)
