"""Block by block or all at once: the same values."""

from __future__ import annotations

import math
from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import examples
from tests.metrics.schedule import PROCESSORS, columns, empty, timeline
from thinktime.errors import InputError
from thinktime.metrics import Accumulator, Summary, distinct_values, summarize, timeline_sums
from thinktime.metrics.catalogue.job_rows import wait
from thinktime.metrics.distinct_values import DistinctValues

Table = dict[str, np.ndarray]


def in_blocks(of: Table, borders: list[int], states: Table | None = None, **options: object) -> Summary:
    """Add the jobs in blocks, and as many blocks of the timeline; ask in between, which must change nothing."""
    accumulator = Accumulator(PROCESSORS, **options)  # type: ignore[arg-type]
    jobs, rows = parts(of, "job", borders), parts(states or empty(timeline()), "time_s", borders)
    for block, part in zip(jobs, rows, strict=True):
        accumulator.add(block)
        accumulator.add_timeline(part)
        accumulator.summary()
    return accumulator.summary()


def parts(table: Table, column: str, borders: list[int]) -> list[Table]:
    edges = [0, *sorted(border % (len(table[column]) + 1) for border in borders), len(table[column])]
    return [{name: values[begin:end] for name, values in table.items()} for begin, end in pairwise(edges)]


def assert_same(blocks: Summary, whole: Summary) -> None:
    for name, value, _ in blocks:
        assert value == pytest.approx(whole[name], rel=1e-12, nan_ok=True), name
    assert blocks.notes == whole.notes
    assert blocks.excluded == whole.excluded
    assert blocks.settings["window_s"] == pytest.approx(whole.settings["window_s"], nan_ok=True)


@pytest.mark.parametrize("window", [None, (100, 170), (15, None), (None, 120)])
def test_blocks_of_the_hand_worked_schedule(window: tuple[float | None, float | None] | None) -> None:
    blocks = in_blocks(columns(), [1, 3, 3], timeline(), window=window)
    assert_same(blocks, summarize(columns(), timeline(), 4, window=window))


def test_the_hand_worked_schedule() -> None:
    summary = in_blocks(columns(), [1, 3, 3], timeline())
    assert (summary["wait_median_s"], summary["wait_max_s"]) == (0, 130)
    assert (summary["queued_jobs_mean"], summary["queued_jobs_max"]) == (220 / 190, 2)
    assert (summary["users"], summary["user_wait_mean_s"]) == (3, (45 + 65 + 0) / 3)
    assert summary["loss_of_capacity"] == 180 / (4 * 190)


def test_too_many_different_values_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct_values, "MOST", 2)
    summary = in_blocks(columns(), [2])
    assert summary["wait_median_s"] is None
    assert summary["wait_mean_s"] == 44
    assert summary.notes["wait_median_s"] == "more than 250,000 different values in a streamed run"
    assert "more than 250,000 different values" in str(summary)
    assert summary.to_dict()["bounded_slowdown_p95"] is None


def test_excluded_users_as_in_memory() -> None:
    blocks = in_blocks(columns(), [2], timeline(), exclude_users=[2])
    assert_same(blocks, summarize(columns(), timeline(), PROCESSORS, exclude_users=[2]))
    assert blocks.settings["excluded_users"] == 1


def test_nothing_added_is_an_empty_summary() -> None:
    summary = Accumulator(PROCESSORS).summary()
    assert (summary["jobs"], summary["jobs_counted"]) == (0, 0)
    assert math.isnan(summary["wait_mean_s"] or 0)
    assert summary.notes["wait_mean_s"] == "no job is counted"


def test_a_window_is_checked_before_the_run() -> None:
    with pytest.raises(InputError, match="ends before it begins"):
        Accumulator(PROCESSORS, window=(9, 1))


def test_sums_of_very_different_sizes_lose_nothing() -> None:
    of = {name: np.repeat(values[:1], 3) for name, values in columns().items()}
    of["start_s"] = np.array([1.0, 1e16, 1.0])  # a plain running sum would lose the last 1
    of["end_s"] = of["start_s"] + of["run_s"]
    accumulator = Accumulator(PROCESSORS)
    for row in range(3):
        accumulator.add({name: values[row : row + 1] for name, values in of.items()})
    assert accumulator.moments[wait].sum.total() == 1e16 + 2


