"""Attributes in resampled logs: carried with their jobs, joined over logs, typed in streams."""

from dataclasses import replace
from typing import Any

import numpy as np

import thinktime as tt


def attributed(seed, **more):
    """A log whose attributes follow from the jobs, so that a resampled job can be checked."""
    log = tt.default_workload(weeks=26, seed=seed)
    size = np.array(["small", "large"], dtype=object)[(log["processors"] > 8).astype(int)]
    names = ("submit_s", "run_s", "processors", "user", "wait_s", "requested_time_s")
    columns: dict[str, Any] = {name: log[name] for name in names}
    given = {"size": size, "half": log["run_s"] / 2, "long": (log["run_s"] > 600).tolist(), **more}
    made = tt.Workload.from_columns(**columns, attributes=given)
    return replace(made, source=log.source, header=log.header)


def test_attributes_stay_with_their_jobs():
    made = tt.resample(attributed(1), weeks=6, seed=3)
    assert made.attributes == ("size", "half", "long")
    assert np.array_equal(made["half"] * 2, made["run_s"])
    assert np.array_equal(made.texts("size") == "large", made["processors"] > 8)
    assert made.frame["long"].to_list() == (made["run_s"] > 600).tolist()


def test_attributes_of_several_logs_are_joined():
    first, second = attributed(1), attributed(2, colour=["red"] * len(attributed(2)))
    made = tt.resample([first, second], weeks=6, seed=3)
    assert set(made.attributes) == {"size", "half", "long", "colour"}
    assert np.array_equal(made["half"] * 2, made["run_s"])
    assert np.array_equal(made.texts("size") == "large", made["processors"] > 8)
    assert {None, "red"} == set(made.texts("colour").tolist())


def test_a_stream_of_a_resample_has_the_same_attributes(tmp_path):
    log = attributed(1)
    made = tt.resample(log, weeks=6, seed=3)
    key = tt.Priority(key=tt.key["size"] == "large")
    tt.simulate_stream(tt.resample_stream(log, weeks=6, seed=3, block_weeks=2), 128, key, tmp_path / "run")
    assert tt.Result.load(tmp_path / "run").digest == tt.simulate(made, 128, key).digest
