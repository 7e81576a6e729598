"""Schedulers written in Python: they decide as the engine's do, see what they may, and are held to the rules."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job
from reference.nodes import Cluster
from tests.effort import examples
from tests.engine.nodes import clusters, engine_of, failures, on_nodes, placements_of
from tests.engine.workloads import jobs, rules, run_engine
from tests.schedulers.own_policies import EasyInPython, SkipInPython, forget
from thinktime.errors import InputError
from thinktime.schedulers.own import Deciding
from thinktime.spec import REGISTRY, from_dict
from thinktime.testing.user_models import difficult_workload

MACHINE = tt.Machine(processors=4)


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    for policy in (EasyInPython, SkipInPython):
        REGISTRY["scheduler"][policy.name] = policy
    yield
    forget()


def three_jobs() -> tt.Workload:
    return tt.Workload.from_columns(
        submit_s=[0, 1, 2], run_s=[10, 20, 5], processors=[3, 4, 1], requested_time_s=[12, 30, 6], user=[7, 7, 9]
    )


def policy(answer: Any, **members: Any) -> tt.OwnScheduler:
    """A scheduler whose schedule is a function of the queue, the running and the machine."""

    def schedule(self: Any, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        return answer(now_s, queue, running, machine)

    return type("Mine", (tt.OwnScheduler,), {"schedule": schedule, **members})()


def start_all_that_fit(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
    return queue.row[np.cumsum(queue.processors) <= machine.free]


# --- they decide as the engine's do -------------------------------------------------------------------------


@examples(400)
@given(jobs(), st.integers(2, 8), rules())
def test_easy_in_python_is_easy(workload: list[Job], processors: int, rules: dict[str, Any]) -> None:
    workload = sorted(workload, key=lambda job: job.submit)
    ours, engines = (run_engine(workload, processors, s, **rules) for s in (EasyInPython(), tt.Easy()))
    assert np.array_equal(ours.columns["start_s"], engines.columns["start_s"], equal_nan=True)
    assert np.array_equal(ours.columns["status"], engines.columns["status"])


@pytest.mark.parametrize(
    "users", [tt.Rigid(), tt.SessionReplay(), tt.Adjusted(), tt.Fluid(), tt.DistributionBased(monday_s=0)]
)
def test_with_every_user_model(users: Any) -> None:
    log = difficult_workload()
    pairs = [(EasyInPython(), tt.Easy()), (SkipInPython(), tt.FCFS(skip=True))]
    for ours, engines in pairs:
        first, second = (tt.simulate(log, tt.Machine(processors=8), s, users=users, seed=3) for s in (ours, engines))
        assert np.array_equal(first.columns["start_s"], second.columns["start_s"], equal_nan=True)
        assert tt.check(first) == []


# --- what they see ------------------------------------------------------------------------------------------


def test_what_is_shown() -> None:
    seen: list[Any] = []

    def look(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        waits = (queue.row, queue.submit_s, queue.estimate_s, queue.expected_s, queue.processors, queue.user)
        runs = (running.row, running.start_s, running.expected_end_s, running.processors)
        sizes = (machine.processors, machine.free, machine.really_free, len(queue), len(running))
        seen.append((now_s, [array.tolist() for array in waits], [array.tolist() for array in runs], sizes))
        return start_all_that_fit(now_s, queue, running, machine)

    run = tt.simulate(three_jobs(), MACHINE, policy(look), overrun="extend-blind")
    both = [[1, 2], [1, 2], [30, 6], [30, 6], [4, 1], [7, 9]]
    assert seen == [
        (0, [[0], [0], [12], [12], [3], [7]], [[], [], [], []], (4, 4, 4, 1, 0)),
        (1, [[1], [1], [30], [30], [4], [7]], [[0], [0], [12], [3]], (4, 1, 1, 1, 1)),
        (2, both, [[0], [0], [12], [3]], (4, 1, 1, 2, 1)),
        (10, both, [[], [], [], []], (4, 4, 4, 2, 0)),
        (30, [[2], [2], [6], [6], [1], [9]], [[], [], [], []], (4, 4, 4, 1, 0)),
    ]
    assert run.columns["start_s"].tolist() == [0, 10, 30]


def test_arrays_that_are_kept_stay_what_they_were() -> None:
    kept: list[tuple[np.ndarray, list[int]]] = []

    def keep(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        arrays = (queue.row, queue.processors[1:], running.expected_end_s, queue.row[::2])
        kept.extend((array, array.tolist()) for array in arrays)
        return start_all_that_fit(now_s, queue, running, machine)

    tt.simulate(difficult_workload(), tt.Machine(processors=10), policy(keep))
    gc.collect()
    assert len(kept) > 1000
    assert [array.tolist() for array, _ in kept] == [then for _, then in kept]


def test_arrays_are_read_only_and_reused() -> None:
    addresses: set[int] = set()

    def look(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        addresses.add((queue.row if queue.row.base is None else queue.row.base).ctypes.data)
        assert not queue.row.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            queue.processors[0] = 1
        return start_all_that_fit(now_s, queue, running, machine)

    tt.simulate(difficult_workload(), tt.Machine(processors=10), policy(look))
    assert len(addresses) < 5  # a new array only when the table grows


def test_the_queue_itself_is_shown_only_during_a_pass() -> None:
    held: list[Any] = []

    def keep(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        held[:] = [queue, running, machine]
        return queue.row

    tt.simulate(tt.Workload.from_columns(submit_s=[0], run_s=[1], processors=[1]), MACHINE, policy(keep))
    for look in (lambda: held[0].row, lambda: len(held[1]), lambda: held[2].free, lambda: held[2].wake(3)):
        with pytest.raises(RuntimeError, match="during schedule"):
            look()


def test_columns_of_the_log() -> None:
    class ByQueue(tt.OwnScheduler, columns=("queue",)):
        def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
            best = np.argsort(queue.queue, kind="stable")
            return [] if len(running) else queue.row[best[:1]]

    log = tt.Workload.from_columns(submit_s=[0, 0, 0], run_s=[1, 1, 1], processors=[1, 1, 1], queue=[3, 1, 2])
    assert tt.simulate(log, MACHINE, ByQueue()).columns["start_s"].tolist() == [2, 0, 1]

    class Unasked(ByQueue):
        def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
            return queue.user

    with pytest.raises(InputError, match="AttributeError: the workload's user is not available: add it to columns="):
        tt.simulate(log, MACHINE, Unasked())
    with pytest.raises(InputError, match="column 'run_s' in columns of Wrong is not known when a job is submitted"):

        class Wrong(tt.OwnScheduler, columns=("run_s",)):
            pass


def test_attributes_are_shown_with_their_types() -> None:
    seen: list[Any] = []

    class Looks(tt.OwnScheduler, columns=("colour", "gpus", "urgent", "user")):
        def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
            seen.append((queue.colour, queue.gpus, queue.urgent, running.colour, queue.user))
            return queue.row[queue.colour == "red"][:1] if not len(running) else []

    given = {"colour": ["red", None, "red"], "gpus": [1, None, 0], "urgent": [True, None, False]}
    log = tt.Workload.from_columns(submit_s=[0] * 3, run_s=[1] * 3, processors=[1] * 3, attributes=given)
    with pytest.warns(tt.OutcomeWarning):
        run = tt.simulate(log, MACHINE, Looks())
    assert run.columns["start_s"][[0, 2]].tolist() == [0, 1]
    colour, gpus, urgent, running, user = seen[0]
    assert colour.tolist() == ["red", None, "red"]
    assert gpus.tolist() == pytest.approx([1, np.nan, 0], nan_ok=True)
    assert urgent.tolist() == [True, False, False]
    assert running.tolist() == []
    assert np.isnan(user).all()
    with pytest.raises(InputError, match="reads the attribute 'colour', which workload does not have"):
        tt.simulate(three_jobs(), MACHINE, Looks())


class SkipOnNodes(tt.OwnScheduler, name="skip-on-nodes"):
    """Jobs that fit, in queue order: what the engine's FCFS(skip=True) does."""

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        assert (machine.node_free <= machine.node_capacity).all()
        assert not machine.node_free.flags.writeable
        return queue.row[machine.fits(queue.row)]


