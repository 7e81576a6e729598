"""The distribution of the durations of scheduling passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.distribution import Distribution, distributions
from thinktime.plots.kit.named_lines import line_look, name_lines
from thinktime.plots.kit.named_rows import short
from thinktime.plots.kit.run_names import named_runs, runs_label
from thinktime.plots.kit.scales import percent_axis, plain_number, short_unit
from thinktime.plots.kit.timed_passes import NO_PASSES, say_sampled, timed_passes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["decision_time"]

LEAST_S = 1e-8  # where the axis begins at the earliest: shorter times are the clock's
POINTS = 600


@figure(
    "runs",
    "Share of scheduling passes that took at most this long, from a sample of the passes or all of them: a curve"
    " further left is faster.",
    example="sampled_runs",
)
def decision_time(runs: Any, *, title: str = "") -> Figure:
    """Draw the distribution function of the duration of a scheduling pass, one line per run.

    Parameters
    ----------
    runs
        Runs by name, as a list, or one; or arrays of seconds. Runs without `decisions=True` have a sample of their
        passes.
    title
        Replaces the title.
    """
    runs = named_runs(runs)
    known = {name: each for name, each in distributions(runs, _durations).items() if len(each)}
    with style.look():
        figure, (axes,) = style.panels(title=runs_label(runs))
        axes.set_title(title or "Decision time")
        axes.set_ylabel("share of scheduling passes")
        if known:
            _draw_durations(axes, known)
        else:
            style.say(axes, NO_PASSES)
        say_sampled(figure, runs)
        return figure


def _durations(run: Any) -> Distribution:
    passes = timed_passes(run)
    return Distribution.of_sample(passes["decision_s"] if passes is not None else [])


def _draw_durations(axes: Axes, known: dict[str, Distribution]) -> None:
    low_s = max(LEAST_S, min(float(each.quantile(0.001)) for each in known.values()) / 1.5)
    high_s = max(4 * low_s, *(float(each.values[-1]) for each in known.values())) * 1.2
    unit_s, unit = short_unit(max(float(each.quantile(0.9)) for each in known.values()))
    at_s = np.geomspace(low_s, high_s, POINTS)
    axes.set_xscale("log")
    for index, (name, each) in enumerate(known.items()):
        label = f"{short(name)} (mean {_with_unit(each.mean)})" if np.isfinite(each.mean) else short(name)
        axes.plot(at_s / unit_s, each.at_most(at_s), label=label, **line_look(index, len(known)))
    axes.set_xlim(low_s / unit_s, high_s / unit_s)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel(f"duration of a pass ({unit})")
    axes.xaxis.set_major_formatter(plain_number)
    percent_axis(axes.yaxis)
    name_lines(axes, len(known))


def _with_unit(seconds: float) -> str:
    unit_s, unit = short_unit(seconds)
    return f"{seconds / unit_s:.3g} {unit}"
