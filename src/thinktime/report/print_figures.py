"""The figures of a study for print, as PDF, SVG or PNG files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from thinktime import plots
from thinktime.metrics import CATALOGUE
from thinktime.plots.kit.distribution import Distribution
from thinktime.report.content import Content
from thinktime.report.metric_rows import Row, differences, rows_of
from thinktime.study.comparison.compared import Contrast
from thinktime.study.comparison.short_answer import Case
from thinktime.support.json_types import JsonDict
from thinktime.support.output_files import OutputSet

SHOWN = 30  # configurations of a figure, at most
MOST_RANKS = 8  # cases with a diagram of ranks, at most


def write_figures(content: Content, folder: Path, formats: Sequence[str]) -> list[Path]:
    """Write every figure in every format; return the files."""
    figures, made = all_figures(content), OutputSet(folder)
    for name, figure in figures.items():
        made.add(plots.save(figure, folder / name, formats))
    return made.paths


def all_figures(content: Content) -> JsonDict:
    """File name → figure, for all data there are."""
    found: JsonDict = {}
    for log, short in content.logs.items():
        found |= _print_figures_of_log(content, log, short if len(content.logs) > 1 else "")
    found |= _decisions(content)
    for metric in content.study.metrics:
        found |= _comparison_figures(content, metric)
    return found


#: kind of figure → the sketch that it draws, and its title
DISTRIBUTIONS = {
    "wait_boxes": ("wait_s", "Wait"),
    "wait_ecdf": ("wait_s", "Distribution of waits"),
    "slowdown_boxes": ("bounded_slowdown", "Bounded slowdown"),
    "slowdown_ecdf": ("bounded_slowdown", "Distribution of bounded slowdowns"),
    "queue_boxes": ("queued_jobs", "Queue length"),
}


def _print_figures_of_log(content: Content, log: str, short: str) -> JsonDict:
    """Distributions and the week on one log; `short` is its name, empty if there is one log."""
    suffix, on = (f"_{_file_name(short)}", f", {short}") if short else ("", "")
    found: JsonDict = {}
    for kind, (sketch, title) in DISTRIBUTIONS.items():
        shown = _distributions(content, sketch, log)
        if any(map(len, shown.values())):
            found[f"{kind}{suffix}"] = plots.draw(kind, shown, title=title + on)
    weeks = content.means("week_load", SHOWN, log)
    if weeks:
        found[f"week_load{suffix}"] = plots.week_load(weeks, local=True, title=f"Load over the week{on}")
    return found


def _distributions(content: Content, sketch: str, log: str) -> dict[str, Distribution]:
    """Configuration → mean of its runs' quantiles; empty without data."""
    means = content.means(sketch, SHOWN, log)
    return {name: Distribution.of_quantiles(means.get(name, [])) for name in list(content.on(log))[:SHOWN]}


def _decisions(content: Content) -> JsonDict:
    """Decision times of each configuration's first run, if measured."""
    known = {name: runs[0]["decision"] for name, runs in content.done.items() if runs[0].get("decision")}
    if not known:
        return {}
    bars = {name: (each["dispatch_s"], each["rest_s"]) for name, each in known.items()}
    curves = {name: (each["queued_jobs"], each["mean_s"]) for name, each in known.items()}
    return {"decision_bars": plots.decision_bars(bars), "decision_by_queue": plots.decision_by_queue(curves)}


def _comparison_figures(content: Content, metric: str) -> JsonDict:
    """Means, differences and ranks of one metric over all cases, as on the page."""
    rows = rows_of(content, metric)
    if content.conclusions is None or not rows:
        return {}
    words: JsonDict = {"quantity": _quantity(metric), "seconds": CATALOGUE[metric].unit == "s"}
    words["title"] = f"{CATALOGUE[metric].label[:1].upper()}{CATALOGUE[metric].label[1:]}"
    few = all(len(row.values) < SHOWN for row in rows)
    points = {_name_and_place(row): row.values for row in rows} if few else {}
    found = {f"{metric}_intervals": plots.intervals(_own(rows), points=points, **words)}
    contrasts = {_name_and_place(row): row.contrast for row in rows if row.contrast is not None}
    if contrasts:
        found[f"{metric}_differences"] = _difference_figure(contrasts, metric, content.baseline)
    for case in content.conclusions.cases[:MOST_RANKS]:
        found |= _ranks(case, metric)
    return found


def _name_and_place(row: Row) -> str:
    return f"{row.name}, {row.place}" if row.place else row.name


def _own(rows: Sequence[Row]) -> dict[str, tuple[float, float, float]]:
    """The mean with its interval; the value of a single run."""
    nan = float("nan")
    return {
        _name_and_place(row): (row.own.low, row.own.estimate, row.own.high) if row.own else (nan, row.values[0], nan)
        for row in rows
    }


def _difference_figure(contrasts: Mapping[str, Contrast], metric: str, baseline: str) -> Any:
    found = differences(list(contrasts.values()), metric, baseline, ratios=False)
    values = dict(zip(contrasts, map(tuple, found.ends.tolist()), strict=True))
    verdicts = {name: contrast.verdict for name, contrast in contrasts.items()}
    label = CATALOGUE[metric].label
    title = f"{label[:1].upper()}{label[1:]}, compared with {baseline}"
    return plots.paired_differences(values, quantity=found.label, metric=metric, verdicts=verdicts, title=title)


def _ranks(case: Case, metric: str) -> JsonDict:
    each = case.comparison.metrics.get(metric)
    if each is None or each.ranks is None:
        return {}
    average = dict(zip(each.table.names, each.ranks.average, strict=True))
    where = f", {case.place}" if case.place else ""
    options: JsonDict = {"title": f"Average ranks by {CATALOGUE[metric].label}{where}"}
    options |= {"significant": each.ranks.significant, "verdicts": {c.name: c.verdict for c in each.contrasts}}
    suffix = f"_{_file_name(case.place)}" if case.place else ""
    return {f"{metric}_ranks{suffix}": plots.critical_difference(average, each.ranks.critical_difference, **options)}


def _file_name(name: str) -> str:
    return "_".join("".join(letter if letter.isalnum() or letter in "-." else " " for letter in name).split())


def _quantity(metric: str) -> str:
    """Label and unit of a metric; the figure chooses the unit of seconds."""
    label, unit = CATALOGUE[metric].label, CATALOGUE[metric].unit
    return label if unit in ("", "s") else f"{label} ({unit})"
