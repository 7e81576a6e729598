"""Similarity of jobs: by distance in sessions, compared with shuffled sessions, and within days.

Zakay and Feitelson 2014, Figs. 1, 2 and 5; one panel an attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from thinktime.description import ATTRIBUTES, STATISTICS, Description
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.scales import percent_axis
from thinktime.plots.logs.description_lines import Line, draw_lines, legend, lines, reason, title_of
from thinktime.spec import one_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["daily_concentrations", "shuffled_sessions", "similarity_by_distance"]

STATISTIC_WORDS = {
    "pooled": "mean similarity of jobs",
    "session_mean": "mean similarity of sessions",
    "session_median": "mean of sessions' median similarity",
    "identical": "share of identical pairs",
}
assert tuple(STATISTIC_WORDS) == STATISTICS


def _panels(shown: list[Line], draws: Sequence[Callable[[Axes, list[Line], str], None]]) -> Figure:
    """One row per statistic, one column per attribute."""
    with style.look():
        figure, axes = style.panels(len(draws), len(ATTRIBUTES), title_of(shown[-1].description))
        for panel, (draw, attribute) in zip(axes, product(draws, ATTRIBUTES), strict=True):
            panel.set_title(ATTRIBUTES[attribute].capitalize())
            draw(panel, shown, attribute)
        legend(next((panel for panel in axes if panel.lines), axes[0]))
        return figure


@figure("description", "Similarity of a user's jobs by the number of sessions between them.")
def similarity_by_distance(
    base: Description,
    others: Sequence[Description] = (),
    spread: Sequence[Description] = (),
    *,
    statistics: Sequence[str] = ("pooled", "session_median"),
) -> Figure:
    """Draw the similarity of a user's jobs by distance in sessions: means, and medians below (Fig. 1).

    Resamples are described without medians, which take long.
    """
    for statistic in statistics:
        one_of("statistic", statistic, STATISTICS)
    return _panels(list(lines(base, others, spread)), [_similarity_drawer(statistic) for statistic in statistics])


def _similarity_drawer(statistic: str) -> Callable[[Axes, list[Line], str], None]:
    def draw(axes: Axes, shown: list[Line], attribute: str) -> None:
        def points(found: Description) -> tuple[np.ndarray, np.ndarray] | None:
            curve = found.similarity[attribute].curve(statistic) if attribute in found.similarity else np.empty(0)
            known = ~np.isnan(curve)
            return (np.flatnonzero(known), curve[known]) if known.any() else None

        axes.set_xlabel("distance in sessions")
        axes.set_ylabel(STATISTIC_WORDS[statistic])
        keys = (f"similarity.{attribute}", attribute, "users")
        if draw_lines(axes, shown, points, reason(shown, *keys)):
            axes.set_ylim(0, 1)
            axes.locator_params(axis="x", integer=True)

    return draw


@figure("description", "Days by the share of their jobs in the fullest bin: curves further right show more locality.")
def daily_concentrations(
    base: Description, others: Sequence[Description] = (), spread: Sequence[Description] = ()
) -> Figure:
    """Draw the distribution of days by the share of their jobs in the fullest bin (Fig. 5)."""

    def draw(axes: Axes, shown: list[Line], attribute: str) -> None:
        def points(found: Description) -> tuple[np.ndarray, np.ndarray] | None:
            if attribute not in found.concentration:
                return None
            shares = np.sort(found.concentration[attribute].shares)
            return np.r_[0.0, shares], np.arange(len(shares) + 1) / max(len(shares), 1)

        axes.set_xlabel("share of a day's jobs in the fullest bin")
        axes.set_ylabel("share of days, at most")
        if not draw_lines(axes, shown, points, reason(shown, attribute)):
            return
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1.01)
        percent_axis(axes.xaxis)
        percent_axis(axes.yaxis)
        _mark_bins(axes, shown, attribute)

    return _panels(list(lines(base, others, spread)), [draw])


def _mark_bins(axes: Axes, shown: list[Line], attribute: str) -> None:
    """Mark where the curves would be without locality."""
    own = shown[-1].description.concentration.get(attribute)
    if own is not None and own.bins:
        axes.axvline(1 / own.bins, color=style.GREY, linestyle="--", linewidth=1.0, zorder=1)
        axes.annotate(f"no locality: 1/{own.bins}", (1 / own.bins, 0.5), (-3, 0), textcoords="offset points",
                      rotation=90, ha="right", va="center", fontsize=8.0, color=style.GREY)  # fmt: skip


@figure(
    "description",
    "Similarity in sessions as recorded, and when jobs are shuffled among the user's sessions.",
    example="description",
)
def shuffled_sessions(base: Description) -> Figure:
    """Draw the similarity in sessions, as recorded and with each user's jobs shuffled among sessions (Fig. 2)."""
    with style.look():
        figure, axes = style.panels(1, 3, title_of(base))
        for panel, attribute in zip(axes, ATTRIBUTES, strict=True):
            panel.set_title(ATTRIBUTES[attribute].capitalize())
            _draw_shuffles(panel, base, attribute)
        return figure


def _draw_shuffles(axes: Axes, base: Description, attribute: str) -> None:
    axes.set_xlabel("mean similarity in sessions")
    axes.set_ylabel("shuffles")
    found = base.permutation.get(attribute)
    if found is None:
        keys = (f"permutation.{attribute}", attribute, "users")
        style.say(
            axes,
            next(
                (base.missing[key] for key in keys if key in base.missing), "no shuffles: describe with shuffles=1000"
            ),
        )
        return
    axes.hist(found.shuffled, bins=min(30, max(len(found.shuffled) // 10, 5)), color=style.BLUE, label="shuffled")
    axes.axvline(found.original, color=style.VERMILLION, linewidth=2.0, label="as recorded")
    low, high = min(found.shuffled.min(), found.original), max(found.shuffled.max(), found.original)
    margin = max(0.08 * (high - low), 1e-3)
    axes.set_xlim(low - margin, high + margin)
    axes.legend(loc="upper center")
    axes.locator_params(axis="x", nbins=6)
    sigmas = f", {found.sigmas:.0f} σ above" if np.isfinite(found.sigmas) else ""
    style.note(axes, f"p = {found.p:.2g}{sigmas}", x=0.5, y=0.6)
