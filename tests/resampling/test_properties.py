"""What must hold of every resampled log, whatever the draws; and draws that follow their distributions."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.effort import seeds
from tests.resampling.logs import random_log, source_rows
from tests.shared_data import log as shared_log
from thinktime.errors import InputError
from thinktime.metrics import cycle_distance, week_s, weekly_profile
from thinktime.resampling import RareBehaviour, Resampler, origin_s, pieces, user_classes
from thinktime.resampling.resampler import BLOCK_JOBS
from thinktime.support.time_units import WEEK_S
from thinktime.workload import Workload, sessions

SIGMAS = 5.0


@pytest.fixture(scope="module")
def kth() -> Workload:
    return tt.read_swf(shared_log("KTH-SP2-1996-2.1-cln"))


@pytest.mark.parametrize("seed", seeds(25))
def test_jobs_are_source_jobs_moved_by_whole_weeks(seed: int) -> None:
    log = random_log(seed, first_s=4e5)
    made = tt.resample(log, weeks=70, load=1.7, seed=seed)
    rows = source_rows(made, log)
    moved = (made["submit_s"] - (log["submit_s"][rows] - origin_s(log))) / WEEK_S
    np.testing.assert_array_equal(moved, np.round(moved))
    assert made["submit_s"].min() >= 0
    assert made["submit_s"].max() < 70 * WEEK_S
    assert (np.diff(made["submit_s"]) >= 0).all()
    source = dict(zip(made.replicas["user"].tolist(), made.replicas["source_user"].tolist(), strict=True))
    assert [source[int(user)] for user in made["user"]] == log["user"][rows].astype(int).tolist()


@pytest.mark.parametrize("load", [0.4, 1.0, 1.5, 2.0, 4.3])
def test_all_long_term_users_appear_before_any_appears_twice(load: float) -> None:
    log = random_log(7, long_term=9)
    table = tt.resample(log, load=load, seed=3).replicas
    times = np.bincount(table["source_user"][table["kind"] == "long_term"])
    users = tt.user_pools(log).long_term.astype(int)
    counts = np.zeros(users.max() + 1, dtype=int)
    counts[: len(times)] = times
    assert counts[users].max() - counts[users].min() <= 1
    assert counts.sum() == np.floor(load * len(users) + 0.5)


def test_a_long_term_user_starts_over_after_the_period() -> None:
    """In a log of as many weeks as the source, every long-term user does everything once."""
    log = random_log(11, weeks=30)
    pools = tt.user_pools(log)
    made = tt.resample(log, seed=2, weeks=3 * pools.log_weeks)
    long_term = made.replicas["user"][made.replicas["kind"] == "long_term"]
    rows = source_rows(made, log)[np.isin(made["user"], long_term)]
    whole = pools.period_weeks[pools.members("long_term")] == pools.log_weeks
    users = pools.long_term[whole]
    times = np.bincount(rows, minlength=len(log))[np.isin(log["user"], users)]
    assert set(times.tolist()) == {3}


@pytest.mark.parametrize("start", ["log", "activity"])
@pytest.mark.parametrize("load", [2.0, 3.0])
def test_replicas_start_as_far_apart_as_possible(load: float, start: str) -> None:
    log = random_log(5, weeks=40, long_term=8)
    pools = tt.user_pools(log)
    table = tt.resample(log, load=load, seed=9, start=start).replicas
    for trace in pools.members("long_term"):
        weeks = table["start_week"][(table["source_user"] == pools.user[trace]) & (table["kind"] == "long_term")]
        period = pools.period_weeks[trace]
        candidates = np.arange(pools.first_week[trace], pools.last_week[trace] + 1)
        candidates = np.arange(period) if start == "log" else candidates
        for k in range(1, len(weeks)):
            apart = np.abs(candidates[:, None] - weeks[None, :k]) % period
            best = np.minimum(apart, period - apart).min(axis=1)
            assert best[candidates == weeks[k]] == best.max()


def test_same_seed_same_bytes_and_other_seeds_differ() -> None:
    log = random_log(2)
    one, same, other = (tt.resample(log, seed=seed, shake="jobs", locality=0.5) for seed in (4, 4, 5))
    assert all(one[name].tobytes() == same[name].tobytes() for name in one)
    assert one["run_s"].tobytes() != other["run_s"].tobytes()


def test_a_longer_log_continues_a_shorter_one() -> None:
    log = random_log(6)
    short, long = (tt.resample(log, weeks=weeks, seed=8) for weeks in (20, 100))
    for name in short:
        np.testing.assert_array_equal(long[name][: len(short)], short[name])


def test_weekly_arrivals_are_binomial() -> None:
    """Mean and variance of the number of new temporary users a week, from 400 independent logs."""
    log = random_log(1, temporary=20)
    pools = tt.user_pools(log)
    number, chance = pools.count("temporary"), 1.3 / pools.log_weeks
    resampler = Resampler(log, load=1.3, weeks=11)
    counts = np.array([_arrived(resampler.workload(seed).replicas) for seed in range(400)])
    mean = number * chance
    sigma = np.sqrt(mean * (1 - chance) / counts.size)
    assert abs(counts.mean() - mean) < SIGMAS * sigma
    replications = counts.var(axis=1, ddof=1)
    assert abs(replications.mean() - mean * (1 - chance)) < SIGMAS * replications.std(ddof=1) / np.sqrt(400)


def _arrived(table: Mapping[str, np.ndarray]) -> list[int]:
    return [int(np.sum(table["week"] == week)) for week in range(1, 11)]


def test_first_temporaries_are_as_many_as_in_a_week_of_the_log() -> None:
    log = random_log(1, temporary=20)
    pools = tt.user_pools(log)
    mean = pools.active_weeks[pools.members("temporary")].sum() / pools.log_weeks
    resampler = Resampler(log, weeks=1)
    counts = np.array([np.sum(resampler.workload(seed).replicas["kind"] == "temporary") for seed in range(400)])
    assert set(counts) <= {np.floor(mean), np.ceil(mean)}
    assert abs(counts.mean() - mean) < SIGMAS * counts.std(ddof=1) / np.sqrt(400)


def test_a_user_is_added_at_most_once_per_week() -> None:
    table = tt.resample(random_log(1, temporary=20), weeks=300, load=6.0, seed=1).replicas
    later = table["week"] > 0
    pairs = np.stack([table["week"][later], table["source_user"][later]])
    assert np.unique(pairs, axis=1).shape == pairs.shape


def test_rare_behaviours_come_as_often_as_asked_and_the_total_stays() -> None:
    log = random_log(1, temporary=20)
    behaviour = RareBehaviour(10, 0.0, 2e7)
    made = {
        often: [Resampler(log, weeks=101, rare=[behaviour], rare_per_week=often).workload(seed) for seed in range(60)]
        for often in (0.0, 0.125)
    }
    rare, total = (
        np.array(
            [np.sum((w.replicas["kind"] == "rare") | (kind == "any") & (w.replicas["week"] > 0)) for w in made[0.125]]
        )
        for kind in ("rare", "any")
    )
    without = np.array([np.sum(w.replicas["week"] > 0) for w in made[0.0]])
    assert abs(rare.mean() / 100 - 0.125) < SIGMAS * rare.std(ddof=1) / 100 / np.sqrt(60)
    assert total.tolist() == without.tolist()
    assert all(not w.rare_users for w in made[0.0])
    marked = made[0.125][0]
    rows = source_rows(marked, log)[np.isin(marked["user"], marked.rare_users)]
    assert behaviour.jobs_of(log)[rows].all()
    assert not behaviour.jobs_of(log)[source_rows(marked, log)[~np.isin(marked["user"], marked.rare_users)]].any()


def test_biased_sampling_favours_a_class() -> None:
    log = random_log(4, long_term=12, temporary=20)
    pools = tt.user_pools(log)
    large = pools.user[user_classes(pools, "work") == 2]
    shares = [
        np.mean(
            [
                np.isin(Resampler(log, bias=bias).workload(seed).replicas["source_user"], large).mean()
                for seed in range(20)
            ]
        )
        for bias in ("work:large=0.2", None, "work:large=4,small=0.5")
    ]
    assert shares[0] + 0.1 < shares[1] < shares[2] - 0.1


def test_several_logs_are_mixed_in_their_shares() -> None:
    one, two = random_log(1), random_log(2, first_s=9e5)
    made = tt.resample([one, two], load=[1.0, 2.0], seed=1)
    long_term = made.replicas["kind"] == "long_term"
    counts = [np.sum(long_term & (made.replicas["log"] == log)) for log in (0, 1)]
    assert counts == [len(tt.user_pools(one).long_term), 2 * len(tt.user_pools(two).long_term)]
    blocks = list(tt.resample_stream([one, two], load=[1.0, 2.0], seed=1, block_weeks=3))
    np.testing.assert_array_equal(np.concatenate([block["submit_s"] for block in blocks]), made["submit_s"])
    np.testing.assert_array_equal(np.concatenate([block["user"] for block in blocks]), made["user"])


def test_names_of_several_logs_stay_apart() -> None:
    logs = [tt.default_workload(weeks=15, seed=seed, users=10) for seed in (1, 2)]
    made = tt.resample(logs, seed=1)
    log_of = made.replicas["log"][made["user"].astype(int) - 1]
    for name in ("group", "executable"):
        assert not set(made[name][log_of == 0]) & set(made[name][log_of == 1])


def test_a_piece_is_resampled_by_itself() -> None:
    log = random_log(3, weeks=40)
    assert pieces(log, 4) == [(0, 10), (10, 20), (20, 30), (30, 40)]
    made = tt.resample(log, piece=(10, 20), weeks=80, long_term_weeks=5, edge_weeks=0, seed=1)
    week = (log["submit_s"] // WEEK_S)[source_rows(made, log)]
    assert week.min() >= 10
    assert week.max() < 20
    assert made["submit_s"].max() > 60 * WEEK_S


@pytest.mark.parametrize(("shake", "amplitude_s"), [("jobs", 30.0), ("sessions", 600.0), ("users", 1800.0)])
def test_shaking_moves_units_as_one_and_not_too_far(shake: str, amplitude_s: float) -> None:
    log = tt.default_workload(weeks=20, users=12, load=0.2)
    log = Workload.from_columns(**dict[str, Any](log.columns) | {"run_s": 1000.0 + np.arange(len(log))})
    still, shaken = tt.resample(log, seed=3), tt.resample(log, seed=3, shake=shake)
    assert len(still) == len(shaken)
    order = [np.lexsort((source_rows(made, log), made["user"])) for made in (still, shaken)]
    moved = shaken["submit_s"][order[1]] - still["submit_s"][order[0]]
    assert 0.9 * amplitude_s < np.abs(moved).max() <= amplitude_s
    unit = {
        "jobs": np.arange(len(log)),
        "sessions": sessions(log).session,
        "users": np.zeros(len(log)),
    }[shake][source_rows(still, log)[order[0]]]
    groups = np.unique(np.stack([still["user"][order[0]], unit]), axis=1, return_inverse=True)[1].reshape(-1)
    spread = [np.unique(moved[groups == group]).size for group in range(0, groups.max() + 1, 97)]
    assert max(spread) <= (2 if shake != "users" else 1)  # a session is displaced anew when its user starts over
    assert len(np.unique(moved)) > 5
    blocks = list(tt.resample_stream(log, seed=3, shake=shake, block_weeks=1))
    for name in ("submit_s", "user", "run_s"):
        np.testing.assert_array_equal(np.concatenate([block[name] for block in blocks]), shaken[name])


def test_locality_rises_and_falls_with_the_same_jobs(kth: Workload) -> None:
    """Long-term users do everything once in as many weeks as the log has: their jobs stay the same, one by one."""
    resamplers = {locality: Resampler(kth, locality=locality) for locality in (-1.0, -0.5, 0.0, 1.0)}
    pools = resamplers[0.0].pools[0]
    whole = pools.user[(pools.period_weeks == pools.log_weeks) & np.isin(pools.user, pools.long_term)]
    made = {locality: resampler.workload(1) for locality, resampler in resamplers.items()}
    depths = [stack_depth(made[locality]["requested_time_s"]) for locality in (1.0, 0.0, -0.5, -1.0)]
    assert all(later > 1.03 * earlier for earlier, later in pairwise(depths)), depths
    jobs = {locality: _bodies(workload, whole) for locality, workload in made.items()}
    for locality in (-1.0, -0.5, 1.0):
        np.testing.assert_array_equal(jobs[locality], jobs[0.0])


def _bodies(made: Workload, users: np.ndarray) -> np.ndarray:
    """What the long-term users submit, in a fixed order."""
    table = made.replicas  # type: ignore[attr-defined]
    own = table["user"][(table["kind"] == "long_term") & np.isin(table["source_user"], users)]
    rows = np.stack([made[name] for name in ("user", "run_s", "processors", "wait_s")])[:, np.isin(made["user"], own)]
    return rows[:, np.lexsort(rows[::-1])]


def stack_depth(values: np.ndarray) -> float:
    """Mean depth at which a value is found again, the latest on top."""
    stack: list[float] = []
    depths = []
    for value in values.tolist():
        if value in stack:
            depths.append(stack.index(value))
            del stack[depths[-1]]
        stack.insert(0, value)
    return float(np.mean(depths))


def test_the_week_survives(kth: Workload) -> None:
    """Against the same clock without daylight saving, which resampling ignores."""
    made = tt.resample(kth, seed=1)
    own = weekly_profile((kth["submit_s"] - origin_s(kth)) % WEEK_S)
    resampled = weekly_profile(made["submit_s"])
    assert cycle_distance(own, resampled).total_variation < 0.12
    assert cycle_distance(own, np.roll(resampled, 12)).total_variation > 0.3
    local = weekly_profile(week_s(made))
    assert cycle_distance(resampled, local).wasserstein_h < 1.0


def test_keep_ids() -> None:
    log = random_log(3)
    made = tt.resample(log, seed=1, keep_ids=True)
    np.testing.assert_array_equal(made["user"], log["user"][source_rows(made, log)])


def test_jobs_without_a_user_are_one_user() -> None:
    log = random_log(3)
    without_users = Workload.from_columns(
        **dict[str, Any](log.columns) | {"user": np.where(log["user"] > 12, np.nan, log["user"])}
    )
    made = tt.resample(without_users, seed=1)
    assert not np.isnan(made["user"]).any()
    assert -1 in made.replicas["source_user"]
    assert np.isnan(tt.resample(without_users, seed=1, keep_ids=True)["user"]).any()


def test_rare_behaviours_are_of_the_first_log() -> None:
    logs = [random_log(1, temporary=20), random_log(2, temporary=20)]
    made = tt.resample(logs, rare=[RareBehaviour(10, 0.0, 2e7)], rare_per_week=0.2, weeks=100, seed=1)
    assert set(made.replicas["log"][made.replicas["kind"] == "rare"]) == {0}


def test_blocks_stay_small_without_long_term_users() -> None:
    """A log of temporary users alone, and one with a flurry: a block is about BLOCK_JOBS, however long the log."""
    weeks, jobs = 40, 4000
    number = np.arange(jobs)
    log = Workload.from_columns(
        name="visitors",
        submit_s=number * weeks * WEEK_S / jobs,
        user=np.where((number >= 2000) & (number < 2500), 100, number // 20),
        run_s=np.ones(jobs),
        processors=np.ones(jobs),
    )
    sizes = [len(block["job"]) for block in tt.resample_stream(log, weeks=4000, seed=1)]
    assert max(sizes) < 1.2 * BLOCK_JOBS
    assert sum(sizes) > 3 * BLOCK_JOBS
    flurry = RareBehaviour(100, 0.0, weeks * WEEK_S)
    rare = tt.resample_stream(log, weeks=200, seed=1, rare=[flurry], rare_per_week=2.0)
    assert max(len(block["job"]) for block in rare) < 1.2 * BLOCK_JOBS


@pytest.mark.parametrize("weight", [0.01, 1.0, 50.0])
def test_weights_count_only_relative_to_each_other(weight: float) -> None:
    log = random_log(3, temporary=5)
    every = {int(user): weight for user in np.unique(log["user"])}
    plain, biased = (tt.resample(log, seed=4, weeks=60, bias=bias) for bias in (None, every))
    np.testing.assert_array_equal(plain["submit_s"], biased["submit_s"])


@pytest.mark.parametrize("weeks", [10**7, 10**20])
def test_more_weeks_than_history_are_a_mistake(weeks: int) -> None:
    with pytest.raises(InputError, match="weeks must be a whole number"):
        tt.resample(random_log(1), weeks=weeks)
    ages = Workload.from_columns(name="ages", submit_s=np.array([0.0, 1e15]), user=np.ones(2), run_s=np.ones(2))
    with pytest.raises(InputError, match="ages lasts 1,653,439,153"):
        tt.resample(ages, weeks=3, load=2)


@pytest.mark.parametrize("block_weeks", [0, -1, 1.5])
def test_blocks_have_a_length(block_weeks: float) -> None:
    with pytest.raises(InputError, match="block_weeks must be"):
        next(tt.resample_stream(random_log(1), block_weeks=block_weeks))  # type: ignore[arg-type]


def test_the_source_is_named_by_logs_and_options() -> None:
    made = tt.resample(tt.default_workload(weeks=14), seed=9, load=1.1)
    assert made.source["seed"] == 9
    assert made.source["resample"]["load"] == 1.1
    assert made.source["resample"]["logs"][0]["seed"] == 1
    assert tt.simulate(made, tt.Machine(processors=128), tt.FCFS()).spec["workload"]["resample"]["weeks"] == 14
