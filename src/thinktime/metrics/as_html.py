"""Summaries and results as HTML, for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from thinktime.metrics.names import EVERY_METRIC

if TYPE_CHECKING:
    from thinktime.metrics.cautions import Cautions
    from thinktime.metrics.summary import Summary

CAUTION_STYLE = "background: #fdf6ec; border-left: 4px solid #E69F00; padding: .3em 1em .3em 1.6em; color: #222"


def summary_table(summary: Summary, head: str = "") -> str:
    """The cautions, then a row per metric with what changes it."""
    from thinktime.metrics.summary import number

    rows = []
    for name, value, unit in summary:
        cells = (EVERY_METRIC[name].label, number(value), unit, summary.cautions.of(name).short())
        rows.append("".join(f"<td>{escape(cell)}</td>" for cell in cells))
    lines = "".join(f"<tr>{row}</tr>" for row in rows)
    columns = "".join(f"<th>{name}</th>" for name in ("metric", "value", "unit", "caution"))
    return (
        f"{head}{caution_list(summary.cautions)}<table><thead><tr>{columns}</tr></thead><tbody>{lines}</tbody></table>"
    )


def caution_list(cautions: Cautions) -> str:
    """Nothing if nothing happened."""
    said = "".join(f"<li>{escape(sentence)}</li>" for sentence in cautions.sentences())
    return f'<ul style="{CAUTION_STYLE}">{said}</ul>' if said else ""


def result_table(result: Any) -> str:
    """A run: its name, and its summary."""
    head = f"<p>{escape(f'Result {result.digest[:12]}: {len(result):,} jobs on {result.processors:,} processors')}</p>"
    return summary_table(result.summary(), head)
