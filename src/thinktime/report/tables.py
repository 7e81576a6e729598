"""The report's tables, as HTML: what was compared, every run, every spec."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from thinktime import statistics as st
from thinktime.metrics import CATALOGUE, Cautions
from thinktime.report.content import Content
from thinktime.study.comparison.compared import Contrast, MetricComparison
from thinktime.study.comparison.sentences import Scale, block, rank_words
from thinktime.study.comparison.short_answer import Case
from thinktime.study.comparison.verdict import VERDICTS, Verdict, legend
from thinktime.study.outcomes import cautions_of, varied


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers_from: int = 1) -> str:
    """Return a table of HTML cells; columns from `numbers_from` on are numbers."""
    cells = "".join(f"<th{_number_class(k, numbers_from)}>{escape(name)}</th>" for k, name in enumerate(head))
    body = "".join(_table_row_html(row, numbers_from) for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def _table_row_html(row: Sequence[str], numbers_from: int) -> str:
    return "<tr>" + "".join(f"<td{_number_class(k, numbers_from)}>{cell}</td>" for k, cell in enumerate(row)) + "</tr>"


def _number_class(column: int, numbers_from: int) -> str:
    return ' class="n"' if column >= numbers_from else ""


# --- the overview: one table per log ------------------------------------------------------------------------


def overview(cases: Sequence[Case]) -> str:
    """Every metric of every configuration on one log, grouped by condition; the baseline first in each group."""
    metrics = list(dict.fromkeys(metric for case in cases for metric in case.comparison.metrics))
    scales = {metric: _column_scale(cases, metric) for metric in metrics}
    head = ("configuration", "runs", *(_label(metric, scales[metric]) for metric in metrics))
    rows = [row for case in cases for row in _group(case, metrics, scales)]
    return table(head, rows)


def _column_scale(cases: Sequence[Case], metric: str) -> Scale:
    """The unit of a column: that of the geometric mean of its smallest and largest value."""
    tables = [case.comparison.metrics[metric].table for case in cases if metric in case.comparison.metrics]
    sizes = [abs(each.estimate(column)) for each in tables for column in range(len(each.names))]
    above = [size for size in sizes if size > 0] or [0.0]
    return Scale(tables[0], math.sqrt(min(above)) * math.sqrt(max(above)))


def _label(metric: str, scale: Scale) -> str:
    label = CATALOGUE.about(metric).label
    return f"{label} [{scale.unit}]" if scale.unit else label


def _group(case: Case, metrics: Sequence[str], scales: dict[str, Scale]) -> Iterable[Sequence[str]]:
    names = dict.fromkeys(name for each in case.comparison.metrics.values() for name in each.table.names)
    if case.heading:
        yield (f"<em>{escape(case.heading)}</em>", "", *("" for _ in metrics))
    for name in names:
        happened = case.comparison.cautions.get(name, Cautions())
        cells = [
            _comparison_cell_html(case.comparison.metrics.get(metric), name, scales[metric])
            + _caution(happened, metric)
            for metric in metrics
        ]
        yield (escape(name), _blocks_text(case, name), *cells)


def _blocks_text(case: Case, name: str) -> str:
    """The number of runs, weeks or batches of a configuration, for its first metric."""
    of = next(each.table for each in case.comparison.metrics.values() if name in each.table.names)
    return f"{len(of.values):,}" if of.kind == "run" else f"{len(of.values):,} {block(of, len(of.values))}"


def _comparison_cell_html(each: MetricComparison | None, name: str, scale: Scale) -> str:
    """The value, and below it the difference from the baseline in the colour of its verdict."""
    if each is None or name not in each.table.names:
        return "–"
    value = scale.number(each.table.estimate(each.table.names.index(name)))
    if name == each.table.names[0]:
        return f"{value}<br><small>baseline</small>"
    contrast = each[name]
    return f"{value}<br><small>{_marked(contrast)}</small>"


def _caution(happened: Cautions, metric: str) -> str:
    """What happened to jobs that changes a value, below it."""
    words = happened.of(metric).short()
    return f'<br><small class="caution">{escape(words)}</small>' if words else ""


def _marked(contrast: Contrast) -> str:
    """The change with the verdict's label; for a single run the change alone."""
    verdict, size = VERDICTS[contrast.verdict], change(contrast)
    return badge(verdict, size) if verdict.name == "single" else f"{size} {badge(verdict)}"


def change(contrast: Contrast) -> str:
    """The relative difference; absolute if the baseline is not above 0."""
    if contrast.relative is None:
        return number(contrast.difference, signed=True)
    return "±0 %" if abs(contrast.relative) < 0.0005 else f"{100 * contrast.relative:+,.1f} %".replace("-", "−")


