"""The hour that comes twice: local times of random jobs are found again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinktime.errors import InputError
from thinktime.traces.sacct.clock import TIMES, Clock
from thinktime.traces.time_zone import TimeZone

#: Within a day of the end of summer time in Berlin, 2026-10-25 01:00 UTC.
CHANGE_S = 1792890000.0


def local(times: dict[str, np.ndarray], zone: str) -> dict[str, np.ndarray]:
    clock = TimeZone.named(zone)
    assert clock is not None
    return {name: clock.local_s(values) for name, values in times.items()}


def converted(times: dict[str, np.ndarray], zone: str, ids: np.ndarray) -> tuple[dict[str, np.ndarray], Clock]:
    clock = Clock(zone)
    everywhere = {name: np.ones(len(ids), bool) for name in times}
    return clock.convert(local(times, zone), everywhere, times["End"] - times["Start"], ids), clock


jobs = st.lists(
    st.tuples(st.integers(-7200, 7200), st.integers(0, 4000), st.integers(0, 4000), st.integers(0, 9000)),
    min_size=1,
    max_size=8,
)


@given(jobs)
def test_times_outside_the_hour_are_exact_and_inside_it_consistent(rows: list[tuple[int, int, int, int]]) -> None:
    steps = np.cumsum(np.array(sorted(rows), float), axis=1)
    times = {name: CHANGE_S + steps[:, k] for k, name in enumerate(TIMES)}
    found, clock = converted(times, "Europe/Berlin", np.arange(len(rows), dtype=float))
    for name in TIMES:
        off = found[name] - times[name]
        assert set(np.abs(off).tolist()) <= {0.0, 3600.0}
        inside = np.abs(times[name] - CHANGE_S) <= 3600
        assert (off[~inside] == 0).all()
    assert np.allclose(found["End"] - found["Start"], times["End"] - times["Start"])
    assert clock.counts.local == 4 * len(rows)


@given(st.lists(st.integers(-(10**8), 10**8), min_size=1, max_size=20), st.sampled_from(["UTC", "Asia/Kolkata"]))
def test_zones_without_summer_time_are_exact(offsets: list[int], zone: str) -> None:
    times = {name: CHANGE_S + np.array(offsets, float) for name in TIMES}
    found, clock = converted(times, zone, np.arange(len(offsets), dtype=float))
    for name in TIMES:
        assert found[name].tolist() == times[name].tolist()
    assert clock.counts.repeated_hour == 0


def test_ids_tell_the_second_hour_from_the_first() -> None:
    submit = CHANGE_S + np.array([-600.0, -60.0, 60.0, 600.0])
    times = {"Submit": submit, "Eligible": submit, "Start": submit + 1, "End": submit + 5}
    found, _ = converted(times, "Europe/Berlin", np.array([1.0, 2.0, 3.0, 4.0]))
    assert found["Submit"].tolist() == submit.tolist()


def test_what_cannot_be_known_is_counted() -> None:
    submit = CHANGE_S + np.array([60.0])
    times = {"Submit": submit, "Eligible": submit, "Start": submit + 1, "End": submit + 5}
    found, clock = converted(times, "Europe/Berlin", np.array([1.0]))
    assert found["Submit"][0] == submit[0] - 3600
    assert (clock.counts.repeated_hour, clock.counts.undecided) == (1, 1)


def test_times_that_the_zone_does_not_have() -> None:
    spring = np.array([1774751400.0])  # 2026-03-29 02:30 on a clock that went from 02:00 to 03:00
    clock = Clock("Europe/Berlin")
    times = dict.fromkeys(TIMES, spring)
    clock.convert(times, dict.fromkeys(TIMES, np.ones(1, bool)), np.zeros(1), np.ones(1))
    assert clock.counts.not_in_zone == 4


def test_unknown_zones_are_refused() -> None:
    with pytest.raises(InputError, match="no time zone is called 'Berlin'"):
        Clock("Berlin")
