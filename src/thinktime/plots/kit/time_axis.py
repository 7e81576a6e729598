"""Time axes: dates where the log's start is known, else hours or days.

`axis="date"` writes dates of the machine's clock, `axis="elapsed"` hours or days since the window begins (since time 0
for a whole run). Data are drawn in the unit of `TimeScale.x`, so both kinds of axes show the same picture.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from thinktime.errors import InputError
from thinktime.plots.kit.local_time import Calendar, calendar_of
from thinktime.spec import one_of
from thinktime.support.time_units import DAY_S, HOUR_S, MINUTE_S

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TimeAxis: TypeAlias = Literal["date", "elapsed"]
AXES: tuple[TimeAxis, ...] = get_args(TimeAxis)
TICKS = 7  # at most, on a figure of one column
_ORIGINS = ((DAY_S, "d"), (HOUR_S, "h"))  # units of the instant from which elapsed time counts
EPOCH = datetime.datetime(1970, 1, 1)

#: length of a step between ticks in seconds → (unit of the calendar, how many of it)
_STEPS = (
    (300.0, ("minute", 5)),
    (900.0, ("minute", 15)),
    (1800.0, ("minute", 30)),
    *((hours * HOUR_S, ("hour", hours)) for hours in (1, 2, 3, 6, 12)),
    *((days * DAY_S, ("day", days)) for days in (1, 2)),
    *((7 * weeks * DAY_S, ("week", weeks)) for weeks in (1, 2)),
    *((30.4 * months * DAY_S, ("month", months)) for months in (1, 2, 3, 6)),
    *((365.0 * years * DAY_S, ("year", years)) for years in (1, 2, 5, 10, 20, 50)),
)


def time_unit(span_s: float) -> tuple[float, str]:
    """The unit in which a span is a readable number: days, hours or minutes."""
    for unit_s, name in ((DAY_S, "days"), (HOUR_S, "hours")):
        if span_s >= 2 * unit_s:
            return unit_s, name
    return MINUTE_S, "minutes"


@dataclass(frozen=True)
class TimeScale:
    """How the workload's seconds become positions on the x axis, and how the axis is labelled."""

    first_s: float
    last_s: float
    origin_s: float  # where elapsed time is 0
    unit_s: float
    unit: str
    calendar: Calendar | None  # None: the axis shows elapsed time

    def x(self, time_s: Any) -> Any:
        return (time_s - self.origin_s) / self.unit_s

    def label(self, axes: Axes, bins: str = "") -> None:
        """Set the limits, ticks and label of the x axis; `bins` is the width of the bins, such as "1 week"."""
        axes.set_xlim(self.x(self.first_s), self.x(self.last_s))
        if self.calendar is not None:
            _label_dates(axes, self, self.calendar, TICKS)
        else:
            self._label_elapsed(axes)
        if bins:
            axes.set_xlabel(f"{axes.get_xlabel()}, bins of {bins}")

    def _label_elapsed(self, axes: Axes) -> None:
        axes.locator_params(axis="x", nbins=TICKS)
        axes.ticklabel_format(axis="x", style="plain", useOffset=False)
        unit_s, name = next((unit for unit in _ORIGINS if self.origin_s >= unit[0]), (1.0, "s"))
        since = f" since {self.origin_s / unit_s:.6g} {name}" if self.origin_s else ""
        axes.set_xlabel(f"time{since} ({self.unit})")


def time_scale(
    subject: Any, first_s: float, last_s: float, *, axis: TimeAxis | None = None, windowed: bool = False
) -> TimeScale:
    """The time scale of a run or workload from first to last; `axis` None chooses dates where they are known.

    Raise InputError for `axis="date"` if the start of the log is unknown.
    """
    if axis is not None:
        one_of("axis", axis, AXES)
    last_s = last_s if last_s > first_s else first_s + MINUTE_S
    calendar = calendar_of(subject) if axis != "elapsed" else None
    calendar = calendar if calendar is not None and calendar.covers(first_s, last_s) else None
    if axis == "date" and calendar is None:
        raise InputError("axis='date' needs a log with UnixStartTime in its header: choose axis='elapsed'")
    unit_s, name = time_unit(last_s - first_s)
    return TimeScale(first_s, last_s, first_s if windowed else 0.0, unit_s, name, calendar)


# --- dates --------------------------------------------------------------------------------------------------


def _label_dates(axes: Axes, scale: TimeScale, calendar: Calendar, ticks: int) -> None:
    first, last = (_moment(calendar, time_s) for time_s in (scale.first_s, scale.last_s))
    span_s = scale.last_s - scale.first_s
    unit, count = next((step for length_s, step in _STEPS if span_s <= length_s * ticks), _STEPS[-1][1])
    moments = [moment for moment in _moments(first, last, unit, count) if first <= moment <= last]
    places = [scale.x(calendar.time_s((moment - EPOCH).total_seconds())) for moment in moments]
    axes.set_xticks(places, _date_tick_labels(moments, unit))
    axes.set_xticks([], minor=True)
    axes.set_xlabel(_date_axis_label(first, last, unit, str(calendar.zone)))


def _moment(calendar: Calendar, time_s: float) -> datetime.datetime:
    local_s = float(calendar.local_s(np.array([time_s]))[0])
    return EPOCH + datetime.timedelta(seconds=local_s)


def _moments(first: datetime.datetime, last: datetime.datetime, unit: str, count: int) -> Iterator[datetime.datetime]:
    """Round moments from shortly before `first` to `last`."""
    if unit in ("month", "year"):
        months = count if unit == "month" else 12 * count
        number = (12 * first.year + first.month - 1) // months * months
        while number // 12 <= last.year:
            yield datetime.datetime(number // 12, number % 12 + 1, 1)
            number += months
        return
    step = datetime.timedelta(**{f"{unit}s": count})
    day = first.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "week":
        day -= datetime.timedelta(days=day.weekday())
    while day <= last:
        yield day
        day += step


def _date_tick_labels(moments: list[datetime.datetime], unit: str) -> list[str]:
    """A date at the first tick and where it changes; a year at the first tick and at each January."""
    if unit == "year":
        return [f"{moment.year}" for moment in moments]
    if unit == "month":
        return [f"{moment:%b}" + (f"\n{moment.year}" if k == 0 or moment.month == 1 else "")
                for k, moment in enumerate(moments)]  # fmt: skip
    if unit in ("day", "week"):
        return [f"{moment.day} {moment:%b}" for moment in moments]
    days = [f"{moment:%a} {moment.day} {moment:%b}" for moment in moments]
    return [f"{moment:%H:%M}" + (f"\n{day}" if k == 0 or day != days[k - 1] else "")
            for k, (moment, day) in enumerate(zip(moments, days, strict=True))]  # fmt: skip


def _date_axis_label(first: datetime.datetime, last: datetime.datetime, unit: str, zone: str) -> str:
    """What the ticks do not say: the year, and the zone."""
    years = f" {first.year}" if first.year == last.year else f" {first.year}–{last.year}"
    if unit in ("month", "year"):
        return f"date ({zone})"
    return f"{'date' if unit in ('day', 'week') else 'time'},{years} ({zone})"
