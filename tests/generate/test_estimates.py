"""Tsafrir, Etsion and Feitelson's estimates: the published shares, and the law of the authors' own procedure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.generate.replications import SIGMAS, agrees, sigmas
from thinktime.errors import InputError
from thinktime.generate import Lublin, with_estimates
from thinktime.generate.estimate_model import EstimateBins, EstimateModel, weights_of
from thinktime.generate.popular_estimates import RANKS_SEEN, drawn_ranks, head, head_shares, head_times
from thinktime.support.random_streams import stream

H = 3600


def bins(jobs: int = 20_000, maximum_s: int = 36 * H, popular=None, seed: int = 1) -> EstimateBins:
    return EstimateBins.drawn(jobs, maximum_s, popular or {}, stream(seed, "test"))


def run_times(count: int, seed: int) -> np.ndarray:
    return np.minimum(np.floor(np.exp(stream(seed, "runs").normal(7.0, 2.0, count))), 36 * H)


# --- the head ---------------------------------------------------------------------------------------------------


def test_twenty_round_times_with_the_maximum_first() -> None:
    times = head_times(36 * H)
    assert times[0] == 36 * H
    assert len(times) == len(set(times)) == 20
    assert times[1:] == sorted(times[1:])
    assert {300, 600, 900, H, 18 * H, 30 * H, 20 * H, 35 * H, 25 * H} <= set(times)


def test_a_maximum_of_an_hour_has_fewer() -> None:
    assert head_times(H) == [H, *(60 * m for m in (5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55))]


def test_shares_by_rank_are_the_published_ones() -> None:
    shares, _ = head_shares(20, 36 * H, {})
    assert shares.sum() == pytest.approx(0.89)
    assert shares[1] == pytest.approx(0.01 * (14.0491 * np.exp(-2 * 0.177531) + 0.462513))
    assert 0.20 < shares[0] < 0.23
    assert np.all(np.diff(shares) < 0)


def test_every_rank_is_taken_once_and_only_where_it_may_be() -> None:
    last = {rank: place for place, row in enumerate(RANKS_SEEN) for rank in row}
    for seed in range(200):
        ranks = drawn_ranks(20, {}, stream(seed, "ranks"))
        assert sorted(ranks) == list(range(1, 21))
        assert ranks[0] == 1
        assert all(place <= last[rank] + 1 for place, rank in enumerate(ranks))


def test_known_shares_are_kept_and_the_others_scaled() -> None:
    popular = {36 * H: 0.4, 2 * H: 0.1, 7777: 0.05}
    found = head(36 * H, popular, stream(1, "test"))
    assert len(found) == 20
    assert all(found[time] == pytest.approx(share) for time, share in popular.items())
    assert sum(found.values()) == pytest.approx(0.89)


# --- the tail ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("jobs", "different"), [(1000, 35), (10_000, 90), (40_000, 215), (10**6, 565)])
def test_how_many_different_estimates_there_are(jobs: int, different: int) -> None:
    found = bins(jobs)
    assert different - 15 <= len(found.time_s) <= different
    assert found.share.sum() == pytest.approx(1.0)
    assert found.time_s.max() == 36 * H
    assert np.all(found.time_s % 10 == 0)
    top = np.sort(found.share)[::-1][:20].sum()
    assert top == pytest.approx(0.89, abs=0.02)


# --- who gets which ---------------------------------------------------------------------------------------------


def handed_out(run_s: np.ndarray, found: EstimateBins, rng: np.random.Generator) -> np.ndarray:
    """The authors' procedure: from the longest job down, each takes one at random of those left and long enough."""
    counts = np.floor(found.share * len(run_s)).astype(int)
    counts[-1] += len(run_s) - counts.sum()
    left = sorted(np.repeat(found.time_s, counts), reverse=True)
    estimates, order = np.empty(len(run_s)), np.argsort(-run_s, kind="stable")
    high = 0
    for j, job in enumerate(order):
        while high < len(left) - 1 and run_s[job] <= left[high + 1]:
            high += 1
        k = int(rng.integers(j, high + 1))
        assert left[k] >= run_s[job]
        left[j], left[k] = left[k], left[j]
        estimates[job] = left[j]
    return estimates


def test_independent_draws_have_the_law_of_the_authors_procedure() -> None:
    """Share of jobs at the maximum, and mean accuracy, in three classes of run times, over independent seeds."""
    found, differences = bins(1000), dict[Any, Any]()
    for seed in range(1, 41):
        run_s = run_times(1500, seed)
        theirs = handed_out(run_s, found, stream(seed, "procedure"))
        model = EstimateModel(found, weights_of(found, run_s))
        ours = model.draw(run_s, stream(seed, "draws").random(len(run_s)))
        assert np.all(ours >= run_s)
        for low, high in ((0, 300), (300, 3000), (3000, 30_000)):
            rows = (run_s >= low) & (run_s < high)
            for name, of in (("mean", np.mean), ("maximum", lambda e: np.mean(e == 36 * H))):
                differences.setdefault((name, low), []).append(of(ours[rows]) - of(theirs[rows]))
    assert all(sigmas(values, 0.0) < SIGMAS for values in differences.values())


