"""From jobs to units, shapes, pools and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import thinktime as tt
from thinktime.platforms.node_layout import Layout
from thinktime.platforms.node_requests import NodeRequests, node_requests, rows_of
from thinktime.traces import Header

SMALL = tt.Cluster(groups=[{"name": "g", "nodes": 4, "core": 4, "mem": 1000}], unit={"core": 2})
nan = np.nan


def jobs(**columns: Any) -> tt.Workload:
    count = len(next(iter(columns.values())))
    usual = {"submit_s": np.arange(count), "run_s": np.full(count, 10.0), "processors": np.ones(count)}
    return tt.Workload.from_columns(**{**usual, **columns})


def asked(workload: tt.Workload, cluster: tt.Cluster = SMALL, **options: Any) -> NodeRequests:
    return node_requests(workload, cluster, tt.Estimates.requested().of(workload), **options)


def units(found: NodeRequests) -> list[list[int]]:
    return found.units[found.unit_of].tolist()


def test_memory_is_the_requested_else_the_used_else_none() -> None:
    workload = jobs(requested_memory_kb=[100, nan, nan, 0], used_memory_kb=[7, 50.5, nan, 9])
    assert units(asked(workload)) == [[2, 100], [2, 51], [2, 0], [2, 0]]
    assert units(asked(workload, SMALL.replace(memory="requested"))) == [[2, 100], [2, 0], [2, 0], [2, 0]]
    ignored = asked(workload, SMALL.replace(memory="ignore"))
    assert (units(ignored), len(ignored.units)) == ([[2, 0]] * 4, 1)


def test_shapes_are_distinct() -> None:
    found = asked(jobs(requested_memory_kb=[5, 9, 5, 5, 9, nan]))
    assert found.units.tolist() == [[2, 0], [2, 5], [2, 9]]
    assert found.shape.tolist() == [1, 2, 1, 1, 2, 0]


def test_no_jobs_and_no_memory() -> None:
    bare = tt.Cluster(groups=[{"name": "g", "nodes": 4, "core": 4}])
    assert asked(jobs(processors=[1, 2, 3]), bare).shape.tolist() == [0, 0, 0]
    assert len(asked(jobs(processors=[1])).columns(SMALL)["unit_mem"]) == 1
    empty = tt.Workload.from_columns(submit_s=[], run_s=[], processors=[])
    assert asked(empty).shape.tolist() == []


def test_shapes_agree_with_unique_rows() -> None:
    """Many jobs, against numpy's own way."""
    rng = np.random.default_rng(1)
    workload = jobs(requested_memory_kb=rng.integers(0, 50, 2000), processors=np.ones(2000))
    gpu = rng.integers(0, 3, 2000)
    cluster = tt.Cluster(groups=[{"name": "g", "nodes": 4, "core": 4, "mem": 1000, "gpu": 4}])
    found = asked(workload, cluster, requests={"gpu": gpu})
    assert cluster.resources == ("core", "gpu", "mem")
    rows = np.stack([np.ones(2000), gpu, workload["requested_memory_kb"]], axis=1)
    assert np.array_equal(found.units, np.unique(rows, axis=0))
    assert np.array_equal(found.units[found.shape], rows)


# --- admission ------------------------------------------------------------------------------------------------


def test_a_request_must_fit_on_empty_nodes() -> None:
    """8 units of 2 cores; at 600 KB a unit, one unit a node; at 1001 KB none."""
    workload = jobs(processors=[8, 9, 4, 5, 1], requested_memory_kb=[nan, nan, 600, 600, 1001])
    found = asked(workload)
    assert found.shape.tolist()[1:] == [-1, found.shape[2], -1, -1]
    assert found.shape[0] >= 0
    assert found.refusals() == {"more core than the nodes have": 1, "more mem than the nodes have": 2}


def test_the_total_is_a_weaker_check_and_none_is_none() -> None:
    """6 units of 600 KB are 3600 of 4000 KB, although only 4 of them fit; 7 are 4200."""
    workload = jobs(processors=[6, 7, 9], requested_memory_kb=[600, 600, nan])
    assert (asked(workload, admission="total").shape >= 0).tolist() == [True, False, False]
    assert (asked(workload, admission="none").shape >= 0).all()
    assert (asked(workload).shape < 0).all()


def test_resources_that_fit_alone_but_not_together() -> None:
    cluster = tt.Cluster(
        groups=[
            {"name": "a", "nodes": 1, "core": 8, "mem": 10},
            {"name": "b", "nodes": 1, "core": 1, "mem": 1000},
        ]
    )
    found = asked(jobs(processors=[4], requested_memory_kb=[100]), cluster)
    assert found.refusals() == {"more than the nodes have together": 1}


