"""All figures of a campaign of replays with feedback, by names that are also good file names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.metrics import week_s
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.binning import distribution
from thinktime.plots.kit.local_time import local_week_s
from thinktime.plots.kit.run_names import workload_label
from thinktime.plots.kit.scales import duration_axis, percent_axis
from thinktime.plots.sessions import feedback
from thinktime.plots.sessions.graphs import first_submissions, graph_shapes
from thinktime.support.time_units import MINUTE_S
from thinktime.workload import Workload, session_graph, sessions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["activity_lengths", "feedback_figures"]

#: runs[experiment][replay]: the result; the replays are rigid, a60 and, for some figures, a0
Runs = Mapping[str, Mapping[str, Any]]


def feedback_figures(
    workload: Workload,
    runs: Runs,
    prefixes: Mapping[str, tuple[Sequence[int], Sequence[float]]] | None = None,
) -> dict[str, Figure]:
    """Figs. 2 to 11 of Madon, Da Costa and Pierson 2024, as far as the runs allow.

    `prefixes` is what Fig. 11 shows: of each experiment the numbers of jobs and the additional lateness of each.
    """
    title = f"{workload_label(workload)} · a60"
    pairs = {name: (of["rigid"], of["a60"]) for name, of in runs.items()}
    submits = {name: (a.columns["submit_s"], b.columns["submit_s"]) for name, (a, b) in pairs.items()}
    late = {name: run.lateness(by="user") for name, (_, run) in pairs.items()}
    found = {
        "fig02_submissions": feedback.submissions_compared(submits, title),
        "fig03_cumulative_jobs": feedback.cumulative_jobs(pairs, title),
        "fig04_mean_lateness": feedback.lateness_by_jobs(late, "mean_s", title),
        "fig05_additional_lateness": feedback.lateness_by_jobs(late, "additional_s", title),
        "fig06_graph_shapes": graph_shapes(workload, _graphs(workload)),
        **_differences(workload, runs, submits),
        "fig09_windows": feedback.windows_compared(_windows(runs), workload_label(workload)),
        "fig10_first_submissions": first_submissions(workload),
    }
    if local_week_s(workload) is not None:
        found["fig08_submissions_by_hour"] = feedback.submissions_by_hour(
            _week_submits_by_run(workload, submits), title
        )
    if prefixes:
        found["fig11_prefixes"] = feedback.lateness_by_prefix(prefixes, title)
    return dict(sorted(found.items()))


def _graphs(workload: Workload) -> dict[str, Any]:
    return {name: session_graph(sessions(workload, threshold_s=cut)) for name, cut in (("a0", 0.0), ("a60", 3600.0))}


def _differences(
    workload: Workload, runs: Runs, submits: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> dict[str, Figure]:
    """Fig. 7: a60 compared with rigid, and a0 with a60."""
    label = workload_label(workload)
    above = feedback.submit_differences({name: b - a for name, (a, b) in submits.items()}, "a60 − rigid", label)
    both = {
        name: (of["a0"].columns["submit_s"], of["a60"].columns["submit_s"]) for name, of in runs.items() if "a0" in of
    }
    if not both:
        return {"fig07_differences_a60_rigid": above}
    below = feedback.submit_differences({name: a - b for name, (a, b) in both.items()}, "a0 − a60", label)
    return {"fig07_differences_a60_rigid": above, "fig07_differences_a0_a60": below}


def _week_submits_by_run(
    workload: Workload, submits: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> dict[str, np.ndarray]:
    replayed = {f"{name} (a60)": week_s(workload, submit_s) for name, (_, submit_s) in submits.items()}
    return {"recorded": week_s(workload), **replayed}


def _windows(runs: Runs) -> dict[str, dict[str, Any]]:
    return {name: {replay: run.long_windows() for replay, run in of.items()} for name, of in runs.items()}


@figure("replays", "Share of users who were active at most this long.", example="activity")
def activity_lengths(cases: Mapping[str, np.ndarray], title: str = "") -> Figure:
    """Draw the distribution of the time from each user's first submission to the last.

    Each case: `activity_s` of its users, as `run.activity()` has it. Zakay and Feitelson 2014, Figs. 7 and 9.
    """
    with style.look():
        figure, (axes,) = style.panels(title=title)
        axes.set_title("Activity of users")
        axes.set_xlabel("from the first submission to the last")
        axes.set_ylabel("share of users")
        known = {name: values[~np.isnan(values)] for name, values in cases.items()}
        longest_s = max((float(values.max()) for values in known.values() if len(values)), default=MINUTE_S)
        for k, (name, values) in enumerate(known.items()):
            if len(values):
                axes.step(*distribution(values, MINUTE_S), where="post", color=style.PALETTE[k % 8], label=name)
        axes.set_xscale("log")
        axes.set_xlim(MINUTE_S, max(longest_s, 10 * MINUTE_S))
        duration_axis(axes.xaxis, MINUTE_S, max(longest_s, 10 * MINUTE_S))
        percent_axis(axes.yaxis)
        axes.set_ylim(0, 1.02)
        axes.legend(loc="upper left")
        return figure
