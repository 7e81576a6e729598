# ruff: noqa: F401, F403 - the star imports are for type checkers; at run time `__getattr__` loads the modules
"""Figures of runs, workloads, sessions and studies, for papers and notebooks.

Every function returns a matplotlib figure that shows itself in a notebook; `save` writes PNG, PDF and SVG. All figures
share one style. `kinds()` lists them with captions, `draw(name, …)` draws one by name. matplotlib is imported with the
first figure, and pyplot is not used.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from thinktime.plots.catalogue import SUBJECTS, Kind, draw, kinds, modules

if TYPE_CHECKING:
    from thinktime.plots.inside_jobs.cores import *
    from thinktime.plots.inside_jobs.two_levels import *
    from thinktime.plots.kit.distribution import Distribution
    from thinktime.plots.kit.style import save
    from thinktime.plots.logs.distances import *
    from thinktime.plots.logs.flurries import *
    from thinktime.plots.logs.generated import *
    from thinktime.plots.logs.locality import *
    from thinktime.plots.logs.overview import *
    from thinktime.plots.logs.self_similarity import *
    from thinktime.plots.logs.users import *
    from thinktime.plots.runs.decision_time import *
    from thinktime.plots.runs.decisions import *
    from thinktime.plots.runs.distributions import *
    from thinktime.plots.runs.gantt import *
    from thinktime.plots.runs.load_over_time import *
    from thinktime.plots.runs.load_ratio import *
    from thinktime.plots.runs.nodes_over_time import *
    from thinktime.plots.runs.overview import *
    from thinktime.plots.runs.process_memory import *
    from thinktime.plots.runs.resource_efficiency import *
    from thinktime.plots.runs.week import *
    from thinktime.plots.sessions.feedback import *
    from thinktime.plots.sessions.feedback_figures import *
    from thinktime.plots.sessions.graphs import *
    from thinktime.plots.studies.critical_difference import *
    from thinktime.plots.studies.intervals import *
    from thinktime.plots.studies.load_methods import *
    from thinktime.plots.studies.load_sweep import *
    from thinktime.plots.studies.resamples import *

#: names of the kit that users need → their modules
_KIT = {"Distribution": "thinktime.plots.kit.distribution", "save": "thinktime.plots.kit.style"}


def __getattr__(name: str) -> Any:
    """Load the figure functions when one of them is used first."""
    if name.startswith("__"):
        raise AttributeError(name)
    if name in _KIT:
        return _keep(name, getattr(importlib.import_module(_KIT[name]), name))
    _load()
    if name in globals():
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__])


def _keep(name: str, value: Any) -> Any:
    globals()[name] = value
    return value


def _load() -> None:
    """Import every module with figures and publish the names in its `__all__`."""
    for module in modules():
        loaded = importlib.import_module(module)
        for name in getattr(loaded, "__all__", ()):
            _keep(name, getattr(loaded, name))


def __dir__() -> list[str]:
    figures = {name for module in modules() for name in getattr(importlib.import_module(module), "__all__", ())}
    return sorted({"SUBJECTS", "Kind", "draw", "kinds", *figures, *_KIT})
