"""Colours of jobs in a Gantt chart: by size or by user, with a legend; and how aborted runs look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.plots.kit import style
from thinktime.plots.kit.run_names import thousands
from thinktime.plots.kit.scales import size_classes as classes_up_to
from thinktime.support.equality import ByContent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FILLS = (style.BLUE, style.ORANGE, style.GREEN, style.VERMILLION, style.PURPLE, style.SKY, style.YELLOW)
OTHERS = "#BBBBBB"  # of users without a colour
RED = "#B00020"  # of aborted runs; no user and no size has it
#: what became of a run → (words of the legend, hatching); 0 is a run that ended normally
ABORTED = {1: ("aborted, requeued", "////"), 2: ("aborted, lost", "xxxx")}


@dataclass(frozen=True, eq=False, repr=False)
class Groups(ByContent):
    """Which colour each job has, and what it means."""

    of_job: np.ndarray
    names: list[str]
    colours: list[Any]
    title: str = ""  # of the legend


def groups_of(jobs: dict[str, np.ndarray], colour: str) -> Groups:
    if colour == "user":
        return _colour_by_user(jobs)
    return _by_size(jobs["processors"]) if colour == "size" else Groups(np.zeros(len(jobs["job"]), int), [""], [""])


def _by_size(size: np.ndarray) -> Groups:
    """Classes of sizes from light to dark; where all are equal, one."""
    import matplotlib

    upper, names = classes_up_to(float(size.max()), classes=6)
    ramp = matplotlib.colormaps["YlGnBu"](np.linspace(0.1, 0.75, max(len(names), 2)))
    return Groups(np.searchsorted(upper, size), names, list(ramp[: len(names)]), "processors")


def _colour_by_user(jobs: dict[str, np.ndarray]) -> Groups:
    """The users with most processor-seconds have colours; the others are grey."""
    users, index = np.unique(np.nan_to_num(jobs["user"], nan=-1.0), return_inverse=True)
    area = np.nan_to_num(jobs["processors"] * (jobs["end_s"] - jobs["start_s"]))
    most = np.argsort(-np.bincount(index, weights=area), kind="stable")[: len(FILLS)]
    rank = np.full(len(users), len(most))
    rank[most] = np.arange(len(most))
    names = ["user unknown" if user < 0 else f"user {user:.0f}" for user in users[most]]
    rest = [f"{thousands(len(users) - len(most))} other users"] if len(users) > len(most) else []
    return Groups(rank[index], names + rest, [*FILLS[: len(most)], OTHERS][: len(names + rest)])


def add_legend_of_groups(axes: Axes, groups: Groups, fates: np.ndarray) -> None:
    """Show the colours of groups, and how aborted runs look if there are any."""
    from matplotlib.patches import Patch

    used = np.unique(groups.of_job)
    handles = [Patch(facecolor=groups.colours[k], edgecolor=style.INK, linewidth=0.4, label=groups.names[k])
               for k in used]  # fmt: skip
    for fate in (fate for fate in ABORTED if fate in fates):
        words, hatch = ABORTED[fate]
        handles.append(Patch(facecolor="white", edgecolor=RED, hatch=hatch, label=words))
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.02, 1.0), borderaxespad=0.0,
                handlelength=1.0, fontsize=8.5, title=groups.title, alignment="left")  # fmt: skip


def with_aborted_runs(groups: Groups, fate: np.ndarray) -> Groups:
    """In an image aborted runs are a group with a colour."""
    if not fate.any():
        return groups
    names, colours = [*groups.names, "aborted runs"], [*groups.colours, RED]
    return Groups(np.where(fate > 0, len(groups.names), groups.of_job), names, colours, groups.title)
