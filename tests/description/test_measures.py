"""Each measure by hand or by theory: similarity, shuffles, stack depth, Hurst parameter."""

from __future__ import annotations

import numpy as np
import pytest

import thinktime._engine as _engine
from tests.description.workloads import small, workload_of
from thinktime.description import hurst, permutation_test, similarity, stack_depth
from thinktime.description.attributes import NotMeasuredError
from thinktime.errors import InputError
from thinktime.workload import Workload, sessions

# --- similarity -----------------------------------------------------------------------------------------------


def test_similarity_by_hand() -> None:
    """One user; the first session holds 1 and 2, the others 4: 1/2 inside, then 1/4 and 1/2, then 1."""
    log = workload_of([[[1, 2], [4], [4], [4], [4], [4]]])
    found = similarity(log, sessions(log), "run", distances=3)
    assert found.values["pooled"][0].tolist() == [0.5, (0.25 + 0.5 + 4) / 6, (0.25 + 0.5 + 3) / 5]
    assert found.values["session_mean"][0].tolist() == [0.5, (0.375 + 4) / 5, (0.375 + 3) / 4]
    assert found.values["identical"][0].tolist() == [0, 4 / 6, 3 / 5]
    pairs = [0.5, *[0.25] * 5, *[0.5] * 5, *[1.0] * 10]
    assert found.anywhere[0] == pytest.approx(np.mean(pairs))
    assert found.same_session == 0.5
    assert found.excess == pytest.approx(0.5 - np.mean(pairs))


def test_shares_count_users() -> None:
    alike: list[list[float]] = [[5, 5], [1], [1], [1], [1], [1]]
    unlike: list[list[float]] = [[1, 9], [1, 9], [1], [1], [1], [1]]
    same: list[list[float]] = [[3, 3], [3], [3], [3], [3], [3]]
    log = workload_of([alike, unlike, same, same])
    shares = similarity(log, sessions(log), "run").shares(0, 1)
    assert (shares.larger, shares.equal, shares.smaller, shares.users) == (0.25, 0.5, 0.25, 4)


def test_jobs_whose_value_is_not_known_are_removed_before_sessions_are_cut() -> None:
    """The session without a value is gone: its neighbours are one session apart, and only six count."""
    log = workload_of([[[1, 2], [4], [4], [np.nan], [4], [4], [4, np.nan]]])
    found = similarity(log, sessions(log), "run", distances=3)
    assert found.users.tolist() == [0]
    assert found.values["pooled"][0].tolist() == [0.5, (0.25 + 0.5 + 4) / 6, (0.25 + 0.5 + 3) / 5]
    fewer = workload_of([[[1, 2], [4], [4], [np.nan], [4], [4]]])
    assert similarity(fewer, sessions(fewer), "run").users.tolist() == []


def test_scaling_values_changes_nothing() -> None:
    log = small()
    doubled = Workload.from_columns(submit_s=log["submit_s"], user=log["user"], run_s=2 * log["run_s"])
    one, other = (similarity(each, sessions(each), "run") for each in (log, doubled))
    assert np.array_equal(one.values["pooled"], other.values["pooled"], equal_nan=True)


# --- shuffles -------------------------------------------------------------------------------------------------


def test_shuffles_have_the_mean_that_theory_gives() -> None:
    """Each pair of a user's jobs is as likely in one session as any other."""
    log = small()
    cut = sessions(log)
    shuffles = 2000
    found = permutation_test(log, cut, "run", shuffles=shuffles, seed=11)
    expected = similarity(log, cut, "run").expected
    assert abs(found.shuffled.mean() - expected) < 5 * found.shuffled.std(ddof=1) / np.sqrt(shuffles)


def test_every_arrangement_is_as_likely() -> None:
    """Two sessions of two jobs: three ways to pair 1, 2, 4, 8, each a third of the time."""
    found = _engine.shuffled_similarity(
        values=np.array([1.0, 2, 4, 8]), session=np.array([0, 0, 1, 1]), start=np.array([0, 4]),
        weight=np.ones(1), seed=5, names=np.arange(6000, dtype=np.uint64),
    )  # fmt: skip
    sums, counts = np.unique(found, return_counts=True)
    assert sums.tolist() == [1 / 4 + 2 / 8, 1 / 8 + 2 / 4, 1 / 2 + 4 / 8]
    assert np.abs(counts - 2000).max() < 5 * np.sqrt(6000 * (1 / 3) * (2 / 3))


def test_a_shuffle_does_not_depend_on_how_many_there_are() -> None:
    log = small()
    cut = sessions(log)
    many, few = (permutation_test(log, cut, "run", shuffles=n, seed=4).shuffled for n in (8, 3))
    assert np.array_equal(many[:3], few)
    assert not np.array_equal(few, permutation_test(log, cut, "run", shuffles=3, seed=5).shuffled)


