"""Lines with names: colours and dashes of up to 35 lines, and a legend that covers none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thinktime.plots.kit import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_NAMED = len(style.LINES) * len(style.DASHES)  # lines that readers can distinguish


def line_look(index: int, count: int) -> dict[str, Any]:
    """Colour and dashes of a line; more than 35 lines are all thin and grey."""
    if count > MOST_NAMED:
        return {"color": style.GREY, "linewidth": 0.5, "alpha": max(0.1, 30 / count)}
    colours = len(style.LINES)
    return {"color": style.LINES[index % colours], "linestyle": style.DASHES[index // colours], "linewidth": 1.5}


def name_lines(axes: Axes, count: int) -> None:
    """Add a legend: inside the axes if short, at the right if long, only a count for more than 35 lines."""
    if count > MOST_NAMED:
        axes.legend(axes.lines[:1], [f"{count:,} runs, too many to name"], loc="best")
    elif count <= 6:
        axes.legend(loc="best", handlelength=2.2)
    else:
        columns = 1 + (count - 1) // 20
        axes.figure.set_size_inches(style.SINGLE_IN[0] + 2.0 * columns, style.SINGLE_IN[1])  # type: ignore[union-attr]
        axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0), fontsize=8.0, ncols=columns, borderaxespad=0.0)
