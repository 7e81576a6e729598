"""Figures of nodes over time: power by state, temperatures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.binning import binned
from thinktime.plots.kit.run_names import one_run, run_label
from thinktime.plots.kit.scales import bin_width, edges
from thinktime.plots.kit.time_axis import TimeAxis, time_scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thinktime.plots.kit.run_names import Runs
    from thinktime.result import Result

__all__ = ["power_over_time", "temperature_map"]

BINS = 420  # of time, at most
#: state → its colour, in the order in which they are stacked
COLOURS = {
    "off": "#BBBBBB",
    "down": style.BLACK,
    "boot": style.YELLOW,
    "idle": style.SKY,
    "active": style.BLUE,
}


@figure(
    "run",
    "Power drawn by the nodes in each state, stacked; means in bins for long runs.",
    available=lambda run: "power" in run.report_columns,
    example="cluster_run",
)
def power_over_time(runs: Runs, *, axis: TimeAxis | None = None) -> Figure:
    """Draw the power of the nodes by state, stacked. Needs `tt.Power` among the plugins of the run.

    Parameters
    ----------
    runs
        One run.
    axis
        "date" or "elapsed"; by default dates where the log's start is known.
    """
    run = one_run(runs)
    _require(run, "power", "tt.Power(…)")
    with style.look():
        figure, (axes,) = style.panels(title=run_label(run))
        _draw_power(axes, run, axis)
        return figure


@figure(
    "run",
    "Temperature of every node over time: one row per node.",
    available=lambda run: "temperatures" in run.report_columns,
    example="cluster_run",
)
def temperature_map(runs: Runs, *, axis: TimeAxis | None = None) -> Figure:
    """Draw the temperature of every node over time. Needs `tt.Thermal`; parameters as in `power_over_time`."""
    run = one_run(runs)
    _require(run, "temperatures", "tt.Thermal(…)")
    with style.look():
        figure, (axes,) = style.panels(title=run_label(run))
        _draw_temperatures(figure, axes, run, axis)
        return figure


def _draw_power(axes: Axes, result: Result, axis: TimeAxis | None) -> None:
    trace = result.report_columns["power"]
    axes.set_title("Power")
    if not len(trace["time_s"]):
        style.say(axes, "the run has no events")
        return
    time_s = np.append(
        trace["time_s"], max(trace["time_s"][-1], result.timeline_columns["time_s"].max(initial=-np.inf))
    )
    total = np.sum([trace[f"{state}_w"] for state in COLOURS], axis=0)
    factor, unit = (1e-6, "MW") if total.max() >= 2e6 else (1e-3, "kW") if total.max() >= 2e3 else (1.0, "W")
    times = time_scale(result, float(time_s[0]), float(time_s[-1]), axis=axis)
    at_s, states = _steps_or_bin_means(time_s, {state: trace[f"{state}_w"] * factor for state in COLOURS})
    x = times.x(at_s)
    floor = np.zeros(len(x))
    for state, watts in states.items():
        if not watts.any():
            continue
        top = floor + np.append(watts, watts[-1])
        axes.fill_between(x, floor, top, step="post", color=COLOURS[state], linewidth=0, label=state)
        floor = top
    axes.set_ylabel(f"power ({unit})")
    axes.set_ylim(0, 1.04 * max(floor.max(), 1e-9))
    style.legend_above(axes)
    times.label(axes)


def _steps_or_bin_means(time_s: np.ndarray, values: dict[str, np.ndarray]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Times and values: all steps, or their means in bins where there are too many."""
    if len(time_s) <= BINS:
        return time_s, values
    at = edges(time_s[0], time_s[-1], bin_width(time_s[-1] - time_s[0], BINS)[0])
    means = {name: binned(time_s, np.append(each, each[-1]), at) for name, each in values.items()}
    return next(iter(means.values())).edges, {name: each.mean for name, each in means.items()}


def _draw_temperatures(figure: Figure, axes: Axes, result: Result, axis: TimeAxis | None) -> None:
    table = result.report_columns["temperatures"]
    nodes = len(result.report_columns["node_temperatures"]["node"])
    time_s = table["time_s"][::nodes]
    axes.set_title("Temperature of nodes")
    if len(time_s) < 2:
        style.say(axes, "fewer than two samples: choose a shorter sample_s")
        return
    times = time_scale(result, float(time_s[0]), float(time_s[-1]), axis=axis)
    grid = table["temperature_c"].reshape(len(time_s), nodes).T
    extent = (times.x(time_s[0]), times.x(time_s[-1]), -0.5, nodes - 0.5)
    image = axes.imshow(grid, aspect="auto", origin="lower", extent=extent, cmap="inferno", interpolation="nearest")
    figure.colorbar(image, ax=axes, label="temperature (°C)", pad=0.02)
    axes.grid(False)
    axes.set_ylabel("node")
    axes.locator_params(axis="y", integer=True)
    times.label(axes)


def _require(result: Result, table: str, plugin: str) -> None:
    if table not in result.report_columns:
        raise InputError(f"The run has no {table}: simulate it with plugins=[{plugin}].")
