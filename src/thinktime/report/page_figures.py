"""The report's interactive figures, drawn by Bokeh from stored sketches.

Style, colours and captions are those of the figures for print. A figure without data is not made.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thinktime.plots.catalogue import kind_named
from thinktime.plots.kit.scales import WEEKDAYS
from thinktime.plots.kit.style import HEAT
from thinktime.report.content import Content
from thinktime.report.metric_rows import metric_figures
from thinktime.report.page_style import Drawn, duration_texts, label_durations, label_percent, legend_above, new_figure
from thinktime.support.colours import LINES
from thinktime.support.json_types import JsonDict
from thinktime.support.time_units import MINUTE_S

SHOWN, USERS_OF = 16, 7  # configurations that are drawn, at most
LOGS = 4  # with distributions on the page, at most; figures for print have all
DASHES = ("solid", "dashed", "dotted", "dotdash")


@dataclass(frozen=True)
class Curve:
    """A distribution on the page, as the figure for print of the same name."""

    title: str
    label: str  # of the x axis
    of: str  # what a curve is the share of
    least: float  # smaller values are drawn here
    kind: str  # of the figure for print, which has the caption

    @property
    def in_seconds(self) -> bool:
        return self.kind.startswith("wait")


#: sketch → how it is drawn
CURVES = {
    "wait_s": Curve("Distribution of waits", "wait", "jobs", 1.0, "wait_ecdf"),
    "bounded_slowdown": Curve("Distribution of slowdowns", "bounded slowdown", "jobs", 1.0, "slowdown_ecdf"),
    "queued_jobs": Curve("Distribution of queue sizes", "waiting jobs", "events", 0.5, "queue_ecdf"),
}


def all_figures(content: Content) -> dict[str, Drawn]:
    """Heading → figure, in the order of the page: differences and values first, then each log."""
    found: dict[str, Drawn] = {}
    for metric in content.study.metrics:
        found |= metric_figures(content, metric)
    for log in list(content.logs)[:LOGS]:
        found |= _page_figures_of_log(content, log)
    return found


def _page_figures_of_log(content: Content, log: str) -> dict[str, Drawn]:
    """Distributions, users and the week on one log, as far as there is data."""
    on = f", {content.logs[log]}" if len(content.logs) > 1 else ""
    found = {
        f"{CURVES[sketch].title}{on}": curve_figure(content, sketch, log, on)
        for sketch in CURVES
        if _curves(content, sketch, log)
    }
    if _users_of_first_runs(content, log):
        found[f"Users{on}"] = user_figure(content, log, on)
    if _week_loads(content, log):
        found[f"Load over the week{on}"] = week_figure(content, log, on)
    return found


def curve_figure(content: Content, sketch: str, log: str, on: str) -> Drawn:
    """Draw distribution functions; quantiles are means over a configuration's runs."""
    from bokeh.models import ColumnDataSource, HoverTool

    curve, curves = CURVES[sketch], _curves(content, sketch, log)
    axes: JsonDict = {"x_axis_label": curve.label, "y_axis_label": f"share of {curve.of}", "x_axis_type": "log"}
    plot = new_figure(curve.title + on + _first_configurations_note(content, SHOWN), **axes)
    for k, (name, quantiles) in enumerate(curves.items()):
        shown = duration_texts(quantiles) if curve.in_seconds else [f"{value:,.4g}" for value in quantiles]
        source = ColumnDataSource({"x": quantiles, "y": np.linspace(0.0, 1.0, len(quantiles)), "shown": shown})
        look = {"color": LINES[k % len(LINES)], "line_dash": DASHES[k // len(LINES) % len(DASHES)]}
        plot.line("x", "y", source=source, legend_label=name, name=name, line_width=2, **look)
    if curve.in_seconds:
        label_durations(plot.xaxis[0], curve.least, max(float(each[-1]) for each in curves.values()))
    label_percent(plot.yaxis[0])
    plot.add_tools(HoverTool(tooltips=[("", "$name"), (curve.label, "@shown"), ("share", "@y{0 %}")]))
    caption = kind_named(curve.kind).caption
    if sketch == "queued_jobs":
        caption = "Share of events at which at most this many jobs waited."
    return Drawn(legend_above(plot), caption)


def _curves(content: Content, sketch: str, log: str) -> dict[str, np.ndarray]:
    means = content.means(sketch, SHOWN, log)
    return {name: np.maximum(mean, CURVES[sketch].least) for name, mean in means.items()}


def user_figure(content: Content, log: str, on: str) -> Drawn:
    """Draw the mean wait of every user by number of jobs."""
    from bokeh.models import ColumnDataSource, HoverTool

    axes = {"x_axis_type": "log", "y_axis_type": "log"}
    labels = {"x_axis_label": "jobs of the user", "y_axis_label": "mean wait"}
    plot = new_figure("Users" + on + _first_configurations_note(content, USERS_OF), height=400, **labels, **axes)
    longest_s = MINUTE_S
    for k, (name, users) in enumerate(_users_of_first_runs(content, log).items()):
        waits = np.maximum(np.asarray(users["mean_wait_s"], float), MINUTE_S)
        longest_s = max(longest_s, float(np.nanmax(waits)))
        data = {"jobs": users["jobs"], "wait": waits, "user": users["user"], "shown": duration_texts(waits)}
        look = {"size": 6, "alpha": 0.5, "color": LINES[k]}
        plot.scatter("jobs", "wait", source=ColumnDataSource(data), legend_label=name, name=name, **look)
    label_durations(plot.yaxis[0], MINUTE_S, longest_s)
    shown = [("", "$name"), ("user", "@user"), ("jobs", "@jobs"), ("mean wait", "@shown")]
    plot.add_tools(HoverTool(tooltips=shown))
    caption = "Each dot is a user in the first run of a configuration; waits under one minute are drawn at one minute."
    return Drawn(legend_above(plot), caption)


def _users_of_first_runs(content: Content, log: str) -> JsonDict:
    """Configuration → the users of its first run on the log."""
    first = {name: runs[0]["sketch"].get("users") or {} for name, runs in list(content.on(log).items())[:USERS_OF]}
    return {name: users for name, users in first.items() if users.get("user")}


def week_figure(content: Content, log: str, on: str) -> Drawn:
    """Draw the load by hour of the week, one row per configuration."""
    from bokeh.models import ColumnDataSource, HoverTool, LinearColorMapper, NumeralTickFormatter
    from bokeh.models.annotations import ColorBar

    weeks = _week_loads(content, log)
    title = "Load over the week" + on + _first_configurations_note(content, SHOWN)
    plot = new_figure(title, y_range=list(weeks)[::-1], height=max(180, 80 + 34 * len(weeks)))
    mapper = LinearColorMapper(palette=_palette(), low=0.0, high=1.0)
    hours = list(range(168))
    data = {
        "name": [name for name in weeks for _ in hours],
        "hour": [hour + 0.5 for _ in weeks for hour in hours],
        "load": [load for week in weeks.values() for load in week],
        "when": [f"{WEEKDAYS[hour // 24]} {hour % 24}:00" for _ in weeks for hour in hours],
    }
    fill = {"field": "load", "transform": mapper}
    plot.rect("hour", "name", 1, 0.92, source=ColumnDataSource(data), fill_color=fill, line_color=None)
    plot.add_tools(HoverTool(tooltips=[("", "@name"), ("", "@when"), ("load", "@load{0.0%}")]))
    plot.xaxis.ticker = [24 * day for day in range(8)]
    plot.xaxis.major_label_overrides = {24 * day: name for day, name in enumerate((*WEEKDAYS, ""))}
    bar = ColorBar(color_mapper=mapper, width=10, title="load", formatter=NumeralTickFormatter(format="0 %"))
    plot.add_layout(bar, "right")
    return Drawn(plot, kind_named("week_load").caption)


def _palette() -> list[str]:
    """The colours of heat maps for print."""
    import matplotlib
    from matplotlib.colors import to_hex

    return [to_hex(colour) for colour in matplotlib.colormaps[HEAT](np.linspace(0, 1, 256))]


def _week_loads(content: Content, log: str) -> dict[str, list[float]]:
    return {name: np.round(week, 4).tolist() for name, week in content.means("week_load", SHOWN, log).items()}


def _first_configurations_note(content: Content, shown: int) -> str:
    return f" (the first {shown} of {len(content.done)} configurations)" if len(content.done) > shown else ""
