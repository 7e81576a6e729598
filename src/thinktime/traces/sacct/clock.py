"""From the clock where sacct ran to UTC, with the hour that comes twice at the end of summer time.

sacct prints local times without an offset. An hour in autumn is therefore ambiguous. It is decided by, in this order:
the elapsed time (End = Start + Elapsed + Suspended), the order Submit ≤ Eligible ≤ Start ≤ End, and the job ids, which
grow with the time of submission. What stays ambiguous is read as the first of the two hours, and counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from thinktime.errors import InputError
from thinktime.traces.time_zone import TimeZone

TIMES = ("Submit", "Eligible", "Start", "End")
_DAY_S = 86400.0
_SLACK_S = 2.0  # sacct rounds each time to a second


@dataclass
class ClockCounts:
    """Times that the zone makes ambiguous or impossible."""

    local: int = 0  # times without an offset
    repeated_hour: int = 0  # jobs with a time in the hour that comes twice
    undecided: int = 0  # of these, jobs for which the first hour is a guess
    not_in_zone: int = 0  # times in the hour that is left out in spring


class Clock:
    """Converts local times with a zone; without one, the local clock is read as if it were UTC."""

    def __init__(self, zone: str | None) -> None:
        self.zone = _zone(zone) if zone else None
        self.counts = ClockCounts()

    def convert(
        self,
        times: Mapping[str, np.ndarray],
        local: Mapping[str, np.ndarray],
        length_s: np.ndarray,
        ids: np.ndarray,
    ) -> dict[str, np.ndarray]:
        """Return the times in UTC. `length_s` is End − Start where known; `ids` grow with the submissions."""
        self.counts.local += sum(int(np.count_nonzero(mask & ~np.isnan(times[name]))) for name, mask in local.items())
        if self.zone is None or not any(mask.any() for mask in local.values()):
            return dict(times)
        first, second = {}, {}
        for name, values in times.items():
            first[name], second[name] = self._both(values, local[name])
        twice = np.logical_or.reduce([_differ(first[name], second[name]) for name in times])
        rows = np.flatnonzero(twice)
        self.counts.repeated_hour += rows.size
        if rows.size:
            self._decide(first, second, rows, length_s, ids)
        return first

    def _both(self, values: np.ndarray, local: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the earliest and the latest instants at which the clock shows these times."""
        assert self.zone is not None
        rows = np.flatnonzero(local & ~np.isnan(values))
        earliest, latest = values.copy(), values.copy()
        if rows.size == 0:
            return earliest, latest
        clock = values[rows]
        low, high = np.full(rows.size, np.inf), np.full(rows.size, -np.inf)
        days = np.arange(clock.min() - 2 * _DAY_S, clock.max() + 2 * _DAY_S, _DAY_S)
        offsets = self.zone.local_s(days) - days
        for offset in np.unique(offsets):
            instant = clock - offset
            right = self.zone.local_s(instant) == clock
            low = np.where(right, np.minimum(low, instant), low)
            high = np.where(right, np.maximum(high, instant), high)
        nowhere = np.isinf(low)  # the hour that is left out: the clock had not been set yet
        self.counts.not_in_zone += int(np.count_nonzero(nowhere))
        before = clock - offsets[np.searchsorted(days, clock - 2 * _DAY_S)]
        earliest[rows] = np.where(nowhere, before, low)
        latest[rows] = np.where(nowhere, before, high)
        return earliest, latest

    def _decide(
        self,
        first: dict[str, np.ndarray],
        second: dict[str, np.ndarray],
        rows: np.ndarray,
        length_s: np.ndarray,
        ids: np.ndarray,
    ) -> None:
        """Choose the hour of each time of these jobs, in place."""
        later = self._later_by_id(first["Submit"], second["Submit"], rows, ids)
        for row, floor in zip(rows.tolist(), later.tolist(), strict=True):
            pairs = {name: (first[name][row], second[name][row]) for name in first}
            chosen, sure = _chosen(pairs, float(length_s[row]), floor)
            self.counts.undecided += not sure
            for name, value in chosen.items():
                first[name][row] = value

    def _later_by_id(self, first: np.ndarray, second: np.ndarray, rows: np.ndarray, ids: np.ndarray) -> np.ndarray:
        """Return for each row a submission that its own cannot precede; −∞ if none is known.

        Where submissions in the order of ids go back by more than half an hour, the clock was set back.
        """
        floor = np.full(rows.size, -np.inf)
        twice = _differ(first[rows], second[rows])
        order = rows[twice][np.argsort(ids[rows[twice]], kind="stable")]
        if order.size < 2:
            return floor
        back = np.flatnonzero(np.diff(first[order]) < -1800.0)
        if back.size:
            before, turn = order[back[0]], order[back[0] + 1]
            floor[twice & (ids[rows] >= ids[turn])] = first[before]
        return floor


def _zone(name: str) -> TimeZone:
    zone = TimeZone.named(name)
    if zone is None:
        raise InputError(f"no time zone is called {name!r}: give a name such as Europe/Berlin or UTC")
    return zone


def _differ(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return (one != other) & ~np.isnan(one)


def _chosen(pairs: dict[str, tuple[float, float]], length_s: float, floor: float) -> tuple[dict[str, float], bool]:
    """Return the instants that agree best with the length, the order of times and the ids; and whether only one does.

    The choices are few: at most two instants for each of four times.
    """
    best: list[tuple[tuple[float, ...], dict[str, float]]] = []
    for pattern in range(16):
        chosen = {name: pairs[name][pattern >> k & 1] for k, name in enumerate(pairs)}
        misfit = (_length_error(chosen, length_s), _disorder(chosen), float(chosen["Submit"] < floor))
        best.append(((*misfit, float(sum(np.nan_to_num(list(chosen.values()))))), chosen))
    best.sort(key=lambda item: item[0])
    least, found = best[0]
    rivals = [other for score, other in best[1:] if score[:3] == least[:3] and not _same(other, found)]
    return found, not rivals or floor > -np.inf


def _length_error(chosen: dict[str, float], length_s: float) -> float:
    """Return whether End − Start misses the elapsed time."""
    difference = abs(chosen.get("End", np.nan) - chosen.get("Start", np.nan) - length_s)
    return float(difference > _SLACK_S)


def _disorder(chosen: dict[str, float]) -> float:
    """Return how many neighbouring times are in the wrong order."""
    known = [value for name in TIMES if not np.isnan(value := chosen.get(name, np.nan))]
    return float(sum(later < earlier for earlier, later in pairwise(known)))


def _same(one: dict[str, float], other: dict[str, float]) -> bool:
    return all(value == other[name] or np.isnan(value) for name, value in one.items())
