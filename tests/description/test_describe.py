"""What a description holds, worked by hand; and what it says of workloads that lack something."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.description.workloads import small, without_clock
from thinktime.description import MARGINALS, Description
from thinktime.errors import InputError
from thinktime.result.canonical_json import jsonable
from thinktime.workload import Workload

HOUR, DAY = 3600.0, 86400.0


@pytest.fixture(scope="module")
def described() -> Description:
    return tt.describe(small(), shuffles=20)


def two_users() -> Workload:
    """User 7 has two sessions, of two jobs and of one; user 9 has one."""
    return Workload.from_columns(
        submit_s=[100, 700, 50_000, 5000],
        wait_s=[0, 10, 0, 100],
        run_s=[300, 1000, 50, 900],
        processors=[2, 1, 4, 8],
        user=[7, 7, 7, 9],
    )


def test_marginals_by_hand() -> None:
    found = tt.describe(two_users()).marginals
    assert list(found) == list(MARGINALS)
    assert found["jobs"].tolist() == [1, 3]
    assert found["sessions"].tolist() == [1, 2]
    assert sorted(found["session_length"]) == [830, 1000]
    assert found["work"].tolist() == [2 * 300 + 1000 + 4 * 50, 8 * 900]
    assert found["first_arrival"].tolist() == [0, 4900]
    assert found["departure"].tolist() == [5900, 49_950]
    assert found["activity_span"].tolist() == [1000, 49_950]


def test_the_week_is_that_of_the_machine_where_its_clock_is_known(described: Description) -> None:
    assert described.local_clock
    assert described.week is not None
    assert described.week.sum() == pytest.approx(1.0)
    by_day = described.week.reshape(7, 24).sum(axis=1)
    assert by_day[:5].min() > by_day[5:].max()  # the default workload has weekends


def test_every_measure_of_a_full_workload(described: Description) -> None:
    assert described.missing == {}
    for found in (described.similarity, described.stack_depth, described.concentration, described.permutation):
        assert list(found) == ["processors", "estimate", "run"]
    assert described.hurst is not None
    assert 0 < described.hurst.h < 1.2
    assert repr(described).startswith("<Description of default: ")


def test_a_description_is_plain_data(described: Description) -> None:
    plain = json.loads(json.dumps(jsonable(described.as_dict()), allow_nan=False))
    assert plain["stack_depth"]["run"]["mean"] == described.stack_depth["run"].mean
    assert plain["similarity"]["run"]["pooled"]["0_vs_1"]["users"] == len(described.similarity["run"].users)
    assert plain["permutation"]["run"]["shuffles"] == 20


def test_the_same_workload_gives_the_same_numbers() -> None:
    one, other = (tt.describe(small(), shuffles=5, seed=3).as_dict() for _ in range(2))
    assert json.dumps(jsonable(one)) == json.dumps(jsonable(other))


# --- what is missing ------------------------------------------------------------------------------------------


def lacking(**columns: Any) -> Workload:
    log = small()
    kept = {name: log[name] for name in ("submit_s", "wait_s", "run_s", "processors", "requested_time_s", "user")}
    return Workload.from_columns(
        name="log", **{name: value for name, value in {**kept, **columns}.items() if value is not None}
    )


def test_without_users() -> None:
    found = tt.describe(lacking(user=None), shuffles=5)
    assert found.missing == {"users": "log has no users, so there are no sessions"}
    assert (found.users, found.marginals, found.similarity, found.permutation) == (0, {}, {}, {})
    assert found.stack_depth["run"].mean > 0
    assert found.hurst is not None


def test_without_estimates() -> None:
    found = tt.describe(lacking(requested_time_s=None))
    assert found.missing == {"estimate": "log has no estimates"}
    assert set(found.stack_depth) == {"processors", "run"}


def test_a_job_without_a_requested_time_gets_no_estimate() -> None:
    log = small()
    asked = np.where(np.arange(len(log)) % 3 == 0, np.nan, log["requested_time_s"])
    some = replace(log, columns={**log.columns, "requested_time_s": asked})
    found, rest = tt.describe(some), tt.describe(log.select(~np.isnan(asked)))
    assert f"{np.isnan(asked).sum():,} jobs without estimates are excluded from these measures" in found.notes
    assert found.stack_depth["estimate"].depths.tolist() == rest.stack_depth["estimate"].depths.tolist()
    assert found.similarity["estimate"].curve().tolist() == rest.similarity["estimate"].curve().tolist()
    assert found.concentration["estimate"].shares.tolist() == rest.concentration["estimate"].shares.tolist()
    assert found.stack_depth["run"].mean == tt.describe(log).stack_depth["run"].mean


def test_without_a_clock() -> None:
    found = tt.describe(without_clock(small()))
    assert not found.local_clock
    assert "local time is unknown, so days and weeks count from time 0" in found.notes
    assert found.week is not None


def test_one_user() -> None:
    log = small()
    busiest = log.users[np.argmax([np.sum(log["user"] == user) for user in log.users])]
    found = tt.describe(log.select(log["user"] == busiest), shuffles=10)
    assert found.users == 1
    assert found.marginals["jobs"].tolist() == [found.jobs]
    assert len(found.similarity["run"].users) == 1


def test_one_job() -> None:
    found = tt.describe(two_users().select(np.array([0])))
    assert found.jobs == 1
    assert set(found.missing) >= {"hurst", "similarity.run", "stack_depth.run", "estimate"}
    assert found.missing["stack_depth.run"] == "workload has no repeated value of run times"
    assert found.concentration["run"].shares.tolist() == [1.0]


def test_an_empty_workload() -> None:
    found = tt.describe(Workload.from_columns(submit_s=[], name="nothing"), shuffles=10)
    assert (found.jobs, found.users, found.week, found.hurst) == (0, 0, None, None)
    assert found.missing["users"] == "nothing has no users, so there are no sessions"
    assert found.missing["run"] == "nothing has no run times"
    assert found.missing["week"] == "nothing has no jobs"
    json.dumps(jsonable(found.as_dict()), allow_nan=False)


def test_some_jobs_without_users_are_reported() -> None:
    user = small()["user"].copy()
    user[:10] = np.nan
    found = tt.describe(lacking(user=user))
    assert "10 jobs without a user are excluded from measures by user" in found.notes
    assert found.marginals["jobs"].sum() == found.jobs - 10


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"shuffles": -1}, "shuffles must be at least 0"),
        ({"threshold_s": -5}, "threshold_s must be a number of seconds, zero or more"),
        ({"distances": 2}, "distances must be at least 3"),
        ({"bins": 0}, "bins must be at least 1"),
        ({"tolerance": 1.5}, "tolerance must be at least 0 and below 1"),
        ({"unit_s": 0}, "unit_s must be positive"),
    ],
)
def test_a_wrong_setting_is_an_error_message(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        tt.describe(small(), **settings)


def test_a_job_without_a_submit_time_is_an_error_message() -> None:
    with pytest.raises(InputError, match="jobs without a submit time"):
        tt.describe(Workload.from_columns(submit_s=[1, np.nan], run_s=[1, 2]))


def test_a_notebook_shows_short_tables(described: Description) -> None:
    found = described
    shown = found._repr_html_()
    assert "Hurst parameter" in shown
    assert len(shown) < 4000
    compared = found.compare([found])
    assert len(repr(compared)) < 200
    assert "distance" in compared._repr_html_()
    assert "array" not in compared._repr_html_()
    assert compared.plot()._repr_png_()  # type: ignore[attr-defined]
    assert found.plot()._repr_png_()  # type: ignore[attr-defined]
