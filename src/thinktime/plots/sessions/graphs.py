"""Figures of sessions: graph of one user, shapes of all graphs, think times, first submissions.

Madon, Da Costa and Pierson 2024, Figs. 1, 6 and 10.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.errors import InputError
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.binning import distribution
from thinktime.plots.kit.run_names import thousands, workload_label
from thinktime.plots.kit.scales import duration_axis, percent, percent_axis
from thinktime.plots.kit.time_axis import time_scale
from thinktime.support.time_units import HOUR_S
from thinktime.workload import SessionGraph, Workload
from thinktime.workload.user_sessions.edge_think_times import LISTED, EdgeThinkTimes, share_under
from thinktime.workload.user_sessions.graph_shape import arities, longest_paths

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["first_submissions", "graph_shapes", "session_figures", "think_times", "user_graph"]

SHORTEST_S = 1.0  # where the logarithmic axis of think times begins
PLACES = 100  # points at which think times of a graph with many edges are counted
COLOURS = (style.BLUE, style.ORANGE, style.GREEN, style.PURPLE)


@figure("sessions", "Users by the longest path and by the arity of their session graph.")
def graph_shapes(workload: Workload, graphs: Mapping[str, SessionGraph]) -> Figure:
    """Draw users by the longest path and by the arity of their graph, one colour per graph (Fig. 6)."""
    with style.look():
        figure, axes = style.panels(1, 2, workload_label(workload))
        paths = {name: longest_paths(graph.sessions) for name, graph in graphs.items()}
        _draw_counts(axes[0], paths, "Longest path", "sessions on the longest path")
        _draw_counts(axes[1], {name: arities(graph) for name, graph in graphs.items()}, "Arity",
                     "most sessions that wait for one")  # fmt: skip
        return figure


def _draw_counts(axes: Axes, values: Mapping[str, np.ndarray], title: str, words: str) -> None:
    """Grouped histograms with classes 0, 1, 2–3, 4–7, …"""
    axes.set_title(title)
    axes.set_xlabel(words)
    axes.set_ylabel("users")
    largest = max((int(counts.max()) for counts in values.values() if len(counts)), default=0)
    least = min((int(counts.min()) for counts in values.values() if len(counts)), default=0)
    lower = np.unique(np.append(min(least, 1), 2 ** np.arange(int(largest).bit_length())))
    width = 0.8 / max(len(values), 1)
    for k, (name, counts) in enumerate(values.items()):
        users = np.bincount(np.searchsorted(lower, counts, side="right") - 1, minlength=len(lower))
        shift = (k - (len(values) - 1) / 2) * width
        axes.bar(
            np.arange(len(lower)) + shift, users, width=width, color=COLOURS[k % 4], label=_with_most(name, counts)
        )
    axes.set_xticks(range(len(lower)), _class_names(lower), rotation=30 if len(lower) > 6 else 0)
    axes.grid(False, axis="x")
    axes.margins(y=0.2)
    axes.legend(loc="upper right")


def _with_most(name: str, counts: np.ndarray) -> str:
    return f"{name} (at most {thousands(counts.max())})" if len(counts) else name


def _class_names(lower: np.ndarray) -> list[str]:
    upper = np.append(lower[1:] - 1, 2 * lower[-1] - 1)
    return [str(a) if a >= b else f"{a}–{b}" for a, b in zip(lower.tolist(), upper.tolist(), strict=True)]


@figure("sessions", "Share of edges with at most this think time.")
def think_times(workload: Workload, graphs: Mapping[str, SessionGraph]) -> Figure:
    """Draw the distribution function of think times between sessions."""
    with style.look():
        figure, (axes,) = style.panels(title=workload_label(workload))
        axes.set_title("Think times between sessions")
        axes.set_xlabel("think time")
        axes.set_ylabel("share of edges")
        known = {name: graph for name, graph in graphs.items() if graph.edges}
        longest_s = max((EdgeThinkTimes(graph).longest_s for graph in known.values()), default=0.0)
        if longest_s > SHORTEST_S:
            _draw_think_times(axes, known, max(longest_s, 10.0))
        else:
            style.say(axes, _why_empty(known, longest_s))
        return figure


def _why_empty(known: Mapping[str, SessionGraph], longest_s: float) -> str:
    if not known:
        return "no session waits for another"
    edges = ", ".join(f"{name}: {thousands(graph.edges)}" for name, graph in known.items())
    return f"all think times are {'0 s' if longest_s == 0 else '1 s or less'} (edges of {edges})"


def _draw_think_times(axes: Axes, known: Mapping[str, SessionGraph], high_s: float) -> None:
    for k, (name, graph) in enumerate(known.items()):
        x, share = _think_distribution(graph)
        under = ", ".join(f"{percent(share_under(graph, h * HOUR_S) or 0.0)} < {h} h" for h in (1, 10))
        steps = "steps-post" if graph.edges <= LISTED else "default"
        label = f"{name}: {under}"
        axes.plot([*x, high_s], [*share, 1.0], drawstyle=steps, color=COLOURS[k % 4], label=label)
    axes.set_xscale("log")
    axes.set_xlim(SHORTEST_S, high_s)
    axes.set_ylim(0, 1.02)
    duration_axis(axes.xaxis, SHORTEST_S, high_s)
    percent_axis(axes.yaxis)
    axes.legend(loc="upper left")


def _think_distribution(graph: SessionGraph) -> tuple[np.ndarray, np.ndarray]:
    """Think times, and the share of edges with at most these; many edges are counted at 100 points only."""
    if graph.edges <= LISTED:
        return distribution(graph.think_s, SHORTEST_S)
    counted = EdgeThinkTimes(graph)
    x = np.geomspace(SHORTEST_S, max(counted.longest_s, SHORTEST_S), PLACES)
    return x, np.array([counted.count(think_s) for think_s in x.tolist()]) / graph.edges


@figure(
    "sessions",
    "One line per user, at the first submission; red lines are the first and last job of the log.",
    example="log",
)
def first_submissions(workload: Workload) -> Figure:
    """Draw when each user submitted for the first time (Fig. 10)."""
    with style.look():
        figure, (axes,) = style.panels(title=workload_label(workload))
        figure.set_size_inches(style.SINGLE_IN[0], 2.4)
        axes.set_title("First submissions of users")
        axes.set_yticks([])
        axes.grid(False)
        user = workload["user"]
        known = ~np.isnan(user)
        if not known.any():
            style.say(axes, "no job has a user")
            return figure
        _, row = np.unique(user[known], return_index=True)
        submit_s = workload["submit_s"]
        times = time_scale(workload, float(np.nanmin(submit_s)), float(np.nanmax(submit_s)))
        axes.vlines(times.x(submit_s[known][row]), 0, 1, color=style.BLUE, linewidth=0.8, label="a user's first job")
        axes.vlines(times.x(np.array([times.first_s, times.last_s])), 0, 1.1, color=style.VERMILLION, linewidth=2.0,
                    label="first and last job of the log")  # fmt: skip
        axes.set_ylim(0, 1.1)
        times.label(axes)
        axes.set_title(f"First submissions of {thousands(len(row))} users")
        figure.legend(loc="outside lower left", ncols=2, fontsize=8.0)
        return figure


@figure(
    "sessions",
    "The first sessions of one user: jobs as bars, think times on arrows. Time is not to scale.",
    usual=False,
    example='log, graphs["a60"], user=12',
)
def user_graph(workload: Workload, graph: SessionGraph, user: float, sessions: int = 12) -> Figure:
    """Draw the first sessions of one user with their jobs and dependencies (Fig. 1). Time is not to scale."""
    from thinktime.plots.sessions.user_graph import draw_user_graph

    of_user = np.flatnonzero(graph.sessions.user == user)
    if not len(of_user):
        raise InputError(f"{workload.name} has no user {user:g}: `thinktime sessions LOG --json` lists the users")
    with style.look():
        shown = of_user[:sessions]
        part = f"First {len(shown)} of {thousands(len(of_user))}" if len(shown) < len(of_user) else f"{len(shown)}"
        figure, (axes,) = style.panels(title=f"{workload.name} · user {user:g}")
        axes.set_title(f"{part} {'session' if len(of_user) == 1 else 'sessions'} ({_words_for_delimiter(graph)})")
        draw_user_graph(axes, workload, graph, shown)
        return figure


def _words_for_delimiter(graph: SessionGraph) -> str:
    found = graph.sessions
    return f"{found.delimiter} {found.threshold_s / 60:g} min"


def session_figures(
    workload: Workload, graphs: Mapping[str, SessionGraph], own: SessionGraph, user: float | None = None
) -> dict[str, Any]:
    """Every figure of the sessions of a workload by name, which is also a good file name."""
    one = {} if user is None else {f"user_{user:g}_graph": user_graph(workload, own, user)}
    return {
        "graph_shapes": graph_shapes(workload, graphs),
        "think_times": think_times(workload, graphs),
        "first_submissions": first_submissions(workload),
        **one,
    }
