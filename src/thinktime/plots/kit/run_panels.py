"""Figures with one panel per run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from thinktime.plots.kit import style
from thinktime.plots.kit.run_names import named_runs, run_label, runs_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from thinktime.plots.kit.run_names import Runs
    from thinktime.result import Result

Panel = Callable[["Axes", "Result"], None]


def each_run(runs: Runs, draw: Panel, metric: str) -> Figure:
    """One panel per run, below each other with the same y limits."""
    named = named_runs(runs)
    with style.look():
        if len(named) == 1:
            (run,) = named.values()
            figure, axes = style.panels(title=run_label(run))
            draw(axes[0], run)
            say_cautions(figure, run, metric)
            return figure
        figure, axes = style.stacked_panels(len(named), runs_label(named))
        for panel, (name, run) in zip(axes, named.items(), strict=True):
            draw(panel, run)
            panel.set_title(f"{panel.get_title(loc='left')}, {name}")
        top = max(panel.get_ylim()[1] for panel in axes)
        for panel in axes:
            panel.set_ylim(top=top)
        return figure


def say_cautions(figure: Figure, result: Result, metric: str | None = None) -> None:
    """Write below the panels what happened to jobs that changes what is drawn."""
    cautions = getattr(result, "cautions", None)
    words = (cautions.of(metric) if metric else cautions).short() if cautions else ""
    if words:
        style.caption(figure, f"Caution: {words}")
