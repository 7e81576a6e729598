"""Use of nodes: how many are in use, and how full these are (AccaSim's load ratio)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from thinktime.errors import InputError
from thinktime.metrics.timeline import durations
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.named_rows import short
from thinktime.plots.kit.run_names import named_runs, run_label, runs_label
from thinktime.plots.kit.scales import percent_axis
from thinktime.spec import one_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure

    from thinktime.metrics.nodes import LoadRatio
    from thinktime.plots.kit.run_names import Runs
    from thinktime.result import Result

__all__ = ["load_ratio"]

Weighting: TypeAlias = Literal["time", "event"]
BINS = 50  # of either axis, at most
DARKEST = 1e4  # times the lightest colour
MOST_RUNS, MOST_COLUMNS = 12, 3
PANEL_IN = (3.3, 2.9)


@figure(
    "run",
    "How many nodes were in use, and how full these were: darker means more of the time. The diamond is the mean.",
    available=lambda run: run.has_nodes,
    example="seth_run",
)
def load_ratio(runs: Runs, *, resource: str | None = None, weighting: Weighting = "time") -> Figure:
    """Draw the share of nodes in use against the share of their capacity in use: AccaSim's load ratio.

    Points far right and low are many nodes with little on them; points at the top are full nodes.

    Parameters
    ----------
    runs
        One run on a cluster, or several as a list or by name.
    resource
        One resource, such as "core" (default: a panel for each).
    weighting
        States by "time" (default), or one per "event", as AccaSim draws them.
    """
    one_of("weighting", weighting, get_args(Weighting))
    named = dict(list(named_runs(runs).items())[:MOST_RUNS])
    resources = [resource] if resource else _resources(named)
    states = {(name, each): _states(run, each, weighting) for name, run in named.items() for each in resources}
    with style.look():
        title = run_label(next(iter(named.values()))) if len(named) == 1 else runs_label(named)
        figure, axes = _grid(len(states), len(resources), title)
        for panel, (name, each) in zip(axes, states, strict=True):
            panel.set_title(each if len(named) == 1 else f"{short(name)}, {each}")
        _draw_panels(figure, dict(zip(axes, states.values(), strict=True)), [each for _, each in states], weighting)
        return figure


def _grid(panels: int, resources: int, title: str) -> tuple[Figure, list[Axes]]:
    """One row per run; runs with one resource stand side by side."""
    columns = resources if resources > 1 else min(panels, MOST_COLUMNS)
    rows = -(-panels // columns)
    figure, axes = style.panels(rows, columns, title)
    figure.set_size_inches(PANEL_IN[0] * columns + 1.1, PANEL_IN[1] * rows + 0.5)
    for unused in axes[panels:]:
        unused.remove()
    return figure, axes[:panels]


class _States(NamedTuple):
    """The load ratio of a run in bins."""

    edges: tuple[np.ndarray, np.ndarray]  # of the share of nodes, and of their use
    share: np.ndarray  # [nodes, use]: of the time or of the events
    mean: tuple[float, float]


def _states(run: Result, resource: str, weighting: Weighting) -> _States:
    """Bins of one number of nodes, or of several if there are many nodes."""
    ratio = run.load_ratio(resource)
    weights = _weights(ratio, weighting)
    across = min(run.cluster.nodes if run.cluster else BINS, BINS)
    edges = (_centred(across), _centred(BINS))
    if not weights.sum() > 0:
        return _States(edges, np.zeros((across + 1, BINS + 1)), (np.nan, np.nan))
    both = (ratio.used_nodes, ratio.use_of_used_nodes)
    share, _, _ = np.histogram2d(*both, bins=edges, weights=weights / weights.sum())
    mean_nodes, mean_use = (float(np.average(of, weights=weights)) for of in both)
    return _States(edges, share, (mean_nodes, mean_use))


def _centred(bins: int) -> np.ndarray:
    """Edges of bins around 0, 1/bins, …, 1."""
    return (np.arange(bins + 2) - 0.5) / bins


def _weights(ratio: LoadRatio, weighting: Weighting) -> np.ndarray:
    if weighting == "event":
        return np.ones(len(ratio.time_s))
    return durations(ratio.time_s, -np.inf, float(ratio.time_s[-1])) if len(ratio.time_s) else np.empty(0)


def _resources(runs: dict[str, Result]) -> list[str]:
    """Resources that every run has, in the order of the first."""
    clusters = [run.cluster for run in runs.values()]
    if None in clusters:
        raise InputError("load_ratio needs the nodes of jobs: simulate on a tt.Cluster")
    first, *others = (cluster.resources for cluster in clusters if cluster is not None)
    return [name for name in first if all(name in names for names in others)]


def _draw_panels(figure: Figure, panels: dict[Axes, _States], resources: list[str], weighting: Weighting) -> None:
    """Heat maps with one logarithmic colour scale."""
    from matplotlib.colors import LogNorm

    top = max(float(states.share.max()) for states in panels.values())
    if not top > 0:
        for axes in panels:
            style.say(axes, "no job held anything of a node")
        return
    norm = LogNorm(top / DARKEST, top)
    for (axes, states), resource in zip(panels.items(), resources, strict=True):
        mesh = _draw_states(axes, states, norm)
        axes.set_ylabel(f"{resource} in use on them")
    words = f"share of {'time' if weighting == 'time' else 'events'}"
    bar = figure.colorbar(mesh, ax=list(panels), pad=0.02, label=words, aspect=22 * _rows_of(panels), extend="min")
    bar.ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.2g} %")


def _rows_of(panels: Iterable[Axes]) -> int:
    return len({round(axes.get_position().y0, 6) for axes in panels})


def _draw_states(axes: Axes, states: _States, norm: Normalize) -> QuadMesh:
    shown = np.ma.masked_equal(states.share.T, 0.0)
    mesh = axes.pcolormesh(*states.edges, shown, cmap=style.HEAT, norm=norm)
    axes.plot(*states.mean, "D", color="white", markeredgecolor=style.INK, markersize=5.5, zorder=4, clip_on=False)
    axes.set_xlabel("nodes in use")
    for side in (axes.xaxis, axes.yaxis):
        percent_axis(side)
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(-0.03, 1.03)
    return mesh
