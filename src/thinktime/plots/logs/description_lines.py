"""Lines in figures of descriptions: resamples grey, other workloads in colours, the workload itself black."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from thinktime.description import Description
from thinktime.plots.kit import style
from thinktime.plots.kit.named_rows import short
from thinktime.plots.kit.run_names import thousands

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SPREAD_GREY = "#A8A8A8"


class Line(NamedTuple):
    """A workload and the look of its line; of resamples, and of others of one name, only the first has a label."""

    description: Description
    look: dict[str, Any]


def lines(base: Description, others: Sequence[Description], spread: Sequence[Description]) -> Iterator[Line]:
    """Lines in drawing order: the workload itself is on top."""
    for k, each in enumerate(spread):
        label = f"{len(spread)} {'resample' if len(spread) == 1 else 'resamples'}" if k == 0 else None
        yield Line(each, {"color": SPREAD_GREY, "linewidth": 0.8, "alpha": 0.8, "label": label, "zorder": 2})
    places = {name: k for k, name in enumerate(dict.fromkeys(each.name for each in others))}
    seen: set[str] = set()
    for each in others:  # workloads of one name share a look
        k, label = places[each.name], None if each.name in seen else short(each.name)
        seen.add(each.name)
        colour = style.LINES[k % (len(style.LINES) - 1)]  # without black
        dash = style.DASHES[(k // (len(style.LINES) - 1)) % len(style.DASHES)]
        yield Line(each, {"color": colour, "linestyle": dash, "linewidth": 1.4, "label": label, "zorder": 3})
    yield Line(base, {"color": style.BLACK, "linewidth": 2.0, "label": short(base.name), "zorder": 4})


def draw_lines(
    axes: Axes, shown: Sequence[Line], points: Callable[[Description], tuple[np.ndarray, np.ndarray] | None], why: str
) -> bool:
    """Draw a line for each workload that has points; write the reason if none has any."""
    drawn = False
    for each in shown:
        found = points(each.description)
        if found is not None and len(found[0]):
            axes.plot(*found, **each.look)
            drawn = True
    if not drawn:
        style.say(axes, why)
    return drawn


def reason(shown: Sequence[Line], *keys: str, usual: str = "not measured") -> str:
    """Why the workload itself lacks a measure."""
    missing = shown[-1].description.missing
    return next((missing[key] for key in keys if key in missing), usual)


def title_of(base: Description) -> str:
    return f"{base.name} · {thousands(base.jobs)} jobs · {thousands(base.users)} users"


def legend(axes: Axes, **options: Any) -> None:
    """Add a legend: the workload itself, the others, resamples."""
    handles, labels = axes.get_legend_handles_labels()
    place = {SPREAD_GREY: 2, style.BLACK: 0}
    order = sorted(range(len(handles)), key=lambda k: place.get(getattr(handles[k], "get_color", str)(), 1))
    if handles:
        axes.legend(
            [handles[k] for k in order],
            [labels[k] for k in order],
            **{"loc": "best", "fontsize": 8.0, "handlelength": 1.8, **options},
        )
