"""Flurries are found where they were put, and written and read as the archive writes filters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.shared_data import log as shared_log
from thinktime.errors import InputError
from thinktime.resampling import RareBehaviour, archive_filter, rare_behaviour
from thinktime.resampling.rare_behaviours import _median_day
from thinktime.workload import Workload, write_swf
from thinktime.workload.reading.remove_conditions import matches

DAY_S = 86400.0


def with_flurry(user: int, begin_s: float, jobs: int, days: float, seed: int = 1) -> tuple[Workload, np.ndarray]:
    """The default workload with so many jobs of a user more; which rows they are."""
    log = tt.default_workload(weeks=10, load=0.4)
    rng = np.random.default_rng(seed)
    submit = np.sort(begin_s + np.round(rng.random(jobs) * days * DAY_S))
    columns: dict[str, Any] = {
        name: np.concatenate([log[name], np.ones(jobs)]) for name in ("run_s", "processors", "status")
    }
    columns["submit_s"] = np.concatenate([log["submit_s"], submit])
    columns["user"] = np.concatenate([log["user"], np.full(jobs, user)])
    made = Workload.from_columns(name="flurried", **columns)
    return made, (made["user"] == user) & (made["run_s"] == 1.0) & (made["processors"] == 1.0)


def test_a_quiet_log_has_none() -> None:
    assert tt.flurries(tt.default_workload(weeks=10, load=0.4)) == []


@pytest.mark.parametrize("user", [7, 999])
def test_a_flurry_is_found_where_it_was_put(user: int) -> None:
    log, own = with_flurry(user, 21 * DAY_S, 40_000, 2.0)
    (found,) = tt.flurries(log)
    assert found.behaviour.user == user
    covered = found.behaviour.jobs_of(log)
    assert np.mean(covered[own]) > 0.999
    assert covered.sum() < 1.02 * own.sum()
    assert found.jobs == covered.sum()
    assert found.share > 0.5
    np.testing.assert_array_equal(matches(found.filter, dict(log.columns)), covered)
    assert found.line().endswith(f"({found.jobs} jobs removed)")


def test_a_week_apart_is_two() -> None:
    one, _ = with_flurry(999, 14 * DAY_S, 30_000, 1.0)
    late = np.flatnonzero(one["user"] == 999)[15_000:]
    submit = one["submit_s"].copy()
    submit[late] += 20 * DAY_S
    log = Workload.from_columns(**dict[str, Any](one.columns) | {"submit_s": submit})
    assert [flurry.behaviour.user for flurry in tt.flurries(log)] == [999, 999]


def test_the_filter_removes_the_flurry_when_the_log_is_read(tmp_path) -> None:
    log, _ = with_flurry(999, 21 * DAY_S, 40_000, 2.0)
    (found,) = tt.flurries(log)
    path = tmp_path / "x.swf"
    columns = {**log.columns, "allocated_processors": log["processors"]}
    write_swf(Workload.from_columns(**columns), path)  # type: ignore[arg-type]
    assert len(tt.read_swf(path, remove=[found.filter])) == len(log) - found.jobs
    assert rare_behaviour(log, found.line()) == found.behaviour


def test_behaviours_as_texts() -> None:
    log, _ = with_flurry(999, 21 * DAY_S, 500, 2.0)
    assert rare_behaviour(log, "999:1e6:2e6") == RareBehaviour(999, 1e6, 2e6)
    whole = rare_behaviour(log, "user=999")
    assert whole.jobs_of(log).sum() == 500
    assert RareBehaviour(999, 0.0, 1e9).text() == "999:0:1000000000"
    part = RareBehaviour(999, whole.begin_s, whole.begin_s + DAY_S)
    by_time = archive_filter(Workload.from_columns(**dict[str, Any](log.columns) | {"job": np.ones(len(log))}), part)
    assert by_time.startswith("user=999 and (submit>=")
    for text, words in (("9:a:b", "USER:BEGIN:END"), ("user>3", "jobs of"), ("user=12345", "selects no job")):
        with pytest.raises(InputError, match=words):
            rare_behaviour(log, text)


def test_what_the_archive_removed_is_proposed() -> None:
    """RICC was never cleaned; users 27 and 152 submitted tens of thousands of jobs within days."""
    found = tt.flurries(tt.read_swf(shared_log("RICC-2010-2")))
    assert {flurry.behaviour.user for flurry in found[:3]} == {27, 152}
    assert found[0].jobs > 10_000
    assert tt.flurries(tt.read_swf(shared_log("KTH-SP2-1996-2.1-cln"))) == []


@pytest.mark.parametrize(
    "days", [[0], [0, 0, 1, 3], [0, 0, 0, 1, 2], [0, 5, 5, 5], [0, 1, 1, 2, 2, 2], [0, 1, 2, 2, 7]]
)
def test_the_median_day_counts_days_without_jobs(days: list[int]) -> None:
    assert _median_day(np.array(days)) == np.median(np.bincount(days))


def test_a_job_in_the_far_future_is_no_flurry() -> None:
    log = Workload.from_columns(name="ages", submit_s=np.array([0.0, 1e15]), user=np.ones(2))
    assert tt.flurries(log) == []


def test_pools_resamplers_and_flurries_show_themselves() -> None:
    log = tt.default_workload(weeks=30)
    assert "long-term" in tt.user_pools(log)._repr_html_()
    assert "weeks" in tt.Resampler(log, load=1.2)._repr_html_()
    flurry = tt.flurries(log, factor=0.5)[0]
    assert repr(flurry).startswith("<Flurry of user")
    assert "filter" in flurry._repr_html_()
