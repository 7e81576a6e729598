"""The engine and the arrays give what the plain loops of reference/description give, on small random workloads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime._engine as _engine
from reference.description import concentration as plain_concentration
from reference.description import hurst as plain_hurst
from reference.description import similarity as plain_similarity
from reference.description.stack_depth import stack_depths as plain_depths
from tests.description.workloads import workload_of
from tests.effort import examples
from thinktime.description import daily_concentration, hurst, similarity
from thinktime.description.job_similarity import LEAST_SESSIONS, STATISTICS
from thinktime.workload import Workload, sessions
from thinktime.workload.user_sessions.groups import offsets

FEW = st.integers(0, 6).map(float)  # many ties, and zeros
MANY = st.floats(0, 1e6, allow_nan=False)
WHOLE = st.integers(0, 100_000).map(float)
VALUES = st.one_of(st.lists(FEW, max_size=60), st.lists(MANY, max_size=60), st.lists(WHOLE, max_size=60))


def as_reference(depths: np.ndarray) -> list[int | None]:
    return [None if depth < 0 else int(depth) for depth in depths]


@given(values=VALUES, tolerance=st.sampled_from([0.0, 0.05, 0.3]))
@examples(300)
def test_stack_depths(values: list[float], tolerance: float) -> None:
    found = _engine.stack_depths(np.array(values, dtype=np.float64), tolerance=tolerance)
    assert as_reference(found) == plain_depths(values, tolerance)


def test_the_stored_entry_stays() -> None:
    """1.05 matches 1.00 but does not replace it: 1.10 is then a new value, as it would not be beside 1.05."""
    assert plain_depths([100, 105, 110], 0.05) == [None, 0, None]
    assert as_reference(_engine.stack_depths(np.array([100.0, 105, 110]), tolerance=0.05)) == [None, 0, None]


# --- similarity -----------------------------------------------------------------------------------------------

USERS = st.lists(st.lists(st.lists(st.one_of(FEW, WHOLE), min_size=1, max_size=5), min_size=1, max_size=9), max_size=4)


@given(users=USERS, six=st.lists(st.lists(FEW, min_size=2, max_size=4), min_size=6, max_size=8))
@examples(150)
def test_similarity_of_users(users: list[list[list[float]]], six: list[list[float]]) -> None:
    users = [*users, six]
    log = workload_of(users)
    found = similarity(log, sessions(log), "run", distances=4)
    eligible = [own for own in users if plain_similarity.eligible(own)]
    assert found.users.tolist() == [user for user, own in enumerate(users) if plain_similarity.eligible(own)]
    for statistic in STATISTICS:
        for distance in range(4):
            expected = [plain_similarity.user_value(own, distance, statistic) for own in eligible]
            assert found.values[statistic][:, distance] == pytest.approx(expected, rel=1e-12, abs=1e-12)


@given(one=st.lists(st.one_of(FEW, WHOLE), min_size=1, max_size=12), data=st.data())
@examples(40)
def test_medians_of_many_pairs_are_found_without_listing_them(one: list[float], data: st.DataObject) -> None:
    """More than 4096 pairs, by repeating values; the median of the same pairs, listed."""
    other = data.draw(st.lists(st.one_of(FEW, WHOLE), min_size=1, max_size=12))
    values = [np.repeat(np.array(each), 97) for each in (one, other)]
    start = offsets(np.array([len(each) for each in values]))
    found = _engine.similarity_by_distance(
        values=np.concatenate(values), start=start, user_start=np.array([0, 2]), distances=2, medians=True
    )
    largest = np.maximum(values[0][:, None], values[1])
    ratio = np.where(largest > 0, np.minimum(values[0][:, None], values[1]) / np.where(largest > 0, largest, 1), 1.0)
    assert found["median"][2] == np.median(ratio)
    assert found["sum"][2] == pytest.approx(ratio.sum(), rel=1e-12)
    assert found["identical"][2] == (values[0][:, None] == values[1]).sum()
    upper = np.triu_indices(len(values[0]), 1)
    largest = np.maximum(values[0][:, None], values[0])
    inside = np.where(largest > 0, np.minimum(values[0][:, None], values[0]) / np.where(largest > 0, largest, 1), 1.0)
    assert found["median"][0] == np.median(inside[upper])
    assert found["sum"][0] == pytest.approx(inside[upper].sum(), rel=1e-12)


def test_users_below_six_sessions_or_with_single_jobs_do_not_count() -> None:
    alone = [[1.0]] * LEAST_SESSIONS
    short = [[1.0, 2.0]] * (LEAST_SESSIONS - 1)
    enough = [[1.0], [1.0, 2.0], [1.0], [1.0], [1.0], [1.0]]
    log = workload_of([alone, short, enough])
    assert similarity(log, sessions(log), "run").users.tolist() == [2]


# --- days and blocks ------------------------------------------------------------------------------------------


@given(jobs=st.lists(st.tuples(st.integers(0, 9), WHOLE), min_size=1, max_size=80), bins=st.sampled_from([1, 4, 16]))
@examples(150)
def test_daily_concentration(jobs: list[tuple[int, float]], bins: int) -> None:
    jobs = sorted(jobs)
    days, values = [day for day, _ in jobs], [value for _, value in jobs]
    log = Workload.from_columns(submit_s=[86400.0 * day + 60 for day in days], run_s=values)
    found = daily_concentration(log, "run", bins=bins)
    assert found.shares == pytest.approx(plain_concentration.daily_shares(days, values, bins))
    assert found.cuts == pytest.approx(plain_concentration.cuts(values, bins))


@given(seed=st.integers(0, 1000), length=st.integers(20, 400))
@examples(40)
def test_hurst(seed: int, length: int) -> None:
    counts = np.random.default_rng(seed).poisson(1.5, length)
    counts[0], counts[-1] = 1, 1
    submit_s = np.repeat(np.arange(length) * 14400.0, counts)
    found = hurst(submit_s)
    assert found.h == pytest.approx(plain_hurst.hurst(counts.tolist()), rel=1e-9)
    assert len(found.log_n) == len(plain_hurst.points(counts.tolist()))
