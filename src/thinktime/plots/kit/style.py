"""The style of all figures, and writing them to files.

Figures are objects without pyplot, made inside `look()`: matplotlib's global state does not change, and no window
system is needed. When `look()` ends, each axis that is not linear says so in its label.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from thinktime.errors import InputError
from thinktime.plots.kit.scales import plain_number
from thinktime.result.directory.staging import staged_file
from thinktime.support.colours import (  # noqa: F401 - figures take their colours from here
    BLACK,
    BLUE,
    GREEN,
    GREY,
    INK,
    LINES,
    ORANGE,
    PALETTE,
    PURPLE,
    SHADE,
    SKY,
    VERMILLION,
    YELLOW,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DASHES: tuple[Any, ...] = ("-", "--", ":", "-.", (0, (6, 1, 1, 1, 1, 1)))  # of lines, when colours repeat
HEAT = "YlGnBu"  # for heat maps: light is little; colour-blind safe, and monotone in grey

SINGLE_IN = (6.0, 3.6)  # width and height in inches of a figure with one panel
PANEL_IN = (4.3, 3.0)  # of each panel of an overview
MARGINS_IN = (0.72, 0.15, 0.95, 0.66, 0.92, 0.92)  # left, right, bottom, top, between columns, between rows
FORMATS = ("png", "pdf", "svg")
OTHER_FORMATS = ("jpg", "jpeg", "gif", "tif", "tiff", "bmp", "webp", "eps", "ps", "html")  # never written
PNG_DPI = 150.0

_LOOK: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib
    "font.size": 9.5,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.labelsize": 9.5,
    "axes.labelcolor": INK,
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 9.0,
    "ytick.labelsize": 9.0,
    "legend.fontsize": 9.0,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "figure.facecolor": "white",
    "pdf.fonttype": 42,  # text, not outlines
    "svg.fonttype": "none",
    "svg.hashsalt": "thinktime",  # the same names in every file
}


_made: ContextVar[list[Figure] | None] = ContextVar("made", default=None)  # figures of the innermost look()
_silent: WeakKeyDictionary[Axes, str] = WeakKeyDictionary()  # axes without data → why

#: scale of an axis → what its label says
SCALES = {"log": "log scale", "symlog": "log scale"}
LONGEST_LABEL = 40  # letters, beyond which the scale gets its own line


@contextmanager
def look() -> Iterator[None]:
    """Use the settings of our figures until the block ends; then add scales to axis labels."""
    import matplotlib

    everything: dict[Any, Any] = {**matplotlib.rcParamsDefault, **_LOOK}  # the user's settings do not matter
    settings = {key: value for key, value in everything.items() if not key.startswith("backend")}
    made: list[Figure] = []
    before = _made.set(made)
    try:
        with matplotlib.rc_context(settings):
            yield
            for axes in (axes for figure in made for axes in figure.axes):
                _say_scales(axes)
    finally:
        _made.reset(before)


def _say_scales(axes: Axes) -> None:
    """Add the scale to the label of each axis that is not linear and has labelled ticks; write 100, not 10²."""
    from matplotlib.ticker import LogFormatter

    for axis, side in ((axes.xaxis, "labelbottom"), (axes.yaxis, "labelleft")):
        if isinstance(axis.get_major_formatter(), LogFormatter):
            axis.set_major_formatter(plain_number)
        words, label = SCALES.get(axis.get_scale()), axis.get_label_text()
        hidden = axes in _silent or not axis.get_tick_params(which="major").get(side, True)
        if words and "log scale" not in label and not (hidden and not label):
            gap = ",\n" if len(label.rpartition("\n")[2]) > LONGEST_LABEL else ", "
            axis.set_label_text(f"{label}{gap}{words}" if label else words)


def panels(rows: int = 1, columns: int = 1, title: str = "", *, fixed: bool = False) -> tuple[Figure, list[Axes]]:
    """A figure with its axes in reading order. To be called inside `look()`.

    `fixed` places panels by fixed margins, which takes a third less time to save than a computed layout.
    """
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    from thinktime.plots.kit.figure import ShownFigure

    one = rows * columns == 1
    width, height = SINGLE_IN if one else (columns * PANEL_IN[0], rows * PANEL_IN[1])
    layout = None if fixed else ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08)  # inches around each panel
    figure = ShownFigure(figsize=(width, height), layout=layout)
    made = _made.get()
    if made is not None:
        made.append(figure)
    axes = figure.subplots(rows, columns, squeeze=False)
    if fixed:
        _set_margins(figure, rows, columns)
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontsize=10.5 if one else 13.0, color=INK)
    return figure, list(axes.flat)


def _set_margins(figure: Figure, rows: int, columns: int) -> None:
    width, height = figure.get_size_inches()
    left, right, bottom, top, across, down = MARGINS_IN
    panel = (width - left - right - across * (columns - 1)) / columns
    tall = (height - bottom - top - down * (rows - 1)) / rows
    figure.subplots_adjust(left / width, bottom / height, 1 - right / width, 1 - top / height, across / panel,
                           down / tall)  # fmt: skip


def stacked_panels(count: int, title: str = "", height_in: float = 2.3) -> tuple[Figure, list[Axes]]:
    """A figure with panels below each other, as wide as a figure of one panel. To be called inside `look()`."""
    figure, axes = panels(count, 1, title)
    figure.set_size_inches(SINGLE_IN[0], 0.5 + height_in * count)
    return figure, axes


def legend_above(axes: Axes) -> None:
    """A legend of one line above the axes on the right, where it covers no data."""
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles[::-1], labels[::-1], loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=len(labels) or 1,
                fontsize=8.0, handlelength=1.1, handletextpad=0.4, columnspacing=0.8, borderaxespad=0.15)  # fmt: skip


def caption(figure: Figure, sentence: str) -> None:
    """Write a sentence below all panels."""
    figure.supxlabel(sentence, x=0.01, ha="left", fontsize=9.0, color=INK)


def say(axes: Axes, sentence: str) -> None:
    """Write a sentence in place of data."""
    _silent[axes] = sentence
    axes.text(0.5, 0.5, sentence, transform=axes.transAxes, ha="center", va="center", color=GREY, wrap=True)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.grid(False)


def note(axes: Axes, sentence: str, x: float = 0.98, y: float = 0.04) -> None:
    """Write a remark inside the axes, at a position in parts of their width and height."""
    side = "right" if x > 0.5 else "left"
    box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5}
    axes.text(x, y, sentence, transform=axes.transAxes, ha=side, va="bottom" if y < 0.5 else "top",
              fontsize=9.0, color=INK, bbox=box)  # fmt: skip


def why_empty(figure: Figure) -> str:
    """Why the figure has no data; empty if it has some."""
    reasons = [_silent.get(axes, "") for axes in figure.axes]
    return "; ".join(dict.fromkeys(reasons)) if reasons and all(reasons) else ""


def save(figure: Figure, path: str | os.PathLike[str], formats: Iterable[str] | None = None) -> list[Path]:
    """Write a figure to files; each file appears whole or not at all.

    A figure without data is not written: the list is empty, and a warning gives the reason.

    Parameters
    ----------
    figure
        The figure, as a plot function returned it.
    path
        `x.png`, `x.pdf` or `x.svg` writes this file. A path without such an ending, `x`, writes all three.
    formats
        Write these formats instead: "png", "pdf", "svg".

    Returns
    -------
    list of Path
        The files that were written.
    """
    if not hasattr(figure, "savefig"):
        raise InputError(f"figure must be a figure, such as run.plot() (got {type(figure).__name__})")
    path = Path(path)
    ending = path.suffix[1:].lower()
    stem = path.with_suffix("") if ending in FORMATS else path
    chosen = tuple(formats) if formats is not None else (ending,) if ending in FORMATS else FORMATS
    if formats is None and ending in OTHER_FORMATS:
        raise InputError(f"path must end in .png, .pdf or .svg (got {path.name!r})")
    for name in chosen:
        if name not in FORMATS:
            raise InputError(f"Unknown figure format {name!r}: choose from {', '.join(FORMATS)}.")
    if why := why_empty(figure):
        warnings.warn(f"figure {stem.name} is not written: {why}", stacklevel=2)
        return []
    stem.parent.mkdir(parents=True, exist_ok=True)
    return [_write_figure_file(figure, stem.with_name(f"{stem.name}.{name}"), name) for name in chosen]


def _write_figure_file(figure: Figure, path: Path, format_name: str) -> Path:
    dates = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}  # a date would change the bytes
    with staged_file(path) as temporary, temporary.open("wb") as file, look():
        if format_name == "png":
            write_png(figure, file, PNG_DPI)
        else:
            figure.savefig(file, format=format_name, metadata=dates[format_name])
    return path


def write_png(figure: Figure, file: IO[bytes], dpi: float) -> None:
    """Draw once and write: `savefig` would draw a figure with a layout engine twice."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    before = figure.dpi
    figure.dpi = dpi
    try:
        FigureCanvasAgg(figure).print_png(file, pil_kwargs={"compress_level": 4})
    finally:
        figure.dpi = before