@examples(200)
@given(st.data(), jobs(most=12))
def test_on_nodes(data: st.DataObject, workload: list[Job]) -> None:
    cluster = data.draw(clusters())
    workload = sorted(data.draw(on_nodes(cluster, workload)), key=lambda job: job.submit)
    broken = data.draw(st.one_of(st.none(), failures(len(cluster.capacity))))
    found = []
    for scheduler in (SkipOnNodes(), tt.FCFS(skip=True)):
        engine = engine_of(workload, cluster, scheduler, failures=broken)
        engine.run(np.inf, 10**9)
        found.append((engine.jobs()["start_s"].tolist(), placements_of(engine, len(workload))))
    assert repr(found[0]) == repr(found[1])


def test_more_than_fits_on_the_nodes() -> None:
    cluster = Cluster([[2], [2]], [], {"name": "first-fit"}, 1)
    wide = [Job(submit=0, run=5, processors=1, estimate=5, unit=(2,)) for _ in range(3)]
    engine = engine_of(wide, cluster, policy(lambda now, queue, running, machine: queue.row))
    with pytest.raises(InputError, match="started the job in row 2, for which the nodes have no room at 0 s"):
        engine.run(np.inf, 10**9)
    assert engine.node_free.tolist() == [2, 2]  # nothing was started


