"""A claim: one value or statement of a paper, how our value is computed, and the verdict.

Verdicts are counted in five classes that are never added up: a value that is equal to the printed digit is stronger
evidence than a value within a tolerance, and both are stronger than a bound from a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from thinktime.errors import InputError

if TYPE_CHECKING:
    from thinktime_reproduce.reproduction import Findings

MET, MISSED, NEEDS = "met", "missed", "needs"
VERDICTS = (MET, MISSED, NEEDS)

#: How ours relates to the paper's number. The last two include it, to the printed digit.
EQUAL, ABOVE, BELOW, AT_LEAST, AT_MOST = "equal", "above", "below", "at least", "at most"
SIGNS = {EQUAL: "", ABOVE: "> ", BELOW: "< ", AT_LEAST: "≥ ", AT_MOST: "≤ "}

#: Evidence of a claim
PRINTED, TEXT, COST, OWN = "printed", "claim", "cost", "own"
DIGITS, TOLERANCE = "digits", "tolerance"
#: class → words; the first two are of printed values
CLASSES = {
    DIGITS: "printed value, same to the printed digit",
    TOLERANCE: "printed value, within the stated tolerance",
    TEXT: "claim in the text or a figure",
    COST: "faster or smaller than the paper's figure",
    OWN: "our own prototype or aim",
}

FIT, HELD_OUT = "fit", "held out"
UNEXPLAINED = "not explained; no other reading was tried"
NO_VALUE = "no value of ours to compare with"

Ours = Callable[["Findings"], float | None]


@dataclass(frozen=True)
class Tolerance:
    """The accepted distance from a printed value, and the reason. The larger of the two applies."""

    reason: str
    relative: float = 0.0  # share of the printed value
    absolute: float = 0.0  # in the value's unit

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise InputError("a tolerance needs a reason")
        if max(self.relative, self.absolute) <= 0:
            raise InputError(f"a tolerance must be positive (got {self.relative} and {self.absolute})")

    def width(self, value: float) -> float:
        return max(abs(value) * self.relative, self.absolute)


@dataclass(frozen=True)
class Rule:
    """A reading of the paper that was chosen because it fits printed values on some logs."""

    words: str
    chosen_on: tuple[str, ...]  # labels of these logs

    def held_out(self, verdicts: Iterable[Verdict]) -> dict[str, tuple[int, int]]:
        """Class → number of met rows, and of all rows, on logs that the rule was not chosen on."""
        ruled = [each for each in verdicts if self in each.claim.rules and each.claim.log not in self.chosen_on]
        found = {name: [each.verdict for each in ruled if each.category == name] for name in CLASSES}
        counts = {name: (each.count(MET), each.count(MET) + each.count(MISSED)) for name, each in found.items()}
        return {name: count for name, count in counts.items() if count[1]}


@dataclass(frozen=True)
class Claim:
    """One printed value, or a bound that a sentence or a figure of the paper sets."""

    table: str  # where it is printed: "Table 1"
    row: str  # "KTH, FCFS, rigid"
    quantity: str  # "mean wait, d"
    paper: str  # as printed, such as "0.0160": it gives the value and the number of its digits
    log: str  # label of the log
    ours: Ours
    kind: str = EQUAL
    evidence: str = ""  # PRINTED, TEXT, COST or OWN; by default PRINTED for a value, TEXT for a bound
    tolerance: Tolerance | None = None  # None: the printed digits decide
    rules: tuple[Rule, ...] = ()  # chosen readings that ours depends on
    tried: str | Callable[[Findings], str] = ""  # printed with a miss: what was tried, or what explains it
    source: str = "paper"  # origin of the number, if it is not the paper

    def __post_init__(self) -> None:
        object.__setattr__(self, "evidence", self.evidence or (PRINTED if self.kind == EQUAL else TEXT))
        if self.kind != EQUAL and (self.tolerance or self.evidence == PRINTED):
            raise InputError(f"{self.table}, {self.row}: a bound has no tolerance and is not a printed value")
        if self.evidence == COST and self.kind not in (BELOW, AT_MOST):
            raise InputError(f"{self.table}, {self.row}: a cost must be compared with an upper bound")
        number(self.paper)

    @property
    def value(self) -> float:
        return number(self.paper)

    @property
    def digits(self) -> int:
        """Decimals as printed."""
        return len(self.paper.partition(".")[2])

    @property
    def allowed(self) -> float:
        """At least half a unit of the last printed digit: the precision of the paper."""
        return max(self.half_unit, self.tolerance.width(self.value) if self.tolerance else 0.0)

    @property
    def half_unit(self) -> float:
        return 0.5 * 10.0**-self.digits

    @property
    def judged(self) -> str:
        """Whether a rule was chosen on this log."""
        if not self.rules:
            return ""
        return FIT if any(self.log in rule.chosen_on for rule in self.rules) else HELD_OUT

    def same(self, ours: float) -> bool:
        """Whether ours rounds to the printed value."""
        return abs(ours - self.value) <= self.half_unit + _rounding(self.value)

    def holds(self, ours: float) -> bool:
        gap = ours - self.value
        if self.kind == EQUAL:
            return abs(gap) <= self.allowed + _rounding(self.value)
        edge = self.half_unit + _rounding(self.value)
        return {ABOVE: gap > 0, BELOW: gap < 0, AT_LEAST: gap >= -edge, AT_MOST: gap <= edge}[self.kind]


@dataclass(frozen=True)
class Verdict:
    """A claim with our value and the verdict."""

    claim: Claim
    ours: float | None
    verdict: str  # MET, MISSED or NEEDS
    why: str = ""  # for a miss: what was tried; for a missing log: its name
    version: str = ""  # the file that the paper had and the one that was read, if these differ

    @property
    def category(self) -> str:
        """Return the class in which it is counted: with a tolerance that class, unless the digits are the same."""
        claim = self.claim
        if claim.evidence != PRINTED:
            return claim.evidence
        same = claim.tolerance is None or (self.ours is not None and claim.same(self.ours))
        return DIGITS if same else TOLERANCE

    def to_dict(self) -> dict[str, Any]:
        claim = self.claim
        return {
            "table": claim.table,
            "row": claim.row,
            "quantity": claim.quantity,
            "source": claim.source,
            "class": self.category,
            "kind": claim.kind,
            "paper": claim.paper,
            "ours": self.ours,
            "tolerance": claim.allowed if claim.kind == EQUAL else None,
            "reason": claim.tolerance.reason if claim.tolerance else "",
            "verdict": self.verdict,
            "why": self.why,
            "rules": [rule.words for rule in claim.rules],
            "judged": claim.judged,
            "log": claim.log,
            "version": self.version,
        }


def number(text: str) -> float:
    """Return the value of a printed number; raise InputError if the text is not a number."""
    try:
        return float(text.replace(",", "").replace("−", "-"))
    except (ValueError, AttributeError):
        raise InputError(f"the paper's value must be a number as printed, such as '0.50' (got {text!r})") from None


def _rounding(value: float) -> float:
    """Tolerance for rounding of binary fractions."""
    return 1e-9 * max(abs(value), 1e-3)
