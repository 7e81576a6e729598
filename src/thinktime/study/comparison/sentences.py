"""Sentences on one configuration compared with the baseline, and on the scope of a comparison."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from thinktime import statistics as st
from thinktime.statistics.interval import FEWEST
from thinktime.study.comparison.block_table import Table
from thinktime.study.comparison.verdict import VERDICTS
from thinktime.support.time_units import DAY_S, HOUR_S, MINUTE_S

if TYPE_CHECKING:
    from thinktime.study.comparison.compared import Contrast, MetricComparison

MANY = 1000  # blocks; a larger number is not stated exactly
MOST_PAIRS = 6  # pairs that are listed
ENOUGH = 20  # blocks; with fewer, bootstrap intervals are too narrow

#: Units of durations: the largest of which a value has at least two is used.
UNITS = (("d", DAY_S), ("h", HOUR_S), ("min", MINUTE_S), ("s", 1.0))
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


# --- one configuration compared with the baseline ---------------------------------------------------------------


def contrast_words(table: Table, contrast: Contrast, level: float) -> str:
    """Return one contrast in full: size, interval, number of blocks and test."""
    if contrast.verdict == "equal":
        return f"{contrast.name} and {contrast.baseline} have the same {what(table)} in every {block(table)}."
    if contrast.verdict in ("single", "few"):
        return _seen(table, contrast)
    if contrast.verdict == "correlated":
        return _correlated(table, contrast)
    said = (
        _shown_sentence(table, contrast, level) if VERDICTS[contrast.verdict].shown else _open(table, contrast, level)
    )
    return " ".join([said, *_doubts(table, contrast, level)])


def _seen(table: Table, contrast: Contrast) -> str:
    """Return the sentence on a difference of one run, or of too few blocks to judge."""
    pair = contrast.paired
    where = f"In the only {block(table)}" if pair is None else f"Over {pair.n} {block(table, pair.n)}"
    side = "below" if contrast.difference < 0 else "above"
    size = f"{size_of(table, contrast)} {side} that of" if contrast.difference else "the same as that of"
    split = "" if pair is None else f" (below in {pair.lower}, above in {pair.higher})"
    return f"{where}, the {what(table)} of {contrast.name} is {size} {contrast.baseline}{split}."


def _shown_sentence(table: Table, contrast: Contrast, level: float) -> str:
    pair = contrast.paired
    assert pair is not None  # only a single block has none
    down = contrast.difference < 0
    verb = {"s": ("shortens", "lengthens")}.get(table.about.unit, ("lowers", "raises"))[0 if down else 1]
    size = _size(table, pair.difference, -1 if down else 1, level)
    share = f", {_relative_change(pair.relative, -1 if down else 1)}" if pair.relative else ""
    return (
        f"{contrast.name} {verb} the {what(table)} compared with {contrast.baseline} by {size}{share},"
        f" in {_some_of_blocks(table, pair.lower if down else pair.higher, pair.n)}"
        f" (signed-rank test with Holm's correction: p {_p(contrast.p_holm)})."
    )


def _open(table: Table, contrast: Contrast, level: float) -> str:
    pair = contrast.paired
    assert pair is not None  # only a single block has none
    size = _size(table, pair.difference, 1, level)
    return (
        f"{pair.n} {block(table, pair.n)} show no difference in the {what(table)} of {contrast.name} compared with"
        f" {contrast.baseline}: the difference is {size}, below in {pair.lower}, equal in {pair.equal} and above in"
        f" {pair.higher} (p {_p(contrast.p_holm)}).{needed_words(table, contrast.blocks_needed)}"
    )


def needed_words(table: Table, count: int | None) -> str:
    """Return how many blocks would be needed, after a space; empty if unknown."""
    if not count:
        return ""
    number = f"About {count:,}" if count <= MANY else f"More than {MANY:,}"
    return f" {number} {block(table, count)} would be needed to show a difference of this size (power 80 %)."


def _correlated(table: Table, contrast: Contrast) -> str:
    """Return the difference in this log; correlated blocks allow no conclusion about other times."""
    pair, check = contrast.paired, contrast.check
    assert pair is not None  # no check without pairs
    assert check is not None
    down = contrast.difference < 0
    size, count = size_of(table, contrast), pair.lower if down else pair.higher
    return (
        f"In this log the {what(table)} of {contrast.name} is {size} {'below' if down else 'above'} that of"
        f" {contrast.baseline}, in {_some_of_blocks(table, count, pair.n)}."
        f" But neighbouring {block(table, 2)} are correlated"
        f" (lag 1: {check.correlation:.2f}): the log is too short or a run is saturated, so this may not hold at other"
        " times."
    )


def _doubts(table: Table, contrast: Contrast, level: float) -> Iterable[str]:
    """Yield reasons to doubt the preceding sentence."""
    pair, check = contrast.paired, contrast.check
    assert pair is not None  # only a single block has none
    if check is not None and not check.passes:
        alike = f"Neighbouring {block(table, 2)} may be correlated (lag 1: {check.correlation:.2f})"
        yield f"{alike}, so the interval may be too narrow."
    if contrast.verdict == "open" and contrast.p_holm <= 1 - level:
        most, side = max((pair.lower, "below"), (pair.higher, "above"))
        yield f"It is {side} in {most} of {pair.n}, more than by chance, but a few large differences dominate the mean."
    if contrast.verdict == "open" and 0 not in pair.difference:
        yield "The interval alone excludes zero; the corrected signed-rank test does not agree."
    if pair.n >= ENOUGH and (0 in pair.difference) != (0 in pair.bootstrap):
        ends = _ends_with_unit(table, pair.bootstrap)
        yield f"The bootstrap interval, {ends}, does not agree about zero: interpret with care."


# --- ranks ------------------------------------------------------------------------------------------------


def rank_words(each: MetricComparison) -> str:
    """Return the average ranks, and the configurations that they do not distinguish; empty without ranks."""
    ranks = each.ranks
    if ranks is None:
        return ""
    order = sorted(zip(ranks.average, each.table.names, strict=True))
    if not ranks.significant:
        return (
            f"Ranks by the {what(each.table)} do not distinguish the configurations (Friedman, p {_p(ranks.p_value)})."
        )
    close = [
        f"{a} and {b}" for k, (low, a) in enumerate(order) for high, b in order[k + 1 :] if not ranks.apart(low, high)
    ]
    pairs = len(order) * (len(order) - 1) // 2
    listed_pairs = ", ".join(close) if len(close) <= MOST_PAIRS else f"{len(close)} of {pairs} pairs"
    apart = f"not distinguished: {listed_pairs}" if close else "all pairs are distinguished"
    listed = ", ".join(f"{name} {rank:.2f}" for rank, name in order)
    return (
        f"Average ranks by the {what(each.table)}, 1 is best: {listed} (Friedman, p {_p(ranks.p_value)}; critical"
        f" difference {ranks.critical_difference:.2f} for all pairs at once, so stricter than the verdicts: {apart})."
    )


# --- scope ------------------------------------------------------------------------------------


def scope_words(table: Table) -> str:
    """Return the scope of the comparison."""
    n = len(table.values)
    if table.kind == "user":
        return "Users of one log share one machine: intervals and p-values describe these users, not others."
    if table.kind != "run":
        return f"Blocks of one log ({table.workloads[0]}): other logs may differ."
    if n == 1:
        return "One run per configuration: the differences hold for these runs and have no intervals."
    if n < FEWEST:
        over = f"Averaged over {number_word(len(table.workloads))} logs; it may not hold for others. "
        return (
            f"{over if len(table.workloads) > 1 else ''}With {n} runs there are no intervals: {FEWEST} are the minimum."
        )
    return _scope_of_runs(table)


def _scope_of_runs(table: Table) -> str:
    count, runs = len(table.workloads), len(table.values)
    if count > 1:
        return f"Averaged over {number_word(count)} logs; it may not hold for others."
    if count == 1:
        return f"{runs} runs of one workload ({table.workloads[0]}): other workloads may differ."
    return f"It holds for runs like these {runs}, if they are independent."


def number_word(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


# --- numbers and nouns ------------------------------------------------------------------------------------


class Scale:
    """How to write values of a metric: durations in a suitable unit, others with three digits."""

    def __init__(self, table: Table, size: float) -> None:
        fitting = [unit for unit in UNITS if abs(size) >= 2 * unit[1]]
        timed = table.about.unit == "s"
        self.unit, self.factor = (fitting or [UNITS[-1]])[0] if timed else (table.about.unit, 1.0)

    def number(self, value: float) -> str:
        return three_digits(value / self.factor)

    def of(self, value: float) -> str:
        return f"{self.number(abs(value))} {self.unit}".rstrip()


def three_digits(value: float) -> str:
    """Return three significant digits, without an exponent for usual sizes; rounding errors are 0."""
    if abs(value) < 1e-12 or not math.isfinite(value):
        return "0" if math.isfinite(value) else f"{value:g}"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{digits}f}" if digits < 7 else f"{value:.3g}"


def size_of(table: Table, contrast: Contrast) -> str:
    """Return the size of a difference without its sign."""
    return Scale(table, contrast.difference).of(contrast.difference)


def _size(table: Table, interval: st.Interval, sign: int, level: float) -> str:
    """Return `3.2 h (95 % interval 2.9 to 3.5 h)`; `sign` is -1 if the verb has the direction."""
    scale = Scale(table, interval.estimate or max(abs(interval.low), abs(interval.high)))
    low, high = sorted((sign * interval.low, sign * interval.high))
    ends = f"{scale.number(low)} to {scale.number(high)} {scale.unit}".rstrip()
    return f"{scale.number(sign * interval.estimate)} {scale.unit}".rstrip() + f" ({100 * level:g} % interval {ends})"


def _ends_with_unit(table: Table, interval: st.Interval) -> str:
    scale = Scale(table, interval.estimate)
    return f"{scale.number(interval.low)} to {scale.number(interval.high)} {scale.unit}".rstrip()


def _relative_change(interval: st.Interval, sign: int) -> str:
    """Return `41 % (38 to 44 %)`, or `3.2 times as much (2.9 to 3.5)` if it more than doubles."""
    if interval.estimate > 1:
        ends = f"{three_digits(1 + interval.low)} to {three_digits(1 + interval.high)}"
        return f"{three_digits(1 + interval.estimate)} times as much ({ends})"
    low, high = sorted((100 * sign * interval.low, 100 * sign * interval.high))
    return f"{three_digits(100 * sign * interval.estimate)} % ({three_digits(low)} to {three_digits(high)} %)"


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"= {value:.2g}"


def _some_of_blocks(table: Table, some: int, all_of_them: int) -> str:
    noun = block(table, all_of_them)
    return f"all {all_of_them} {noun}" if some == all_of_them else f"{some} of {all_of_them} {noun}"


def block(table: Table, count: int = 1) -> str:
    """Return the noun for a number of blocks."""
    nouns = {"run": "runs", "week": "weeks", "day": "days", "batch": "batches", "user": "users"}
    if table.each > 1:
        return f"{'block' if count == 1 else 'blocks'} of {table.each} {nouns[table.kind]}"
    return table.kind if count == 1 else nouns[table.kind]


def what(table: Table) -> str:
    """Return `mean wait` for the label `wait, mean`."""
    noun, _, which = table.about.label.partition(", ")
    if which in ("mean", "median", "maximum"):
        return f"{which} {noun}" + (" of a user" if table.kind == "user" else "")
    return f"{which} of the {noun}" if which.endswith("percentile") else table.about.label