def test_oversized() -> None:
    workload = jobs(processors=[20, 5, 3], requested_memory_kb=[nan, 600, 2000])
    clipped = asked(workload, oversized="clip")
    assert clipped.processors.tolist() == [8, 4, 3]
    assert clipped.refusals() == {"more mem than the nodes have": 1}
    with pytest.raises(tt.InputError, match="job 1 needs 20 processors but the 4 nodes hold at most 8 of its units"):
        asked(workload, oversized="error")


def test_a_huge_job_is_refused_not_wrapped_round() -> None:
    found = asked(jobs(processors=[1e15, 2.0**31]))
    assert found.shape.tolist() == [-1, -1]
    assert (found.processors > 0).all()


# --- queues and partitions ------------------------------------------------------------------------------------

QUEUED = tt.Cluster(
    groups=[{"name": "thin", "nodes": 4, "core": 2}, {"name": "fat", "nodes": 1, "core": 8}],
    partitions=[{"name": "big", "groups": ["fat"]}, {"name": "all", "groups": ["thin", "fat"]}],
    queues=[
        {"name": "short", "log_queues": [1], "log_partitions": [9], "max_estimate_s": 5, "max_processors": 4},
        {"name": "large", "log_queues": ["heavy"], "partition": "big", "max_running_processors": 6},
        {"name": "rest", "partition": "all", "max_running_jobs_per_user": 2, "max_running_processors_per_user": 3},
    ],
)


def with_header(workload: tt.Workload) -> tt.Workload:
    return tt.Workload(columns=workload.columns, name="test", header=Header.parse([" Queue: 4 heavy"]))


def test_jobs_go_to_the_first_queue_that_takes_them() -> None:
    workload = with_header(jobs(queue=[1, 4, 1, 2, nan, 7], partition=[nan, nan, 9, 9, nan, 1]))
    assert asked(workload, QUEUED).queue.tolist() == [0, 1, 0, 0, 2, 2]


def test_a_partition_is_a_feature() -> None:
    assert Layout(QUEUED).features == ("big",)
    assert Layout(QUEUED).capacity.tolist() == [[2, 0]] * 4 + [[8, 2**40]]
    found = asked(with_header(jobs(queue=[4, 4, 7], processors=[6, 9, 3])), QUEUED)
    assert units(found) == [[1, 1], [1, 1], [1, 0]]
    assert found.shape.tolist() == [1, -1, 0]


def test_limits_refuse() -> None:
    workload = with_header(
        jobs(
            queue=[1, 1, 1, 4, 4, 7],
            processors=[4, 5, 1, 7, 9, 4],
            requested_time_s=[5, 1, 6, 1, 1, 1],
        )
    )
    assert asked(workload, QUEUED).refusals() == {
        "above max_processors of queue short": 1,
        "above max_estimate_s of queue short": 1,
        "more than max_running_processors of queue large": 2,
        "more than max_running_processors_per_user of queue rest": 1,
    }


def test_running_limits_are_pools() -> None:
    workload = with_header(jobs(queue=[4, 7, 7, 7, 1], user=[1, 1, 2, 1, 1], processors=[5, 1, 2, 3, 1]))
    pools = asked(workload, QUEUED).pools
    assert pools.sizes.tolist() == [6, 3, 3, 2, 2]  # large; processors of two users; jobs of two users
    assert pools.start.tolist() == [0, 1, 3, 5, 7, 7]
    assert pools.pool.tolist() == [0, 1, 3, 2, 4, 1, 3]
    assert pools.amount.tolist() == [5, 1, 1, 2, 1, 3, 1]
    part = pools.rows(slice(1, 3))
    assert (part.start.tolist(), part.pool.tolist()) == ([0, 2, 4], [1, 3, 2, 4])


def test_a_name_that_the_header_does_not_have() -> None:
    with pytest.raises(tt.InputError, match=r"takes the log's queue 'heavy', which the header of workload does not"):
        asked(jobs(queue=[1]), QUEUED)


# --- pools and requests given by job --------------------------------------------------------------------------

LICENSED = SMALL.replace(
    pools=[
        {"name": "licence", "amount": 3, "per_job": 1, "executables": [7, 8]},
        {"name": "watt", "amount": 1000, "per_processor": 100, "per_job": 5},
    ]
)


def test_pools_of_the_configuration() -> None:
    found = asked(jobs(executable=[7, 1, nan], processors=[1, 2, 3]), LICENSED)
    assert found.columns(LICENSED)["pool_licence"].tolist() == [1, 0, 0]
    assert found.columns(LICENSED)["pool_watt"].tolist() == [105, 205, 305]


def test_amounts_given_by_job() -> None:
    workload = jobs(requested_memory_kb=[5, 5, 5])
    found = asked(workload, LICENSED, requests={"mem": [1, 2, 3], "licence": [4, 0, 3], "core": 3})
    assert units(found) == [[3, 1], [3, 2], [3, 3]]
    assert found.refusals() == {"more than the pool licence has": 1}
    assert found.pools.taken(0).tolist() == [0, 0, 3]


