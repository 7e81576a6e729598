"""A reproduction: a study, the values that a paper printed, a tolerance and a verdict for each.

Nothing here knows a paper. A reproduction names its logs, makes its studies from them, and says for each printed
value how ours is found. A value that misses its tolerance is missed, and printed so; one that needs a log which
is not there says which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thinktime.errors import InputError
from thinktime.study.execute import Outcome
from thinktime.study.store import Store
from thinktime.study.study import Study

MET, MISSED, NEEDS = "met", "missed", "needs"


@dataclass(frozen=True)
class Claim:
    """One printed value."""

    table: str  # where it is printed: "Table 1"
    row: str  # "KTH, FCFS, rigid"
    quantity: str  # "mean wait, d"
    paper: float
    digits: int  # decimals as printed
    relative: float  # tolerance as a share of the printed value; 0 asks for the printed digits
    log: str  # the log that it is about
    ours: Callable[[Findings], float | None]

    @property
    def tolerance(self) -> float:
        """Half a unit of the last printed digit at least: the paper says no more than that."""
        return max(abs(self.paper) * self.relative, 0.5 * 10.0**-self.digits)


@dataclass(frozen=True)
class Verdict:
    """A claim and what came out."""

    claim: Claim
    ours: float | None
    verdict: str  # met, missed, or needs
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        claim = self.claim
        return {
            "table": claim.table,
            "row": claim.row,
            "quantity": claim.quantity,
            "paper": claim.paper,
            "ours": self.ours,
            "tolerance": claim.tolerance,
            "verdict": self.verdict,
            "why": self.why,
        }


class Findings:
    """What the runs of a reproduction gave: log → study and outcomes; and the logs as recorded."""

    def __init__(self, studies: Mapping[str, Study], stores: Mapping[str, Store], logs: Mapping[str, Path]) -> None:
        self.studies, self.stores, self.logs = studies, stores, logs

    def outcome(self, log: str, **cell: Any) -> Outcome:
        """The one run of the log's study that the names describe."""
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

    def mean(self, log: str, metric: str, **cell: Any) -> float | None:
        """Over the seeds of the cell that the names describe."""
        found = [task.cell["seed"] for task in self.studies[log].tasks() if cell.items() <= task.cell.items()]
        values = [self.value(log, metric, **cell, seed=seed) for seed in found]
        known = [value for value in values if value is not None]
        return sum(known) / len(known) if known and len(known) == len(values) else None


Draw = Callable[[Findings, Sequence[Verdict], Path, Sequence[str]], list[Path]]


@dataclass(frozen=True)
class Reproduction:
    """What `thinktime reproduce NAME` carries out."""

    name: str
    paper: str  # who, what, where
    logs: Mapping[str, str]  # label → file in the folder of logs
    study: Callable[[str, Path], Study]  # label and file → the runs that the claims need
    claims: Sequence[Claim]
    notes: Sequence[str] = ()  # how ambiguities were settled
    draw: Draw | None = None  # the paper's figures
    jobs: Mapping[str, int] = field(default_factory=dict)  # label → how many the paper's log has
    needs: Mapping[str, str] = field(default_factory=dict)  # label → how to get a log that few have


def judge(claims: Sequence[Claim], findings: Findings, needs: Mapping[str, str]) -> list[Verdict]:
    """A verdict for every claim, in the paper's order."""
    return [_judged(claim, findings, needs) for claim in claims]


def _judged(claim: Claim, findings: Findings, needs: Mapping[str, str]) -> Verdict:
    if claim.log not in findings.studies:
        return Verdict(claim, None, NEEDS, needs.get(claim.log, f"needs {claim.log}"))
    try:
        ours = claim.ours(findings)
    except InputError as error:
        return Verdict(claim, None, MISSED, str(error))
    if ours is None or not abs(ours - claim.paper) <= claim.tolerance * (1 + 1e-12):
        return Verdict(claim, ours, MISSED)
    return Verdict(claim, ours, MET)
