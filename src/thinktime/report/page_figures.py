"""The report's interactive figures: hover for values, zoom, drag. Drawn by Bokeh from the stored sketches.

Colours are those of the figures for print: verdicts have the colours of `study/comparison/verdict.py`, configurations
those of `colours.LINES` in the order of the study. Logarithmic axes are labelled as such.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from thinktime.report.content import Content
from thinktime.report.metric_rows import HOUR_S, metric_figures
from thinktime.report.page_style import Drawn, new_figure
from thinktime.support.colours import LINES

SHOWN, USERS_OF = 16, 7  # configurations that are drawn; more are not told apart
LOGS = 4  # that have distributions on the page; figures for print have all
DASHES = ("solid", "dashed", "dotted", "dotdash")
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

#: sketch → title, axis label, and what a curve is the share of
CURVES = {
    "wait_s": ("Wait", "wait, hours", "jobs"),
    "bounded_slowdown": ("Bounded slowdown", "bounded slowdown", "jobs"),
    "queued_jobs": ("Queue length at each event", "waiting jobs", "events"),
}
LEAST = {"wait_s": 1 / 60, "bounded_slowdown": 1.0, "queued_jobs": 0.5}  # what is less is drawn there


def all_figures(content: Content) -> dict[str, Drawn]:
    """Heading → figure, in the order of the page: differences and values first, then each log."""
    found: dict[str, Drawn] = {}
    for metric in content.study.metrics:
        found |= metric_figures(content, metric)
    for log in list(content.logs)[:LOGS]:
        found |= _of_log(content, log)
    return found


def _of_log(content: Content, log: str) -> dict[str, Drawn]:
    """Distributions, users and the week on one log, as far as there is data."""
    on = f", {content.logs[log]}" if len(content.logs) > 1 else ""
    found = {
        f"{CURVES[sketch][0]}{on}": curve_figure(content, sketch, log, on)
        for sketch in CURVES
        if _curves(content, sketch, log)
    }
    if _users(content, log):
        found[f"Users{on}"] = user_figure(content, log, on)
    if _weeks(content, log):
        found[f"Load by hour of the week{on}"] = week_figure(content, log, on)
    return found


def curve_figure(content: Content, sketch: str, log: str, on: str) -> Drawn:
    """Share of jobs below a value; the quantiles are means over a configuration's runs."""
    from bokeh.models import HoverTool

    title, label, of = CURVES[sketch]
    axes: dict[str, Any] = {"x_axis_label": label, "y_axis_label": f"share of {of}", "x_axis_type": "log"}
    plot = new_figure(title + on + _part(content, SHOWN), **axes)
    for k, (name, quantiles) in enumerate(_curves(content, sketch, log).items()):
        share = np.linspace(0.0, 1.0, len(quantiles))
        look = {"color": LINES[k % len(LINES)], "line_dash": DASHES[k // len(LINES) % len(DASHES)]}
        plot.line(quantiles, share, legend_label=name, name=name, line_width=2, **look)
    plot.add_tools(HoverTool(tooltips=[("", "$name"), (label, "@x{0,0.[000]}"), ("share", "@y{0.00}")]))
    caption = f"Share of {of} with at most this value: a curve further up and left is better."
    return Drawn(_with_legend(plot), caption)


def _curves(content: Content, sketch: str, log: str) -> dict[str, np.ndarray]:
    unit = HOUR_S if sketch == "wait_s" else 1.0
    return {name: np.maximum(mean / unit, LEAST[sketch]) for name, mean in content.means(sketch, SHOWN, log).items()}


def user_figure(content: Content, log: str, on: str) -> Drawn:
    """Mean wait of every user against their number of jobs."""
    from bokeh.models import ColumnDataSource, HoverTool

    axes = {"x_axis_type": "log", "y_axis_type": "log"}
    labels = {"x_axis_label": "jobs of the user", "y_axis_label": "mean wait, hours"}
    plot = new_figure("Users" + on + _part(content, USERS_OF), height=400, **labels, **axes)
    for k, (name, users) in enumerate(_users(content, log).items()):
        waits = np.maximum(np.asarray(users["mean_wait_s"], float) / HOUR_S, LEAST["wait_s"])
        source = ColumnDataSource({"jobs": users["jobs"], "wait": waits, "user": users["user"]})
        plot.scatter("jobs", "wait", source=source, size=6, alpha=0.5, color=LINES[k], legend_label=name, name=name)
    shown = [("", "$name"), ("user", "@user"), ("jobs", "@jobs"), ("mean wait, h", "@wait{0.00}")]
    plot.add_tools(HoverTool(tooltips=shown))
    caption = "Each mark is a user in the first run of a configuration; waits under a minute are drawn at one minute."
    return Drawn(_with_legend(plot), caption)


def _users(content: Content, log: str) -> dict[str, Any]:
    """Configuration → the users of its first run on the log."""
    first = {name: runs[0]["sketch"].get("users") or {} for name, runs in list(content.on(log).items())[:USERS_OF]}
    return {name: users for name, users in first.items() if users.get("user")}


def week_figure(content: Content, log: str, on: str) -> Drawn:
    """Load by hour of the week, one row a configuration."""
    from bokeh.models import ColumnDataSource, HoverTool, LinearColorMapper
    from bokeh.models.annotations import ColorBar

    weeks = _weeks(content, log)
    title = "Load by hour of the week" + on + _part(content, SHOWN)
    plot = new_figure(title, y_range=list(weeks)[::-1], height=max(180, 80 + 34 * len(weeks)))
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
    return Drawn(plot, "Share of the processors in use, averaged over the weeks; from Monday 00:00 if known.")


def _weeks(content: Content, log: str) -> dict[str, list[float]]:
    return {name: np.round(week, 4).tolist() for name, week in content.means("week_load", SHOWN, log).items()}


def _part(content: Content, shown: int) -> str:
    return f" (the first {shown} of {len(content.done)} configurations)" if len(content.done) > shown else ""


def _with_legend(plot: Any) -> Any:
    """Above the figure, where it hides no curve and takes no width; a click hides or shows one."""
    legend = plot.legend[0]
    legend.click_policy, legend.orientation, legend.ncols = "hide", "horizontal", 3
    plot.add_layout(legend, "above")
    return plot