def badge(verdict: Verdict, words: str = "") -> str:
    """The label of a verdict, or other words, in its colour."""
    return (
        f'<span class="verdict" data-verdict="{verdict.name}" style="color:{verdict.colour}"'
        f' title="{escape(verdict.meaning)}">{escape(words or verdict.label)}</span>'
    )


def legend_of(cases: Sequence[Case]) -> str:
    """The verdicts that occur, with their meaning."""
    used = {c.verdict for case in cases for each in case.comparison.metrics.values() for c in each.contrasts}
    return " · ".join(f"{badge(each)}: {escape(each.meaning)}" for each in legend(used))


# --- in detail ----------------------------------------------------------------------------------------------


def detail(case: Case) -> str:
    """Intervals, tests and ranks of one case, one table per metric."""
    parts = []
    for metric, each in case.comparison.metrics.items():
        rows = [_result(each, column) for column in range(len(each.table.names))]
        unit = f" [{each.table.about.unit}]" if each.table.about.unit else ""
        level = f"{100 * case.comparison.level:g} % interval"
        kind = block(each.table, 2)
        head = ("configuration", kind, "mean", level, f"difference to {each.table.names[0]}", level, "p (Holm)")
        parts.append(f"<h4>{escape(CATALOGUE[metric].label + unit)}</h4>")
        parts.append(table((*head, "verdict"), rows))
        parts.append(f"<p>{escape(rank_words(each))}</p>" if each.ranks else "")
    return "\n".join(parts)


def _result(each: MetricComparison, column: int) -> tuple[str, ...]:
    name = each.table.names[column]
    own = (escape(name), f"{len(each.table.values):,}", number(each.table.estimate(column)))
    if column == 0:
        return (*own, _interval_cell(each.estimates.get(name)), "", "", "", "baseline")
    contrast = each[name]
    ends = _interval_cell(contrast.paired.difference if contrast.paired else None)
    p = "–" if math.isnan(contrast.p_holm) else f"{contrast.p_holm:.2g}"
    tested = (number(contrast.difference, signed=True), ends, p, badge(VERDICTS[contrast.verdict]))
    return (*own, _interval_cell(each.estimates.get(name)), *tested)


def _interval_cell(interval: st.Interval | None) -> str:
    return f"{number(interval.low)} to {number(interval.high)}" if interval is not None and interval.known else "–"


def plain_results(content: Content) -> str:
    """Means of a single configuration."""
    metrics = content.study.metrics
    rows = [
        (escape(name), f"{len(runs):,}", *(_plain_cell(content, metric, name) for metric in metrics))
        for name, runs in content.done.items()
    ]
    labels = [
        CATALOGUE[each].label + (f" [{CATALOGUE[each].unit}]" if CATALOGUE[each].unit else "") for each in metrics
    ]
    return table(("configuration", "runs", *labels), rows)


def _plain_cell(content: Content, metric: str, name: str) -> str:
    return number(_mean_over_runs(content, metric, name)) + _caution(content.cautions[name], metric)


def _mean_over_runs(content: Content, metric: str, name: str) -> float | None:
    known = [run["summary"][metric] for run in content.done[name] if run["summary"].get(metric) is not None]
    return sum(known) / len(known) if known else None


# --- every run, every spec ----------------------------------------------------------------------------------


def runs(content: Content) -> str:
    """Every run with the first digits of its hash; hovering shows all."""
    names = ["workload", *varied(content.study), "seed"]
    head = [*names, *(CATALOGUE[metric].label for metric in content.study.metrics), "seconds", "run", "remarks"]
    rows = []
    for each in content.outcomes:
        summary = each.get("summary") or {}
        cells = [escape(str(each["cell"].get(name, ""))) for name in names]
        cells += [number(summary.get(metric)) for metric in content.study.metrics]
        remarks = escape(each["error"] or cautions_of(each).short())
        rows.append(
            [*cells, f"{each['seconds']:.3f}", f'<code title="{each["run"]}">{each["run"][:12]}</code>', remarks]
        )
    return table(head, rows, len(names))


def specs(content: Content) -> str:
    """Every entry of every dimension, as it was simulated."""
    rows = [
        (escape(dimension), escape(entry.name), f"<code>{escape(_json(entry.spec))}</code>")
        for dimension, entries in content.study.grid.items()
        for entry in entries
    ]
    return table(("dimension", "name", "spec"), rows, 9)


def _json(spec: Any) -> str:
    """The spec without the path of the log; its hash identifies the log."""
    return json.dumps({key: value for key, value in spec.items() if key != "path"}, ensure_ascii=False)


def number(value: float | None, signed: bool = False) -> str:
    if value is None:
        return "–"
    sign = "+" if signed else ""
    text = f"{value:{sign},.0f}" if abs(value) >= 1000 or value == round(value) else f"{value:{sign},.4g}"
    return text.replace("-", "−")
