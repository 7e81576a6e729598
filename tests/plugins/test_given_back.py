"""Cores that are given back early (`release="idle"`) and plugins: by hand, against the reference, what must hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from reference import nodes as reference
from reference.nodes.power import Run, energy
from tests.applications.two_levels import SCHEDULERS, played, small_workloads
from tests.effort import examples
from tests.engine.workloads import workload_of
from tests.plugins.checks import assert_balance, no_job_on_a_broken_node
from tests.plugins.small import anything, cluster, random_workload, workload
from thinktime.result.given_back import held_on_nodes
from thinktime.simulation.settings import Overrun

IDLE = tt.Loop(technique="fac", variation=0.5, tasks_per_core=2, overhead_s=0.25, release="idle")


def tasks_of(path: Any, lengths: list[float], **options: Any) -> tt.Loop:
    """Job 1 has tasks of these lengths, one after the other to the next idle core."""
    file = path / "tasks.csv"
    file.write_text("job,task_s\n" + "".join(f"1,{length}\n" for length in lengths))
    return tt.Loop(technique="ss", tasks=str(file), release="idle", **options)


def test_energy_by_hand(tmp_path: Any) -> None:
    """Three processors on nodes of two, at 100 W and 10 W a processor; they work for 20, 50 and 100 s. From 20 s on
    node 0 has one of them; from 50 s on it idles."""
    loop, power = tasks_of(tmp_path, [20, 50, 100]), tt.Power(idle_w=90, active_w=100, processor_w=10)
    result = tt.simulate(workload([(0, 100, 100, 3)]), cluster(2), tt.FCFS(), applications=loop, plugins=[power])
    nodes = result.report_columns["node_energy"]
    assert nodes["active_j"].tolist() == [20 * 120 + 30 * 110, 100 * 110]
    assert nodes["idle_j"].tolist() == [50 * 90, 0]
    assert result.report_columns["job_energy"]["energy_j"].tolist() == [20 * 120 + 30 * 110 + 100 * 110]
    assert_balance(result)
    assert tt.check(result) == []


def test_a_node_that_was_given_back_is_switched_off(tmp_path: Any) -> None:
    """Idle from 50 s on, off 10 s later; the second job, on the core given back at 20 s, keeps it active until 80."""
    power = tt.Power(idle_w=90, active_w=100, processor_w=10, off_w=1, off_after_s=10)
    loop = tasks_of(tmp_path, [20, 50, 100])
    alone = tt.simulate(workload([(0, 100, 100, 3)]), cluster(2), tt.FCFS(), applications=loop, plugins=[power])
    assert alone.report_columns["node_energy"]["off_s"].tolist() == [40, 0]
    jobs = workload([(0, 100, 100, 3), (30, 50, 50, 2)])
    both = tt.simulate(jobs, cluster(2), tt.FCFS(), applications=loop, plugins=[power])
    assert both.columns["start_s"].tolist() == [0, 30]  # the core of node 0, and the one of node 1 that was never taken
    assert both.report_columns["node_energy"]["off_s"].tolist() == [10, 0]
    assert_balance(both)


@pytest.mark.parametrize(("jobs", "ends"), [("requeue", 70 + 100), ("lose", 70), ("checkpoint", 70 + 7 + 40)])
def test_a_failure_hits_who_still_has_something_there(tmp_path: Any, jobs: str, ends: float) -> None:
    """Node 0 breaks at 60 s, when nothing of the job is there any more; node 1 at 70, when it is."""
    loop = tasks_of(tmp_path, [20, 50, 100])
    table = [("g-0", 60, 65), ("g-1", 70, 70.5)]
    failures = tt.Failures(table=table, jobs=jobs, checkpoint_h=60 / 3600, restart_s=7 if jobs == "checkpoint" else 0)
    plugins = [failures, tt.Power()]
    result = tt.simulate(workload([(0, 100, 100, 3)]), cluster(4), tt.FCFS(), applications=loop, plugins=plugins)
    assert result.attempts.select("start_s", "end_s", "processors", "nodes").rows() == [(0, 70, 3, "g-[0-1]")]
    assert result.columns["end_s"].tolist() == [ends]
    assert result.columns["processors"].tolist() == [3]
    given = result.report_columns["given_back"]
    again = {"requeue": [90, 120], "lose": [], "checkpoint": [77, 77]}[jobs]  # 20 and 50 s are done at 60
    assert given["time_s"].tolist() == [20, 50, *again]
    assert given["run"].tolist() == [0, 0, *([1] * len(again))]
    assert tt.check(result) == []
    assert_balance(result)
    busy = [20 + 50 + 70 + sum(again) - 70 * len(again) + (ends - 70)]
    assert sum(result.core_seconds()[:3]) == pytest.approx(busy[0])


def test_the_last_core_on_a_node_comes_back_before_it_breaks(tmp_path: Any) -> None:
    failures = tt.Failures(table=[("g-0", 50, 60)])
    loop = tasks_of(tmp_path, [20, 50, 100])
    result = tt.simulate(workload([(0, 100, 100, 3)]), cluster(2), tt.FCFS(), applications=loop, plugins=[failures])
    assert len(result.attempts) == 0
    assert result.columns["end_s"].tolist() == [100]


def test_a_job_gives_cores_back_from_when_its_nodes_have_booted(tmp_path: Any) -> None:
    loop, power = tasks_of(tmp_path, [20, 50, 100]), tt.Power(off_after_s=10, boot_s=120)
    jobs = workload([(0, 1, 1, 1), (1000, 100, 100, 3)])
    jobs = tt.Workload.from_columns(**dict[str, Any](jobs.columns) | {"job": np.array([2.0, 1.0])})
    result = tt.simulate(jobs, cluster(2), tt.FCFS(), applications=loop, plugins=[power])
    assert result.report_columns["given_back"]["time_s"].tolist() == [1140, 1170]
    assert result.columns["end_s"].tolist() == [1, 1220]
    assert_balance(result)


class Watch(tt.OwnPlugin):
    """What a job has left on its nodes whenever it gives something back."""

    def start(self, context: Any) -> Any:
        return Watching()


class Watching:
    def __init__(self) -> None:
        self.seen: list[tuple[float, int, int, int]] = []

    def shrunk(self, system: Any, job: int) -> None:
        left = system.placement(job)
        self.seen.append((system.now_s, job, sum(units for _, units in left), system.free))

    def report(self) -> dict[str, list[float]]:
        names = ("time_s", "job", "left", "free")
        return {name: [float(row[k]) for row in self.seen] for k, name in enumerate(names)}


def test_a_python_plugin_is_notified(tmp_path: Any) -> None:
    loop = tasks_of(tmp_path, [20, 50, 50, 100])
    result = tt.simulate(workload([(0, 100, 100, 4)]), cluster(2), tt.FCFS(), applications=loop, plugins=[Watch()])
    seen = result.reports["watch"]
    assert seen.rows() == [(20, 0, 3, 1), (50, 0, 1, 3)]


def test_pools_are_held_until_the_end(tmp_path: Any) -> None:
    """Of 3 licences the first job has 2 until its end, though not its cores: the second, which wants 2, waits."""
    nodes = tt.Cluster(groups=[{"name": "g", "nodes": 2, "core": 2}], pools=[{"name": "licence", "amount": 3}])
    jobs = workload([(0, 100, 100, 3), (1, 10, 10, 1)])
    for scheduler in (tt.FCFS(), tt.Easy(), tt.Conservative()):
        loop = tasks_of(tmp_path, [20, 50, 100])
        result = tt.simulate(jobs, nodes, scheduler, applications=loop, requests={"licence": [2, 2]})
        assert result.columns["start_s"].tolist() == [0, 100]
        assert tt.check(result) == []


def failures() -> st.SearchStrategy[dict[str, Any]]:
    failure = st.tuples(st.integers(0, 3), st.integers(0, 150), st.integers(1, 40))
    return st.fixed_dictionaries(
        {
            "table": st.lists(failure.map(lambda f: (float(f[1]), f[0], float(f[1] + f[2]))), max_size=5),
            "lose": st.booleans(),
            "checkpoint": st.sampled_from([0.0, 4.5]),
            "restart": st.sampled_from([0.0, 1.5]),
        }
    )


def plugin_of(broken: dict[str, Any]) -> tt.Failures:
    jobs = "lose" if broken["lose"] else "checkpoint" if broken["checkpoint"] else "requeue"
    table = [(f"g-{node}", start, end) for start, node, end in broken["table"]]
    every_h = broken["checkpoint"] / 3600 or 1.0
    return tt.Failures(table=table, jobs=jobs, checkpoint_h=every_h, restart_s=broken["restart"])


@pytest.mark.parametrize(("scheduler", "known"), SCHEDULERS, ids=lambda value: str(value))
@pytest.mark.parametrize("overrun", ["extend", "extend-blind", "kill"])
@examples(40)
@given(
    jobs=small_workloads(), technique=st.sampled_from(["static", "ss", "fac", "af"]), seed=st.integers(0, 99),
    broken=failures(),
    windows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 120), st.integers(1, 30)), max_size=3),
)  # fmt: skip
def test_two_levels_on_nodes_that_break_agree_with_the_reference(
    scheduler: Any, known: dict[str, Any], overrun: Overrun, jobs: list[Job], technique: str, seed: int,
    broken: dict[str, Any], windows: list[tuple[int, int, int]],
) -> None:  # fmt: skip
    loop = tt.Loop(technique=technique, variation=0.5, tasks_per_core=2, overhead_s=0.25, release="idle")
    on_nodes = [Job(job.submit, job.run, job.processors, job.estimate, unit=(1,)) for job in jobs]
    idle_from = [played(loop, row, job, seed) for row, job in enumerate(jobs)]
    calendar = [reference.Closure(node, 1, float(start), float(start + length)) for node, start, length in windows]
    expected = reference.simulate_two_levels(
        on_nodes, idle_from, reference.Cluster([[2]] * 4, calendar=calendar), known, overrun, early=True,
        failures=reference.Failures(**broken),
    )  # fmt: skip
    closed = [{"nodes": f"g-{node}", "from_s": start, "to_s": start + length} for node, start, length in windows]
    plugins = [*([plugin_of(broken)] if broken["table"] else []), *([tt.Maintenance(windows=closed)] if closed else [])]
    result = tt.simulate(
        workload_of(jobs), cluster(4), scheduler, applications=loop, overrun=overrun, seed=seed, plugins=plugins
    )
    times = np.array([[each.start, each.end] for each in expected], dtype=np.float64)
    np.testing.assert_allclose(
        np.stack([result.columns["start_s"], result.columns["end_s"]], axis=1), times, rtol=1e-12
    )
    assert result.jobs["status"].to_list() == [each.status for each in expected]
    assert tt.check(result) == []


@examples(100)
@given(
    anything(), st.integers(0, 10**6), st.booleans(), st.sampled_from(["requeue", "checkpoint", "lose"]),
    st.sampled_from([None, 700.0]), st.booleans(),
)  # fmt: skip
def test_every_job_and_every_joule_is_accounted_for(
    given: dict[str, Any], seed: int, off: bool, jobs: str, cap: float | None, closed: bool
) -> None:
    """Failures, power, temperatures and maintenance together, under everything."""
    power = tt.Power(
        idle_w=91.3, active_w=104.7, processor_w=17.9, off_w=3.1, boot_w=140.0, boot_s=37.5,
        off_after_s=60 if off else None, cap_w=cap,
    )  # fmt: skip
    broken = tt.Failures(
        mtbf_h=0.5, mttr_h=0.05, jobs=jobs, checkpoint_h=0.02, restart_s=7 if jobs == "checkpoint" else 0, restarts=3
    )
    window = {"nodes": "g-[0-1]", "from_s": 900, "to_s": 1300, "every_days": 1, "until_s": 9000}
    plugins = [broken, power, tt.Thermal(), *([tt.Maintenance(windows=[window])] if closed else [])]
    scheduler = given.pop("scheduler")
    log = random_workload(seed)
    result = tt.simulate(log, cluster(4), scheduler, applications=IDLE, plugins=plugins, **given)
    assert tt.check(result) == []
    assert not result.jobs["status"].is_in(["unfinished"]).any()
    no_job_on_a_broken_node(result)
    assert_balance(result)
    assert sum(result.core_seconds()) == pytest.approx(
        result.processors * np.ptp(result.timeline_columns["time_s"]), rel=1e-9
    )


@examples(40)
@given(st.integers(0, 10**6), st.booleans())
def test_energy_as_the_reference(seed: int, broken: bool) -> None:
    """From the pieces of what runs held; broken nodes draw nothing here."""
    plugins: list[Any] = [tt.Power(idle_w=91.5, active_w=99.25, processor_w=17.125, down_w=0)]
    plugins += [tt.Failures(mtbf_h=0.5, mttr_h=0.05, restarts=3)] if broken else []
    log = random_workload(seed, jobs=25)
    result = tt.simulate(log, cluster(4), tt.Easy(), applications=IDLE, plugins=plugins)
    every, start, end, _ = held_on_nodes(result, cluster(4))
    rows = zip(every.row.tolist(), start.tolist(), end.tolist(), every.node.tolist(), every.units.tolist(), strict=True)
    runs = [Run(row, begin, over, [(node, units)]) for row, begin, over, node, units in rows]
    until = float(result.timeline_columns["time_s"].max())
    expected = energy(runs, len(log), 4, float(log["submit_s"][0]), until, 91.5, 99.25, 17.125)
    nodes = result.report_columns["node_energy"]
    assert result.report_columns["job_energy"]["energy_j"] == pytest.approx(np.array(expected.by_job), rel=1e-9)
    assert nodes["active_j"] == pytest.approx(np.array(expected.active), rel=1e-9)
    if not broken:
        assert nodes["idle_j"] == pytest.approx(np.array(expected.idle), rel=1e-9)
