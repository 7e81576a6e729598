"""Crude load scaling: what is multiplied, what is reached, and that every view of a result says so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.shared_data import log
from thinktime.errors import InputError
from thinktime.workload import LoadScaling
from thinktime.workload.load_scaling import BY, By, scaling_lines

LOGS = ("KTH-SP2-1996-2.1-cln", "CTC-SP2-1996-3.1-cln", "HPC2N-2002-2.2-cln")


def small() -> tt.Workload:
    return tt.Workload.from_columns(
        submit_s=[100, 160, 400],
        run_s=[10, 20, 30],
        requested_time_s=[60, np.nan, 60],
        processors=[1, 3, 8],
        requested_processors=[1, 3, 8],
        attributes={"colour": ["red", "blue", "red"]},
    )


def test_arrivals_are_closer_and_begin_at_the_same_time() -> None:
    busier = tt.scale_load(small(), 1.5)
    assert busier["submit_s"].tolist() == [100, 140, 300]
    assert busier["run_s"].tolist() == [10, 20, 30]
    assert busier.texts("colour").tolist() == ["red", "blue", "red"]
    assert busier.name == "workload-load1.5-arrivals"


def test_run_times_and_estimates_grow_together() -> None:
    busier = tt.scale_load(small(), 1.5, by="run_times")
    assert busier["run_s"].tolist() == [15, 30, 45]
    assert busier["requested_time_s"][[0, 2]].tolist() == [90, 90]
    assert np.isnan(busier["requested_time_s"][1])
    assert busier["submit_s"].tolist() == [100, 160, 400]


def test_sizes_are_rounded_and_clamped_to_the_machine() -> None:
    busier = tt.scale_load(small(), 1.5, by="sizes", machine=10)
    assert busier["processors"].tolist() == [2, 5, 10]
    assert busier["requested_processors"].tolist() == [2, 5, 10]
    (step,) = busier.account["load_scaling"]
    assert (step["clamped"], step["unchanged"]) == (1, 0)
    assert step["reached"] == pytest.approx((2 * 10 + 5 * 20 + 10 * 30) / (1 * 10 + 3 * 20 + 8 * 30))
    smaller = tt.scale_load(small(), 0.1, by="sizes", machine=10)
    assert smaller["processors"].tolist() == [1, 1, 1]
    assert smaller.account["load_scaling"][0]["unchanged"] == 1


def test_a_job_that_was_larger_than_the_machine_stays_so() -> None:
    busier = tt.scale_load(small(), 1.5, by="sizes", machine=4)
    assert busier["processors"].tolist() == [2, 4, 8]
    assert busier.account["load_scaling"][0]["clamped"] == 1


def test_sizes_need_a_machine() -> None:
    with pytest.raises(InputError, match="machine"):
        tt.scale_load(small(), 1.5, by="sizes")


def test_steps_are_kept_in_order() -> None:
    twice = tt.scale_load(tt.scale_load(small(), 1.5), 2, by="run_times")
    assert twice.source["scale_load"] == [{"factor": 1.5, "by": "arrivals"}, {"factor": 2, "by": "run_times"}]
    assert [step["reached"] for step in twice.account["load_scaling"]] == pytest.approx([1.5, 2])


@given(factor=st.floats(0.02, 50), jobs=st.integers(2, 30), by=st.sampled_from(BY), seed=st.integers(0, 99))
def test_the_reached_factor_is_that_of_the_offered_load(factor: float, jobs: int, by: By, seed: int) -> None:
    draws = np.random.default_rng(seed)
    log = tt.Workload.from_columns(
        submit_s=np.cumsum(draws.uniform(1, 100, jobs)),
        run_s=draws.uniform(1, 99, jobs),
        processors=draws.integers(1, 65, jobs),
    )
    scaled = tt.scale_load(log, factor, by=by, machine=64)
    (step,) = scaled.account["load_scaling"]
    before, after = (tt.simulate(each, 64, "fcfs").summary()["offered_load"] for each in (log, scaled))
    assert after / before == pytest.approx(step["reached"])
    if by != "sizes":
        assert step["reached"] == pytest.approx(factor)
    if by == "run_times":
        assert scaled["run_s"].tolist() == (log["run_s"] * factor).tolist()


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("by", BY)
def test_real_logs_reach_about_the_factor(name: str, by: By) -> None:
    scaled = tt.scale_load(tt.read_swf(log(name)), 1.2, by=by)
    (step,) = scaled.account["load_scaling"]
    assert step["reached"] == pytest.approx(1.2, rel=1e-9 if by != "sizes" else 0.05)


def test_a_scaled_log_can_be_written_and_read(tmp_path: Path) -> None:
    busier = tt.scale_load(tt.default_workload(jobs=200), 1.3)
    tt.write_swf(busier, tmp_path / "busier.swf")
    assert "load scaled: times between submissions divided by 1.3" in (tmp_path / "busier.swf").read_text()
    again = tt.read_swf(tmp_path / "busier.swf")
    assert again["submit_s"] == pytest.approx(busier["submit_s"], abs=0.01)


@pytest.mark.parametrize("by", BY)
def test_results_carry_a_caution(by: By, tmp_path: Path) -> None:
    run = tt.simulate(tt.scale_load(tt.default_workload(jobs=300), 1.2, by=by), 128)
    run.save(tmp_path / "run")
    for each in (run, tt.Result.load(tmp_path / "run")):
        (caution,) = (found for found in each.cautions if found.name == "load_scaled")
        assert caution.sentence.startswith("The run has a crudely scaled load (")
        assert "tt.resample(log, load=…)" in caution.sentence
        assert caution.mark == "load scaled"
    assert "load scaled" in repr(run.summary())
    assert tt.simulate(tt.default_workload(jobs=300), 128).cautions.count("load_scaled") == 0


def test_other_loads_are_other_runs() -> None:
    jobs = tt.default_workload(jobs=100)
    digests = {tt.simulate(tt.scale_load(jobs, 1.2, by=by), 128).digest for by in BY}
    assert len(digests | {tt.simulate(jobs, 128).digest}) == 4


def test_resamples_and_bootstraps_of_a_scaled_log_say_so() -> None:
    busier = tt.scale_load(tt.default_workload(weeks=12), 1.2)
    assert tt.simulate(tt.resample(busier, weeks=4), 128).cautions.count("load_scaled") == 1
    found = tt.bootstrap(busier, 128, ["fcfs"], resamples=3, weeks=4, seed=1)
    assert found.cautions["fcfs"].count("load_scaled") == 3


@pytest.mark.parametrize("factor", [0, -1, 1000, float("nan"), "2", True])
def test_wrong_factors_are_named(factor: float) -> None:
    with pytest.raises(InputError, match=r"factor must be a number between 0\.01 and 100 \(got"):
        tt.scale_load(small(), factor)


def test_wrong_attributes_are_named() -> None:
    with pytest.raises(InputError, match="arrivals, run_times, sizes"):
        tt.scale_load(small(), 1.2, by="users")  # type: ignore[call-overload]


def test_texts_and_tables() -> None:
    assert LoadScaling.of("1.2") == LoadScaling.of("1.2:arrivals") == LoadScaling.of({"factor": 1.2})
    assert LoadScaling.of("0.5:sizes").text() == "0.5:sizes"
    for wrong in ("x", ":sizes", "inf", {"by": "sizes"}, {"factor": 1.2, "of": 3}, 7):
        with pytest.raises(InputError):
            LoadScaling.of(wrong)  # type: ignore[arg-type]


DAMAGED = (None, 3, ["x"], [{"by": "sizes"}], [{"by": 1, "factor": 2}], [{"by": "sizes", "factor": "2"}])


@pytest.mark.parametrize("steps", [*DAMAGED, [{"by": "sizes", "factor": 1e9}]])
def test_damaged_accounts_are_left_out(steps: object) -> None:
    assert scaling_lines(steps) == []


def test_an_empty_workload_can_be_scaled() -> None:
    empty = tt.Workload.from_columns(submit_s=[], run_s=[], processors=[])
    for by in BY:
        assert len(tt.scale_load(empty, 1.2, by=by, machine=8)) == 0


@pytest.mark.parametrize("by", BY)
def test_streams_are_scaled_as_workloads_are(by: By, tmp_path: Path) -> None:
    tt.write_swf(tt.default_workload(jobs=2000), tmp_path / "log.swf")
    whole = tt.scale_load(tt.read(tmp_path / "log.swf"), 1.3, by=by)
    stream = tt.scale_load(tt.stream(tmp_path / "log.swf", reader="swf:block_bytes=4096"), 1.3, by=by)
    tt.simulate_stream(stream, 128, "easy", tmp_path / "run")
    streamed, run = tt.Result.load(tmp_path / "run"), tt.simulate(whole, 128, "easy")
    assert streamed.digest == run.digest
    assert sorted(streamed.columns["start_s"].tolist()) == sorted(run.columns["start_s"].tolist())
    (one,), (other,) = (each["load_scaling"] for each in (streamed.account, whole.account))
    assert one == pytest.approx(other)
    assert streamed.cautions.count("load_scaled") == 1
    assert stream.name == whole.name


def test_scaled_streams_can_be_scaled_again(tmp_path: Path) -> None:
    tt.write_swf(tt.default_workload(jobs=200), tmp_path / "log.swf")
    twice = tt.scale_load(tt.scale_load(tt.stream(tmp_path / "log.swf"), 2), 0.5, by="run_times")
    assert sum(len(block["job"]) for block in twice) == 200
    assert [step["reached"] for step in twice.account["load_scaling"]] == pytest.approx([2, 0.5])
    assert repr(twice).endswith("load scaled, load scaled>")
