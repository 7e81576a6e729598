"""A comparison as text: the answer, then one table per metric."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from thinktime import statistics as st
from thinktime.metrics.cautions import Cautions, compared
from thinktime.statistics.interval import FEWEST
from thinktime.study.comparison.sentences import block, three_digits
from thinktime.study.comparison.short_answer import WIDTH
from thinktime.study.comparison.verdict import VERDICTS
from thinktime.support.html import table_html

if TYPE_CHECKING:
    from thinktime.study.comparison.compared import Comparison, MetricComparison


def printed_answer(sentences: Sequence[str]) -> str:
    """Return a list of sentences, wrapped."""
    return "\n".join(textwrap.fill(f"- {sentence}", WIDTH, subsequent_indent="  ") for sentence in sentences)


def printed(comparison: Comparison) -> str:
    """Return one table per metric; a single table if there are no intervals."""
    every = list(comparison.metrics.values())
    names = {each.table.names for each in every}
    if len(names) == 1 and all(len(each.table.values) < FEWEST for each in every):
        return _points(every)
    return "\n\n".join(_metric_text_table(each, comparison.level) for each in every)


def _points(every: Sequence[MetricComparison]) -> str:
    """Return values with relative differences, one column per metric."""
    first = every[0].table
    n = len(first.values)
    head = ("", *(f"{each.table.about.label}{_unit_in_brackets(each)}" for each in every))
    rows = [head, *((name, *(_point(each, k) for each in every)) for k, name in enumerate(first.names))]
    verdicts = dict.fromkeys(VERDICTS[c.verdict].label for each in every for c in each.contrasts)
    about = f"{n} {block(first, n)} per configuration, no intervals (fewer than {FEWEST}); in brackets: compared with"
    return "\n".join(
        [f"{about} {first.names[0]}; verdict: {', '.join(verdicts)}", *_aligned_lines(rows, range(len(head)))]
    )


def _unit_in_brackets(each: MetricComparison) -> str:
    return f" [{each.table.about.unit}]" if each.table.about.unit else ""


def _point(each: MetricComparison, column: int) -> str:
    value = three_digits(each.table.estimate(column))
    if column == 0:
        return value
    contrast = each.contrasts[column - 1]
    change = f"{100 * contrast.relative:+.1f} %" if contrast.relative is not None else f"{contrast.difference:+.3g}"
    return f"{value} ({change})"


def _aligned_lines(rows: Sequence[Sequence[str]], kept: Iterable[int], left: Sequence[int] = (0,)) -> list[str]:
    """Return lines with aligned columns, numbers to the right."""
    columns = list(kept)
    widths = {k: max(len(row[k]) for row in rows) for k in columns}
    return ["  ".join(row[k].ljust(widths[k]) if k in left else row[k].rjust(widths[k]) for k in columns).rstrip()
            for row in rows]  # fmt: skip


def _metric_text_table(each: MetricComparison, level: float) -> str:
    table, n = each.table, len(each.table.values)
    how = f"{100 * level:g} % intervals" if n >= FEWEST else f"no intervals (fewer than {FEWEST})"
    rows = _shown_columns(each)
    left = (0, len(rows[0]) - 1)  # name and verdict
    about = f"{table.about.label}{_unit_in_brackets(each)}, {n} {block(table, n)}, {how}"
    return "\n".join([about, *_aligned_lines(rows, range(len(rows[0])), left)])


def _metric_text_row(each: MetricComparison, column: int) -> tuple[str, ...]:
    name = each.table.names[column]
    own = [three_digits(each.table.estimate(column)), _interval_text(each.estimates.get(name))]
    if column == 0:
        return (name, *own, "", "", "", "baseline")
    contrast = each[name]
    ends = _interval_text(contrast.paired.difference if contrast.paired else None)
    p = "" if math.isnan(contrast.p_holm) else f"{contrast.p_holm:.2g}"
    return (name, *own, three_digits(contrast.difference), ends, p, VERDICTS[contrast.verdict].label)


def _interval_text(interval: st.Interval | None) -> str:
    known = interval is not None and interval.known
    return f"{three_digits(interval.low)} to {three_digits(interval.high)}" if known and interval else ""


def printed_cautions(cautions: Mapping[str, Cautions]) -> list[str]:
    """Return the cautions as a list; empty without cautions."""
    said = [textwrap.fill(f"- {each}", WIDTH, subsequent_indent="  ") for each in compared(cautions)]
    return ["\n".join(["Cautions", *said])] if said else []


def comparison_html(sentences: Sequence[str], cautions: Mapping[str, Cautions], cases: Mapping[str, Comparison]) -> str:
    """Return what a notebook shows: the answer, the cautions, and a table per case and metric."""
    listed = [*sentences, *(each for each in compared(cautions) if each not in sentences)]
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in listed)
    tables = [
        table_html(": ".join(filter(None, (place, f"{each.table.about.label}{_unit_in_brackets(each)}"))), head, rows)
        for place, comparison in cases.items()
        for each in comparison.metrics.values()
        for head, *rows in [_shown_columns(each)]
    ]
    return f"<ul>{items}</ul>{''.join(tables)}"


def _shown_columns(each: MetricComparison) -> list[list[str]]:
    """The head and the rows of a table, without columns that are empty."""
    head = ("", "estimate", "interval", f"difference to {each.table.names[0]}", "interval", "p (Holm)", "verdict")
    rows = [head, *(_metric_text_row(each, column) for column in range(len(each.table.names)))]
    kept = [k for k in range(len(head)) if k == 0 or any(row[k] for row in rows[1:])]
    return [[row[k] for k in kept] for row in rows]
