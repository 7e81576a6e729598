"""Figures of a description, alone, beside others, or beside resamples: as Zakay and Feitelson 2014 draw them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thinktime.plots.logs.distances import verdicts
from thinktime.plots.logs.locality import daily_concentrations, shuffled_sessions, similarity_by_distance
from thinktime.plots.logs.self_similarity import pox_lines, pox_plots
from thinktime.plots.logs.users import user_marginals, weekly_cycle

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from thinktime.description import Comparison

__all__ = ["description_figures"]


def description_figures(comparison: Comparison) -> dict[str, Figure]:
    """Every figure of a comparison by its name, which is also a good file name."""
    everyone = (comparison.base, comparison.others, comparison.spread)
    figures = {
        draw.__name__: draw(*everyone)
        for draw in (user_marginals, weekly_cycle, similarity_by_distance, daily_concentrations, pox_plots, pox_lines)
    }
    if comparison.base.permutation:
        figures["shuffled_sessions"] = shuffled_sessions(comparison.base)
    if comparison.rows and comparison.spread:
        figures["verdicts"] = verdicts(comparison)
    return figures
