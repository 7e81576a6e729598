"""Critical-difference diagrams: average ranks on a line, with bars over ranks that do not differ significantly.

Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006). Rank 1 is the best.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.named_rows import short
from thinktime.statistics.ranks import TIE
from thinktime.study.comparison.verdict import VERDICTS, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["critical_difference"]

MOST = 60  # names; of more, the best and the worst are shown
STEP_IN = 0.24  # from one label to the next
BAR_IN = 0.11  # from one bar to the next


@figure(
    "values", "Average ranks; a bar joins configurations whose ranks do not differ significantly.", example="ranks, 0.9"
)
def critical_difference(
    ranks: Mapping[str, float],
    critical_difference: float,
    *,
    title: str = "",
    higher: str = "rank 1 is best",
    significant: bool = True,
    verdicts: Mapping[str, str] | None = None,
) -> Figure:
    """Draw average ranks by name, and the critical difference, from which two ranks differ.

    If Friedman's test is not `significant`, one bar joins all labels. `verdicts` colours the labels it names by their
    verdict against the baseline.
    """
    _check(ranks, critical_difference)
    with style.look():
        figure, (axes,) = style.panels()
        axes.set_title(title or f"Average ranks ({higher})")
        _clear(axes)
        if ranks:
            within = critical_difference if significant else math.inf
            _draw_rank_diagram(
                figure, axes, _best_and_worst_ranks(ranks), critical_difference, len(ranks), within, verdicts or {}
            )
        else:
            style.say(axes, "no ranks")
        return figure


def _check(ranks: Mapping[str, float], critical_difference: float) -> None:
    strange = [label for label, rank in ranks.items() if not math.isfinite(rank)]
    if strange:
        raise InputError(f"ranks must be finite numbers (got {ranks[strange[0]]} for {strange[0]})")
    if not critical_difference >= 0:
        raise InputError(f"critical_difference must be at least 0 (got {critical_difference})")


def groups(ranks: Sequence[float], critical_difference: float) -> list[tuple[int, int]]:
    """First and last of each maximal set of ascending ranks within the critical difference."""
    values = np.asarray(ranks, dtype=np.float64)
    last = np.searchsorted(values, values + critical_difference + TIE, side="right") - 1
    longest = np.append(-1, last[:-1]) < last  # a set that ends at the same place as an earlier one is inside it
    return [(int(k), int(last[k])) for k in np.flatnonzero(longest & (last > np.arange(len(values))))]


def _best_and_worst_ranks(ranks: Mapping[str, float]) -> list[tuple[str, float]]:
    """Names ascending by rank; of very many the best and the worst."""
    ordered = sorted(ranks.items(), key=lambda item: item[1])
    return ordered if len(ordered) <= MOST else ordered[: MOST // 2] + ordered[-(MOST // 2) :]


def _clear(axes: Axes) -> None:
    axes.set_xticks([])
    axes.set_yticks([])
    axes.grid(False)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _draw_rank_diagram(
    figure: Figure,
    axes: Axes,
    shown: list[tuple[str, float]],
    difference: float,
    count: int,
    within: float,
    verdicts: Mapping[str, str],
) -> None:
    """Heights are inches below the axis of ranks; ranks that lie `within` are joined by a bar."""
    values = [rank for _, rank in shown]
    bars = _levels(groups(values, within), values)
    low, high = math.floor(min(values)), max(math.ceil(max(values)), math.floor(min(values)) + 1)
    depth = 0.25 + BAR_IN * (max((level for *_, level in bars), default=-1) + 1)
    rows = math.ceil(len(shown) / 2)
    figure.set_size_inches(8.5, 1.4 + depth + STEP_IN * rows)
    axes.set_xlim(low - 0.45 * (high - low), high + 0.45 * (high - low))
    axes.set_ylim(depth + STEP_IN * rows, -0.75)
    _draw_axis(axes, low, high, difference, _ranks_between_ticks(high - low))
    for first, last, level in bars:
        y, beyond = 0.18 + BAR_IN * level, 0.006 * (high - low)
        axes.plot([values[first] - beyond, values[last] + beyond], [y, y], color=style.INK, linewidth=3.2,
                  solid_capstyle="butt", label="bar", zorder=3)  # fmt: skip
    _draw_names(axes, shown, depth, (low, high), verdicts)
    _add_legend_of_verdicts(axes, [verdicts[label] for label, _ in shown if label in verdicts])
    if count > len(shown):
        axes.set_xlabel(f"the {MOST // 2} best and the {MOST // 2} worst of {count:,}")


def _levels(bars: list[tuple[int, int]], values: list[float]) -> list[tuple[int, int, int]]:
    """Put each bar on the first level where it touches no other."""
    free_from: list[float] = []  # level → rank at which its last bar ends
    placed = []
    for first, last in bars:
        level = next((k for k, end in enumerate(free_from) if values[first] > end), len(free_from))
        free_from[level : level + 1] = [values[last]]
        placed.append((first, last, level))
    return placed


def _ranks_between_ticks(span: int) -> int:
    """Ranks between two ticks: about a dozen ticks at most."""
    return max(1, math.ceil(span / 12))


def _draw_axis(axes: Axes, low: int, high: int, difference: float, step: int) -> None:
    axes.plot([low, high], [0, 0], color=style.INK, linewidth=1.2)
    for rank in range(low, high + 1, step):
        axes.plot([rank, rank], [0, -0.07], color=style.INK, linewidth=1.2)
        axes.text(rank, -0.1, str(rank), ha="center", va="bottom", fontsize=9.0)
    right = min(low + difference, high + 0.4 * (high - low))
    axes.plot([low, right], [-0.45, -0.45], color=style.GREY, linewidth=2.4, label="critical difference")
    axes.text(
        (low + right) / 2, -0.5, f"critical difference = {difference:.3g}", ha="center", va="bottom", fontsize=9.0
    )


def _add_legend_of_verdicts(axes: Axes, names: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    if not names:
        return
    handles = [Line2D([], [], color=each.colour, marker="o", linewidth=0, label=each.label) for each in legend(names)]
    axes.legend(handles=handles, loc="upper right", ncols=len(handles), fontsize=8.0)


def _draw_names(
    axes: Axes, shown: list[tuple[str, float]], depth: float, limits: tuple[int, int], verdicts: Mapping[str, str]
) -> None:
    """The better half to the left, the worse half to the right; elbows never cross."""
    half = math.ceil(len(shown) / 2)
    span = limits[1] - limits[0]
    for k, (label, rank) in enumerate(shown):
        left = k < half
        row = k if left else len(shown) - 1 - k
        y, edge = depth + STEP_IN * row, limits[0] - 0.03 * span if left else limits[1] + 0.03 * span
        axes.plot([rank, rank, edge], [0, y, y], color=style.GREY, linewidth=0.8, label="label", zorder=1)
        colour = VERDICTS[verdicts[label]].colour if label in verdicts else style.INK
        axes.plot([rank], [0], "o", color=colour, markersize=4.0, zorder=4)
        name = f"{short(label, 28)}  {rank:.2f}" if left else f"{rank:.2f}  {short(label, 28)}"
        axes.text(edge - 0.01 * span if left else edge + 0.01 * span, y, name, ha="right" if left else "left",
                  va="center", fontsize=9.0)  # fmt: skip
