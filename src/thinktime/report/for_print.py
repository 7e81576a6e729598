"""The figures of a study for print: PDF, SVG or PNG files beside the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from thinktime import plots
from thinktime.metrics import EVERY_METRIC
from thinktime.plots.distribution import Distribution
from thinktime.report.content import Content
from thinktime.study.compare import Comparison

SHOWN = 30  # configurations a figure can hold


def write_figures(content: Content, folder: Path, formats: Sequence[str]) -> list[Path]:
    """Every figure in every format; returns the files."""
    figures = all_figures(content)
    return [path for name, figure in figures.items() for path in plots.save(figure, folder / name, formats)]


def all_figures(content: Content) -> dict[str, Any]:
    """File name → figure."""
    found = {name: draw(_distributions(content, sketch)) for name, (draw, sketch) in DISTRIBUTIONS.items()}
    weeks = content.means("week_load", SHOWN)
    found |= {"week_load": plots.week_load(weeks, local=True)} if weeks else {}
    found |= _decisions(content)
    return found | (_compared(content.comparison) if content.comparison is not None else {})


#: file name → function, and the sketch that it draws
DISTRIBUTIONS: dict[str, tuple[Any, str]] = {
    "wait_boxes": (plots.wait_boxes, "wait_s"),
    "wait_ecdf": (plots.wait_ecdf, "wait_s"),
    "slowdown_boxes": (plots.slowdown_boxes, "bounded_slowdown"),
    "slowdown_ecdf": (plots.slowdown_ecdf, "bounded_slowdown"),
    "queue_boxes": (plots.queue_boxes, "queued_jobs"),
}


def _distributions(content: Content, sketch: str) -> dict[str, Distribution]:
    """Of each configuration the mean of its runs' quantiles; those without any are drawn as empty."""
    means = content.means(sketch, SHOWN)
    return {name: Distribution.of_quantiles(means.get(name, [])) for name in list(content.done)[:SHOWN]}


def _decisions(content: Content) -> dict[str, Any]:
    """Only where decisions were measured; of a configuration's first run."""
    known = {name: runs[0]["decision"] for name, runs in content.done.items() if runs[0].get("decision")}
    if not known:
        return {}
    bars = {name: (each["dispatch_s"], each["rest_s"]) for name, each in known.items()}
    curves = {name: (each["queued_jobs"], each["mean_s"]) for name, each in known.items()}
    return {"decision_bars": plots.decision_bars(bars), "decision_by_queue": plots.decision_by_queue(curves)}


def _compared(comparison: Comparison) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for metric, each in comparison.metrics.items():
        words: dict[str, Any] = {"quantity": _quantity(metric), "seconds": EVERY_METRIC[metric].unit == "s"}
        if each.estimates:
            found[f"{metric}_intervals"] = plots.intervals(_triples(each.estimates), **words)
        differences = {contrast.name: contrast.paired.difference for contrast in each.contrasts if contrast.paired}
        if differences:
            against = {**words, "quantity": f"{words['quantity']}, difference to {each.contrasts[0].baseline}"}
            found[f"{metric}_differences"] = plots.paired_differences(_triples(differences), **against)
        if each.ranks is not None:
            average = dict(zip(each.table.names, each.ranks.average, strict=True))
            title = f"Average ranks by {EVERY_METRIC[metric].label}"
            found[f"{metric}_ranks"] = plots.critical_difference(average, each.ranks.critical_difference, title=title)
    return found


def _quantity(metric: str) -> str:
    """With its unit, but for seconds, for which the figure finds one that suits."""
    label, unit = EVERY_METRIC[metric].label, EVERY_METRIC[metric].unit
    return label if unit in ("", "s") else f"{label} ({unit})"


def _triples(intervals: Mapping[str, Any]) -> dict[str, tuple[float, float, float]]:
    return {name: (each.low, each.estimate, each.high) for name, each in intervals.items()}
