"""Generated workloads compared with the log they are made from: submissions and work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.errors import InputError
from thinktime.generate.accasim_profile import shares_of
from thinktime.generate.generator import MONDAY
from thinktime.plots.catalogue import figure
from thinktime.plots.kit import style
from thinktime.plots.kit.scales import WEEKDAYS, percent_axis, plain_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["submission_shares", "work_distribution"]

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
BINS = 60
WORK_PERCENTILE = 99.99  # of the first entry's jobs are shown; one large job would compress the axis


@figure("values", "Share of submissions by hour, weekday and month: generated, and recorded.", example="logs")
def submission_shares(workloads: Mapping[str, Any], *, title: str = "") -> Figure:
    """Draw the shares of submissions by hour, weekday and month of local time.

    Parameters
    ----------
    workloads
        Workloads by name, the log first; or mappings with the shares by `hours`, `weekdays` and `months`.
    title
        Replaces the title.
    """
    shares = {label: _shares(workload) for label, workload in workloads.items()}
    _require_some(shares)
    with style.look():
        figure, axes = style.panels(1, 3, title or "Submissions by hour, weekday and month")
        for panel, (part, words, ticks) in zip(axes, PANELS, strict=True):
            for k, (label, found) in enumerate(shares.items()):
                panel.plot(np.arange(len(found[part])), found[part], label=label, **_line_look(k))
            _axes(panel, words, ticks)
        axes[0].legend(loc="upper left")
        return figure


#: key of the shares, label of the axis, ticks
PANELS: tuple[tuple[str, str, dict[int, str]], ...] = (
    ("hours", "hour of the day (local time)", {hour: str(hour) for hour in range(0, 24, 4)}),
    ("weekdays", "weekday", dict(enumerate(WEEKDAYS))),
    ("months", "month", dict(enumerate(MONTHS))),
)


@figure("values", "Distribution of the work of jobs: generated, and recorded.", example="work")
def work_distribution(work: Mapping[str, Any], *, title: str = "") -> Figure:
    """Draw the distribution of the work of jobs in GFLOP; the first entry is the log."""
    given = {label: np.asarray(values, dtype=np.float64) for label, values in work.items()}
    _require_some(given)
    with style.look():
        figure, (axes,) = style.panels(title=title or "Work of jobs")
        top = float(np.percentile(next(iter(given.values())), WORK_PERCENTILE))
        edges = np.linspace(0.0, top if top > 0 else 1.0, BINS + 1)
        for k, (label, values) in enumerate(given.items()):
            share = np.histogram(values, bins=edges)[0] / max(len(values), 1)
            axes.stairs(
                np.where(share > 0, share, np.nan), edges, label=label, baseline=None, **_line_look(k, steps=True)
            )
        axes.set_yscale("log")
        axes.set_title(f"Work of jobs, in {BINS} classes")
        axes.set_xlabel("work (GFLOP)")
        axes.locator_params(axis="x", nbins=5)
        axes.xaxis.set_major_formatter(plain_number)
        axes.set_ylabel("share of the jobs")
        axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
        axes.legend(loc="upper right")
        style.note(axes, _beyond(given, float(edges[-1])), x=0.98, y=0.6)
        return figure


def _beyond(given: Mapping[str, np.ndarray], edge: float) -> str:
    """The share of jobs that are not shown."""
    shares = [100 * float(np.mean(values > edge)) for values in given.values()]
    others = f",\nof the others at most {max(shares[1:]):.2g} %" if len(shares) > 1 else ""
    return f"beyond the edge: {shares[0]:.2g} % of {next(iter(given))}{others}"


def _shares(workload: Any) -> Mapping[str, np.ndarray]:
    if isinstance(workload, Mapping):
        return workload
    if workload.source.get("clock") == "local":
        return shares_of(workload["submit_s"] + MONDAY)
    return shares_of(workload.local_s())


def _require_some(entries: Mapping[str, Any]) -> None:
    if not entries:
        raise InputError("No workloads to draw: give at least one by name.")


def _line_look(k: int, steps: bool = False) -> dict[str, Any]:
    """Look of a line: the log black and broad, the others in colours."""
    width = {"linewidth": 2.4 if k == 0 else 1.3}
    colour = style.BLACK if k == 0 else style.LINES[(k - 1) % (len(style.LINES) - 1)]
    marks = {} if steps else {"marker": "o", "markersize": 3.5 if k == 0 else 2.5}
    return {"color": colour, "zorder": 3 if k == 0 else 4, **width, **marks}


def _axes(axes: Axes, words: str, ticks: dict[int, str]) -> None:
    axes.set_title(f"By {words.partition(' ')[0]}")
    axes.set_xticks(list(ticks), list(ticks.values()))
    axes.set_xlabel(words)
    axes.set_ylabel("share of the submissions")
    axes.set_ylim(bottom=0)
    percent_axis(axes.yaxis)