def test_the_shares_come_out() -> None:
    """Each estimate is given to its share of the jobs, although longer jobs cannot take the short ones."""
    found = bins(20_000)
    popular = np.argsort(-found.share)[:12]

    def shares(seed: int) -> np.ndarray:
        run_s = run_times(4000, seed)
        model = EstimateModel(found, weights_of(found, run_s))
        drawn = model.draw(run_s, stream(seed, "draws").random(len(run_s)))
        return np.array([np.mean(drawn == time) for time in found.time_s[popular]])

    seen = np.array([shares(seed) for seed in range(1, 26)])
    for column, expected in zip(seen.T, found.share[popular], strict=True):
        assert sigmas(column, expected) < SIGMAS


def test_streams_and_memory_have_the_same_shares() -> None:
    maximum = lambda seed: np.mean(  # noqa: E731
        Lublin(jobs=3000, estimates="tsafrir", max_estimate_h=60).workload(seed=seed)["requested_time_s"] == 60 * H
    )
    share = 0.89 - (head_shares(20, 60 * H, {})[0][1:]).sum()
    assert agrees(maximum, share)


# --- attached to a workload --------------------------------------------------------------------------------------


def test_a_workload_without_estimates_gets_some() -> None:
    bare = Lublin(jobs=3000).workload()
    made = with_estimates(bare, seed=4)
    assert np.all(np.isnan(bare["requested_time_s"]))
    assert np.all(made["requested_time_s"] >= made["run_s"])
    assert np.array_equal(made["run_s"], bare["run_s"])
    assert made.source["estimates"]["model"] == "tsafrir"
    assert np.array_equal(made["requested_time_s"], with_estimates(bare, seed=4)["requested_time_s"])
    assert not np.array_equal(made["requested_time_s"], with_estimates(bare, seed=5)["requested_time_s"])
    assert tt.simulate(made, tt.Machine(processors=128), tt.Easy()).summary()["jobs"] == 3000


def test_known_requests_stay_unless_all_are_replaced() -> None:
    default = tt.default_workload(jobs=2000)
    with pytest.raises(InputError, match="every job of default has an estimate: add replace_all=True"):
        with_estimates(default)
    asked = default["requested_time_s"].copy()
    asked[::2] = np.nan
    half = tt.Workload({**default.columns, "requested_time_s": asked})
    made = with_estimates(half)
    assert np.array_equal(made["requested_time_s"][1::2], asked[1::2])
    assert np.all(made["requested_time_s"] >= made["run_s"])
    everything = with_estimates(default, replace_all=True)
    assert not np.array_equal(everything["requested_time_s"], default["requested_time_s"])


def test_longer_jobs_are_refused_or_cut() -> None:
    bare = Lublin(jobs=3000, types="batch").workload()
    with pytest.raises(
        InputError,
        match="max_estimate_s must be at least 157,504",
    ):
        with_estimates(bare, max_estimate_s=2 * H)
    with pytest.raises(InputError, match=r"% of the jobs run 7,200 s or longer, but only .* % of the estimates"):
        with_estimates(bare, max_estimate_s=2 * H, longer="cut")
    cut = with_estimates(bare, max_estimate_s=2 * H, longer="cut", popular={2 * H: 0.8})
    assert cut["run_s"].max() == 2 * H
    assert np.mean(cut["requested_time_s"] == 2 * H) == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"max_estimate_s": 60}, "max_estimate_s must be a number between 3600.0 and 360000000.0 (got 60)"),
        ({"longer": "cur"}, "longer is 'cur' (did you mean 'cut'?): choose one of refuse, cut"),
        (
            {"popular": {3600: 1.5}},
            "times of popular must be above 0 and at most max_estimate_s, shares between 0 and 1 (got 3600 s",
        ),
        (
            {"popular": {0: 0.5}},
            "times of popular must be above 0 and at most max_estimate_s, shares between 0 and 1 (got 0 s with a",
        ),
        (
            {"popular": {H * h: 0.2 for h in range(1, 7)}},
            "popular may have at most 19 estimates besides the maximum, with shares that add up to at most 1",
        ),
        (
            {"popular": {H * h: 0.01 for h in range(1, 30)}},
            "popular may have at most 19 estimates besides the maximum, with shares that add up to at most 1",
        ),
        ({"popular": [3600]}, "popular must map seconds to shares, for example {3600: 0.1} (got [3600])"),
        ({"seed": 1.5}, "seed is 1.5"),
    ],
)
def test_mistakes_are_named(options, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        with_estimates(Lublin(jobs=100).workload(), **options)
    assert str(error.value).startswith(sentence)
