"""What all figures of the page share: their look, their width, and the caption below them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from thinktime.support.colours import GREY, INK, SHADE

WIDTH, HEIGHT = 940, 380
NARROWEST = 620  # below, figures scroll: names of rows would leave no room for them
LOG_SCALE = ", log scale"  # behind the label of a logarithmic axis


@dataclass(frozen=True)
class Drawn:
    """A Bokeh figure, and what it shows in one or two sentences."""

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
        toolbar_location="above",
        **more,
    )
    plot.title.text_color, plot.outline_line_color = INK, GREY
    plot.xgrid.grid_line_color = plot.ygrid.grid_line_color = SHADE
    plot.toolbar.logo = None
    plot.min_border_right = 20
    return plot
