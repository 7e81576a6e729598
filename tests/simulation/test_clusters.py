"""Simulations on clusters, from jobs to placements."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.shared_data import log, oracle
from thinktime.result import empty_placements
from thinktime.result.exports.processor_numbers import place_run
from thinktime.result.placements import by_node
from thinktime.spec import REGISTRY

nan = np.nan
SMALL = tt.Cluster(
    groups=[{"name": "a", "nodes": 2, "core": 4, "mem": 100}, {"name": "b", "nodes": 2, "core": 2, "mem": 50}]
)
MIXED = tt.Cluster(
    groups=[
        {"name": "thin", "nodes": 20, "core": 4, "mem": 4_000_000},
        {"name": "fat", "nodes": 6, "core": 16, "mem": 64_000_000, "gpu": 2},
    ],
    partitions=[{"name": "gpus", "groups": ["fat"]}],
    queues=[
        {"name": "short", "log_queues": [1], "max_estimate_s": 7200, "max_running_processors_per_user": 20},
        {"name": "gpu", "log_queues": [2], "partition": "gpus", "max_running_jobs": 5},
        {"name": "rest", "max_processors": 90},
    ],
    pools=[{"name": "licence", "amount": 12, "per_job": 1}],
)


def jobs(**columns: Any) -> tt.Workload:
    count = len(next(iter(columns.values())))
    usual = {"submit_s": np.arange(count), "run_s": np.full(count, 10.0), "processors": np.ones(count)}
    return tt.Workload.from_columns(**{**usual, **columns})


@pytest.fixture(scope="module")
def generated() -> tt.Workload:
    """A few days of jobs with queues, memory and GPUs left to `requests`."""
    workload = tt.default_workload(processors=128, jobs=600)
    rng = np.random.default_rng(3)
    columns = {**workload.columns, "queue": rng.integers(1, 5, len(workload)).astype(float)}
    return dataclasses.replace(workload, columns=columns)


# --- by hand --------------------------------------------------------------------------------------------------


def test_jobs_share_nodes_and_wait_for_memory() -> None:
    """5 units take a-0 whole and one of a-1; job 2 needs 60 of mem and finds it on a-0 only when job 1 has ended,
    because a-1 has 75 left but the rest of the nodes have 50."""
    workload = jobs(processors=[5, 2, 1], requested_memory_kb=[25, 80, 30])
    run = tt.simulate(workload, SMALL, tt.FCFS())
    assert run.jobs["nodes"].to_list() == ["a-[0-1]", "a-[0-1]", "b-0"]
    assert run.columns["start_s"].tolist() == [0, 10, 10]
    assert run.placements.rows() == [(1, "a-0", 4), (1, "a-1", 1), (2, "a-0", 1), (2, "a-1", 1), (3, "b-0", 1)]
    assert run.columns["unit_mem"].tolist() == [25, 80, 30]
    assert tt.check(run) == []


def test_node_lists_name_groups_and_gaps() -> None:
    workload = jobs(processors=[4, 4, 2, 5], submit_s=[0, 0, 0, 20], run_s=[100, 30, 100, 1])
    run = tt.simulate(workload, SMALL, tt.FCFS())
    assert run.jobs["nodes"].to_list() == ["a-0", "a-1", "b-0", "a-1,b-1"]


def test_reasons_of_rejections() -> None:
    workload = jobs(processors=[13, 1, 1], requested_memory_kb=[nan, 200, nan])
    run = tt.simulate(workload, SMALL, tt.Easy())
    assert run.statistics["rejected"] == {"more core than the nodes have": 1, "more mem than the nodes have": 1}
    assert run.jobs["status"].to_list() == ["rejected", "rejected", "completed"]
    assert run.jobs["nodes"].to_list() == [None, None, "a-0"]
    all_rejected = tt.simulate(workload, SMALL, tt.Reject())
    assert all_rejected.statistics["rejected"]["by the scheduler"] == 1
    assert tt.check(all_rejected) == []


def test_requests_by_job() -> None:
    cluster = SMALL.replace(groups=[{"name": "a", "nodes": 3, "core": 4, "gpu": 1}])
    run = tt.simulate(jobs(processors=[2, 1, 2]), cluster, tt.FCFS(), requests={"gpu": [1, 0, 1]})
    assert run.jobs["nodes"].to_list() == ["a-[0-1]", "a-0", "a-[0-1]"]
    assert run.columns["start_s"].tolist() == [0, 1, 10]
    other = tt.simulate(jobs(processors=[2, 1, 2]), cluster, tt.FCFS(), requests={"gpu": [1, 0, 0]})
    assert other.digest != run.digest


def test_running_limits_make_jobs_wait() -> None:
    cluster = SMALL.replace(queues=[{"name": "q", "max_running_jobs_per_user": 1}])
    run = tt.simulate(jobs(user=[1, 1, 2]), cluster, tt.FCFS(skip=True))
    assert run.columns["start_s"].tolist() == [0, 10, 2]
    assert tt.check(run) == []


def test_a_simulation_can_be_driven() -> None:
    simulation = tt.Simulation(jobs(processors=[5, 1]), SMALL, tt.FCFS())
    simulation.run(until=0)
    assert simulation.node_free.tolist() == [[0, 100], [3, 100], [2, 50], [2, 50]]
    simulation.run()
    assert np.array_equal(simulation.node_free, SMALL.capacity)


# --- all policies ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "allocator", [tt.FirstFit(), tt.BestFit(), tt.WorstFit(ranking="normalized"), tt.Contiguous(), tt.Random()]
)
@pytest.mark.parametrize("scheduler", sorted({"fcfs", "sjf", "ljf", "edf", "easy", "conservative", "reject"}))
def test_every_invariant_holds(generated: tt.Workload, scheduler: str, allocator: Any) -> None:
    gpus = (generated["queue"] == 2).astype(int)
    policy = REGISTRY["scheduler"][scheduler]()
    run = tt.simulate(generated, MIXED, policy, allocator=allocator, requests={"gpu": gpus}, seed=5)  # type: ignore[arg-type]
    assert tt.check(run) == []
    if scheduler != "reject":
        assert run.has_nodes
        assert run.summary()["completed"] > 300


def test_users_who_react(generated: tt.Workload) -> None:
    run = tt.simulate(generated, MIXED, tt.Easy(), users=tt.SessionReplay())
    assert tt.check(run) == []


def test_the_stream_of_random_nodes_is_the_seeds(generated: tt.Workload) -> None:
    one, again, other = (
        tt.simulate(generated, MIXED, tt.FCFS(), allocator=tt.Random(), seed=seed) for seed in (1, 1, 2)
    )
    assert one == again
    assert one.content_digest != other.content_digest


def test_fair_starts_on_nodes(generated: tt.Workload) -> None:
    few = generated.select(np.arange(40))
    fair = tt.fair_starts(few, MIXED, tt.FCFS(), method="no-later-arrivals")
    run = tt.simulate(few, MIXED, tt.FCFS())
    assert np.array_equal(fair, run.columns["start_s"], equal_nan=True)


@pytest.mark.parametrize("policy", ["fifo", "sjf"])
def test_accasims_schedule(policy: str) -> None:
    """Job by job, on Seth, memory ignored as in the released code."""
    expected = np.loadtxt(oracle(f"accasim/HPC2N-2002-2.2-cln-{policy}.csv.gz"), delimiter=",", skiprows=1)
    workload = tt.read_swf(log("HPC2N-2002-2.2-cln"), filter="accasim")
    scheduler = tt.FCFS() if policy == "fifo" else tt.SJF()
    seth = tt.Cluster.named("seth").replace(memory="ignore")
    run = tt.simulate(workload, seth, scheduler)
    order = np.argsort(run.columns["job"], kind="stable")
    ours = np.stack([run.columns[name][order] for name in ("job", "submit_s", "start_s", "end_s")], axis=1)
    assert np.array_equal(ours, expected)


# --- sentences ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"allocator": tt.BestFit()}, r"allocator is BestFit\(\) but Machine\(processors=4\) only counts processors"),
        ({"admission": "total"}, "admission is 'total' but Machine"),
        ({"requests": {"gpu": 1}}, "requests has amounts of gpu but Machine"),
    ],
)
def test_a_machine_has_no_nodes(rules: dict[str, Any], sentence: str) -> None:
    with pytest.raises(tt.InputError, match=sentence):
        tt.simulate(jobs(processors=[1]), tt.Machine(processors=4), tt.FCFS(), **rules)


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"allocator": 3}, 'allocator is 3: give a spec or a text such as "best-fit"'),
        ({"admission": "all"}, "admission is 'all': choose one of request, total, none"),
        ({"same_instant": "each-submit-first"}, "choose batch or each-end-first"),
    ],
)
def test_what_a_cluster_does_not_take(rules: dict[str, Any], sentence: str) -> None:
    with pytest.raises(tt.InputError, match=sentence):
        tt.simulate(jobs(processors=[1]), SMALL, tt.FCFS(), **rules)


def test_a_machines_run_has_no_nodes() -> None:
    run = tt.simulate(jobs(processors=[1]), tt.Machine(processors=4), tt.FCFS())
    assert (run.cluster, run.has_nodes, len(run.placements)) == (None, False, 0)
    assert "nodes" not in run.jobs.columns
    with pytest.raises(tt.InputError, match="has no nodes"):
        tt.Simulation(jobs(processors=[1]), tt.Machine(processors=4), tt.FCFS()).node_free  # noqa: B018


# --- files ----------------------------------------------------------------------------------------------------


def test_saved_and_loaded(generated: tt.Workload, tmp_path: Path) -> None:
    run = tt.simulate(generated, MIXED, tt.Easy(), allocator=tt.BestFit(ranking="normalized"))
    run.save(tmp_path / "run")
    loaded = tt.Result.load(tmp_path / "run")
    assert loaded == run
    assert loaded.cluster == MIXED
    assert loaded.jobs.equals(run.jobs)
    assert loaded.placements.equals(run.placements)
    assert tt.check(loaded) == []
    run.write_csv(tmp_path / "jobs.csv")
    assert '"' in (tmp_path / "jobs.csv").read_text() or "thin-" in (tmp_path / "jobs.csv").read_text()
    run.write_batsim(tmp_path / "b.csv")
    run.write_swf(tmp_path / "s.swf")
    run.save(tmp_path / "run", overwrite=True)


def test_processor_numbers_are_those_of_the_nodes(generated: tt.Workload) -> None:
    """Nodes have 4 and 16 numbers each; every job has as many numbers on a node as units, and none that is taken."""
    run = tt.simulate(generated, MIXED, tt.Easy(), allocator=tt.Random(), seed=2)
    rows = np.flatnonzero(~np.isnan(run.columns["start_s"]))[50:300]
    node_of = np.repeat(np.arange(MIXED.nodes), MIXED.node_processors)
    numbers = [[n for low, high in each for n in range(low, high + 1)] for each in place_run(run, rows)]
    every = by_node(run.placement_columns)
    for row, mine in zip(rows.tolist(), numbers, strict=True):
        placed = np.zeros(MIXED.nodes, np.int64)
        placed[every.node[every.row == row]] = every.units[every.row == row]
        assert np.array_equal(np.bincount(node_of[mine], minlength=MIXED.nodes), placed)
    start, end = run.columns["start_s"][rows], run.columns["end_s"][rows]
    for one, other in ((i, j) for i in range(60) for j in range(i) if max(start[i], start[j]) < min(end[i], end[j])):
        assert not set(numbers[one]) & set(numbers[other])


def test_streamed(generated: tt.Workload, tmp_path: Path) -> None:
    cluster = MIXED.replace(queues=[{"name": "gpu", "log_queues": [2], "partition": "gpus", "max_running_jobs": 3}])
    tt.write_swf(generated, tmp_path / "log.swf")
    whole = tt.simulate(tt.read_swf(tmp_path / "log.swf"), cluster, tt.Easy())
    tt.simulate_stream(tt.stream_swf(tmp_path / "log.swf", block_bytes=4096), cluster, tt.Easy(), tmp_path / "run")
    streamed = tt.Result.load(tmp_path / "run")
    assert tt.check(streamed) == []
    assert streamed.statistics["rejected"] == whole.statistics["rejected"]
    assert streamed.placements.sort("job", "node").equals(whole.placements.sort("job", "node"))
    back = np.argsort(streamed.columns["job"])
    for name, values in whole.columns.items():
        order = np.argsort(whole.columns["job"])
        assert np.array_equal(streamed.columns[name][back], values[order], equal_nan=True), name


def test_streamed_jobs_of_ever_new_kinds(tmp_path: Path) -> None:
    """No two jobs ask for the same memory, and blocks come while a head waits: what is remembered must grow."""
    rng = np.random.default_rng(5)
    count = 500
    memory = 1_000 + rng.permutation(count) * 40.0
    run_s = rng.integers(50, 400, count).astype(float)
    workload = tt.Workload.from_columns(
        submit_s=np.cumsum(rng.integers(0, 40, count)).astype(float),
        run_s=run_s,
        allocated_processors=rng.integers(1, 12, count).astype(float),
        requested_time_s=run_s * 2,
        requested_memory_kb=memory,
    )
    cluster = tt.Cluster(groups=[{"name": "n", "nodes": 6, "core": 4, "mem": 60_000}])
    tt.write_swf(workload, tmp_path / "log.swf")
    whole = tt.simulate(tt.read_swf(tmp_path / "log.swf"), cluster, tt.Easy())
    tt.simulate_stream(tt.stream_swf(tmp_path / "log.swf", block_bytes=512), cluster, tt.Easy(), tmp_path / "run")
    streamed = tt.Result.load(tmp_path / "run")
    assert whole.summary()["wait_mean_s"] > 100
    assert streamed.placements.sort("job", "node").equals(whole.placements.sort("job", "node"))
    back = np.argsort(streamed.columns["job"])
    assert np.array_equal(streamed.columns["start_s"][back], whole.columns["start_s"])


def test_a_stream_does_not_know_all_users(generated: tt.Workload, tmp_path: Path) -> None:
    tt.write_swf(generated, tmp_path / "log.swf")
    with pytest.raises(tt.InputError, match="queue 'short' has max_running_processors_per_user, which needs all users"):
        tt.simulate_stream(tt.stream_swf(tmp_path / "log.swf"), MIXED, tt.Easy(), tmp_path / "run")
    assert not (tmp_path / "run").exists()


# --- broken results -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def good(generated: tt.Workload) -> tt.Result:
    return tt.simulate(generated, MIXED, tt.Easy())


def broken(result: tt.Result, **changes: tuple[int, int]) -> list[str]:
    """Rules that are broken after some entries of the placements were changed: name=(place, value)."""
    spans = {name: values.copy() for name, values in result.placement_columns.items()}
    for name, (place, value) in changes.items():
        spans[name][place] = value
    found = tt.check(dataclasses.replace(result, placement_columns=spans))
    assert all("\n" not in violation.sentence for violation in found)
    return sorted({violation.rule for violation in found})


def test_broken_placements_are_found(good: tt.Result) -> None:
    spans, queue = good.placement_columns, good.columns["cluster_queue"]
    gpu = int(np.flatnonzero(queue[spans["row"]] == 1)[0])
    assert broken(good) == []
    assert "placed whole" in broken(good, units=(0, int(spans["units"][0]) + 1))
    assert "placed whole" in broken(good, first=(0, MIXED.nodes))
    assert "placed whole" in broken(good, first=(0, -1))
    assert "inside partitions" in broken(good, first=(gpu, 0))


def test_everybody_on_one_node_is_found(good: tt.Result) -> None:
    spans = {**good.placement_columns, "first": np.zeros_like(good.placement_columns["first"])}
    found = {each.rule for each in tt.check(dataclasses.replace(good, placement_columns=spans))}
    assert "nodes never oversubscribed" in found
    nowhere = dataclasses.replace(good, placement_columns=empty_placements())
    assert {each.rule for each in tt.check(nowhere)} == {"placed whole"}


def test_full_pools_are_found(good: tt.Result) -> None:
    columns = {**good.columns, "pool_licence": good.columns["pool_licence"] * 13}
    found = [each for each in tt.check(dataclasses.replace(good, columns=columns)) if each.rule.startswith("pools")]
    assert "13 of pool licence are in use, which is 12" in found[0].sentence