def test_what_is_shown_of_nodes() -> None:
    seen: list[Any] = []

    def look(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        seen.append((machine.node_free, machine.node_capacity.tolist(), machine.unit(queue.row[0]).tolist()))
        return queue.row[:1]

    jobs = [
        Job(submit=0, run=1, processors=2, estimate=5, unit=(1, 3)),
        Job(submit=1, run=1, processors=1, estimate=5, unit=(2, 0)),
    ]
    engine_of(jobs, Cluster([[2, 4], [2, 4]], [], {"name": "first-fit"}, 1), policy(look)).run(np.inf, 10**9)
    assert [(free.tolist(), *more) for free, *more in seen] == [
        ([[2, 4], [2, 4]], [[2, 4], [2, 4]], [1, 3]),
        ([[2, 4], [2, 4]], [[2, 4], [2, 4]], [2, 0]),
    ]


# --- state, hooks, wake -------------------------------------------------------------------------------------


def test_state_lives_in_what_start_returns() -> None:
    heard: list[Any] = []

    class Remembers:
        def __init__(self, processors: int, seed: int) -> None:
            heard.append(("start", processors, seed))

        def submitted(self, row: int, now_s: float) -> None:
            heard.append(("submitted", row, now_s))

        def ended(self, row: int, now_s: float) -> None:
            heard.append(("ended", row, now_s))

        def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
            return start_all_that_fit(now_s, queue, running, machine)

    class Mine(tt.OwnScheduler):
        def start(self, processors: int, seed: int) -> Any:
            return Remembers(processors, seed)

    tt.simulate(three_jobs(), MACHINE, Mine(), seed=5)
    submitted = [("submitted", 0, 0), ("submitted", 1, 1), ("submitted", 2, 2)]
    assert heard == [("start", 4, 5), *submitted, ("ended", 0, 10), ("ended", 1, 30), ("ended", 2, 35)]


def test_wake() -> None:
    def hourly(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        if now_s % 3600 == 0:
            return start_all_that_fit(now_s, queue, running, machine)
        machine.wake(3600 * (now_s // 3600 + 1))
        return ()

    run = tt.simulate(three_jobs(), MACHINE, policy(hourly))
    assert run.columns["start_s"].tolist() == [0, 3600, 3600] or run.columns["start_s"].tolist() == [0, 3600, 7200]
    assert tt.check(run) == []


def test_a_policy_that_starts_no_job_leaves_them_unfinished() -> None:
    run = tt.simulate(three_jobs(), MACHINE, policy(lambda *_: ()))
    assert np.isnan(run.columns["start_s"]).all()
    assert tt.check(run) != []


# --- what they may not do -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda *_: None, "scheduler mine answered with None at 0 s: return the rows to start, as a list"),
        (lambda *_: 0, "scheduler mine answered with 0 at 0 s: return the rows"),
        (lambda *_: "0", "scheduler mine answered with '0' at 0 s: return the rows"),
        (lambda *_: [0.0], "scheduler mine answered with 0.0 among the rows to start at 0 s: rows are whole numbers"),
        (lambda *_: [True], "answered with True among the rows"),
        (lambda *_: np.array([True]), "answered with "),
        (lambda *_: np.array([0.0]), "among the rows"),
        (lambda *_: np.array([[0]]), "among the rows"),
        (lambda *_: [-1], "answered with -1 among the rows"),
        (lambda *_: np.array([-1]), "started the job in row -1, which does not wait at 0 s"),
        (lambda *_: [10**30], "among the rows"),
        (lambda *_: [1], "started the job in row 1, which does not wait at 0 s: choose rows from queue.row"),
        (lambda *_: [0, 0], "started the job in row 0 twice at 0 s: name each row once"),
        (
            lambda now, queue, *_: queue.row,
            "scheduler mine started the job in row 1, which needs more than the 1 free processors at 1 s: keep the sum",
        ),
        (
            lambda now, *_: [0] if now < 1 else 1 / (now - 1),
            "scheduler mine failed at 1 s with ZeroDivisionError: float division by zero",
        ),
        (lambda now, q, r, machine: machine.wake(now), "failed at 0 s with ValueError: the time of a wake must be"),
    ],
)
def test_wrong_answers_are_error_messages(answer: Any, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        tt.simulate(three_jobs(), MACHINE, policy(answer))
    assert sentence in str(error.value)


def test_exceptions_keep_their_cause() -> None:
    with pytest.raises(InputError) as error:
        tt.simulate(three_jobs(), MACHINE, policy(lambda now, *_: {}[now]))
    assert isinstance(error.value.__cause__, KeyError)
    assert error.value.__cause__.__traceback__ is not None


def test_an_interruption_is_one() -> None:
    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tt.simulate(three_jobs(), MACHINE, policy(interrupted))


def test_nothing_is_started_by_a_wrong_answer() -> None:
    sim = tt.Simulation(three_jobs(), MACHINE, policy(lambda *_: [0, 2]))
    with pytest.raises(InputError, match="row 2, which does not wait"):
        sim.step()
    assert sim.state.free_processors == 4
    assert sim.state.queue.tolist() == [0]


def test_waking_for_ever_ends() -> None:
    def sleeper(now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        machine.wake(now_s + 1)
        return ()

    with pytest.raises(InputError, match="woken 100001 times while the job in row 0 waited"):
        tt.simulate(three_jobs(), MACHINE, policy(sleeper))


def test_an_engine_inside_itself_is_refused() -> None:
    sims: list[tt.Simulation] = []
    sims.append(tt.Simulation(three_jobs(), MACHINE, policy(lambda *_: [sims[0].step()])))
    with pytest.raises(InputError, match="already running"):
        sims[0].step()


# --- they are specs -----------------------------------------------------------------------------------------


class Limited(tt.OwnScheduler):
    """At most so many jobs of one user at once."""

    most: int = 2

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        return start_all_that_fit(now_s, queue, running, machine)[: self.most]


def test_they_print_compare_and_round_trip() -> None:
    REGISTRY["scheduler"]["limited"] = Limited
    assert repr(Limited(most=3)) == "Limited(most=3)"
    assert Limited(most=3) == Limited(most=3) != Limited()
    data = json.loads(json.dumps(Limited(most=3).to_dict()))
    assert data["name"] == "limited"
    assert from_dict("scheduler", data) == Limited(most=3)
    with pytest.raises(InputError, match="another source"):
        from_dict("scheduler", {**data, "source": "0"})


def test_another_source_is_another_run() -> None:
    spec = tt.Simulation(three_jobs(), MACHINE, Limited()).spec["scheduler"]
    assert spec == {"name": "limited", "most": 2, "source": spec["source"]}
    assert len(spec["source"]) == 16


def test_names() -> None:
    with pytest.raises(InputError, match="is 'easy', which is reserved for the built-in Easy"):

        class Easy(tt.OwnScheduler):
            pass

    class Forgetful(tt.OwnScheduler):
        pass

    with pytest.raises(InputError, match="failed at 0 s with NotImplementedError: Forgetful needs a method schedule"):
        tt.simulate(three_jobs(), MACHINE, Forgetful())
    with pytest.raises(InputError, match="return an object with a method schedule"):
        Deciding("mine", object())


def test_they_see_columns_in_streams(tmp_path: Any) -> None:
    log = tt.Workload.from_columns(
        submit_s=[0, 0, 0], run_s=[5] * 3, processors=[4] * 3, allocated_processors=[4] * 3, user=[3, 1, 2]
    )
    tt.write_swf(log, tmp_path / "a.swf")

    class LowUsersFirst(tt.OwnScheduler):
        def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
            return [] if len(running) else queue.row[[queue.user.argmin()]]

    tt.simulate_stream(tt.stream_swf(tmp_path / "a.swf"), MACHINE, LowUsersFirst(), tmp_path / "run")
    run = tt.Result.load(tmp_path / "run")
    assert run.columns["user"].tolist() == [1, 2, 3]
    assert run.columns["start_s"].tolist() == [0, 5, 10]


forget()  # what this file has defined: other tests go through the registry
