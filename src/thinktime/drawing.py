"""Draws the figures of results and workloads, which lie below `thinktime.plots` in the order of layers.

`run.plot()` must not import `plots`, which imports results. `draw` loads it by name when a figure is asked for; it is
the only such place.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLOTS = "thinktime.plots"


def draw(figure: str, shown: object, **options: object) -> Figure:
    """Return the figure of this name in `thinktime.plots`; it shows itself in a notebook.

    >>> from thinktime import default_workload, simulate
    >>> type(draw("run_overview", simulate(default_workload(jobs=50), 128))).__name__
    'ShownFigure'
    """
    made: Figure = import_module(PLOTS).draw(figure, shown, **options)
    return made
