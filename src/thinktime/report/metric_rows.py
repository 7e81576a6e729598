"""Figures with one row per log, condition and configuration: values of a metric, and differences to the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from thinktime import statistics as st
from thinktime.metrics import CATALOGUE
from thinktime.plots.kit.scales import linear_unit
from thinktime.report.content import Content
from thinktime.report.page_style import Drawn, label_durations, legend_above, new_figure
from thinktime.statistics.interval import FEWEST
from thinktime.study.comparison.compared import Contrast
from thinktime.study.comparison.short_answer import Case
from thinktime.study.comparison.verdict import VERDICTS, legend
from thinktime.study.outcomes import block
from thinktime.support.colours import BLUE, GREY, INK
from thinktime.support.equality import ByContent

WIDE = 50  # maximum over minimum, from which an axis of values is logarithmic
TIMES = 4.0  # ratio to the baseline, from which differences are drawn as ratios on a logarithmic axis
MOST_ROWS = 60  # of a figure

Factor = Any  # a row's name, or (log and condition, name) where there are several


@dataclass(frozen=True)
class Row:
    """One configuration in one case."""

    place: str  # log and condition; empty if there is one case
    name: str
    values: Sequence[float]  # of its runs, weeks or batches
    met: Sequence[str]  # workload and seed of each, or the number of its block
    own: st.Interval | None = None
    contrast: Contrast | None = None  # None for the baseline

    @property
    def factor(self) -> Factor:
        return (self.place, self.name) if self.place else self.name


def rows_of(content: Content, metric: str) -> list[Row]:
    """The rows in the order of the page; all runs of each configuration if nothing is compared."""
    if content.conclusions is None:
        return [_single_row(name, runs, metric) for name, runs in content.done.items()]
    return [row for case in content.conclusions.cases for row in _of_case(case, metric)]


def _single_row(name: str, runs: Sequence[Any], metric: str) -> Row:
    known = [run for run in runs if run["summary"].get(metric) is not None]
    return Row("", name, [run["summary"][metric] for run in known], [_met(block(run["cell"])) for run in known])


def _of_case(case: Case, metric: str) -> list[Row]:
    each = case.comparison.metrics.get(metric)
    if each is None:
        return []
    met = [_met(one) for one in each.table.blocks]
    contrasts = {contrast.name: contrast for contrast in each.contrasts}
    return [
        Row(case.place, name, each.table.values[:, k].tolist(), met, each.estimates.get(name), contrasts.get(name))
        for k, name in enumerate(each.table.names)
    ]


def _met(one: object) -> str:
    return "{}, seed {}".format(*one) if isinstance(one, tuple) and len(one) == 2 else f"block {one}"


def metric_figures(content: Content, metric: str) -> dict[str, Drawn]:
    """Heading → figure of the differences and of the values; empty without data."""
    rows = [row for row in rows_of(content, metric) if len(row.values)]
    if not rows:
        return {}
    label = CATALOGUE[metric].label
    some = [row for row in rows if row.contrast is not None]
    found = {f"{label}, difference": difference_figure(some[:MOST_ROWS], metric, content.baseline)} if some else {}
    return found | {label: value_figure(rows[:MOST_ROWS], metric)}


# --- values -------------------------------------------------------------------------------------------------


def value_figure(rows: Sequence[Row], metric: str) -> Drawn:
    """Draw every run as a ring, and the mean as a dot with its interval."""
    wide, seconds = _wide(rows), CATALOGUE[metric].unit == "s"
    factor, unit = _axis_factor_and_unit(rows, metric, wide)
    label = f"{CATALOGUE[metric].label}{f' ({unit})' if unit else ''}"
    plot = _row_figure(rows, label, "log" if wide else "linear")
    if wide and seconds:
        label_durations(plot.xaxis[0], *_range_of_rows(rows))
    _rings(plot, rows, factor)
    _draw_means(plot, rows, factor)
    few = all(len(row.values) < FEWEST for row in rows)
    bars = f"fewer than {FEWEST} runs have no interval" if few else "bars are 95 % confidence intervals"
    return Drawn(plot, f"{_capital(label)}. Rings are single runs or weeks, dots are means; {bars}.")


def _axis_factor_and_unit(rows: Sequence[Row], metric: str, wide: bool) -> tuple[float, str]:
    """Factor and name of the unit; a logarithmic axis of seconds has durations as ticks."""
    if CATALOGUE[metric].unit != "s":
        return 1.0, CATALOGUE[metric].unit
    unit_s, name = linear_unit(_range_of_rows(rows)[1])
    return (1.0, "") if wide else (1.0 / unit_s, name)


def _range_of_rows(rows: Sequence[Row]) -> tuple[float, float]:
    values = [value for row in rows for value in row.values]
    return min(values), max(values)


def _wide(rows: Sequence[Row]) -> bool:
    low, high = _range_of_rows(rows)
    return low > 0 and high > WIDE * low


def _row_figure(rows: Sequence[Row], label: str, axis: str) -> Any:
    from bokeh.models import FactorRange

    height = max(180, 90 + 26 * len(rows) + 14 * len({row.place for row in rows}))
    factors = FactorRange(factors=[row.factor for row in rows][::-1], range_padding=0.05)
    plot = new_figure(_capital(label), y_range=factors, height=height, x_axis_label=label, x_axis_type=axis)
    plot.yaxis.group_label_orientation = "horizontal"
    plot.yaxis.group_text_font_size = "12px"
    plot.yaxis.separator_line_color = None
    plot.ygrid.grid_line_color = None
    return plot


def _rings(plot: Any, rows: Sequence[Row], factor: float) -> None:
    from bokeh.models import ColumnDataSource, HoverTool

    each = [(row, value, met) for row in rows for value, met in zip(row.values, row.met, strict=True)]
    data = {
        "row": [row.factor for row, *_ in each],
        "configuration": [f"{row.name} {row.place}" for row, *_ in each],
        "value": [value * factor for _, value, _ in each],
        "met": [met for *_, met in each],
    }
    style = {"size": 7, "line_color": GREY, "fill_color": None, "line_alpha": 0.7}
    rings = plot.scatter("value", "row", source=ColumnDataSource(data), **style)
    shown = [("", "@configuration"), ("value", "@value{0,0.[000]}"), ("", "@met")]
    plot.add_tools(HoverTool(renderers=[rings], tooltips=shown))


def _draw_means(plot: Any, rows: Sequence[Row], factor: float) -> None:
    from bokeh.models import ColumnDataSource, HoverTool

    some = [(row, row.own) for row in rows if row.own is not None]
    if not some:
        return
    ends = np.array([[own.low, own.estimate, own.high] for _, own in some]) * factor
    data = {"row": [row.factor for row, _ in some], "configuration": [f"{row.name} {row.place}" for row, _ in some]}
    source = ColumnDataSource({**data, "low": ends[:, 0], "mean": ends[:, 1], "high": ends[:, 2]})
    plot.segment(x0="low", x1="high", y0="row", y1="row", source=source, color=BLUE, line_width=3)
    dots = plot.scatter("mean", "row", source=source, size=9, color=BLUE)
    ends_shown = "@low{0,0.[000]} to @high{0,0.[000]}"
    shown = [("", "@configuration"), ("mean", "@mean{0,0.[000]}"), ("interval", ends_shown)]
    plot.add_tools(HoverTool(renderers=[dots], tooltips=shown))


# --- differences --------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Differences(ByContent):
    """Contrasts as numbers on one axis: [row, (low, mid, high)]."""

    ends: np.ndarray
    label: str
    zero: float  # where there is no difference
    logarithmic: bool = False


def differences(contrasts: Sequence[Contrast], metric: str, baseline: str, ratios: bool = True) -> Differences:
    """Differences in percent; as ratios if large and `ratios`; absolute if the baseline is not above 0."""
    what = CATALOGUE[metric].label
    if any(contrast.relative is None for contrast in contrasts):
        own = [_low_estimate_high(c.paired.difference if c.paired else None, c.difference) for c in contrasts]
        unit = CATALOGUE[metric].unit
        return Differences(np.array(own), f"{what}, difference to {baseline}{f' ({unit})' if unit else ''}", 0.0)
    ends = np.array([_low_estimate_high(c.paired.relative if c.paired else None, c.relative or 0.0) for c in contrasts])
    if ratios and 1 + np.max(ends[:, 1]) > TIMES and 1 + np.min(ends[:, 1]) > 0:
        return Differences(np.maximum(1 + ends, 1e-6), f"{what}, times that of {baseline}", 1.0, logarithmic=True)
    return Differences(100 * ends, f"{what}, difference to {baseline} (%)", 0.0)


def _low_estimate_high(interval: st.Interval | None, estimate: float) -> tuple[float, float, float]:
    return (interval.low, estimate, interval.high) if interval is not None else (np.nan, estimate, np.nan)


def difference_figure(rows: Sequence[Row], metric: str, baseline: str) -> Drawn:
    """Draw each configuration compared with the baseline, in the colour of its verdict."""
    from bokeh.models import ColumnDataSource, HoverTool
    from bokeh.models.annotations import Span

    contrasts = [row.contrast for row in rows if row.contrast is not None]
    found = differences(contrasts, metric, baseline)
    plot = _row_figure(rows, found.label, "log" if found.logarithmic else "linear")
    plot.add_layout(Span(location=found.zero, dimension="height", line_color=INK, line_width=1))
    for verdict in legend(contrast.verdict for contrast in contrasts):
        some = [k for k, contrast in enumerate(contrasts) if contrast.verdict == verdict.name]
        low, mid, high = found.ends[some].T
        data = {"row": [rows[k].factor for k in some], "low": low, "mid": mid, "high": high}
        data |= {"configuration": [f"{rows[k].name} {rows[k].place}" for k in some]}
        source, name = ColumnDataSource(data), verdict.label
        plot.segment(x0="low", x1="high", y0="row", y1="row", source=source, color=verdict.colour, line_width=3)
        dots = plot.scatter("mid", "row", source=source, size=10, color=verdict.colour, legend_label=name)
        shown = [("", "@configuration"), ("difference", "@mid{0,0.[00]}"), ("verdict", name)]
        plot.add_tools(HoverTool(renderers=[dots], tooltips=shown))
    return Drawn(legend_above(plot), _difference_caption(contrasts, metric, baseline))


def _difference_caption(contrasts: Sequence[Contrast], metric: str, baseline: str) -> str:
    direction = _good_side(metric)
    known = any(contrast.paired is not None and contrast.paired.difference.known for contrast in contrasts)
    bars = "Bars are 95 % confidence intervals." if known else "Too few runs for intervals."
    crossed = [c for c in contrasts if c.verdict == "open" and c.paired and 0 not in c.paired.difference]
    agree = f" {VERDICTS['open'].label.capitalize()}: interval and rank test do not both show one." if crossed else ""
    return f"Each configuration against {baseline}. {direction}{bars}{agree}"


def _good_side(metric: str) -> str:
    sides = {1: "Further right is better. ", -1: "Further left is better. "}
    return sides.get(CATALOGUE.about(metric).better, "")


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