@pytest.mark.parametrize("end", [15.0, 40.0, np.nan])
def test_instants_before_the_first_submission_and_after_the_last_end_do_not_count(end: float) -> None:
    one = {name: values[:1].copy() for name, values in columns().items()}
    one |= {"submit_s": np.array([10.0]), "start_s": np.array([12.0]), "end_s": np.array([end])}
    one |= {"status": np.array([3 if math.isnan(end) else 0], np.uint8)}
    states = {name: np.zeros(8, np.int64) for name in timeline()}
    states["time_s"] = np.array([0.0, 5, 10, 12, 15, 20, 40, 50])
    states["queued_jobs"][2] = states["running_jobs"][3] = 1
    states["queued_processors"][2] = states["used_processors"][3] = 2
    for borders in ([], [1], [1, 4], [3, 6], [8]):
        assert_same(in_blocks(one, borders, states), summarize(one, states, PROCESSORS))


@st.composite
def timelines(draw: st.DrawFn) -> Table:
    """Any states: idle at first, then anything."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    count = draw(st.integers(0, 60))
    states = {name: rng.integers(0, 5, count) for name in timeline()}
    idle = draw(st.integers(0, 3))
    for values in states.values():
        values[:idle] = 0
    states["queued_processors"] *= states["queued_jobs"] > 0
    states["used_processors"] *= states["running_jobs"] > 0
    whole = draw(st.booleans())
    times = rng.choice(1000, count, replace=False)
    return states | {"time_s": np.sort(times.astype(float) if whole else times + rng.random(count))}


Borders = st.lists(st.integers(0, 60), max_size=5)
Ends = st.none() | st.floats(0, 1000)


@examples(200)
@given(timelines(), Borders, Ends, Ends, st.floats(0, 1000), st.floats(0, 1000))
def test_blocks_of_any_timeline(
    states: Table, borders: list[int], t1: float | None, t2: float | None, submit_s: float, length_s: float
) -> None:
    busy = np.flatnonzero((states["queued_jobs"] > 0) | (states["running_jobs"] > 0))
    first = min(submit_s, *states["time_s"][busy[:1]]) if len(busy) else submit_s  # nothing waits before it
    one = {name: values[:1] for name, values in columns().items()}
    one |= {"submit_s": np.array([first]), "start_s": np.array([first]), "end_s": np.array([first + length_s])}
    window = (first if t1 is None else t1, first + length_s if t2 is None else t2)
    if window[0] > window[1]:
        return
    with patch.object(timeline_sums, "AT_ONCE", 7):
        blocks = in_blocks(one, borders, states, window=(t1, t2))
    assert_same(blocks, summarize(one, states, PROCESSORS, window=(t1, t2)))


@examples(200)
@given(st.lists(st.lists(st.floats(0, 1e9) | st.integers(0, 9).map(float))), st.integers(1, 5))
def test_quantiles_are_those_of_numpy(blocks: list[list[float]], at_once: int) -> None:
    values = DistinctValues()
    with patch.object(distinct_values, "AT_ONCE", at_once):
        for block in blocks:
            values.add(np.array(block))
    every = np.array([value for block in blocks for value in block])
    expected = (np.median(every), np.quantile(every, 0.95), np.quantile(every, 0.1)) if len(every) else [math.nan] * 3
    assert np.array_equal([values.median(), values.quantile(0.95), values.quantile(0.1)], expected, equal_nan=True)


def test_a_missing_value_has_no_quantile() -> None:
    values = DistinctValues()
    for value in (1.0, math.nan, math.nan):
        values.add(np.array([value]))
    assert math.isnan(values.median() or 0)


@st.composite
def runs(draw: st.DrawFn) -> dict[str, np.ndarray]:
    """Any columns a run may have; not necessarily a possible schedule."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    count = draw(st.integers(0, 60))
    of = {name: np.resize(values, count) for name, values in columns().items()}
    of["status"] = rng.integers(0, 4, count).astype(np.uint8)
    of["user"] = rng.choice([1.0, 2, 7, 1e12, np.nan], count)
    of["submit_s"] = np.sort(rng.uniform(0, 1e8, count))
    of["run_s"] = rng.choice([0.0, 1.0, 86400.0], count) * rng.random(count)
    of["start_s"] = of["submit_s"] + rng.choice([0.0, 1e5], count) * rng.random(count)
    of["end_s"] = of["start_s"] + of["run_s"]
    of["start_s"][of["status"] == 2] = np.nan
    of["end_s"][of["status"] >= 2] = np.nan
    return of


@examples(60)
@given(runs(), Borders)
def test_blocks_equal_the_whole(of: dict[str, np.ndarray], borders: list[int]) -> None:
    assert_same(in_blocks(of, borders), summarize(of, empty(timeline()), PROCESSORS))
