"""Boxes of distributions, one row per name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.plots.kit import style
from thinktime.plots.kit.distribution import Distribution
from thinktime.plots.kit.named_rows import colours_of, figure_of_rows, mark_rows, name_rows, thinness
from thinktime.plots.kit.run_names import runs_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WHISKERS = (0.05, 0.25, 0.5, 0.75, 0.95)
BOX_NOTE = "box: quartiles and median; whiskers: 5 and 95 %; diamond: mean"
NOTHING = "no data"
SHORT_TITLE = 12  # letters that leave room for a remark


def figure_of_boxes(
    runs: Any, found: dict[str, Distribution], title: str, words: str, scale: Callable[[Axes, float], None]
) -> Figure:
    """Draw a box per distribution; `words` label the axis, `scale` sets it for the greatest value."""
    with style.look():
        figure, axes = figure_of_rows(len(found), runs_label(runs))
        axes.set_title(title)
        axes.set_xlabel(words)
        if any(len(each) for each in found.values()):
            _draw_boxes(axes, found, scale)
        else:
            style.say(axes, NOTHING)
        return figure


def _draw_boxes(axes: Axes, found: dict[str, Distribution], scale: Callable[[Axes, float], None]) -> None:
    """Drawn by hand: matplotlib's own box plot loads pyplot and needs every observation."""
    marks = np.array([each.quantile(WHISKERS) for each in found.values()])  # [row, mark]
    mean = np.array([each.mean for each in found.values()])
    low, q1, half, q3, high = marks.T
    y, thin = np.arange(len(found)), thinness(len(found))
    axes.hlines(y, low, high, color=style.INK, linewidth=thin, label="whiskers")
    axes.vlines(np.append(low, high), np.tile(y - 0.15, 2), np.tile(y + 0.15, 2), color=style.INK, linewidth=thin)
    axes.barh(y, q3 - q1, left=q1, height=0.6, color=colours_of(len(found)), edgecolor=style.INK,
              linewidth=0.6 * thin, zorder=2)  # fmt: skip
    axes.vlines(half, y - 0.3, y + 0.3, color=style.INK, linewidth=max(2.4 * thin, 1.4), zorder=3, label="median")
    axes.plot(mean, y, "D", color="white", markeredgecolor=style.INK, markeredgewidth=thin, markersize=4.5 * thin,
              zorder=4, label="mean")  # fmt: skip
    mark_rows(axes, (row for row, each in enumerate(found.values()) if not len(each)), "none")
    name_rows(axes, list(found))
    scale(axes, float(np.nanmax([np.nanmax(high), *mean[~np.isnan(mean)]])))
    _write_remark(axes, BOX_NOTE if not np.isnan(mean).all() else BOX_NOTE.partition("; diamond")[0])


def _write_remark(axes: Axes, words: str) -> None:
    """Write a small remark above the axes on the right, or below them if the title is long."""
    if len(axes.get_title(loc="left")) > SHORT_TITLE:
        scale = style.SCALES.get(axes.get_xscale())
        axes.set_xlabel(f"{axes.get_xlabel()}{f', {scale}' if scale else ''}\n{words}")
        return
    axes.annotate(words, (1.0, 1.0), (0, 4), "axes fraction", textcoords="offset points", ha="right", va="bottom",
                  fontsize=8.0, color=style.GREY)  # fmt: skip
