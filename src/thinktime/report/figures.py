"""The report's interactive figures: hover for values, zoom, drag. Drawn by Bokeh from the stored sketches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from thinktime.metrics import EVERY_METRIC
from thinktime.plots.style import GREY, INK, PALETTE, SHADE
from thinktime.report.content import Content
from thinktime.study.execute import Outcome
from thinktime.study.outcomes import block

WIDTH, HEIGHT = 940, 320
SHOWN, USERS_OF = 16, 8  # configurations that are drawn; more are not told apart
DASHES = ("solid", "dashed", "dotted", "dotdash")
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

#: sketch → title, axis label, whether its axis is logarithmic
CURVES = {
    "wait_s": ("Wait", "wait, hours", True),
    "bounded_slowdown": ("Bounded slowdown", "bounded slowdown", True),
    "queued_jobs": ("Queue length at each event", "waiting jobs", True),
}
HOUR_S = 3600.0
WIDE = 50  # times: from here on an axis is logarithmic
LEAST = {"wait_s": 1 / 60, "bounded_slowdown": 1.0, "queued_jobs": 0.5}  # what is less is drawn there


def metric_figure(content: Content, metric: str) -> Any:
    """Every run a dot, and the mean with its interval, one row a configuration."""
    names = list(content.done)
    factor, unit = (1 / HOUR_S, "h") if EVERY_METRIC[metric].unit == "s" else (1.0, EVERY_METRIC[metric].unit)
    label = f"{EVERY_METRIC[metric].label}{f', {unit}' if unit else ''}"
    least = _least(content, metric)
    axis = "linear" if least is None else "log"
    height = max(180, 70 + 34 * len(names))
    plot = _figure(label, y_range=names[::-1], height=height, x_axis_label=label, x_axis_type=axis)
    _dots(plot, content.done, metric, factor)
    if content.comparison is not None and metric in content.comparison.metrics:
        cut = -np.inf if least is None else least * factor
        _whiskers(plot, content.comparison.metrics[metric].estimates, factor, cut)
    return plot


def _least(content: Content, metric: str) -> float | None:
    """Where a logarithmic axis begins, if values differ so much that only such an axis shows them all."""
    values = [run["summary"][metric] for runs in content.done.values() for run in runs if run["summary"].get(metric)]
    wide = len(values) > 0 and min(values) > 0 and max(values) > WIDE * min(values)
    return min(values) / 2 if wide else None


def _dots(plot: Any, done: Mapping[str, Sequence[Outcome]], metric: str, factor: float) -> None:
    from bokeh.models import ColumnDataSource, HoverTool
    from bokeh.transform import jitter

    runs = [(name, run) for name, group in done.items() for run in group if run["summary"].get(metric) is not None]
    data = {
        "configuration": [name for name, _ in runs],
        "value": [run["summary"][metric] * factor for _, run in runs],
        "block": ["{}, seed {}".format(*block(run["cell"])) for _, run in runs],
        "run": [run["run"][:12] for _, run in runs],
    }
    # jitter only spreads equal values apart; it is not part of the data
    place = jitter("configuration", width=0.4, range=plot.y_range)
    dots = plot.scatter("value", place, source=ColumnDataSource(data), size=5, color=PALETTE[0], alpha=0.45)
    shown = [("", "@configuration"), ("value", "@value{0,0.[000]}"), ("met", "@block"), ("run", "@run")]
    plot.add_tools(HoverTool(renderers=[dots], tooltips=shown))


def _whiskers(plot: Any, estimates: Mapping[str, Any], factor: float, least: float) -> None:
    """On a logarithmic axis an interval that reaches below 0 is cut at `least`."""
    from bokeh.models import ColumnDataSource, HoverTool

    rows = [(name, *(np.array([each.low, each.estimate, each.high]) * factor)) for name, each in estimates.items()]
    if not rows:
        return
    names, low, middle, high = zip(*rows, strict=True)
    data = {"name": names, "low": low, "middle": middle, "high": high, "left": np.maximum(low, least)}
    source = ColumnDataSource({key: list(column) for key, column in data.items()})
    plot.hbar(y="name", left="left", right="high", height=0.5, source=source, color=PALETTE[1], alpha=0.25)
    mark = plot.scatter("middle", "name", source=source, marker="diamond", size=11, color=PALETTE[3])
    shown = [("", "@name"), ("mean", "@middle{0,0.[000]}"), ("interval", "@low{0,0.[000]} to @high{0,0.[000]}")]
    plot.add_tools(HoverTool(renderers=[mark], tooltips=shown))


def curve_figure(content: Content, sketch: str) -> Any:
    """Share of jobs below a value; the quantiles are means over a configuration's runs."""
    from bokeh.models import HoverTool

    title, label, logarithmic = CURVES[sketch]
    plot = _figure(
        title + _part(content, SHOWN),
        x_axis_label=label,
        y_axis_label="share",
        x_axis_type="log" if logarithmic else "linear",
    )
    for k, (name, quantiles) in enumerate(_curves(content, sketch).items()):
        share = np.linspace(0.0, 1.0, len(quantiles))
        look = {"color": PALETTE[k % len(PALETTE)], "line_dash": DASHES[k // len(PALETTE) % len(DASHES)]}
        plot.line(quantiles, share, legend_label=name, name=name, line_width=2, **look)
    plot.add_tools(HoverTool(tooltips=[("", "$name"), (label, "@x{0,0.[000]}"), ("share", "@y{0.00}")]))
    return _legend_beside(plot)


def _curves(content: Content, sketch: str) -> dict[str, np.ndarray]:
    unit = HOUR_S if sketch == "wait_s" else 1.0
    return {name: np.maximum(mean / unit, LEAST[sketch]) for name, mean in content.means(sketch, SHOWN).items()}


def user_figure(content: Content) -> Any:
    """Mean wait of every user against their number of jobs: who pays for whom."""
    from bokeh.models import ColumnDataSource, HoverTool

    axes = {"x_axis_type": "log", "y_axis_type": "log"}
    plot = _figure(
        "Users" + _part(content, USERS_OF),
        x_axis_label="jobs of the user",
        y_axis_label="mean wait, hours",
        height=400,
        **axes,
    )
    for k, (name, runs) in enumerate(list(content.done.items())[:USERS_OF]):
        users = runs[0]["sketch"]["users"]
        waits = np.maximum(np.asarray(users["mean_wait_s"], float) / HOUR_S, LEAST["wait_s"])
        source = ColumnDataSource({"jobs": users["jobs"], "wait": waits, "user": users["user"]})
        plot.scatter("jobs", "wait", source=source, size=6, alpha=0.5, color=PALETTE[k], legend_label=name, name=name)
    shown = [("", "$name"), ("user", "@user"), ("jobs", "@jobs"), ("mean wait, h", "@wait{0.00}")]
    plot.add_tools(HoverTool(tooltips=shown))
    return _legend_beside(plot)


def week_figure(content: Content) -> Any:
    """Load by hour of the week, one row a configuration."""
    from bokeh.models import ColumnDataSource, HoverTool, LinearColorMapper
    from bokeh.models.annotations import ColorBar

    weeks = _weeks(content)
    plot = _figure(
        "Load by hour of the week" + _part(content, SHOWN),
        y_range=list(weeks)[::-1],
        height=max(180, 80 + 34 * len(weeks)),
    )
    mapper = LinearColorMapper(palette="Cividis256", low=0.0, high=1.0)
    hours = list(range(168))
    data = {
        "name": [name for name in weeks for _ in hours],
        "hour": [hour + 0.5 for _ in weeks for hour in hours],
        "load": [load for week in weeks.values() for load in week],
        "when": [f"{DAYS[hour // 24]} {hour % 24}:00" for _ in weeks for hour in hours],
    }
    fill = {"field": "load", "transform": mapper}
    plot.rect("hour", "name", 1, 0.92, source=ColumnDataSource(data), fill_color=fill, line_color=None)
    plot.add_tools(HoverTool(tooltips=[("", "@name"), ("", "@when"), ("load", "@load{0.0%}")]))
    plot.xaxis.ticker = [24 * day for day in range(8)]
    plot.xaxis.major_label_overrides = {24 * day: name for day, name in enumerate((*DAYS, ""))}
    plot.add_layout(ColorBar(color_mapper=mapper, width=10, title="load"), "right")
    return plot


def _weeks(content: Content) -> dict[str, list[float]]:
    return {name: np.round(week, 4).tolist() for name, week in content.means("week_load", SHOWN).items()}


def _figure(title: str, height: int = HEIGHT, **more: Any) -> Any:
    from bokeh.plotting import figure

    tools = "pan,wheel_zoom,box_zoom,reset,save"
    plot: Any = figure(title=title, width=WIDTH, height=height, tools=tools, toolbar_location="above", **more)
    plot.title.text_color, plot.outline_line_color = INK, GREY
    plot.xgrid.grid_line_color = plot.ygrid.grid_line_color = SHADE
    plot.toolbar.logo = None
    plot.min_border_right = 20
    return plot


def _part(content: Content, shown: int) -> str:
    return f" (the first {shown} of {len(content.done)} configurations)" if len(content.done) > shown else ""


def _legend_beside(plot: Any) -> Any:
    """Where it hides no curve; a click hides or shows one."""
    legend = plot.legend[0]
    legend.click_policy = "hide"
    plot.add_layout(legend, "right")
    return plot


def all_figures(content: Content) -> dict[str, Any]:
    """Heading → figure, in the order of the page."""
    found = {EVERY_METRIC[metric].label: metric_figure(content, metric) for metric in content.study.metrics}
    found |= {CURVES[sketch][0]: curve_figure(content, sketch) for sketch in CURVES if _curves(content, sketch)}
    if any(run["sketch"]["users"]["user"] for runs in content.done.values() for run in runs[:1]):
        found["Users"] = user_figure(content)
    if _weeks(content):
        found["Load by hour of the week"] = week_figure(content)
    return found
