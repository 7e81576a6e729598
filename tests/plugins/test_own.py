"""Plugins written in Python: what they hear, say, veto and do; and what they are told of mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.plugins.small import SCHEDULERS, cluster, random_workload, workload
from thinktime.errors import InputError


class Listener(tt.OwnPlugin, name="listener"):
    """Writes down all it hears."""

    def start(self, context: Any) -> Any:
        return Heard()


class Heard:
    def __init__(self) -> None:
        self.log: list[tuple[float, str, int]] = []

    def begin(self, system: Any) -> None:
        self.log.append((-1.0, "begin", -1))

    def submitting(self, system: Any, job: int) -> bool:
        self.log.append((system.now_s, "submitting", job))
        return True

    def submitted(self, system: Any, job: int) -> None:
        self.log.append((system.now_s, "submitted", job))
        assert job in system.queue

    def starting(self, system: Any, job: int) -> bool:
        self.log.append((system.now_s, "starting", job))
        return True

    def started(self, system: Any, job: int) -> None:
        self.log.append((system.now_s, "started", job))
        assert system.is_running(job)
        assert job in system.running

    def ending(self, system: Any, job: int) -> None:
        self.log.append((system.now_s, "ending", job))

    def ended(self, system: Any, job: int) -> None:
        self.log.append((system.now_s, "ended", job))

    def report(self) -> dict[str, Any]:
        time, what, job = zip(*self.log, strict=True)
        return {"time_s": time, "what": what, "row": job}


def test_what_a_plugin_hears() -> None:
    result = tt.simulate(workload([(0, 10, 10, 2), (5, 10, 10, 2)]), cluster(1), tt.FCFS(), plugins=[Listener()])
    heard = result.reports["listener"].rows()
    assert heard == [
        (-1, "begin", -1),
        (0, "submitting", 0),
        (0, "submitted", 0),
        (0, "starting", 0),
        (0, "started", 0),
        (5, "submitting", 1),
        (5, "submitted", 1),
        (10, "ending", 0),
        (10, "ended", 0),
        (10, "starting", 1),
        (10, "started", 1),
        (20, "ending", 1),
        (20, "ended", 1),
    ]
    assert result.spec["plugins"][0]["name"] == "listener"


class Quiet(tt.OwnPlugin, name="quiet"):
    """Changes nothing."""

    def after_pass(self, system: Any) -> None:
        system.publish("queue", float(len(system.queue)))


@pytest.mark.parametrize("scheduler", SCHEDULERS, ids=str)
def test_one_that_does_nothing_changes_nothing(scheduler: Any) -> None:
    log = random_workload(4)
    plain = tt.simulate(log, cluster(4), scheduler)
    heard = tt.simulate(log, cluster(4), scheduler, plugins=[Quiet()])
    assert plain.jobs["start_s"].equals(heard.jobs["start_s"])
    assert plain.jobs["nodes"].equals(heard.jobs["nodes"])


class Curfew(tt.OwnPlugin, name="curfew"):
    """No job starts in the first half of every thousand seconds; large jobs are refused; wakes when the ban ends."""

    most: int = 5

    def start(self, context: Any) -> Any:
        return Doorkeeper(context.processors, self.most)


class Doorkeeper:
    def __init__(self, processors: np.ndarray, most: int) -> None:
        self.processors, self.most = processors, most

    def submitting(self, system: Any, job: int) -> bool:
        return bool(self.processors[job] <= self.most)

    def starting(self, system: Any, job: int) -> bool:
        return system.now_s % 1000 >= 500

    def before_pass(self, system: Any) -> None:
        if system.now_s % 1000 < 500:
            system.wake(system.now_s // 1000 * 1000 + 500)

    def act(self, system: Any) -> None:
        pass


@pytest.mark.parametrize("scheduler", SCHEDULERS, ids=str)
def test_vetoes(scheduler: Any) -> None:
    log = random_workload(4)
    result = tt.simulate(log, cluster(4), scheduler, plugins=[Curfew()])
    assert (result.columns["start_s"][~np.isnan(result.columns["start_s"])] % 1000 >= 500).all()
    refused = result.columns["processors"] > 5
    assert (result.jobs["status"] == "rejected").to_list() == refused.tolist()
    assert result.statistics["rejected"] == {"by a plugin": int(refused.sum())}
    assert tt.check(result) == []


class Chaos(tt.OwnPlugin, name="chaos"):
    """Every 100 s it aborts the job that runs longest, or closes and opens nodes."""

    def begin(self, system: Any) -> None:
        system.wake(100.0)

    def act(self, system: Any) -> None:
        turn = int(system.now_s // 100)
        if turn < 30:
            system.wake(system.now_s + 100)
        if turn % 3 == 0 and len(system.running):
            job = int(system.running[-1])
            system.abort(job, lost=turn % 2 == 0, saved_s=0 if turn % 2 == 0 else system.worked_s(job) / 2, restart_s=3)
        node = turn % system.nodes
        system.open(node) if system.is_closed(node) else system.close(node)
        system.publish("closed", sum(system.is_closed(node) for node in range(system.nodes)))
        if turn == 30:
            for node in range(system.nodes):
                if system.is_closed(node):
                    system.open(node)


@pytest.mark.parametrize("scheduler", SCHEDULERS, ids=str)
@pytest.mark.parametrize("power", [False, True])
def test_aborting_and_closing(scheduler: Any, power: bool) -> None:
    plugins = [Chaos(), *([tt.Power(off_after_s=50)] if power else [])]
    result = tt.simulate(random_workload(6, jobs=40), cluster(4), scheduler, plugins=plugins)
    assert len(result.attempts)
    assert not (result.jobs["status"] == "unfinished").any()
    assert tt.check(result) == []


def test_published_values_are_seen_by_others() -> None:
    class Reader(tt.OwnPlugin, name="reader"):
        def start(self, context: Any) -> Any:
            return Read()

    class Read:
        seen: Any = None

        def after_pass(self, system: Any) -> None:
            self.seen = dict(system.values)

        def report(self) -> dict[str, Any]:
            return {"watts": [self.seen["power_w"]], "queue": [self.seen["queue"]]}

    plugins = [tt.Power(idle_w=100, processor_w=10), Quiet(), Reader()]
    result = tt.simulate(workload([(0, 10, 10, 1)]), cluster(2), tt.FCFS(), plugins=plugins)
    assert result.reports["reader"].rows() == [(200.0, 0.0)]


class Kept(tt.OwnPlugin, name="kept"):
    def start(self, context: Any) -> Any:
        KEPT.clear()
        return self

    def after_pass(self, system: Any) -> None:
        KEPT.append(system)


KEPT: list[Any] = []


def test_a_system_that_was_kept_fails_loudly() -> None:
    tt.simulate(workload([(0, 10, 10, 1)]), cluster(2), tt.FCFS(), plugins=[Kept()])
    with pytest.raises(RuntimeError, match="only during a callback"):
        _ = KEPT[0].queue


def failing(**callbacks: Any) -> tt.OwnPlugin:
    return type("Wrong", (tt.OwnPlugin,), callbacks)()


@pytest.mark.parametrize(
    ("callbacks", "words"),
    [
        ({}, "none of the callbacks"),
        ({"starting": lambda self, system, job: None}, "starting of plugin wrong answered with None"),
        ({"submitting": lambda self, system, job: 1}, "return True or False"),
        ({"delay": lambda self, system, job: -1}, "return 0 or more seconds"),
        ({"started": lambda self, system, job: 1 / 0}, "plugin wrong failed at 0 s with ZeroDivisionError"),
        ({"started": lambda self, system, job: system.abort(job)}, "in act, submitted or before_pass"),
        ({"before_pass": lambda self, system: system.close(99)}, "unknown node"),
        ({"before_pass": lambda self, system: system.abort(0)}, "only while it runs"),
        ({"before_pass": lambda self, system: system.open(0)}, "has not closed the node"),
        ({"after_pass": lambda self, system: system.wake(0.0)}, "after now"),
    ],
)
def test_mistakes_are_error_messages(callbacks: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        tt.simulate(workload([(0, 10, 10, 1)]), cluster(2), tt.FCFS(), plugins=[failing(**callbacks)])


def test_delays() -> None:
    slow = type("Slow", (tt.OwnPlugin,), {"delay": lambda self, system, job: 7})()
    result = tt.simulate(workload([(0, 10, 10, 1)]), cluster(2), tt.FCFS(), plugins=[slow], overrun="kill")
    assert result.jobs["end_s"].to_list() == [17]
    assert tt.check(result) == []


class Opener(tt.OwnPlugin):
    """Opens whatever is closed, although others have closed it."""

    def before_pass(self, system: Any) -> None:
        for node in range(system.nodes):
            if system.is_closed(node):
                system.open(node)


def test_a_plugin_opens_only_what_it_has_closed() -> None:
    broken = tt.Failures(table=[("g-0", 5.0, 500.0)])
    with pytest.raises(InputError, match="this plugin has not closed the node"):
        tt.simulate(workload([(0, 10, 10, 1), (20, 10, 10, 1)]), cluster(2), tt.FCFS(), plugins=[broken, Opener()])


class Reporting(tt.OwnPlugin):
    """Reports what it is told to."""

    what: str = "failing"

    def act(self, system: Any) -> None: ...

    def report(self) -> Any:
        if self.what == "failing":
            raise KeyError("no such column")
        return {"things": [object()]} if self.what == "things" else {"x": [[1, 2]]}


class SameTable(tt.OwnPlugin, name="node_energy"):
    """Reports a table that the power plugin has too."""

    def act(self, system: Any) -> None: ...

    def report(self) -> dict[str, list[int]]:
        return {"x": [1]}


@pytest.mark.parametrize(
    ("plugins", "words"),
    [
        ([Reporting()], "report of plugin reporting failed with KeyError: 'no such column'"),
        ([Reporting(what="things")], "a column 'things' of object: give numbers or texts"),
        ([Reporting(what="table")], "a column 'x' of int64: give numbers or texts"),
        ([tt.Power(), SameTable()], "two plugins report a table 'node_energy'"),
    ],
)
def test_reports_that_are_none(plugins: list[Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        tt.simulate(workload([(0, 1, 1, 1)]), cluster(1), tt.FCFS(), plugins=plugins)


class Wrong(tt.OwnPlugin, name="wrong-call"):
    where: str = "begin"

    def begin(self, system: Any) -> None:
        if self.where == "begin":
            system.close(0)

    def before_pass(self, system: Any) -> None:
        for job in system.running.tolist():
            system.abort(job, restart_s=float("inf"))

    def after_pass(self, system: Any) -> None:
        if self.where == "publish":
            system.publish("heat", "much")

    def delay(self, system: Any, job: int) -> float:
        return 1e300 if self.where == "delay" else 0.0


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("begin", "failed before the first instant with RuntimeError"),
        ("publish", r"TypeError: publish\(\): incompatible function arguments$"),
        ("delay", "return 0 or more seconds"),
        ("restart", "restart_s must be 0 or more"),
    ],
)
def test_calls_that_are_wrong(where: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        tt.simulate(workload([(0, 9, 9, 1), (1, 9, 9, 1)]), cluster(1), tt.FCFS(), plugins=[Wrong(where=where)])


@pytest.mark.parametrize("taken", ["kind", "name"])
def test_options_that_every_spec_has(taken: str) -> None:
    with pytest.raises(InputError, match=f"an option '{taken}'"):
        type("Misnamed", (tt.OwnPlugin,), {"__annotations__": {taken: str}, taken: "x"})
