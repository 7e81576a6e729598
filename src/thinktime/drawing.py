"""Draws the figures of results and workloads, which lie below `thinktime.plots` in the order of layers.

`run.plot()` must not import `plots`, which imports results. `draw` loads it by name when a figure is asked for; it is
the only such place.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from thinktime.errors import InputError
from thinktime.spec import suggestion

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLOTS = "thinktime.plots"


def draw(figure: str, shown: object, **options: object) -> Figure:
    """Return the figure `thinktime.plots.FIGURE(shown, **options)`, which shows itself in a notebook.

    >>> from thinktime import default_workload, simulate
    >>> type(draw("run_overview", simulate(default_workload(jobs=50), 128))).__name__
    'Figure'
    """
    plots = import_module(PLOTS)
    if figure not in plots.__all__:
        raise InputError(f"no figure is called {figure!r}{suggestion(figure, plots.__all__)}: see thinktime.plots")
    made: Figure = getattr(plots, figure)(shown, **options)
    return made
