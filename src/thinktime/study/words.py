"""What a comparison says, in sentences: what can be concluded, what cannot, and for what it holds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from thinktime import statistics as st
from thinktime.metrics.names import EVERY_METRIC
from thinktime.study.block_table import Table

if TYPE_CHECKING:
    from thinktime.study.compare import Comparison, Contrast, MetricComparison

MANY = 1000  # blocks beyond which the exact number does not matter
MOST_PAIRS = 6  # that are named one by one
ENOUGH = 20  # blocks from which the bootstrap is not much too narrow

#: Durations are said in the largest unit of which there are two: its name, its seconds.
UNITS = (("d", 86400.0), ("h", 3600.0), ("min", 60.0), ("s", 1.0))


def words(comparison: Comparison) -> list[str]:
    """The contrasts of every metric, then its ranks, and at last what all of it is about."""
    said = [sentence for each in comparison.metrics.values() for sentence in _metric(each, comparison.level)]
    tables = [each.table for each in comparison.metrics.values()]
    notes = dict.fromkeys(note for table in tables for note in table.notes)
    return [*said, *notes, *dict.fromkeys(_scope(table) for table in tables)]


def _metric(each: MetricComparison, level: float) -> list[str]:
    contrasts = [_contrast(each.table, contrast, level) for contrast in each.contrasts]
    return [*contrasts, *([_ranks(each, level)] if each.ranks is not None else [])]


# --- one configuration against the baseline ---------------------------------------------------------------


def _contrast(table: Table, contrast: Contrast, level: float) -> str:
    if contrast.verdict == "single":
        return _single(table, contrast)
    if contrast.verdict == "equal":
        return f"{contrast.name} and {contrast.baseline} have the same {_what(table)} in every {_block(table)}."
    if contrast.verdict == "correlated":
        return _correlated(table, contrast)
    said = _open(table, contrast, level) if contrast.verdict == "open" else _shown(table, contrast, level)
    return " ".join([said, *_doubts(table, contrast, level)])


def _single(table: Table, contrast: Contrast) -> str:
    scale = Scale(table, contrast.difference)
    where = f"below {contrast.baseline}" if contrast.difference < 0 else f"above {contrast.baseline}"
    size = "equal to " + contrast.baseline if contrast.difference == 0 else f"{scale.of(contrast.difference)} {where}"
    return (
        f"In the only {_block(table)}, the {_what(table)} of {contrast.name} is {size}."
        f" From a single {_block(table)} nothing can be concluded about others."
    )


def _shown(table: Table, contrast: Contrast, level: float) -> str:
    pair = contrast.paired
    assert pair is not None  # only a single block has none
    down = contrast.verdict == "lower"
    verb = {"s": ("shortens", "lengthens")}.get(table.about.unit, ("lowers", "raises"))[0 if down else 1]
    size = _size(table, pair.difference, -1 if down else 1)
    share = f", that is {_share(pair.relative, -1 if down else 1)}" if pair.relative else ""
    return (
        f"{contrast.name} {verb} the {_what(table)} against {contrast.baseline} by {size}{share},"
        f" in {_count(table, pair.lower if down else pair.higher, pair.n)}"
        f" (signed-rank test with Holm's correction: p {_p(contrast.p_holm)})."
    ).replace("LEVEL", f"{100 * level:g} %")


def _open(table: Table, contrast: Contrast, level: float) -> str:
    pair = contrast.paired
    assert pair is not None  # only a single block has none
    size = _size(table, pair.difference, 1)
    needed = f" {_needed(table, contrast)}" if contrast.blocks_needed else ""
    return (
        f"With {pair.n} {_block(table, pair.n)} nothing can be concluded about the {_what(table)} of {contrast.name}"
        f" against {contrast.baseline}: the difference is {size}, below in {pair.lower}, equal in {pair.equal} and"
        f" above in {pair.higher} (p {_p(contrast.p_holm)}).{needed}"
    ).replace("LEVEL", f"{100 * level:g} %")


def _needed(table: Table, contrast: Contrast) -> str:
    count = contrast.blocks_needed or 0
    number = f"About {count}" if count <= MANY else f"More than {MANY}"
    return f"{number} {_block(table, count)} would be needed to show a difference of this size (power 80 %)."


def _correlated(table: Table, contrast: Contrast) -> str:
    """What happened in this log is a fact; that it would happen in other weeks is not."""
    pair, check = contrast.paired, contrast.check
    assert pair is not None  # no check without pairs
    assert check is not None
    down = contrast.difference < 0
    size, count = Scale(table, contrast.difference).of(contrast.difference), pair.lower if down else pair.higher
    return (
        f"In this log the {_what(table)} of {contrast.name} is {size} {'below' if down else 'above'} that of"
        f" {contrast.baseline}, in {_count(table, count, pair.n)}. But neighbouring {_block(table, 2)} are alike (lag-1"
        f" correlation {check.correlation:.2f}): the log is too short, or a run saturated, so neither interval nor test"
        " can be trusted and nothing can be concluded for other times."
    )


def _doubts(table: Table, contrast: Contrast, level: float) -> Iterable[str]:
    """What speaks against believing the sentence before."""
    pair, check = contrast.paired, contrast.check
    assert pair is not None  # only a single block has none
    if check is not None and not check.passes:
        alike = f"Neighbouring {_block(table, 2)} may be alike (lag-1 correlation {check.correlation:.2f})"
        yield f"{alike}, so the interval may be too narrow."
    if contrast.verdict == "open" and contrast.p_holm <= 1 - level:
        most, side = max((pair.lower, "below"), (pair.higher, "above"))
        yield f"That it is {side} in {most} of {pair.n} is no chance, but a few large differences leave the mean open."
    if contrast.verdict == "open" and 0 not in pair.difference:
        yield "The interval alone leaves out zero; the corrected signed-rank test does not agree."
    if pair.n >= ENOUGH and (0 in pair.difference) != (0 in pair.bootstrap):
        yield f"The bootstrap interval, {_ends(table, pair.bootstrap)}, disagrees about zero: take care."


# --- ranks ------------------------------------------------------------------------------------------------


def _ranks(each: MetricComparison, level: float) -> str:
    ranks = each.ranks
    assert ranks is not None  # asked only if there are some
    order = sorted(zip(ranks.average, each.table.names, strict=True))
    listed = ", ".join(f"{name} {rank:.2f}" for rank, name in order)
    if ranks.p_value > 1 - level:
        what = _what(each.table)
        return f"Over all, the {what} does not tell the configurations apart (Friedman, p {_p(ranks.p_value)})."
    close = [
        f"{a} and {b}"
        for k, (low, a) in enumerate(order)
        for high, b in order[k + 1 :]
        if high - low < ranks.critical_difference
    ]
    pairs = len(order) * (len(order) - 1) // 2
    listed_pairs = ", ".join(close) if len(close) <= MOST_PAIRS else f"{len(close)} of {pairs} pairs"
    apart = f"not told apart: {listed_pairs}" if close else "all are told apart"
    return (
        f"Average ranks by the {_what(each.table)}, 1 is best: {listed}"
        f" (Friedman, p {_p(ranks.p_value)}; critical difference {ranks.critical_difference:.2f}, for all pairs at once"
        f" and so coarser than the tests above: {apart})."
    )


# --- what it holds for ------------------------------------------------------------------------------------


def _scope(table: Table) -> str:
    if table.kind == "user":
        return (
            f"Users of one workload ({table.workloads[0]}) share one machine, so they are no independent sample: the"
            " intervals and p-values describe them and say nothing about other users or workloads."
        )
    if table.kind != "run":
        return (
            f"The blocks are of one workload ({table.workloads[0]}), one run each: this holds for this workload;"
            " about other workloads nothing can be said."
        )
    return _scope_of_runs(table)


def _scope_of_runs(table: Table) -> str:
    count, runs = len(table.workloads), len(table.values)
    if count == 0:
        return f"This holds for runs like these {runs}, if they are independent."
    if count == 1:
        return (
            f"All runs are of one workload ({table.workloads[0]}): this holds for other seeds of it;"
            " about other workloads nothing can be said."
        )
    if count < runs:
        return (
            f"The {runs} runs are of {count} workloads; runs of one workload are alike, so what holds for workloads in"
            " general is less certain than the intervals say."
        )
    return f"Each of the {runs} runs is of another workload: this holds for workloads like these."


# --- numbers and nouns ------------------------------------------------------------------------------------


class Scale:
    """How to write values of a metric: durations in the unit one thinks in, others with three digits."""

    def __init__(self, table: Table, size: float) -> None:
        fitting = [unit for unit in UNITS if abs(size) >= 2 * unit[1]]
        timed = table.about.unit == "s"
        self.unit, self.factor = (fitting or [UNITS[-1]])[0] if timed else (table.about.unit, 1.0)

    def number(self, value: float) -> str:
        return three_digits(value / self.factor)

    def of(self, value: float) -> str:
        return f"{self.number(abs(value))} {self.unit}".rstrip()


def three_digits(value: float) -> str:
    """Three significant digits, never an exponent for everyday sizes; what rounding left over is 0."""
    if abs(value) < 1e-12 or not math.isfinite(value):
        return "0" if math.isfinite(value) else f"{value:g}"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{digits}f}" if digits < 7 else f"{value:.3g}"


def _size(table: Table, interval: st.Interval, sign: int) -> str:
    """`3.2 h (95 % interval 2.9 to 3.5 h)`, with the sign turned where the verb has it."""
    scale = Scale(table, interval.estimate or max(abs(interval.low), abs(interval.high)))
    low, high = sorted((sign * interval.low, sign * interval.high))
    ends = f"{scale.number(low)} to {scale.number(high)} {scale.unit}".rstrip()
    return f"{scale.number(sign * interval.estimate)} {scale.unit}".rstrip() + f" (LEVEL interval {ends})"


def _ends(table: Table, interval: st.Interval) -> str:
    scale = Scale(table, interval.estimate)
    return f"{scale.number(interval.low)} to {scale.number(interval.high)} {scale.unit}".rstrip()


def _share(interval: st.Interval, sign: int) -> str:
    """`by 41 % (38 to 44 %)`, or `3.2 times as much (2.9 to 3.5)` where it more than doubles."""
    if interval.estimate > 1:
        ends = f"{three_digits(1 + interval.low)} to {three_digits(1 + interval.high)}"
        return f"{three_digits(1 + interval.estimate)} times as much ({ends})"
    low, high = sorted((100 * sign * interval.low, 100 * sign * interval.high))
    return f"by {three_digits(100 * sign * interval.estimate)} % ({three_digits(low)} to {three_digits(high)} %)"


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"= {value:.2g}"


def _count(table: Table, some: int, all_of_them: int) -> str:
    noun = _block(table, all_of_them)
    return f"all {all_of_them} {noun}" if some == all_of_them else f"{some} of {all_of_them} {noun}"


def _block(table: Table, count: int = 1) -> str:
    nouns = {"run": "runs", "week": "weeks", "day": "days", "batch": "batches", "user": "users"}
    if table.each > 1:
        return f"{'block' if count == 1 else 'blocks'} of {table.each} {nouns[table.kind]}"
    return table.kind if count == 1 else nouns[table.kind]


def _what(table: Table) -> str:
    """`wait, mean` as `mean wait`."""
    noun, _, which = table.about.label.partition(", ")
    if which in ("mean", "median", "maximum"):
        return f"{which} {noun}" + (" of a user" if table.kind == "user" else "")
    return f"{which} of the {noun}" if which.endswith("percentile") else table.about.label


# --- the printed page -------------------------------------------------------------------------------------


def printed(comparison: Comparison) -> str:
    """A table a metric, and the sentences below."""
    import textwrap

    tables = [_printed_table(each, comparison.level) for each in comparison.metrics.values()]
    said = [textwrap.fill(f"- {sentence}", 110, subsequent_indent="  ") for sentence in comparison.words()]
    return "\n\n".join([*tables, "\n".join(said)])


def _printed_table(each: MetricComparison, level: float) -> str:
    table = each.table
    unit = f" [{table.about.unit}]" if table.about.unit else ""
    label = EVERY_METRIC[table.metric].label if table.metric in EVERY_METRIC else table.metric
    head = f"{label}{unit}, {len(table.values)} {_block(table, len(table.values))}, {100 * level:g} % intervals"
    rows: list[tuple[str, ...]] = [
        ("", "estimate", "interval", f"difference to {table.names[0]}", "interval", "p (Holm)")
    ]
    rows += [_printed_row(each, column) for column in range(len(table.names))]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = ["  ".join(_padded(cell, k, widths[k]) for k, cell in enumerate(row)).rstrip() for row in rows]
    return "\n".join([head, *lines])


def _padded(cell: str, column: int, width: int) -> str:
    return cell.ljust(width) if column == 0 else cell.rjust(width)


def _printed_row(each: MetricComparison, column: int) -> tuple[str, ...]:
    name = each.table.names[column]
    own = [three_digits(each.table.estimate(column)), _between(each.estimates.get(name))]
    if column == 0:
        return (name, *own, "", "", "")
    contrast = each[name]
    ends = _between(contrast.paired.difference if contrast.paired else None)
    p = "" if math.isnan(contrast.p_holm) else f"{contrast.p_holm:.2g}"
    return (name, *own, three_digits(contrast.difference), ends, p)


def _between(interval: st.Interval | None) -> str:
    return "" if interval is None else f"{three_digits(interval.low)} to {three_digits(interval.high)}"
