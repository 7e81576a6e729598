"""Compare workloads: distances from a workload A, judged by the distances of A's resamples.

Resamples vary the users of A at random. If a workload B is no farther from A than the resamples are, the measure cannot
distinguish B from a resample of A. With N resamples p = (1 + resamples at least as far as B) / (1 + N), the exact level
of a permutation test, because A's resamples and a further one are exchangeable. B is `outside` if p is at most 0.05,
`inside` if it is larger, and `unclear` if it lies beyond all resamples but N is too small for p ≤ 0.05.

Without another workload, A itself is compared with its resamples: A and each resample have a mean distance to all the
others, and A is judged by its rank among these.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from thinktime.description.description import Description, Settings, describe_with
from thinktime.description.distances import MEASURES, Measure
from thinktime.drawing import draw
from thinktime.errors import InputError
from thinktime.support.equality import ByContent
from thinktime.support.html import table_html
from thinktime.support.json_types import JsonDict
from thinktime.support.random_streams import checked_seed, name_hash

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.figure import Figure

    from thinktime.workload.workload import Workload

ITSELF = "its resamples"  # stands for the other workload, where A is compared with its resamples
LEVEL = 0.05
RESAMPLES = 20  # the fewest that can show p below 0.05; the paper has 8

DEFAULT = Settings()

#: number of a resample → that resample of the workload
Variants = Callable[[int], "Workload"]


@dataclass(frozen=True, eq=False, repr=False)
class Row(ByContent):
    """One measure of one other workload, or of a workload compared with its resamples."""

    measure: Measure
    other: str  # name of the other workload
    base_value: float
    other_value: float
    distance: float  # of the other from the base; mean distance from the resamples if there is no other
    spread: np.ndarray  # the distance of each resample; empty without resamples
    spread_values: np.ndarray  # values of the resamples
    missing: str = ""  # why there is no distance

    @property
    def p(self) -> float:
        """p of the permutation test; NaN without a distance or without resamples."""
        if math.isnan(self.distance) or not len(self.spread):
            return float("nan")
        return (1 + int((self.spread >= self.distance).sum())) / (1 + len(self.spread))

    @property
    def verdict(self) -> str:
        """`inside`, `outside` or `unclear`; `not measured` without a distance, `no verdict` without resamples."""
        if math.isnan(self.distance):
            return "not measured"
        if not len(self.spread):
            return "no verdict"
        if self.p <= LEVEL:
            return "outside"
        return "unclear" if self.p == 1 / (1 + len(self.spread)) else "inside"


@dataclass(frozen=True, repr=False)
class Comparison:
    """A workload compared with others or with its resamples; `rows` by other workload, then by measure."""

    base: Description
    others: tuple[Description, ...]
    spread: tuple[Description, ...]  # resamples of the base
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    def of(self, other: str) -> list[Row]:
        """The rows of one other workload, by its name."""
        return [row for row in self.rows if row.other == other]

    def verdict(self, other: str) -> str:
        """Summarise one other workload in one sentence."""
        rows = self.of(other)
        judged = [row for row in rows if row.verdict in ("inside", "outside", "unclear")]
        outside = sum(row.verdict == "outside" for row in judged)
        if not judged:
            return f"{other}: no verdict, because there are no resamples"
        what = f"{outside} of {len(judged)} measures lie outside the spread of {len(self.spread)} resamples"
        unclear = sum(row.verdict == "unclear" for row in judged)
        more = f", {unclear} beyond all of these, but a verdict needs {RESAMPLES}" if unclear else ""
        who = self.base.name if other == ITSELF else other
        return f"{who}: {what} of {self.base.name}{more}; {LEVEL * len(judged):.1f} would lie outside by chance"

    def __repr__(self) -> str:
        names = ", ".join(other.name for other in self.others) or ITSELF
        return (
            f"<Comparison of {self.base.name} with {names}: {len(self.rows)} distances, {len(self.spread)} resamples>"
        )

    def _repr_html_(self) -> str:
        others = dict.fromkeys(row.other for row in self.rows)
        rows = [
            (other, row.measure.words, f"{row.distance:.3g}", row.verdict) for other in others for row in self.of(other)
        ]
        told = "; ".join(self.verdict(other) for other in others)
        return table_html(told or repr(self), ("compared with", "measure", "distance", "verdict"), rows)

    def plot(self) -> Figure:
        """Return a figure of the distances, or of the activity of users without resamples."""
        if self.rows and self.spread:
            return draw("verdicts", self)
        return draw("user_marginals", self.base, others=self.others)

    @property
    def frame(self) -> pl.DataFrame:
        """One row per measure and other workload."""
        import polars as pl

        return pl.DataFrame([_plain(row) for row in self.rows], schema=_SCHEMA)

    def as_dict(self) -> JsonDict:
        """Plain data for JSON."""
        return {
            "base": self.base.as_dict(),
            "others": [other.as_dict() for other in self.others],
            "resamples": len(self.spread),
            "measures": [_plain(row) for row in self.rows],
            "verdicts": {other: self.verdict(other) for other in dict.fromkeys(row.other for row in self.rows)},
            "notes": list(self.notes),
        }


_SCHEMA = {
    **dict.fromkeys(("other", "measure", "words", "where", "how"), str),
    **dict.fromkeys(("base_value", "other_value", "distance", "spread_mean", "spread_most", "p"), float),
    **dict.fromkeys(("resampled_mean", "resampled_sd"), float),
    **dict.fromkeys(("verdict", "missing"), str),
}


def _plain(row: Row) -> JsonDict:
    known = row.spread_values[~np.isnan(row.spread_values)]
    return {
        "other": row.other,
        "measure": row.measure.name,
        "words": row.measure.words,
        "where": row.measure.where,
        "how": row.measure.how,
        "base_value": row.base_value,
        "other_value": row.other_value,
        "distance": row.distance,
        "spread_mean": float(row.spread.mean()) if len(row.spread) else float("nan"),
        "spread_most": float(row.spread.max()) if len(row.spread) else float("nan"),
        "p": row.p,
        "resampled_mean": float(known.mean()) if len(known) else float("nan"),
        "resampled_sd": float(known.std(ddof=1)) if len(known) > 1 else float("nan"),
        "verdict": row.verdict,
        "missing": row.missing,
    }


def compare_descriptions(base: Description, others: Sequence[Description], spread: Sequence[Description]) -> Comparison:
    """Compare descriptions by every measure; workloads of one name get numbers."""
    for each in (*others, *spread):
        if each.settings.measured != base.settings.measured:
            raise InputError(f"{each.name} and {base.name} were described with different settings: use the same.")
    named = _with_names(base, others)
    rows = [_compare_by_measure(measure, base, other, spread) for other in named for measure in MEASURES.values()]
    if not named and spread:
        rows = [_row_of_itself(measure, base, spread) for measure in MEASURES.values()]
    notes: tuple[str, ...] = ()
    if any(each.local_clock != base.local_clock for each in named):
        notes = ("local time is known for some workloads only, so weekly cycles and days do not compare",)
    return Comparison(base, tuple(named), tuple(spread), tuple(rows), notes)


def _compare_by_measure(measure: Measure, base: Description, other: Description, spread: Sequence[Description]) -> Row:
    distance = measure.distance(base, other)
    distances = np.array([measure.distance(base, each) for each in spread])
    values = np.array([measure.value(each) for each in spread])
    missing = "" if not math.isnan(distance) else _why(measure, base, other)
    known = distances[~np.isnan(distances)]
    return Row(measure, other.name, measure.value(base), measure.value(other), distance, known, values, missing)


def _row_of_itself(measure: Measure, base: Description, spread: Sequence[Description]) -> Row:
    every = (base, *spread)
    between = np.zeros((len(every), len(every)))
    for i, j in zip(*np.triu_indices(len(every), 1), strict=True):
        between[i, j] = between[j, i] = measure.distance(every[i], every[j])
    mean = between.sum(axis=1) / len(spread)
    values = np.array([measure.value(each) for each in spread])
    missing = "" if not math.isnan(mean[0]) else _why(measure, *every)
    known = mean[1:][~np.isnan(mean[1:])]
    resampled = float(np.mean(values)) if len(values) else float("nan")
    return Row(measure, ITSELF, measure.value(base), resampled, float(mean[0]), known, values, missing)


def _why(measure: Measure, *described: Description) -> str:
    """Why a description lacks the measure, or an attribute that it needs."""
    attribute = measure.name.partition(".")[2]
    for each in described:
        for key in (measure.name, f"similarity.{attribute}", attribute, "users"):
            if key in each.missing:
                return each.missing[key]
    return "not measured in both workloads"


def _with_names(base: Description, others: Sequence[Description]) -> list[Description]:
    seen = {base.name: 1}
    named = []
    for other in others:
        count = seen[other.name] = seen.get(other.name, 0) + 1
        named.append(other if count == 1 else replace(other, name=f"{other.name} ({count})"))
    return named


# --- from workloads -------------------------------------------------------------------------------------------


def resamples_of(workload: Workload, seed: int = 0) -> Variants:
    """Resamples by user with as many weeks as the workload, from their own random streams."""
    from thinktime.resampling import Resampler

    resampler = Resampler(workload)
    return lambda number: resampler.workload(name_hash("spread", checked_seed(seed), number))


def spread_of(
    variants: Variants,
    count: int = RESAMPLES,
    *,
    settings: Settings = DEFAULT,
    told: Callable[[int], None] = lambda done: None,
) -> list[Description]:
    """Describe `count` variants of a workload, without medians and shuffles, which are not compared."""
    found = []
    for k in range(count):
        described = describe_with(variants(k), replace(settings, medians=False, shuffles=0))
        found.append(replace(described, name=f"resample {k + 1}"))
        told(k + 1)
    return found


def compare_workloads(
    base: Workload,
    others: Iterable[Workload] = (),
    *,
    resamples: int = RESAMPLES,
    variants: Variants | None = None,
    settings: Settings = DEFAULT,
    told: Callable[[str, int], None] = lambda what, done: None,
) -> Comparison:
    """Describe a workload and others, and judge their distances by resamples of the first.

    Parameters
    ----------
    base
        The workload to which others are compared.
    others
        Other workloads. Without any, the workload is compared with its own resamples, as in the paper.
    resamples
        Number of resamples; 0 gives distances without verdicts, 20 is the fewest that can reach p < 0.05.
    variants
        A function from 0, 1, 2, … to a variant of the workload; by default resamples by user.
    settings
        How workloads are described; `seed` is also that of the resamples.
    told
        Called with "described" or "resampled" and the number done so far.
    """
    if resamples < 0:
        raise InputError(f"resamples must be at least 0 (got {resamples}); {RESAMPLES} is the fewest that can decide")
    first = describe_with(base, settings)
    told("described", 1)
    beside = []
    for done, other in enumerate(others, start=2):
        beside.append(describe_with(other, settings))
        told("described", done)
    spread, notes = _spread_or_note(base, variants, resamples, told, settings)
    found = compare_descriptions(first, beside, spread)
    return replace(found, notes=(*found.notes, *notes))


def _spread_or_note(
    base: Workload, variants: Variants | None, count: int, told: Callable[[str, int], None], settings: Settings
) -> tuple[list[Description], tuple[str, ...]]:
    """The spread, or a note on why there is none."""
    if count == 0:
        return [], ("no verdict, because resamples is 0",)
    try:
        made = variants or resamples_of(base, settings.seed)
        return spread_of(made, count, settings=settings, told=lambda done: told("resampled", done)), ()
    except InputError as reason:
        return [], (f"no verdict, because {base.name} cannot be resampled: {reason}",)
