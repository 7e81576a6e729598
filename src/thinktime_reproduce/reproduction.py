"""A reproduction: logs, the studies on them, and the claims of a paper (`claim`).

This module is independent of any paper. A claim that does not hold is missed and says what was tried; a claim whose log
is missing names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from thinktime.errors import InputError
from thinktime.result import Result
from thinktime.study.execute import Outcome
from thinktime.study.store import Store
from thinktime.study.study import Study
from thinktime_reproduce.claim import MET, MISSED, NEEDS, NO_VALUE, UNEXPLAINED, Claim, Verdict


class Findings:
    """Results of the runs of a reproduction: studies and outcomes by log, the logs themselves, and measurements.

    `directory` is where more results may be kept; None if nowhere.
    """

    def __init__(
        self,
        studies: Mapping[str, Study],
        stores: Mapping[str, Store],
        logs: Mapping[str, Path],
        measured: Mapping[str, Any] | None = None,
        directory: Path | None = None,
    ) -> None:
        self.studies, self.stores, self.logs, self.directory = studies, stores, logs, directory
        self.measured: Mapping[str, Any] = measured or {}
        self.kept: dict[Any, Any] = {}  # results that several claims and figures use

    def outcome(self, log: str, **cell: Any) -> Outcome:
        """Return the outcome of the run that `cell` describes; raise InputError unless it is exactly one."""
        found = [task for task in self.studies[log].tasks() if cell.items() <= task.cell.items()]
        if len(found) != 1:
            raise InputError(f"{len(found)} runs of {log} are {cell}: a claim must describe one")
        outcome = self.stores[log].outcomes.get(found[0].run)
        if outcome is None or outcome["error"] is not None:
            raise InputError(f"the run {cell} of {log} failed: {outcome['error'] if outcome else 'it is missing'}")
        return outcome

    def value(self, log: str, metric: str, **cell: Any) -> float | None:
        found: float | None = self.outcome(log, **cell)["summary"][metric]
        return found

    def result(self, log: str, **cell: Any) -> Result:
        """Return the run itself, from a study that keeps the jobs."""
        return Result.load(self.stores[log].run_directory(self.outcome(log, **cell)["run"]), trust=True)

    def values(self, log: str, metric: str, **cell: Any) -> list[float]:
        """Return the metric for each seed of the cell; empty if a seed has none."""
        found = [task.cell["seed"] for task in self.studies[log].tasks() if cell.items() <= task.cell.items()]
        values = [self.value(log, metric, **cell, seed=seed) for seed in found]
        known = [value for value in values if value is not None]
        return known if len(known) == len(values) else []

    def mean(self, log: str, metric: str, **cell: Any) -> float | None:
        """Return the mean of the metric over the seeds of the cell."""
        values = self.values(log, metric, **cell)
        return sum(values) / len(values) if values else None


#: Name of a step, and optionally its number of parts → a context whose `done` reports the finished parts
Stage = Callable[..., AbstractContextManager[Any]]
#: Computes what claims and figures need beyond the studies, and keeps it in the findings
Prepare = Callable[[Findings, Stage], None]
Draw = Callable[[Findings, Sequence[Verdict], Path, Sequence[str]], list[Path]]
#: (logs, simulator → interpreter) → measurements that can be written as JSON
Measure = Callable[[Mapping[str, Path], Mapping[str, Path]], Mapping[str, Any]]


#: Head and rows of a table of alternative readings and their errors
Table = tuple[Sequence[str], Sequence[Sequence[str]]]


@dataclass(frozen=True)
class Reproduction:
    """A paper that `thinktime reproduce NAME` reproduces."""

    name: str
    paper: str  # authors, title, venue
    logs: Mapping[str, str | tuple[str, ...]]  # label → file; of several, the first that is present
    study: Callable[[str, Path], Study]  # label and file → the runs that the claims need
    claims: Sequence[Claim]
    notes: Sequence[str] = ()  # how ambiguities were settled
    draw: Draw | None = None  # the paper's figures
    jobs: Mapping[str, int] = field(default_factory=dict)  # label → number of jobs in the paper's log
    needs: Mapping[str, str] = field(default_factory=dict)  # label → how to get a rare log
    measure: Measure | None = None  # measures time and memory of processes
    peers: Sequence[str] = ()  # other simulators that `measure` can run
    beside: Callable[[Findings], Sequence[Claim]] | None = None  # claims that depend on measurements
    prepare: Prepare | None = None  # other computations before the claims
    readings: Callable[[Findings, Stage], Table] | None = None  # simulates alternatives to the reading that is used

    def files(self, label: str) -> tuple[str, ...]:
        """Return the names of the log's file, the paper's first."""
        named = self.logs[label]
        return (named,) if isinstance(named, str) else named


def judge(
    claims: Sequence[Claim],
    findings: Findings,
    needs: Mapping[str, str],
    versions: Mapping[str, str] | None = None,
) -> list[Verdict]:
    """Return a verdict for every claim, in the paper's order. `versions`: log → how the file read differs."""
    return [replace(_judge_claim(each, findings, needs), version=(versions or {}).get(each.log, "")) for each in claims]


def _judge_claim(claim: Claim, findings: Findings, needs: Mapping[str, str]) -> Verdict:
    if claim.log not in findings.studies:
        return Verdict(claim, None, NEEDS, needs.get(claim.log, f"needs {claim.log}"))
    try:
        ours = claim.ours(findings)
        if ours is not None and claim.holds(ours):
            return Verdict(claim, ours, MET)
        return Verdict(claim, ours, MISSED, _tried(claim, findings) or (NO_VALUE if ours is None else UNEXPLAINED))
    except InputError as error:
        return Verdict(claim, None, MISSED, str(error))


def _tried(claim: Claim, findings: Findings) -> str:
    return claim.tried if isinstance(claim.tried, str) else claim.tried(findings)
