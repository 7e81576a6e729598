"""How well jobs fill their nodes (AccaSim's resource efficiency)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thinktime.errors import InputError
from thinktime.plots.catalogue import figure
from thinktime.plots.kit.boxes import figure_of_boxes
from thinktime.plots.kit.distribution import Distribution
from thinktime.plots.kit.run_names import named_runs
from thinktime.plots.kit.scales import percent_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["resource_efficiency"]


def _on_nodes(subject: Any) -> bool:
    return any(getattr(run, "has_nodes", False) for run in named_runs(subject).values())


@figure(
    "runs",
    "What each job holds of its nodes at its start, as a share of this and what is free on them: 100 % leaves nothing"
    " unused. Boxes are quartiles, whiskers reach from 5 % to 95 %, diamonds are means.",
    available=_on_nodes,
    example="seth_runs",
)
def resource_efficiency(runs: Any, *, resource: str | None = None, title: str = "") -> Figure:
    """Draw the resource efficiency of the jobs of each run and resource as a box; runs need a cluster.

    Parameters
    ----------
    runs
        Runs on clusters by name, as a list, or one.
    resource
        One resource, such as "core" (default: each).
    title
        Replaces the title.
    """
    named = named_runs(runs)
    if not _on_nodes(named):
        raise InputError("resource_efficiency needs the nodes of jobs: simulate on a tt.Cluster")
    found = {
        label: Distribution.of_sample(run.resource_efficiency(each))
        for name, run in named.items()
        for label, each in _rows_of_run(name, run, resource, alone=len(named) == 1)
    }
    return figure_of_boxes(runs, found, title or "Resource efficiency", "held / (held + free on the nodes)", _shares)


def _rows_of_run(name: str, run: Any, resource: str | None, *, alone: bool) -> list[tuple[str, str]]:
    """The rows of a run: their labels and resources. A run without nodes has none."""
    cluster = run.cluster if run.has_nodes else None
    if cluster is None:
        return []
    chosen = [resource] if resource else list(cluster.resources)
    return [(each if alone else f"{name}, {each}", each) for each in chosen]


def _shares(axes: Axes, _greatest: float) -> None:
    axes.set_xlim(-0.02, 1.02)
    percent_axis(axes.xaxis)
