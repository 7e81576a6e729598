"""The figure that all kinds return: it shows itself in notebooks, and prints names as they are.

matplotlib reads `$x^^$` as a formula and fails if it is not one; names of users, logs and schedulers may contain such
characters. Control characters would make an SVG file unreadable.
"""

from __future__ import annotations

import io
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FixedFormatter, Formatter, FuncFormatter

from thinktime.support.terminal import plain

NOTEBOOK_DPI = 110


class ShownFigure(Figure):
    """A matplotlib figure without pyplot. Tick labels of matplotlib may be formulas (10³); all other text is plain."""

    def draw(self, renderer: Any) -> None:
        for child in self.get_children():
            _write_plainly(child)
        super().draw(renderer)

    def _repr_png_(self) -> bytes:
        """What a notebook shows; no magic command is needed."""
        from thinktime.plots.kit import style

        file = io.BytesIO()
        with style.look():
            style.write_png(self, file, NOTEBOOK_DPI)
        return file.getvalue()


def _write_plainly(artist: Artist) -> None:
    """Turn off formulas in all text below an artist; of an axis only in its label, not in its ticks."""
    if isinstance(artist, Text):
        artist.set_parse_math(False)
        _remove_control_characters(artist)
    elif isinstance(artist, Axis):
        _label_plainly(artist)
        _write_plainly(artist.label)
    else:
        for child in artist.get_children():
            _write_plainly(child)


class PlainLabels(Formatter):
    """The labels of another formatter, as plain text."""

    def __init__(self, of: Formatter) -> None:
        self.of = of

    def __call__(self, x: float, pos: int | None = None) -> str:
        return printable(str(self.of(x, pos))).replace("$", "\\$")

    def format_ticks(self, values: Any) -> list[str]:
        return [printable(each).replace("$", "\\$") for each in self.of.format_ticks(values)]


def _label_plainly(axis: Axis) -> None:
    major, minor = axis.get_major_formatter(), axis.get_minor_formatter()
    if isinstance(major, FixedFormatter | FuncFormatter):
        axis.set_major_formatter(PlainLabels(major))
    if isinstance(minor, FixedFormatter | FuncFormatter):
        axis.set_minor_formatter(PlainLabels(minor))


def printable(text: str) -> str:
    """The text without control characters, and without bytes of a file name that are not text."""
    return plain(text).encode("utf-8", "replace").decode("utf-8")


def _remove_control_characters(text: Text) -> None:
    if printable(text.get_text()) != text.get_text():
        text.set_text(printable(text.get_text()))
