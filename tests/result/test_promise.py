"""`check` recomputes what EASY promised to its blocked heads."""

from __future__ import annotations

import dataclasses

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from tests.effort import examples
from tests.engine.workloads import AsWritten, jobs, run_engine, workload_of
from thinktime.result import Result, check
from thinktime.result.columns import empty_timeline
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.fcfs import FCFS
from thinktime.simulation.settings import Overrun
from thinktime.spec import REGISTRY

# Machine of 4. Job 1 takes 3 from 0 to 10 (expected 20). Job 2 needs 4: promised 20, starts at 10.
# Job 3 needs 1 and is expected to take 15: over by 20, it may start at 1; it is over at 3.
WORKLOAD = [
    Job(submit=0, run=10, processors=3, estimate=20),
    Job(submit=1, run=5, processors=4, estimate=5),
    Job(submit=1, run=2, processors=1, estimate=15),
]


def moved(result: Result, row: int, start_s: float) -> Result:
    """The same run with one job started at another time, and without the timeline that would contradict it."""
    columns = {name: values.copy() for name, values in result.columns.items()}
    columns["start_s"][row] = start_s
    columns["end_s"][row] = start_s + columns["run_s"][row]
    return dataclasses.replace(result, columns=columns, timeline_columns=empty_timeline())


def test_a_kept_promise_and_a_broken_one() -> None:
    result = run_engine(WORKLOAD, 4, Easy())
    assert result.columns["start_s"].tolist() == [0, 10, 1]
    late = [v.sentence for v in check(moved(result, row=1, start_s=21)) if v.rule == "the head's promise"]
    assert late == ["job 2 starts at 21 s although it was promised 20 s as the head of the queue"]
    assert not [v for v in check(moved(result, row=1, start_s=20)) if v.rule == "the head's promise"]


@examples(200)
@given(jobs(), st.integers(2, 8), st.booleans(), st.sampled_from(["extend", "kill"]))
def test_easy_keeps_every_promise(workload: list[Job], processors: int, extra_nodes: bool, overrun: Overrun) -> None:
    assert check(run_engine(workload, processors, Easy(extra_nodes=extra_nodes), overrun=overrun)) == []


CLUSTER = tt.Cluster(groups=[{"name": "n", "nodes": 2, "core": 4}])
# Two nodes of 4 cores. Three cores run on each, one until 10, one until 30; the head wants 4 cores of one node.
ON_NODES = tt.Workload.from_columns(
    submit_s=[0.0, 0, 1, 1], run_s=[10.0, 30, 5, 100], processors=[1.0, 1, 1, 1], requested_time_s=[10.0, 30, 5, 100]
)


def test_a_promise_of_nodes() -> None:
    """By counting processors alone, no job would wait."""
    result = tt.simulate(ON_NODES, CLUSTER, Easy(), requests={"core": [3, 3, 4, 1]})
    assert result.columns["start_s"].tolist() == [0, 0, 10, 1]
    assert not check(result)
    late = [v.sentence for v in check(moved(result, row=2, start_s=30)) if v.rule == "the head's promise"]
    assert late == ["job 3 starts at 30 s although it was promised 10 s as the head of the queue"]


@examples(100)
@given(
    jobs(machine=12),
    st.sampled_from(["first-fit", "best-fit", "worst-fit", "random", "contiguous"]),
    st.booleans(),
    st.sampled_from(["extend", "kill"]),
    st.integers(0, 2**32),
)
def test_easy_keeps_every_promise_of_nodes(
    workload: list[Job], allocator: str, count_ties: bool, overrun: Overrun, seed: int
) -> None:
    if not workload:
        return
    cluster = tt.Cluster(groups=[{"name": "a", "nodes": 3, "core": 4, "mem": 6}, {"name": "b", "nodes": 1, "core": 8}])
    rng = np.random.default_rng(seed)
    requests = {"core": rng.integers(1, 4, len(workload)), "mem": rng.integers(0, 4, len(workload))}
    result = tt.simulate(
        workload_of(workload),
        cluster,
        Easy(count_ties=count_ties),
        estimates=AsWritten(),
        overrun=overrun,
        requests=requests,
        allocator=REGISTRY["allocator"][allocator](),  # type: ignore[arg-type]
    )
    assert check(result) == []


def test_a_scheduler_that_promises_nothing_would_be_found_out() -> None:
    """Greedy list scheduling starves large jobs; called EASY, it fails the check."""
    small = [Job(submit=t, run=4, processors=1, estimate=4) for t in range(0, 40, 2)]
    large = Job(submit=1, run=1, processors=2, estimate=1)
    result = run_engine([*small, large], 2, FCFS(skip=True))
    named = dataclasses.replace(result, spec={**result.spec, "scheduler": {"name": "easy"}})
    assert {v.rule for v in check(named)} == {"the head's promise"}
    assert np.isfinite(result.columns["start_s"]).all()
