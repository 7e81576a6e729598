"""Schedulers in Python that reject, kill and requeue jobs and name nodes: as the reference, and by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
import reference.nodes
import thinktime as tt
from reference import Job
from reference.users.session_replay import SessionReplay
from tests.effort import examples
from tests.engine.nodes import clusters, engine_of, failures, on_nodes, placements_of
from tests.engine.workloads import jobs, rules, run_engine
from tests.schedulers.own_policies import forget
from tests.schedulers.whims import Whim, Whimsical, on_reference
from tests.users.populations import population
from thinktime.errors import InputError
from thinktime.metrics.status import STATUS_NAMES
from thinktime.spec import REGISTRY

pytestmark = pytest.mark.filterwarnings("ignore::thinktime.errors.OutcomeWarning")
WHIMS = st.tuples(st.integers(0, 10**6), st.sampled_from([0.0, 0.1, 0.4]))
MACHINE = tt.Machine(processors=4)


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    REGISTRY["scheduler"]["whimsical"] = Whimsical
    yield
    forget()


# --- as the reference ---------------------------------------------------------------------------------------


def outcomes_of(columns: Any) -> list[tuple[float, float | None, float | None, str]]:
    found = zip(*(columns[name].tolist() for name in ("submit_s", "start_s", "end_s", "status")), strict=True)
    return [(submit, _none(start), _none(end), STATUS_NAMES[status]) for submit, start, end, status in found]


def _none(time: float) -> float | None:
    return None if math.isnan(time) else time


def expected_of(outcomes: list[Any]) -> list[tuple[float, float | None, float | None, str]]:
    return [(each.submit, each.start, each.end, each.status) for each in outcomes]


@examples(600)
@given(jobs(), st.integers(2, 8), rules(), WHIMS)
def test_on_a_counted_machine(
    workload: list[Job], processors: int, rules: dict[str, Any], whim: tuple[int, float]
) -> None:
    workload = sorted(workload, key=lambda job: job.submit)
    theirs = Whim(*whim)
    expected = reference.simulate(workload, processors, on_reference(theirs), **rules)
    result = run_engine(workload, processors, Whimsical(seed=whim[0], acts=whim[1]), **rules)
    assert Whimsical.made[-1].seen == theirs.seen
    assert outcomes_of(result.columns) == expected_of(expected)
    assert [each for each in tt.check(result) if each.rule != "no job lost"] == []


@examples(300)
@given(population(), st.integers(2, 8), rules(), WHIMS, st.sampled_from([0, 2, 5]))
def test_with_reacting_users(
    workload: list[Job], processors: int, rules: dict[str, Any], whim: tuple[int, float], gap: int
) -> None:
    theirs = Whim(*whim)
    users = SessionReplay(60.0 * (gap / 60), "last", "reduced", "planned")
    replay = tt.SessionReplay(threshold_min=gap / 60, delimiter="last", graph="reduced", ties="planned")
    sim = reference.simulate(workload, processors, on_reference(theirs), users=users, **rules)
    scheduler = Whimsical(seed=whim[0], acts=whim[1])
    result = run_engine(workload, processors, scheduler, users=replay, **rules)
    assert Whimsical.made[-1].seen == theirs.seen
    known = {row: each for row, each in enumerate(outcomes_of(result.columns)) if not math.isnan(each[0])}
    assert list(known.values()) == expected_of(sim)


@examples(400)
@given(st.data(), jobs(most=14), WHIMS, st.sampled_from(["batch", "each-end-first"]))
def test_on_nodes(data: st.DataObject, workload: list[Job], whim: tuple[int, float], same_instant: str) -> None:
    cluster = data.draw(clusters())
    workload = sorted(data.draw(on_nodes(cluster, workload)), key=lambda job: job.submit)
    workload = [Job(**{**vars(job), "pools": ()}) for job in workload]
    broken = data.draw(st.one_of(st.none(), failures(len(cluster.capacity))))
    overrun = data.draw(st.sampled_from(["extend", "extend-blind", "kill"]))
    theirs = Whim(*whim)
    rules: dict[str, Any] = {"failures": broken, "overrun": overrun, "same_instant": same_instant}
    expected = reference.nodes.simulate(workload, cluster, on_reference(theirs), **rules)
    engine = engine_of(workload, cluster, Whimsical(seed=whim[0], acts=whim[1]), **rules)
    engine.run(np.inf, 10**9)
    assert Whimsical.made[-1].seen == theirs.seen
    told = [each[1:] for each in outcomes_of(engine.jobs())]
    assert told == [each[1:] for each in expected_of(expected)]
    placed = placements_of(engine, len(workload))
    done = [row for row, each in enumerate(expected) if each.end is not None]
    assert [sorted(placed[row]) for row in done] == [sorted(expected[row].placement) for row in done]


# --- by hand ------------------------------------------------------------------------------------------------


def policy(answer: Any, **members: Any) -> tt.OwnScheduler:
    def schedule(self: Any, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        return answer(now_s, queue, running, machine)

    return type("Mine", (tt.OwnScheduler,), {"schedule": schedule, **members})()


def long_and_short() -> tt.Workload:
    return tt.Workload.from_columns(
        job=[11, 12, 13],
        submit_s=[0, 2, 4],
        run_s=[10, 3, 1],
        processors=[4, 4, 5],
        requested_time_s=[10, 3, 1],
        user=[1, 2, 1],
    )


def preempt(act: str, **options: Any) -> tt.OwnScheduler:
    """A job that waits replaces a running one of more expected length."""

    def answer(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        first = queue.row[:1]
        if len(running) and queue.expected_s[0] < running.expected_end_s[0] - now_s:
            getattr(machine, act)(running.row[:1], "shorter job", **options)
        return first if queue.processors[0] <= machine.free else ()

    return policy(answer)


def test_a_killed_job_ends_now_and_its_processors_are_free_in_the_same_pass() -> None:
    run = tt.simulate(long_and_short(), MACHINE, preempt("kill"))
    assert run.jobs["status"].to_list() == ["killed", "completed", "rejected"]
    assert run.columns["start_s"].tolist()[:2] == [0, 2]
    assert run.columns["end_s"].tolist()[:2] == [2, 5]
    assert run.attempts.rows() == [(11, 0.0, 2.0, 4, "killed", 0.0)]
    assert run.reports["actions"].rows() == [(0, 11, 2.0, "killed", "shorter job")]
    assert run.statistics["killed"] == {"shorter job": 1}
    assert tt.check(run) == []
    sentence = next(each.sentence for each in run.cautions if each.name == "killed_by_scheduler")
    assert sentence.startswith("1 of 3 jobs (33.3 %) was killed by the scheduler (shorter job: 1): counted as ended")
    assert run.cautions.count("killed") == 0


def test_a_requeued_job_waits_again_and_does_what_is_left() -> None:
    run = tt.simulate(long_and_short(), MACHINE, preempt("requeue", saved_s=1.0, restart_s=4.0))
    assert run.jobs["status"].to_list() == ["completed", "completed", "rejected"]
    assert run.columns["start_s"].tolist()[:2] == [5, 2]
    assert run.columns["end_s"].tolist()[:2] == [5 + 9 + 4, 5]  # 10 s less 1 s saved, and 4 s to restart
    assert run.columns["overhead_s"].tolist()[:2] == [4, 0]
    assert run.attempts.rows() == [(11, 0.0, 2.0, 4, "requeued", 1.0)]
    assert tt.check(run) == []
    assert "1 requeued" in run.cautions.short()
    assert next(each.because for each in run.cautions if each.name == "requeued") == "shorter job: 1"


def test_rejections_have_reasons_beside_those_of_the_machine() -> None:
    def answer(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        machine.reject(queue.row[queue.submit_s < now_s], "waited")
        return [row for row in queue.row[queue.submit_s == now_s] if not len(running)]

    log = tt.Workload.from_columns(
        submit_s=[0, 1, 2, 3], run_s=[9, 1, 1, 1], processors=[4, 1, 1, 5], requested_time_s=[9, 1, 1, 1]
    )
    run = tt.simulate(log, MACHINE, policy(answer))
    assert run.jobs["status"].to_list() == ["completed", "rejected", "rejected", "rejected"]
    assert run.statistics["rejected"] == {"larger than the machine": 1, "waited": 2}
    assert run.reports["actions"]["time_s"].to_list() == [2.0, 3.0]
    assert "waited: 2, larger than the machine: 1" in next(iter(run.cautions)).because
    assert tt.check(run) == []


def test_users_hear_of_rejections_and_kills_at_once() -> None:
    def answer(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        if now_s >= 5:
            machine.kill(running.row, "late")
            machine.reject(queue.row[:1], "no room")
            return queue.row[1:]
        machine.wake(5)
        return queue.row if not len(running) else ()

    log = tt.Workload.from_columns(
        submit_s=[0, 1, 13], wait_s=[0, 0, 0], run_s=[10, 10, 1], processors=[4, 4, 1], user=[1, 2, 2]
    )
    run = tt.simulate(log, MACHINE, policy(answer), users=tt.SessionReplay(threshold_min=0))
    assert run.columns["end_s"][0] == 5
    assert run.columns["submit_s"][2] == 7  # it thinks 2 s, as recorded, after the rejection at 5 s
    assert tt.check(run) == []


def test_hooks_hear_of_requeued_jobs() -> None:
    heard: list[tuple[str, int, float]] = []

    class Mine(tt.OwnScheduler):
        def start(self, processors: int, seed: int) -> Any:
            inner = preempt("requeue")
            inner_schedule = inner.schedule

            class Policy:
                schedule = staticmethod(inner_schedule)

                def submitted(self, row: int, now_s: float) -> None:
                    heard.append(("submitted", row, now_s))

                def ended(self, row: int, now_s: float) -> None:
                    heard.append(("ended", row, now_s))

            return Policy()

    tt.simulate(long_and_short(), MACHINE, Mine())
    assert heard[:4] == [("submitted", 0, 0), ("submitted", 1, 2), ("ended", 0, 2), ("submitted", 0, 2)]


def test_a_result_with_actions_is_saved_and_loaded(tmp_path: Any) -> None:
    run = tt.simulate(long_and_short(), MACHINE, preempt("kill"))
    run.save(tmp_path / "run")
    again = tt.Result.load(tmp_path / "run")
    assert again == run
    assert again.reports["actions"].equals(run.reports["actions"])
    assert again.cautions == run.cautions
    assert tt.check(again) == []


def test_called_when_no_job_waits() -> None:
    class Watchdog(tt.OwnScheduler, when_empty=True):
        """Kills jobs after 4 s."""

        def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
            machine.kill(running.row[running.start_s + 4 <= now_s], "time limit")
            if len(running) or len(queue):
                machine.wake(now_s + 1)
            return queue.row[:1] if not len(running) else ()

    log = tt.Workload.from_columns(submit_s=[0], run_s=[10], processors=[1])
    run = tt.simulate(log, MACHINE, Watchdog())
    assert run.columns["end_s"].tolist() == [4]


# --- nodes --------------------------------------------------------------------------------------------------

NODES = tt.Cluster(groups=[{"name": "g", "nodes": 3, "core": 2}])  # type: ignore[list-item]


def two_jobs() -> tt.Workload:
    return tt.Workload.from_columns(submit_s=[0, 1], run_s=[5, 5], processors=[3, 2], requested_time_s=[5, 5])


@pytest.mark.parametrize("nodes", [[2, 2, 0], {2: 2, 0: 1}, np.array([2, 2, 0]), (2, 0, 2)])
def test_nodes_of_a_job(nodes: Any) -> None:
    def answer(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        if now_s == 0:
            return [(0, nodes)]
        assert machine.nodes(0).tolist() == [2, 2, 0]
        assert machine.node_free[:, 0].tolist() == [1, 2, 0]
        return [queue.row[0]]

    run = tt.simulate(two_jobs(), NODES, policy(answer))
    assert run.placements.rows() == [(1, "g-2", 2), (1, "g-0", 1), (2, "g-0", 1), (2, "g-1", 1)]
    assert tt.check(run) == []


def test_nodes_of_a_job_that_is_killed_are_free_in_the_same_pass() -> None:
    def answer(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        if now_s == 0:
            return [(0, [0, 0, 1])]
        machine.kill(0, "replaced")
        assert machine.node_free[:, 0].tolist() == [2, 2, 2]
        assert machine.fits(queue.row).tolist() == [True]
        return [(1, {0: 2})]

    run = tt.simulate(two_jobs(), NODES, policy(answer))
    assert run.columns["end_s"].tolist() == [1, 6]
    assert tt.check(run) == []


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda *_: [(0, [0, 0, 3])], "put the job in row 0 on node 3 at 0 s: choose from 3 nodes, numbered from 0"),
        (lambda *_: [(0, [-1, 0, 1])], "put the job in row 0 on node -1"),
        (lambda *_: [(0, [0, 1])], "named nodes for 2 units of the job in row 0, which has 3 at 0 s: name one node"),
        (lambda *_: [(0, [0, 0, 0])], "put 3 units of the job in row 0 on node 0, which has room for 2 at 0 s"),
        (lambda *_: [(0, "g-0")], "named the nodes 'g-0' for the job in row 0 at 0 s: give one node number per unit"),
        (lambda *_: [(0, [0.0, 0.0, 1.0])], "named the nodes [0.0, 0.0, 1.0]"),
        (lambda *_: [(0, {0: 0, 1: 3})], "named the nodes {0: 0, 1: 3}"),
        (lambda *_: [(0, [])], "named the nodes []"),
        (lambda *_: [(0, [0, 0, 1], 3)], "among the rows to start"),
    ],
)
def test_wrong_nodes(answer: Any, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        tt.simulate(two_jobs(), NODES, policy(answer))
    assert sentence in str(error.value)


def test_a_closed_node() -> None:
    class Drains(tt.OwnPlugin):
        def before_pass(self, system: Any) -> None:
            if not system.is_closed(0):
                system.close(0)

    with pytest.raises(InputError, match="on node 0, which is closed at 0 s: choose nodes with room"):
        tt.simulate(two_jobs(), NODES, policy(lambda *_: [(0, [0, 0, 1])]), plugins=[Drains()])
    del REGISTRY["plugin"]["drains"]


def test_a_calendar_closes_nodes_that_are_named() -> None:
    calendar = tt.Maintenance(windows=[{"nodes": "0", "from_s": 3, "to_s": 9}])  # type: ignore[call-arg]
    with pytest.raises(InputError, match="on nodes that close before its expected end"):
        tt.simulate(two_jobs(), NODES, policy(lambda *_: [(0, [0, 0, 1])]), plugins=[calendar])


# --- what they may not do -----------------------------------------------------------------------------------


def at_2(act: Any) -> Any:
    """Starts the first job; acts at 2 s, when another waits."""

    def answer(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        return queue.row[:1] if now_s == 0 else act(queue, running, machine) or ()

    return answer


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda q, r, m: m.reject(0, "why"), "the job in row 0 is not waiting: reject jobs of queue.row, and kill"),
        (lambda q, r, m: m.kill(1, "why"), "the job in row 1 is not running: kill jobs of running.row, and reject"),
        (lambda q, r, m: m.requeue([1], "why"), "the job in row 1 is not running: requeue jobs of running.row"),
        (lambda q, r, m: m.kill([0, 0], "why"), "the job in row 0 is killed or requeued twice"),
        (lambda q, r, m: m.reject([1, 1], "why"), "the job in row 1 is rejected twice"),
        (lambda q, r, m: m.reject(q.row > 0, "why"), "rows must be one row or an array of rows"),
        (lambda q, r, m: m.reject(q.row, ""), "a reason must be a text of 1 to 100 letters in one line"),
        (lambda q, r, m: m.reject(q.row, "a\nb"), "a reason must be a text"),
        (lambda q, r, m: [m.reject((), str(k)) for k in range(101)], "at most 100 different reasons"),
        (lambda q, r, m: m.requeue(r.row, "why", saved_s=2.5), "saved_s of the job in row 0 must be from 0 to machine"),
        (lambda q, r, m: m.requeue(r.row, "why", restart_s=-1), "restart_s must be 0 or more"),
        (lambda q, r, m: m.reject(q.row), "failed at 2 s with TypeError"),
        (
            lambda q, r, m: m.reject(q.row, "why") or q.row,
            "the job in row 1, which it rejects in the same pass",
        ),
        (lambda q, r, m: m.requeue(r.row, "why") or [0], "started the job in row 0, which does not wait at 2 s"),
        (
            lambda q, r, m: m.kill(r.row, "why") or [(1, [0])],
            "named nodes for the job in row 1, but this machine has",
        ),
    ],
)
def test_wrong_actions_are_error_messages(act: Any, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        tt.simulate(long_and_short(), MACHINE, policy(at_2(act)))
    assert sentence in str(error.value)


def test_nothing_happens_by_a_wrong_answer() -> None:
    sim = tt.Simulation(long_and_short(), MACHINE, policy(at_2(lambda q, r, m: m.kill(r.row, "why") or [7])))
    sim.step()
    with pytest.raises(InputError, match="row 7, which does not wait"):
        sim.step()
    assert sim.state.running.tolist() == [0]
    assert sim.state.queue.tolist() == [1]


def test_requeueing_for_ever_ends() -> None:
    def answer(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        machine.wake(now_s + 1)
        machine.requeue(running.row, "again")
        return queue.row[:1] if not len(running) else ()

    class Restless(tt.OwnScheduler, when_empty=True):
        def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
            return answer(now_s, queue, running, machine)

    log = tt.Workload.from_columns(submit_s=[0], run_s=[10], processors=[1])
    with pytest.raises(InputError, match="requeued jobs 100001 times without an end or a submission"):
        tt.simulate(log, MACHINE, Restless())


# --- with application models --------------------------------------------------------------------------------


def test_with_tasks_inside_jobs() -> None:
    loops = tt.Loop(technique="ss", tasks_per_core=4, variation=0.3)
    for act, status in (("kill", "killed"), ("requeue", "completed")):
        run = tt.simulate(long_and_short(), MACHINE, preempt(act), applications=loops)
        assert run.jobs["status"][0] == status
        assert len(run.reports["aborted_inside"]) == 1
        assert tt.check(run) == []


@pytest.mark.parametrize("release", ["end", "idle"])
def test_whims_with_tasks_inside_jobs(release: str) -> None:
    from thinktime.testing.user_models import difficult_workload

    loops = tt.Loop(technique="gss", tasks_per_core=3, variation=0.5, release=release)
    for seed in range(5):
        scheduler = Whimsical(seed=seed, acts=0.2)
        run = tt.simulate(difficult_workload(), tt.Machine(processors=8), scheduler, applications=loops)
        assert [each for each in tt.check(run) if each.rule != "no job lost"] == []
        assert len(run.attempts) > 10


# --- checks and streams -------------------------------------------------------------------------------------


class Impatient(tt.OwnScheduler, name="impatient"):
    """First come, first served; a job that has waited 5 minutes is rejected, and a long job is preempted."""

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        late = now_s - queue.submit_s > 300
        machine.reject(queue.row[late], "waited for 5 minutes")
        if len(running) and running.expected_end_s[-1] - now_s > 40 and now_s - running.start_s[-1] < 20:
            machine.requeue(running.row[-1:], "long", saved_s=machine.worked_s(running.row[-1:]))
        rows, sizes = queue.row[~late], queue.processors[~late]
        return rows[np.cumsum(sizes) <= machine.free] if not machine_has_nodes(machine) else rows[machine.fits(rows)]


def machine_has_nodes(machine: Any) -> bool:
    try:
        return machine.node_free is not None
    except AttributeError:
        return False


@pytest.mark.parametrize("platform", [None, tt.testing.policies.small_cluster()])
def test_checked_by_check_scheduler(platform: Any) -> None:
    tt.testing.check_scheduler(Impatient(), platform, may_starve=True)


def test_unreproducible_reasons_are_found() -> None:
    words = iter(map(str, range(50)))

    class Fickle(tt.OwnScheduler):
        def start(self, processors: int, seed: int) -> Any:
            why = next(words)
            return policy(lambda now, queue, running, machine: machine.reject(queue.row, why) or ())

    with pytest.raises(AssertionError, match="decides differently in a second run"):
        tt.testing.check_scheduler(Fickle(), may_starve=True)


def test_in_a_stream(tmp_path: Any) -> None:
    log = tt.Workload.from_columns(
        submit_s=[0, 1, 2, 3],
        run_s=[9, 1, 1, 1],
        processors=[4, 1, 1, 5],
        allocated_processors=[4, 1, 1, 5],
        requested_time_s=[9, 1, 1, 1],
    )
    tt.write_swf(log, tmp_path / "log.swf")

    class Refuses(tt.OwnScheduler, columns=()):
        def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
            machine.reject(queue.row[queue.submit_s < now_s], "waited")
            return queue.row[queue.submit_s == now_s] if not len(running) else ()

    tt.simulate_stream(tmp_path / "log.swf", MACHINE, Refuses(), tmp_path / "run")
    loaded = tt.Result.load(tmp_path / "run")
    assert loaded.statistics["rejected"] == {"larger than the machine": 1, "waited": 2}


@pytest.mark.parametrize(
    "platform", [tt.Machine(processors=8), tt.Cluster(groups=[{"name": "g", "nodes": 4, "core": 2}])]
)  # type: ignore[list-item]
def test_a_stream_records_what_a_simulation_in_memory_does(tmp_path: Any, platform: Any) -> None:
    from thinktime.testing.user_models import difficult_workload

    log = difficult_workload()
    blocks = [{name: values[k : k + 30] for name, values in log.columns.items()} for k in range(0, len(log), 30)]
    scheduler = Whimsical(seed=3, acts=0.2)
    memory = tt.simulate(log, platform, scheduler)
    tt.simulate_stream(blocks, platform, scheduler, tmp_path / "run")
    streamed = tt.Result.load(tmp_path / "run")
    order = np.argsort(streamed.columns["job"])
    assert streamed.columns["end_s"][order].tolist() == pytest.approx(memory.columns["end_s"].tolist(), nan_ok=True)
    for what in ("rejected", "killed", "requeued"):
        assert streamed.statistics[what] == memory.statistics[what]
    told, expected = (run.reports["actions"].select("job", "time_s", "action", "reason") for run in (streamed, memory))
    assert sorted(told.rows()) == sorted(expected.rows())
    assert streamed.cautions.count("killed_by_scheduler") == memory.cautions.count("killed_by_scheduler") > 0
    assert [each for each in tt.check(streamed) if each.rule != "no job lost"] == []


forget()  # what this file has defined: other tests go through the registry
