"""Distances and verdicts: what is told apart, what is not, and what cannot be said."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.description.workloads import COLUMNS, of_users, small
from thinktime.description import ITSELF, MEASURES, Comparison, Row, Settings, compare_workloads
from thinktime.description.distances import curve_distance, ks_distance, log_distance
from thinktime.errors import InputError
from thinktime.generate import default_workload
from thinktime.result.canonical_json import jsonable
from thinktime.workload import Workload

QUICK: dict[str, Any] = {"medians": False}


def longer(log: Workload) -> Workload:
    """The same users with run times that have forgotten each other."""
    columns: dict[str, Any] = {name: log[name] for name in COLUMNS}
    columns["run_s"] = np.random.default_rng(1).permutation(log["run_s"])
    return Workload.from_columns(name="shuffled run times", **columns)


@pytest.fixture(scope="module")
def compared() -> Comparison:
    log = of_users(small(), 999)  # without a clock, as its variants are
    others = [of_users(log, 500), longer(log)]
    return compare_workloads(log, others, variants=lambda k: of_users(log, k), resamples=20, settings=Settings(**QUICK))


def row(found: Comparison, other: str, measure: str) -> Row:
    return next(each for each in found.of(other) if each.measure.name == measure)


# --- distances ------------------------------------------------------------------------------------------------


def test_distances_by_hand() -> None:
    assert ks_distance(np.array([1.0, 2, 3, 4]), np.array([3.0, 4, 5, 6])) == 0.5
    assert ks_distance(np.array([1.0, 1, 2]), np.array([1.0, 2, 2])) == pytest.approx(1 / 3)
    assert np.isnan(ks_distance(np.empty(0), np.array([1.0])))
    assert log_distance(2.0, 1.0) == pytest.approx(np.log(2))
    assert (log_distance(0.0, 0.0), log_distance(0.0, 1.0)) == (0.0, np.inf)
    assert curve_distance(np.array([0.5, 0.2, np.nan]), np.array([0.4, 0.4, 1.0])) == pytest.approx(0.15)


def test_ks_is_that_of_scipy() -> None:
    from scipy.stats import ks_2samp

    draw = np.random.default_rng(2)
    for _ in range(20):
        a, b = draw.integers(0, 9, 13).astype(float), draw.integers(0, 12, 7).astype(float)
        assert ks_distance(a, b) == pytest.approx(ks_2samp(a, b).statistic)


def test_a_workload_is_at_distance_0_from_itself_and_distances_are_symmetric() -> None:
    one, other = (tt.describe(small(seed), **QUICK) for seed in (1, 2))
    for measure in MEASURES.values():
        assert measure.distance(one, one) == 0.0, measure.name
        assert measure.distance(one, other) == pytest.approx(measure.distance(other, one)), measure.name
        assert measure.distance(one, other) >= 0.0
        assert np.isfinite(measure.value(one)), measure.name


# --- verdicts -------------------------------------------------------------------------------------------------


def test_another_variant_is_like_the_others(compared: Comparison) -> None:
    outside = [each.measure.name for each in compared.of("variant 500") if each.verdict == "outside"]
    assert len(outside) <= 6, outside  # 26 measures at 5 %, many of them correlated
    assert row(compared, "variant 500", "stack_depth.run").p > 0.05


def test_lost_locality_is_seen_and_only_that(compared: Comparison) -> None:
    found = {each.measure.name: each.verdict for each in compared.of("shuffled run times")}
    for measure in ("similarity.run", "similarity_excess.run", "stack_depth.run"):
        assert found[measure] == "outside", measure
    for measure in ("jobs", "job_count", "sessions", "week", "hurst", "stack_depth.processors"):
        assert found[measure] == "inside", measure
        assert row(compared, "shuffled run times", measure).distance == 0.0


def test_p_counts_the_resamples_that_are_as_far() -> None:
    measure = MEASURES["hurst"]
    spread = np.arange(1.0, 20.0)  # 19 resamples
    for distance, p, verdict in (
        (0.0, 1.0, "inside"),
        (18.5, 0.1, "inside"),
        (19.0, 0.1, "inside"),
        (20, 0.05, "outside"),
    ):
        found = Row(measure, "b", 0.0, 0.0, distance, spread, spread)
        assert (found.p, found.verdict) == (pytest.approx(p), verdict)
    few = Row(measure, "b", 0.0, 0.0, 9.0, spread[:5], spread[:5])
    assert (few.p, few.verdict) == (pytest.approx(1 / 6), "unclear")
    none = Row(measure, "b", 0.0, 0.0, 9.0, np.empty(0), np.empty(0))
    assert np.isnan(none.p)
    assert none.verdict == "no verdict"
    assert Row(measure, "b", 0.0, 0.0, np.nan, spread, spread).verdict == "not measured"


def test_p_is_uniform_where_there_is_no_difference() -> None:
    """A further variant among nine others: its rank is any of ten with the same probability."""
    p = []
    for seed in range(40):
        log = of_users(default_workload(weeks=1, users=12, seed=seed), 0)
        drawn = [tt.describe(of_users(log, 100 * seed + k + 1), **QUICK) for k in range(10)]
        found = tt.describe(log, **QUICK).compare(drawn[:1], spread=drawn[1:])
        p.append(row(found, drawn[0].name, "stack_depth.run").p)
    assert abs(np.mean(p) - 0.55) < 5 * np.sqrt(0.99 / 12 / len(p))


def test_the_sentence_of_a_verdict(compared: Comparison) -> None:
    said = compared.verdict("shuffled run times")
    assert said.startswith("shuffled run times: ")
    assert "of 26 measures lie outside the spread of 20 resamples of variant 999;" in said
    assert said.endswith("; 1.3 would lie outside by chance")


def test_a_workload_beside_its_own_variants() -> None:
    log = of_users(small(), 3)
    found = compare_workloads(log, variants=lambda k: of_users(log, k), resamples=6, settings=Settings(**QUICK))
    assert {each.other for each in found.rows} == {ITSELF}
    assert len(found.rows) == len(MEASURES)
    for each in found.rows:
        assert each.verdict in ("inside", "unclear")  # six are too few for more
        assert len(each.spread) == 6
    assert "a verdict needs 20" in found.verdict(ITSELF)
    hurst = next(each for each in found.rows if each.measure.name == "hurst")
    values = np.r_[hurst.base_value, hurst.spread_values]
    assert hurst.distance == pytest.approx(np.abs(values - values[0]).sum() / 6)


def test_as_a_table_and_as_plain_data(compared: Comparison) -> None:
    assert compared.frame.height == 2 * len(MEASURES)
    assert compared.frame["verdict"].unique().to_list()
    plain = json.loads(json.dumps(jsonable(compared.as_dict()), allow_nan=False))
    assert plain["resamples"] == 20
    assert len(plain["others"]) == 2
    assert list(plain["verdicts"]) == ["variant 500", "shuffled run times"]


# --- what cannot be compared ----------------------------------------------------------------------------------


def test_without_resamples_there_is_no_verdict() -> None:
    found = compare_workloads(small(), [small(1)], resamples=0, settings=Settings(**QUICK))
    assert {each.verdict for each in found.rows} == {"no verdict"}
    assert found.verdict(found.others[0].name).endswith("there are no resamples")
    assert found.notes == ("no verdict, because resamples is 0",)


def test_what_cannot_be_resampled_is_reported() -> None:
    def none(_: int) -> Workload:
        raise InputError("no users")

    found = compare_workloads(small(), [small(1)], variants=none, settings=Settings(**QUICK))
    assert found.notes == ("no verdict, because default cannot be resampled: no users",)


def test_a_log_without_users_and_one_with_them() -> None:
    log = small()
    columns: dict[str, Any] = {name: log[name] for name in COLUMNS if name != "user"}
    userless = Workload.from_columns(name="userless", **columns)
    found = tt.describe(log, **QUICK).compare([tt.describe(userless, **QUICK)])
    missing = row(found, "userless", "sessions")
    assert missing.verdict == "not measured"
    assert missing.missing == "userless has no users, so there are no sessions"
    assert row(found, "userless", "stack_depth.run").distance == 0.0
    assert found.notes == ("local time is known for some workloads only, so weekly cycles and days do not compare",)


def test_empty_workloads_compare() -> None:
    empty = Workload.from_columns(submit_s=[], name="nothing")
    found = tt.describe(empty).compare([tt.describe(small(), **QUICK)])
    assert row(found, "default", "job_count").distance == np.inf
    assert row(found, "default", "hurst").verdict == "not measured"
    json.dumps(jsonable(found.as_dict()), allow_nan=False)


def test_other_settings_do_not_compare() -> None:
    log = small()
    with pytest.raises(InputError, match="described with different settings"):
        tt.describe(log, **QUICK).compare([tt.describe(log, bins=8, **QUICK)])


def test_equal_names_get_numbers() -> None:
    found = tt.describe(small(), **QUICK)
    others = found.compare([found, replace(found), replace(found, name="x")]).others
    assert [other.name for other in others] == ["default (2)", "default (3)", "x"]


def test_a_negative_number_of_resamples_is_an_error_message() -> None:
    with pytest.raises(InputError, match="resamples must be at least 0"):
        compare_workloads(small(), variants=lambda k: small(k), resamples=-1, settings=Settings(**QUICK))
