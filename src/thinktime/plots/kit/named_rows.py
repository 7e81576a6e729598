"""Figures with one row per name, from one to a thousand rows, with names that do not overlap."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from thinktime.plots.kit import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_IN = 0.34  # height of a row in inches, while rows are few
TALLEST_IN = 24.0  # of the rows together
NAME_IN = 0.17  # least height of a name
LONGEST = 44  # letters of a name, at most


def figure_of_rows(rows: int, title: str) -> tuple[Figure, Axes]:
    """A figure whose height follows the rows. To be called inside `style.look()`."""
    figure, (axes,) = style.panels(title=title)
    figure.set_size_inches(style.SINGLE_IN[0], 1.5 + height_of(rows))
    return figure, axes


def height_of(rows: int) -> float:
    return min(max(rows, 3) * ROW_IN, TALLEST_IN)


def thinness(rows: int) -> float:
    """Factor by which lines and marks shrink where rows are narrow; 1 while there is room."""
    return min(1.0, height_of(rows) / (max(rows, 1) * ROW_IN))


def wrapped(words: str, names: Iterable[str] = ()) -> str:
    """Wrap the label of an axis to the width that the names of the rows leave."""
    longest = max((len(short(name)) for name in names), default=0)
    return textwrap.fill(words.replace("$", r"\$"), 64 - max(0, longest - 12) * 2 // 3)


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Name the rows, the first on top; where rows are narrower than letters, only every n-th."""
    step = max(1, math.ceil(len(names) * NAME_IN / height_of(len(names))))
    axes.set_yticks(range(0, len(names), step), [short(name) for name in names[::step]])
    axes.set_ylim(max(len(names), 1) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")


def mark_rows(axes: Axes, rows: Iterable[int], words: str) -> None:
    """Write words into rows without data."""
    for row in rows:
        axes.text(0.01, int(row), words, transform=axes.get_yaxis_transform(), va="center", color=style.GREY)


def short(name: str, letters: int = LONGEST) -> str:
    """Cut the middle of a long name, and escape dollar signs."""
    name = " ".join(str(name).split()).replace("$", r"\$")
    half = (letters - 1) // 2
    return name if len(name) <= letters else f"{name[:half]}…{name[-half:]}"


def colours_of(count: int) -> list[tuple[float, ...]]:
    """One light colour per row while there are enough colours, else one for all; text is written on them."""
    from matplotlib.colors import to_rgb

    strong = list(style.LINES[:count]) if count <= len(style.LINES) else [style.SKY] * count
    return [tuple(1.0 - 0.55 * (1.0 - part) for part in to_rgb(colour)) for colour in strong]
