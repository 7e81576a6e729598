"""Block by block or all at once: the same means, maxima and counts."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import examples
from tests.metrics.schedule import PROCESSORS, columns, empty, timeline
from thinktime.errors import InputError
from thinktime.metrics import Accumulator, Summary, summarize
from thinktime.metrics.catalogue.job_rows import wait

NOT_COMPUTED = "not computed in constant-memory mode"


def in_blocks(of: dict[str, np.ndarray], borders: list[int], **options: object) -> Summary:
    accumulator = Accumulator(PROCESSORS, **options)  # type: ignore[arg-type]
    edges = [0, *sorted(border % (len(of["job"]) + 1) for border in borders), len(of["job"])]
    for begin, end in pairwise(edges):
        accumulator.add({name: values[begin:end] for name, values in of.items()})
    return accumulator.summary()


def assert_same(blocks: Summary, whole: Summary) -> None:
    for name, value, _ in blocks:
        if value is not None:
            assert value == pytest.approx(whole[name], rel=1e-12, nan_ok=True), name
    assert blocks.excluded == whole.excluded
    assert blocks.settings["window_s"] == pytest.approx(whole.settings["window_s"], nan_ok=True)


@pytest.mark.parametrize("window", [None, (100, 170), (15, None), (None, 120)])
def test_blocks_of_the_hand_worked_schedule(window: tuple[float | None, float | None] | None) -> None:
    assert_same(in_blocks(columns(), [1, 3, 3], window=window), summarize(columns(), timeline(), 4, window=window))


def test_what_needs_all_jobs_says_that_it_was_not_computed() -> None:
    summary = in_blocks(columns(), [2])
    assert summary["wait_median_s"] is None
    assert summary.notes["wait_median_s"] == summary.notes["queued_jobs_mean"] == NOT_COMPUTED
    assert NOT_COMPUTED in str(summary)
    assert summary.to_dict()["user_wait_mean_s"] is None


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


@st.composite
def runs(draw: st.DrawFn) -> dict[str, np.ndarray]:
    """Any columns a run may have; not necessarily a possible schedule."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    count = draw(st.integers(0, 60))
    of = {name: np.resize(values, count) for name, values in columns().items()}
    of["status"] = rng.integers(0, 4, count).astype(np.uint8)
    of["submit_s"] = np.sort(rng.uniform(0, 1e8, count))
    of["run_s"] = rng.choice([0.0, 1.0, 86400.0], count) * rng.random(count)
    of["start_s"] = of["submit_s"] + rng.choice([0.0, 1e5], count) * rng.random(count)
    of["end_s"] = of["start_s"] + of["run_s"]
    of["start_s"][of["status"] == 2] = np.nan
    of["end_s"][of["status"] >= 2] = np.nan
    return of


@examples(60)
@given(runs(), st.lists(st.integers(0, 60), max_size=5))
def test_blocks_equal_the_whole(of: dict[str, np.ndarray], borders: list[int]) -> None:
    assert_same(in_blocks(of, borders), summarize(of, empty(timeline()), PROCESSORS))
