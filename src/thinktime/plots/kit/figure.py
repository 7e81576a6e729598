"""A figure whose words are shown as they are: names of users, logs and schedulers are no formulas.

matplotlib takes `$x^^$` for a formula, and fails if it is none. Control characters would make an SVG file unreadable.
"""

from __future__ import annotations

from typing import Any

from matplotlib.axis import Axis, Tick
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FixedFormatter, Formatter, FuncFormatter

from thinktime.support.terminal import plain


class PlainFigure(Figure):
    """Marks that matplotlib writes itself may be formulas (10³); all other words, and names as marks, are not."""

    def draw(self, renderer: Any) -> None:
        for axis in self.findobj(Axis):
            _label_plainly(axis)
        marks = {id(label) for tick in self.findobj(Tick) for label in (tick.label1, tick.label2)}
        for text in self.findobj(Text):
            if id(text) not in marks:
                text.set_parse_math(False)
                _make_plain(text)
        super().draw(renderer)


class PlainLabels(Formatter):
    """What another formatter says, as plain words."""

    def __init__(self, of: Formatter) -> None:
        self.of = of

    def __call__(self, x: float, pos: int | None = None) -> str:
        return shown(str(self.of(x, pos))).replace("$", "\\$")

    def format_ticks(self, values: Any) -> list[str]:
        return [shown(each).replace("$", "\\$") for each in self.of.format_ticks(values)]


def _label_plainly(axis: Axis) -> None:
    major, minor = axis.get_major_formatter(), axis.get_minor_formatter()
    if isinstance(major, FixedFormatter | FuncFormatter):
        axis.set_major_formatter(PlainLabels(major))
    if isinstance(minor, FixedFormatter | FuncFormatter):
        axis.set_minor_formatter(PlainLabels(minor))


def shown(text: str) -> str:
    """Without control characters, and without bytes of a file name that are no text."""
    return plain(text).encode("utf-8", "replace").decode("utf-8")


def _make_plain(text: Text) -> None:
    if shown(text.get_text()) != text.get_text():
        text.set_text(shown(text.get_text()))
