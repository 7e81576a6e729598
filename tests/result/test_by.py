"""Tables by a column of the jobs, worked by hand."""

import pytest

import thinktime as tt


def run():
    log = tt.Workload.from_columns(
        submit_s=[0, 0, 0, 0],
        run_s=[10, 20, 30, 40],
        processors=[2, 2, 2, 2],
        user=[1, 2, 1, 2],
        attributes={"colour": ["red", "blue", None, "red"], "urgent": [True, True, False, None]},
    )
    return tt.simulate(log, 2, "fcfs")  # starts 0, 10, 30, 60


def test_by_a_text():
    table = run().by("colour")
    assert table["colour"].to_list() == ["blue", "red", None]
    assert table["jobs"].to_list() == [1, 2, 1]
    assert table["mean_wait_s"].to_list() == [10, 30, 30]
    assert table["processor_s"].to_list() == [40, 100, 60]


def test_by_a_truth_value_and_by_user():
    assert run().by("urgent").select("urgent", "jobs", "mean_wait_s").rows() == [
        (False, 1, 30.0), (True, 2, 5.0), (None, 1, 60.0)
    ]  # fmt: skip
    assert run().by("user").equals(run().per_user())


def test_the_same_jobs_count_as_in_the_summary(tmp_path):
    run().save(tmp_path / "run")
    loaded = tt.Result.load(tmp_path / "run")
    assert loaded.by("colour").equals(run().by("colour"))
    assert loaded.by("colour", warmup_s=5, exclude_users=[1]).is_empty()


def test_an_unknown_column_is_named():
    with pytest.raises(tt.InputError, match="did you mean 'colour'"):
        run().by("color")
