"""Figures with one row a label: from one to a thousand, with names that never overlap."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from thinktime.plots.kit import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_IN = 0.34  # height of a row in inches, as long as there are few
TALLEST_IN = 24.0  # of the rows together
NAME_IN = 0.17  # what a name needs, at least
LONGEST = 44  # letters of a name


def figure_of_rows(rows: int, title: str) -> tuple[Figure, Axes]:
    """A figure whose height follows the rows. To be called inside `style.look()`."""
    figure, (axes,) = style.panels(title=title)
    figure.set_size_inches(style.SINGLE_IN[0], 1.5 + height_of(rows))
    return figure, axes


def height_of(rows: int) -> float:
    return min(max(rows, 3) * ROW_IN, TALLEST_IN)


def thinness(rows: int) -> float:
    """By how much lines and marks shrink where rows are narrow; 1 while there is room."""
    return min(1.0, height_of(rows) / (max(rows, 1) * ROW_IN))


def wrapped(words: str, names: Iterable[str] = ()) -> str:
    """Words below an axis, in lines that are no longer than it is beside the names of its rows."""
    longest = max((len(short(name)) for name in names), default=0)
    return textwrap.fill(words.replace("$", r"\$"), 64 - max(0, longest - 12) * 2 // 3)


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """The first label on top. Where rows are narrower than letters, every so many-th is named."""
    step = max(1, math.ceil(len(names) * NAME_IN / height_of(len(names))))
    axes.set_yticks(range(0, len(names), step), [short(name) for name in names[::step]])
    axes.set_ylim(max(len(names), 1) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")


def mark_rows(axes: Axes, rows: Iterable[int], words: str) -> None:
    """Words in place of data, where a row has none: nothing is not zero."""
    for row in rows:
        axes.text(0.01, int(row), words, transform=axes.get_yaxis_transform(), va="center", color=style.GREY)


def short(name: str, letters: int = LONGEST) -> str:
    """A long name without its middle; a dollar sign is no formula."""
    name = " ".join(str(name).split()).replace("$", r"\$")
    half = (letters - 1) // 2
    return name if len(name) <= letters else f"{name[:half]}…{name[-half:]}"


def colours_of(count: int) -> list[tuple[float, ...]]:
    """One colour a label while there are enough that can be told apart; else one for all. Light: words stand on it."""
    from matplotlib.colors import to_rgb

    strong = list(style.LINES[:count]) if count <= len(style.LINES) else [style.SKY] * count
    return [tuple(1.0 - 0.55 * (1.0 - part) for part in to_rgb(colour)) for colour in strong]
