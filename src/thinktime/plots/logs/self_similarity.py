"""Self-similarity of arrivals: pox plots and their lines. Zakay and Feitelson 2014, Figs. 6 and 7."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from thinktime.description import Description, Hurst
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.named_rows import short
from thinktime.plots.logs.description_lines import legend, lines, reason, title_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["pox_lines", "pox_plots"]

MOST_PANELS = 6


@figure("description", "Rescaled range against block size; the slope of the line is the Hurst parameter.")
def pox_plots(base: Description, others: Sequence[Description] = (), spread: Sequence[Description] = ()) -> Figure:
    """Draw R/S of every block by its length, with the line of slope H: the workload, others, two resamples."""
    shown = [base, *others, *spread[:2]][:MOST_PANELS]
    with style.look():
        columns = min(len(shown), 3)
        figure, axes = style.panels(-(-len(shown) // columns), columns, title_of(base))
        for panel in axes[len(shown) :]:
            panel.remove()
        for panel, found in zip(axes, shown, strict=False):
            panel.set_title(short(found.name))
            _draw_pox(panel, found)
        return figure


def _draw_pox(axes: Axes, found: Description) -> None:
    _axes_words(axes, found)
    if found.hurst is None:
        style.say(axes, found.missing.get("hurst", "not measured"))
        return
    axes.plot(
        found.hurst.log_n, found.hurst.log_rs, "o", color=style.BLUE, markersize=2.5, alpha=0.35, markeredgewidth=0
    )
    axes.plot(*_hurst_line(found.hurst), color=style.VERMILLION, linewidth=2.0)
    style.note(axes, f"H = {found.hurst.h:.3f}", x=0.03, y=0.95)


@figure("description", "The lines of the pox plots together: a steeper line is a burstier workload.")
def pox_lines(base: Description, others: Sequence[Description] = (), spread: Sequence[Description] = ()) -> Figure:
    """Draw the lines of all pox plots, and dashed lines for H = 1/2 and H = 1 (Fig. 7)."""
    with style.look():
        figure, (axes,) = style.panels(title=title_of(base))
        axes.set_title("Lines of the pox plots")
        _axes_words(axes, base)
        shown = list(lines(base, others, spread))
        for each in shown:
            if each.description.hurst is not None:
                look = dict(each.look)
                h = f"H = {each.description.hurst.h:.3f}"
                if look["label"] and each.look["linewidth"] > 1:
                    look["label"] = f"{look['label']}, {h}"
                axes.plot(*_hurst_line(each.description.hurst), **look)
        if not axes.lines:
            style.say(axes, reason(shown, "hurst"))
            return figure
        _slopes(axes)
        legend(axes, loc="upper left")
        return figure


def _slopes(axes: Axes) -> None:
    """Two dashed lines from the lower left end of the lines."""
    x = np.concatenate([np.asarray(each.get_xdata()) for each in axes.lines])
    y = np.concatenate([np.asarray(each.get_ydata()) for each in axes.lines])
    low, high, start = float(x.min()), float(x.max()), float(y.min())
    for slope, words in ((0.5, "H = ½"), (1.0, "H = 1")):
        end = start + slope * (high - low)
        axes.plot([low, high], [start, end], color=style.GREY, linestyle="--", linewidth=1.0, zorder=1)
        axes.annotate(words, (high, end), (4, 0), textcoords="offset points", va="center", color=style.GREY)
    axes.margins(x=0.06)


def _hurst_line(found: Hurst) -> tuple[np.ndarray, np.ndarray]:
    x = np.array([found.log_n.min(), found.log_n.max()])
    return x, found.intercept + found.h * x


def _axes_words(axes: Axes, found: Description) -> None:
    axes.set_xlabel(f"log₁₀ of the block's length (units of {found.settings.unit_s / 3600:g} h)")
    axes.set_ylabel("log₁₀ R/S")
