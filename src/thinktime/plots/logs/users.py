"""Activity of users in workloads: sorted curves over users, and the weekly cycle.

Zakay and Feitelson 2014, Fig. 4. The users of each workload are sorted by the value and numbered; with `normalized`
their numbers run from 0 to 1, as in Fig. 11, so that workloads with many and few users compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from thinktime.description import MARGINALS, Description
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.scales import WEEKDAYS
from thinktime.plots.logs.description_lines import Line, draw_lines, legend, lines, reason, title_of
from thinktime.support.time_units import HOUR_S, WEEK_S

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["user_marginals", "weekly_cycle"]

HOURS = 168  # of a week
#: marginal → title, label of the y axis, unit in seconds, logarithmic
PANELS = {
    "jobs": ("Jobs", "jobs", 1.0, True),
    "sessions": ("Sessions", "sessions", 1.0, True),
    "session_length": ("Mean session length", "hours", HOUR_S, False),
    "work": ("CPU work", "processor-hours", HOUR_S, True),
    "first_arrival": ("First arrival", "weeks from the first submission", WEEK_S, False),
    "departure": ("Departure", "weeks from the first submission", WEEK_S, False),
    "activity_span": ("Activity span", "weeks", WEEK_S, False),
}
assert list(PANELS) == list(MARGINALS)


@figure("description", "What users do, one value per user, sorted; the last panel is the weekly cycle.")
def user_marginals(
    base: Description,
    others: Sequence[Description] = (),
    spread: Sequence[Description] = (),
    *,
    normalized: bool | None = None,
) -> Figure:
    """Draw the eight panels of Fig. 4; normalized by default if the numbers of users differ by more than half."""
    counts = [each.users for each in (base, *others, *spread) if each.users]
    chosen = max(counts, default=1) > 1.5 * min(counts, default=1) if normalized is None else normalized
    with style.look():
        figure, axes = style.panels(2, 4, title_of(base))
        shown = list(lines(base, others, spread))
        for panel, name in zip(axes, PANELS, strict=False):
            _draw_users(panel, shown, name, chosen)
        draw_week(axes[-1], shown)
        legend(axes[0])
        return figure


@figure("description", "Share of submissions in each hour of the week.")
def weekly_cycle(base: Description, others: Sequence[Description] = (), spread: Sequence[Description] = ()) -> Figure:
    """Draw the weekly cycle of submissions (last panel of Fig. 4)."""
    with style.look():
        figure, (axes,) = style.panels(title=title_of(base))
        draw_week(axes, list(lines(base, others, spread)))
        legend(axes)
        return figure


def _draw_users(axes: Axes, shown: Sequence[Line], name: str, normalized: bool) -> None:
    title, words, unit, logarithmic = PANELS[name]
    axes.set_title(title)
    axes.set_ylabel(words)
    axes.set_xlabel("share of users, sorted" if normalized else "users, sorted")

    def points(found: Description) -> tuple[np.ndarray, np.ndarray]:
        values = found.marginals.get(name, np.empty(0)) / unit
        number = np.arange(1, len(values) + 1)
        return (number / max(len(values), 1) if normalized else number), values

    if not draw_lines(axes, shown, points, reason(shown, "users", usual="there are no users")):
        return
    if logarithmic:
        axes.set_yscale("symlog", linthresh=1.0, linscale=0.3)
        axes.yaxis.set_ticks([], minor=True)
    axes.set_ylim(bottom=0)
    axes.margins(x=0.01)


def draw_week(axes: Axes, shown: Sequence[Line]) -> None:
    """Draw the weekly cycle with ticks every 6 hours, longer ones at midnight, as in the paper."""
    axes.set_title("Weekly cycle")
    axes.set_ylabel("submissions in an hour")
    local = all(each.description.local_clock for each in shown)
    hour = np.arange(HOURS) + 0.5

    def points(found: Description) -> tuple[np.ndarray, np.ndarray] | None:
        return None if found.week is None else (hour, found.week)

    if not draw_lines(axes, shown, points, reason(shown, "week", usual="there are no jobs")):
        return
    if local:
        axes.axvspan(5 * 24, HOURS, color=style.SHADE, linewidth=0, zorder=0)
    axes.set_xlim(0, HOURS)
    axes.set_ylim(bottom=0)
    axes.set_xticks(range(0, HOURS + 1, 24), [""] * 8)
    axes.set_xticks(range(0, HOURS, 6), minor=True)
    axes.tick_params(axis="x", which="major", length=9)
    axes.tick_params(axis="x", which="minor", length=4)
    for day, label in enumerate(WEEKDAYS if local else [f"day {k}" for k in range(1, 8)]):
        axes.annotate(label, ((day + 0.5) / 7, 0), (0, -10), "axes fraction", textcoords="offset points", ha="center",
                      va="top", fontsize=8.5)  # fmt: skip
    axes.set_xlabel("local time" if local else "from time 0 (local time unknown)", labelpad=14)
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.1f} %")