@pytest.mark.parametrize(
    ("requests", "sentence"),
    [
        ({"gpus": [1]}, "the cluster has no resource or pool 'gpus': give amounts of core, mem, licence, watt"),
        ({"mem": [1, 2]}, "requests has 2 amounts of mem for 1 jobs: give one per job"),
        ({"mem": [-1]}, "job 1 requests -1 of mem: give a whole number from 0"),
        ({"mem": [nan]}, "job 1 requests nan of mem"),
        ({"core": [1]}, "job 1 requests 1 of core: give at least 2, which the unit"),
    ],
)
def test_wrong_amounts(requests: dict[str, Any], sentence: str) -> None:
    with pytest.raises(tt.InputError, match=sentence):
        asked(jobs(processors=[1]), LICENSED, requests=requests)


def test_some_rows() -> None:
    found = asked(jobs(requested_memory_kb=[5, 9, 2000]), LICENSED)
    part = rows_of(found, slice(1, None))
    assert part.shape.tolist() == found.shape[1:].tolist()
    assert part.refusals() == {"more mem than the nodes have": 1}


# --- amounts that are none, or nothing ------------------------------------------------------------------------

LICENCES = tt.Cluster(groups=[{"name": "g", "nodes": 2, "core": 2, "gpu": 1}], pools=[{"name": "licence", "amount": 2}])
NONE = {
    "text": ({"licence": "x"}, "requests takes licence from the column 'x', which is not in"),
    "number in a text": ({"licence": "1"}, "requests takes licence from the column '1'"),
    "texts": ({"licence": ["a", "b", "c"]}, "as amounts of licence"),
    "complex": ({"licence": 1j}, "as amounts of licence"),
    "nothing": ({"licence": None}, "job 1 requests nan of licence: give a whole number from 0 to 2^40"),
    "a hole": ({"licence": [1, None, 1]}, "job 2 requests nan of licence"),
    "too much": ({"licence": 1e30}, "job 1 requests 1e+30 of licence: give a whole number from 0 to 2^40"),
    "half": ({"gpu": 0.5}, "job 1 requests 0.5 of gpu: give a whole number"),
    "table": ({"licence": [[1, 2, 1]]}, "requests has 1 × 3 amounts of licence for 3 jobs: give one per job"),
    "too few": ({"licence": [1, 2]}, "requests has 2 amounts of licence for 3 jobs"),
    "below the unit": ({"core": 0}, "job 1 requests 0 of core: give at least 1, which the unit"),
    "no name": ({1: 2}, "the cluster has no resource or pool 1"),
    "number": (5, "requests is 5: give amounts by name"),
    "list": ([1, 2], r"requests is \[1, 2\]: give amounts by name"),
    "watts": ({"watts": "x"}, "requests takes watts from the column 'x'"),
    "too few watts": ({"watts": [1, 2]}, "requests has 2 amounts of watts for 3 jobs"),
}


@pytest.mark.parametrize("name", NONE)
def test_what_is_no_amount_is_reported(name: str) -> None:
    requests: Any
    requests, sentence = NONE[name]
    with pytest.raises(tt.InputError, match=sentence.replace("^", r"\^").replace("+", r"\+")):
        tt.simulate(jobs(processors=[1, 2, 1]), LICENCES, tt.Easy(), requests=requests, plugins=[tt.Power()])


@pytest.mark.parametrize("scheduler", [tt.FCFS(), tt.Easy(), tt.Conservative()], ids=str)
def test_an_amount_of_nothing_waits_for_nothing(scheduler: tt.Scheduler) -> None:
    """The second job holds all licences; the third, which takes none, and of no GPU, starts beside it."""
    requests = {"licence": [0, 2, 0], "gpu": [1, 0, 0]}
    run = tt.simulate(jobs(processors=[1, 1, 1]), LICENCES, scheduler, requests=requests)
    assert run.columns["start_s"].tolist() == [0, 1, 2]
    other = tt.simulate(jobs(processors=[1, 1, 1]), LICENCES, scheduler, requests={**requests, "licence": [0, 2, 1]})
    assert other.columns["start_s"].tolist() == [0, 1, 11]
    assert tt.check(run) == tt.check(other) == []


def test_who_draws_nothing_starts_under_a_lowered_cap() -> None:
    """From 1 h on the cap is below what the first job draws; a job that draws nothing more may still start."""
    log = jobs(submit_s=[0, 5000, 5000], run_s=[9000, 10, 10], processors=[1, 1, 1], requested_time_s=[1, 10, 10])
    nodes = tt.Cluster(groups=[{"name": "g", "nodes": 1, "core": 3}])
    power = tt.Power(idle_w=0, active_w=0, cap_w={0: 200, 1: 50})
    run = tt.simulate(
        log, nodes, tt.FCFS(skip=True), plugins=[power], requests={"watts": [100, 0, 10]}, overrun="extend-blind"
    )
    assert run.columns["start_s"].tolist() == [0, 5000, 9000]
