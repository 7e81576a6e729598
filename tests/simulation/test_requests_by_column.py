"""Requests of a cluster's resources from columns of the workload."""

from typing import Any

import pytest

import thinktime as tt

CLUSTER = tt.Cluster(groups=[{"name": "g", "nodes": 2, "core": 4, "gpu": 2}], unit={"core": 1})
COLUMNS: dict[str, Any] = {"submit_s": [0, 0, 0], "run_s": [10, 10, 10], "processors": [1, 1, 1]}


def workload():
    return tt.Workload.from_columns(**COLUMNS, attributes={"gpus": [2, 2, None], "colour": ["a", "b", "c"]})


def test_a_text_names_a_column():
    by_column = tt.simulate(workload(), CLUSTER, "fcfs", requests={"gpu": "gpus"})
    by_hand = tt.simulate(workload(), CLUSTER, "fcfs", requests={"gpu": [2, 2, 0]})
    assert by_column == by_hand
    assert by_column.columns["unit_gpu"].tolist() == [2, 2, 0]  # without a value: the unit of the cluster
    assert tt.simulate(workload(), CLUSTER, "fcfs", requests="gpu=gpus") == by_hand
    assert tt.simulate(workload(), CLUSTER, "fcfs", requests="gpu=2").columns["unit_gpu"].tolist() == [2, 2, 2]


def test_columns_of_the_log_are_columns_too():
    log = tt.Workload.from_columns(**COLUMNS, executable=[0, 1, 2])
    assert tt.simulate(log, CLUSTER, "fcfs", requests={"gpu": "executable"}).columns["unit_gpu"].tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("requests", "says"),
    [
        ({"gpu": "gpu"}, r"from the column 'gpu' \(did you mean 'gpus'\?\), which is not in workload"),
        ({"gpu": "colour"}, "which holds texts: name one of its attributes gpus"),
        ({"gpv": "gpus"}, r"no resource or pool 'gpv' \(did you mean 'gpu'\?\)"),
        ("gpu=gpus,gpu=1", "name the column of each resource once"),
        ("gpu=", "name the column of each resource once"),
    ],
)
def test_mistakes_are_named(requests, says):
    with pytest.raises(tt.InputError, match=says):
        tt.simulate(workload(), CLUSTER, "fcfs", requests=requests)


@pytest.mark.parametrize("requests", [{"gpu": "gpus"}, "gpu=gpus"])
def test_streams_take_columns(tmp_path, requests):
    block = {**COLUMNS, "gpus": [2, 2, None], "colour": ["a", "b", "c"]}
    tt.simulate_stream([block], CLUSTER, "fcfs", tmp_path / "run", requests=requests)
    streamed = tt.Result.load(tmp_path / "run")
    assert streamed.columns["unit_gpu"].tolist() == [2, 2, 0]
    assert streamed.digest == tt.simulate(workload(), CLUSTER, "fcfs", requests=requests).digest
