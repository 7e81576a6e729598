"""The vectorised resampling and the one in loops agree job by job, in memory and in blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import resample as oracle
from tests.effort import examples
from tests.resampling.logs import oracle_jobs, oracle_pools, random_log, source_rows
from thinktime.errors import InputError
from thinktime.resampling import EDGE_WEEKS, KINDS, RareBehaviour, origin_s
from thinktime.resampling.builder import DROPPED

SLOW = examples(60, slow_draws=True)


@given(
    seed=st.integers(0, 10_000),
    edge=st.sampled_from([0.0, 2.0, 4.0, "text", "table_v"]),
    first=st.sampled_from([0.0, 5e5, 7e5]),
)
@SLOW
def test_pools(seed: int, edge: float | str, first: float) -> None:
    log = random_log(seed, first_s=first)
    found = tt.user_pools(log, edge_weeks=edge)
    wanted = oracle_pools(
        log, edge_weeks=EDGE_WEEKS[edge] if isinstance(edge, str) else edge, from_time_0=edge == "table_v"
    )
    assert found.log_weeks == wanted.log_weeks
    for kind in KINDS:
        users = getattr(wanted, kind)
        members = found.members(kind)
        assert found.user[members].tolist() == [user.number for user in users]
        assert found.first_week[members].tolist() == [user.first_week for user in users]
        assert found.last_week[members].tolist() == [user.last_week for user in users]
        assert found.period_weeks[members].tolist() == [oracle.period(user, wanted) for user in users]


@given(
    seed=st.integers(0, 10_000),
    log_seed=st.integers(0, 10_000),
    weeks=st.one_of(st.none(), st.integers(1, 90)),
    load=st.sampled_from([0.3, 1.0, 1.2, 2.0, 3.7]),
    first=st.sampled_from([0.0, 3.2e5, 7e5]),
    biased=st.booleans(),
    rare=st.booleans(),
    block_weeks=st.integers(1, 40),
    start=st.sampled_from(["log", "activity"]),
)
@SLOW
def test_jobs_agree(
    seed: int,
    log_seed: int,
    weeks: int | None,
    load: float,
    first: float,
    biased: bool,
    rare: bool,
    block_weeks: int,
    start: str,
) -> None:
    log = random_log(log_seed, first_s=first)
    behaviours = [RareBehaviour(10, first, first + 9e6), RareBehaviour(11, 0.0, 4e7)] if rare else []
    behaviours = [each for each in behaviours if each.jobs_of(log).any()]
    bias = {12: 3.0, 17: 0.25, 18: 2.5} if biased else None
    pools = oracle_pools(log, rare=[(each.user, each.begin_s, each.end_s) for each in behaviours])
    rate = load * len(pools.temporary) / pools.log_weeks
    often = rate / 2 if behaviours else 0.0
    options: dict[str, Any] = {
        "weeks": weeks,
        "load": load,
        "bias": bias,
        "rare": behaviours,
        "rare_per_week": often,
        "start": start,
    }
    wanted = oracle.resample(oracle_jobs(log), pools, origin_s(log), weeks, load, seed, often, bias, start)
    resampler = tt.Resampler(log, **options)
    made = resampler.workload(seed)
    assert source_rows(made, log).tolist() == [source for _, source, _ in wanted.jobs]
    assert made["submit_s"].tolist() == [submit for _, _, submit in wanted.jobs]
    assert made["user"].tolist() == [number for number, _, _ in wanted.jobs]
    table = made.replicas_frame
    for column, values in {
        "user": range(1, len(wanted.instances) + 1),
        "source_user": [each.user.number for each in wanted.instances],
        "kind": [each.kind for each in wanted.instances],
        "replica": [each.replica for each in wanted.instances],
        "start_week": [each.start_week for each in wanted.instances],
        "shift_weeks": [each.week - each.start_week for each in wanted.instances],
    }.items():
        assert table[column].to_list() == list(values), column
    blocks = list(resampler.blocks(seed, block_weeks))
    for name in made if blocks else ():
        together = np.concatenate([block[name] for block in blocks])
        np.testing.assert_array_equal(together, made[name])


@pytest.mark.parametrize("log", [7, [], [random_log(1), None]])
def test_only_logs_are_resampled(log: Any) -> None:
    with pytest.raises(InputError, match=r"(?i)must be a workload"):
        tt.resample(log)


def test_a_log_may_be_given_by_name() -> None:
    with pytest.raises(InputError, match=r"No file or downloaded log named absent\.swf\.gz"):
        tt.resample("absent.swf.gz")


def test_a_job_takes_all_but_its_name_and_what_points_to_others() -> None:
    log = random_log(3)
    made = tt.resample(log, seed=5)
    rows = source_rows(made, log)
    for name in ("wait_s", "run_s", "processors", "requested_time_s"):
        np.testing.assert_array_equal(made[name], log[name][rows])
    assert all(np.isnan(made[name]).all() for name in DROPPED)
    assert made["job"].tolist() == list(range(1, len(made) + 1))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"weeks": 0}, "weeks must be a whole number between 1 and 1,000,000 (got 0)"),
        ({"load": 0}, "load must be above 0"),
        ({"load": [1.0, 2.0]}, "one per log, here 1"),
        ({"load": 500.0}, "temporary users, fewer than"),
        ({"rare_per_week": 0.1}, "needs rare behaviours"),
        ({"rare": ["10:0:9e7"], "rare_per_week": 5.0}, "rare_per_week must be at most"),
        ({"rare": ["999:0:9e7"]}, "has no job"),
        ({"locality": 2}, "locality must be between -1 and 1"),
        ({"shake": "days"}, "shake is 'days'"),
        ({"amplitude_s": 5.0}, "amplitude_s needs shake"),
        ({"piece": (5, 5)}, "(got (5, 5))"),
        ({"piece": (500, 600)}, "no job in piece 500:600"),
        ({"bias": "size:large=2"}, "is 'size'"),
        ({"bias": "work:large=no"}, "must be a number"),
        ({"bias": {"alice": 2.0}}, "(got 'alice')"),
        ({"bias": {17: 0}}, "the bias of 17 must be a number above 0"),
        ({"edge_weeks": "table_vi"}, "(got 'table_vi')"),
        ({"start": "anywhere"}, "start is 'anywhere'"),
        ({"edge_weeks": 60.0, "long_term_weeks": 60.0}, "are discarded: choose smaller"),
    ],
)
def test_mistakes_are_one_message(options: dict, words: str) -> None:
    with pytest.raises(InputError) as error:
        tt.resample(random_log(1), **options)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
