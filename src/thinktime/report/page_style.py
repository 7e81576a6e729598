"""The style of the page's figures: that of the figures for print, in Bokeh."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from thinktime.plots.kit.scales import duration_ticks
from thinktime.support.colours import GREY, INK
from thinktime.support.time_units import DAY_S, HOUR_S, MINUTE_S

WIDTH, HEIGHT = 940, 360
NARROWEST = 620  # narrower figures scroll: row names would leave no room
LOG_SCALE = ", log scale"  # appended to the label of a logarithmic axis
GRID = "#DDDDDD"
FONT = "DejaVu Sans, Helvetica, Arial, sans-serif"


@dataclass(frozen=True)
class Drawn:
    """A Bokeh figure and its caption."""

    plot: Any
    caption: str


def new_figure(title: str, height: int = HEIGHT, **more: Any) -> Any:
    """An empty figure as wide as the page; labels of logarithmic axes say so."""
    from bokeh.plotting import figure

    for axis in ("x", "y"):
        if more.get(f"{axis}_axis_type") == "log":
            more[f"{axis}_axis_label"] = f"{more.get(f'{axis}_axis_label', '')}{LOG_SCALE}".removeprefix(", ")
    tools = "pan,wheel_zoom,box_zoom,reset,save"
    plot: Any = figure(
        title=title,
        height=height,
        sizing_mode="stretch_width",
        min_width=NARROWEST,
        max_width=WIDTH,
        tools=tools,
        active_scroll=None,
        toolbar_location="right",
        **more,
    )
    _style_frame(plot)
    for axis in plot.axis:
        _style_axis(axis)
    return plot


def _style_frame(plot: Any) -> None:
    plot.title.text_color, plot.title.text_font, plot.title.text_font_size = INK, FONT, "14px"
    plot.outline_line_color = None
    plot.xgrid.grid_line_color = plot.ygrid.grid_line_color = GRID
    plot.toolbar.logo = None
    plot.toolbar.autohide = True
    plot.min_border_right = 20


def _style_axis(axis: Any) -> None:
    """Plain numbers and upright labels, as in the figures for print."""
    from bokeh.models import LogAxis, NumeralTickFormatter

    axis.axis_line_color = axis.major_tick_line_color = GREY
    axis.minor_tick_line_color = None
    axis.major_tick_in = 0
    axis.axis_label_text_font = axis.major_label_text_font = FONT
    axis.axis_label_text_font_style = "normal"
    axis.axis_label_text_font_size, axis.major_label_text_font_size = "13px", "12px"
    axis.axis_label_text_color = axis.major_label_text_color = INK
    if isinstance(axis, LogAxis):
        axis.formatter = NumeralTickFormatter(format="0,0.[000]")  # type: ignore[assignment]


def label_durations(axis: Any, low_s: float, high_s: float) -> None:
    """Ticks 1 s, 1 min, 1 h, 1 d, … on a logarithmic axis of seconds."""
    from bokeh.models import FixedTicker

    ticks = duration_ticks(low_s, high_s)
    axis.ticker = FixedTicker(ticks=[value for value, _ in ticks])
    axis.major_label_overrides = dict(ticks)


def label_percent(axis: Any) -> None:
    """Label shares from 0 to 1 as percent."""
    from bokeh.models import NumeralTickFormatter

    axis.formatter = NumeralTickFormatter(format="0 %")


def duration_text(seconds: float) -> str:
    """`45 s`, `12 min`, `3.5 h`, `2.1 d`: for hover texts."""
    for unit_s, name in ((DAY_S, "d"), (HOUR_S, "h"), (MINUTE_S, "min")):
        if seconds >= unit_s:
            return f"{seconds / unit_s:.3g} {name}"
    return f"{seconds:.3g} s"


def legend_above(plot: Any, columns: int = 4) -> Any:
    """Move the legend above the figure, where it covers no data; a click hides or shows an entry."""
    legend = plot.legend[0]
    legend.click_policy, legend.orientation, legend.ncols = "hide", "horizontal", columns
    legend.border_line_color, legend.label_text_font, legend.label_text_font_size = None, FONT, "12px"
    legend.label_text_color, legend.padding, legend.margin = INK, 2, 0
    plot.add_layout(legend, "above")
    return plot


def duration_texts(seconds: Iterable[float]) -> list[str]:
    """The same for several durations."""
    return [duration_text(float(each)) for each in seconds]
