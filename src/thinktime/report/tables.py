"""The report's tables, as HTML: what was compared, every run, every spec."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from thinktime.metrics import EVERY_METRIC
from thinktime.report.content import Content
from thinktime.study.outcomes import varied


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers_from: int = 1) -> str:
    """Cells are HTML already; those from a column on are numbers."""
    cells = "".join(f"<th{_kind(k, numbers_from)}>{escape(name)}</th>" for k, name in enumerate(head))
    body = "".join(_row(row, numbers_from) for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def _row(row: Sequence[str], numbers_from: int) -> str:
    return "<tr>" + "".join(f"<td{_kind(k, numbers_from)}>{cell}</td>" for k, cell in enumerate(row)) + "</tr>"


def _kind(column: int, numbers_from: int) -> str:
    return ' class="n"' if column >= numbers_from else ""


def results(content: Content, metric: str) -> str:
    """Estimate, interval and difference of each configuration."""
    if content.comparison is None:
        return _plain_results(content, metric)
    each = content.comparison.metrics[metric]
    contrasts = {contrast.name: contrast for contrast in each.contrasts}
    rows = [_result(content, metric, name, contrasts.get(name)) for name in content.done]
    return table(
        ("configuration", "runs", "mean", "95 % interval", f"difference to {content.baseline}", "verdict"), rows
    )


def _result(content: Content, metric: str, name: str, contrast: Any) -> tuple[str, ...]:
    assert content.comparison is not None
    each = content.comparison.metrics[metric].estimates.get(name)
    mean = each.estimate if each else _mean(content, metric, name)
    interval = f"{number(each.low)} to {number(each.high)}" if each else "–"
    difference, verdict = (number(contrast.difference), contrast.verdict) if contrast else ("", "baseline")
    return escape(name), f"{len(content.done[name]):,}", number(mean), interval, difference, escape(verdict)


def _plain_results(content: Content, metric: str) -> str:
    rows = [
        (escape(name), f"{len(runs):,}", number(_mean(content, metric, name))) for name, runs in content.done.items()
    ]
    return table(("configuration", "runs", "mean"), rows)


def _mean(content: Content, metric: str, name: str) -> float | None:
    known = [run["summary"][metric] for run in content.done[name] if run["summary"].get(metric) is not None]
    return sum(known) / len(known) if known else None


def runs(content: Content) -> str:
    """Every run with its hash; the whole hash on hovering."""
    names = ["workload", *varied(content.study), "seed"]
    head = [*names, *(EVERY_METRIC[metric].label for metric in content.study.metrics), "seconds", "run", "remarks"]
    rows = []
    for each in content.outcomes:
        summary = each.get("summary") or {}
        cells = [escape(str(each["cell"].get(name, ""))) for name in names]
        cells += [number(summary.get(metric)) for metric in content.study.metrics]
        remarks = escape(each["error"] or "; ".join(each.get("warnings") or ()))
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
    """Without the path: where a log lies is nobody's business, its hash says what it is."""
    return json.dumps({key: value for key, value in spec.items() if key != "path"}, ensure_ascii=False)


def number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 or value == round(value) else f"{value:,.4g}"