def test_jobs_in_random_order_are_not_told_from_shuffles() -> None:
    """A user model without locality: the test should see none, up to its level."""
    draw = np.random.default_rng(3)
    p = []
    for _ in range(40):
        users = [[draw.integers(1, 50, 3).tolist() for _ in range(8)] for _ in range(5)]
        log = workload_of(users)
        p.append(permutation_test(log, sessions(log), "run", shuffles=99).p)
    assert abs(np.mean(p) - 0.505) < 5 * np.sqrt(1 / 12 / 40)


def test_the_default_workload_has_locality() -> None:
    log = small()
    found = permutation_test(log, sessions(log), "run", shuffles=200)
    assert found.p == 1 / 201
    assert found.sigmas > 5
    assert found.original == pytest.approx(similarity(log, sessions(log), "run").same_session)


def test_users_with_one_value_are_no_evidence() -> None:
    log = workload_of([[[3, 3]] * 6])
    found = permutation_test(log, sessions(log), "run", shuffles=20)
    assert (found.original, found.p) == (1.0, 1.0)
    assert np.isnan(found.sigmas)


def test_nobody_to_shuffle_is_a_sentence() -> None:
    log = workload_of([[[1, 2]]])
    with pytest.raises(NotMeasuredError, match="no user with six sessions"):
        permutation_test(log, sessions(log), "run")
    with pytest.raises(InputError, match="shuffles must be at least 1"):
        permutation_test(log, sessions(log), "run", shuffles=0)


# --- stack depth ----------------------------------------------------------------------------------------------


def test_stack_depth_by_hand() -> None:
    log = Workload.from_columns(submit_s=range(6), processors=[1, 2, 1, 1, 4, 2])
    found = stack_depth(log, "processors")
    assert found.depths.tolist() == [-1, -1, 1, 0, -1, 2]
    assert (found.mean, found.found, found.entries, found.tolerance) == (1.0, 3, 3, 0.0)


def test_allocated_processors_go_before_requested_ones() -> None:
    log = Workload.from_columns(submit_s=range(3), processors=[1, 1, 1], allocated_processors=[1, 2, np.nan])
    assert stack_depth(log, "processors").depths.tolist() == [-1, -1, 1]


def test_an_unknown_attribute_is_a_sentence() -> None:
    with pytest.raises(InputError, match="attribute must be one of processors, estimate, run"):
        stack_depth(small(), "memory")


def test_many_different_values_are_no_burden() -> None:
    """Exact search over distinct values: the depth of a repeat is all that came between."""
    values = np.r_[np.arange(50_000.0), np.arange(50_000.0)]
    found = _engine.stack_depths(values, tolerance=0.0)
    assert (found[50_000:] == 49_999).all()


# --- Hurst parameter ------------------------------------------------------------------------------------------


def fractional_noise(h: float, length: int, draw: np.random.Generator) -> np.ndarray:
    """Gaussian noise with Hurst parameter h, by circulant embedding (Davies and Harte 1987)."""
    k = np.arange(length + 1.0)
    covariance = 0.5 * ((k + 1) ** (2 * h) - 2 * k ** (2 * h) + np.abs(k - 1) ** (2 * h))
    power = np.fft.fft(np.r_[covariance, covariance[-2:0:-1]]).real.clip(min=0)
    noise = draw.standard_normal(len(power)) + 1j * draw.standard_normal(len(power))
    return np.fft.fft(np.sqrt(power / len(power)) * noise).real[:length]


@pytest.mark.parametrize("h", [0.5, 0.7, 0.9])
def test_the_hurst_parameter_of_noise_that_has_one(h: float) -> None:
    """R/S is known to be biased by some hundredths in short series: upwards for small h, downwards for large."""
    draw = np.random.default_rng(17)
    found = []
    for _ in range(12):
        counts = np.rint(20 + 4 * fractional_noise(h, 4000, draw)).astype(int).clip(min=0)
        found.append(hurst(np.repeat(np.arange(4000) * 14400.0, counts)).h)
    assert np.mean(found) == pytest.approx(h, abs=0.08)


def test_even_or_few_arrivals_have_no_hurst_parameter() -> None:
    with pytest.raises(NotMeasuredError, match="too few or too even"):
        hurst(np.arange(1000) * 14400.0)
    with pytest.raises(NotMeasuredError, match="2 arrivals are too few"):
        hurst(np.array([0.0, 5.0]))
    with pytest.raises(NotMeasuredError, match="choose a longer unit"):
        hurst(np.array([0.0, 1e15]))
