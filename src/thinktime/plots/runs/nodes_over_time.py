"""Figures of what plugins found: power by state over time, temperatures of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.errors import InputError
from thinktime.plots.kit import style
from thinktime.plots.kit.binning import binned
from thinktime.plots.kit.run_names import run_label
from thinktime.plots.kit.scales import bin_width, edges, time_axis, time_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BINS = 420  # of time, at most
#: state → its colour, in the order in which they are stacked
COLOURS = {
    "off": "#BBBBBB",
    "down": style.BLACK,
    "boot": style.YELLOW,
    "idle": style.SKY,
    "active": style.BLUE,
}


def power_over_time(result: Any) -> Figure:
    """What nodes of each state draw, stacked; needs `tt.Power` among the plugins."""
    _require(result, "power", "tt.Power(…)")
    with style.look():
        figure, (axes,) = style.panels(title=run_label(result))
        draw_power(axes, result)
        return figure


def temperature_map(result: Any) -> Figure:
    """The temperature of every node over time; needs `tt.Thermal` among the plugins."""
    _require(result, "temperatures", "tt.Thermal(…)")
    with style.look():
        figure, (axes,) = style.panels(title=run_label(result))
        draw_temperatures(figure, axes, result)
        return figure


def plugin_figures(result: Any) -> dict[str, Figure]:
    """Those that this run has something for."""
    drawn = {"power": power_over_time, "temperatures": temperature_map}
    return {draw.__name__: draw(result) for table, draw in drawn.items() if table in result.report_columns}


def draw_power(axes: Axes, result: Any) -> None:
    trace = result.report_columns["power"]
    axes.set_title("Power")
    if not len(trace["time_s"]):
        style.say(axes, "nothing happened in this run")
        return
    time_s = np.append(
        trace["time_s"], max(trace["time_s"][-1], result.timeline_columns["time_s"].max(initial=-np.inf))
    )
    total = sum(trace[f"{state}_w"] for state in COLOURS)
    factor, unit = (1e-6, "MW") if total.max() >= 2e6 else (1e-3, "kW") if total.max() >= 2e3 else (1.0, "W")
    x, states = _means(time_s, {state: trace[f"{state}_w"] * factor for state in COLOURS})
    floor = np.zeros(len(x))
    for state, watts in states.items():
        if not watts.any():
            continue
        top = floor + np.append(watts, watts[-1])
        axes.fill_between(x, floor, top, step="post", color=COLOURS[state], linewidth=0, label=state)
        floor = top
    axes.set_ylabel(f"power, {unit}")
    axes.set_ylim(0, 1.22 * max(floor.max(), 1e-9))
    axes.legend(loc="upper right", ncols=5, reverse=True)
    time_axis(axes, time_s[0], time_s[-1])


def _means(time_s: np.ndarray, values: dict[str, np.ndarray]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Steps as they are, or their means in bins where there are too many."""
    unit = time_unit(time_s[-1] - time_s[0])[0]
    if len(time_s) <= BINS:
        return time_s / unit, values
    at = edges(time_s[0], time_s[-1], bin_width(time_s[-1] - time_s[0], BINS)[0])
    means = {name: binned(time_s, np.append(each, each[-1]), at) for name, each in values.items()}
    return next(iter(means.values())).edges / unit, {name: each.mean for name, each in means.items()}


def draw_temperatures(figure: Figure, axes: Axes, result: Any) -> None:
    table = result.report_columns["temperatures"]
    nodes = len(result.report_columns["node_temperatures"]["node"])
    time_s = table["time_s"][::nodes]
    axes.set_title("Temperature of nodes")
    if len(time_s) < 2:
        style.say(axes, "too few temperatures were kept: choose a shorter sample_s")
        return
    unit = time_unit(time_s[-1] - time_s[0])[0]
    grid = table["temperature_c"].reshape(len(time_s), nodes).T
    extent = (time_s[0] / unit, time_s[-1] / unit, -0.5, nodes - 0.5)
    image = axes.imshow(grid, aspect="auto", origin="lower", extent=extent, cmap="inferno", interpolation="nearest")
    figure.colorbar(image, ax=axes, label="°C", pad=0.02)
    axes.grid(False)
    axes.set_ylabel("node")
    time_axis(axes, time_s[0], time_s[-1])


def _require(result: Any, table: str, plugin: str) -> None:
    if table not in result.report_columns:
        raise InputError(f"this run has no {table}: simulate it with plugins=[{plugin}]")
