"""User models written in Python: the engine drives them, they are held to the rules, and the rules can be checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import thinktime as tt
from thinktime.spec import REGISTRY
from thinktime.spec.own_source import source_of
from thinktime.testing.user_models import difficult_workload


class OneAtATime:
    """Each user submits a job, waits for its end, thinks, and submits the next."""

    def __init__(self, workload: tt.Workload, think_s: float) -> None:
        self.think_s = think_s
        self.of: dict[float, list[int]] = {}
        for row, user in enumerate(workload["user"].tolist()):
            self.of.setdefault(user, []).append(row)
        self.user = workload["user"].tolist()
        self.first_s = {user: float(workload["submit_s"][rows[0]]) for user, rows in self.of.items()}

    def begin(self) -> list[tuple[int, float]]:
        return [(rows.pop(0), self.first_s[user]) for user, rows in self.of.items()]

    def ended(self, job: int, time_s: float, status: str) -> list[tuple[int, float]]:
        assert status in ("completed", "killed", "rejected")
        rows = self.of[self.user[job]]
        return [(rows.pop(0), time_s + self.think_s)] if rows else []


class InTurn(tt.OwnUsers, name="in-turn"):
    think_s: float = 5.0

    def start(self, workload: tt.Workload, seed: int) -> OneAtATime:
        return OneAtATime(workload, self.think_s)


@pytest.fixture(autouse=True, scope="module")
def _forget_the_models() -> Any:
    """Other tests go through the registry."""
    yield
    for name in [name for name, cls in REGISTRY["users"].items() if issubclass(cls, tt.OwnUsers)]:
        del REGISTRY["users"][name]


def three_jobs() -> tt.Workload:
    return tt.Workload.from_columns(submit_s=[0, 1, 2], run_s=[10, 10, 10], processors=[1, 9, 1], user=[1, 1, 1])


def test_a_model_in_python_closes_the_loop() -> None:
    result = tt.simulate(three_jobs(), tt.Machine(processors=2), tt.FCFS(), users=InTurn())
    assert result.columns["submit_s"].tolist() == [0, 15, 20]  # the second is rejected, which ends it at once
    assert result.spec["users"] == {"name": "in-turn", "think_s": 5.0, "source": source_of(InTurn).sha256}
    assert tt.check(result) == []


def test_it_passes_the_check() -> None:
    tt.testing.check_user_model(InTurn())


@pytest.mark.parametrize("name", ["rigid", "session-replay", "adjusted", "fluid", "distribution-based"])
def test_the_models_of_the_package_pass_it_too(name: str) -> None:
    tt.testing.check_user_model(REGISTRY["users"][name]())  # type: ignore[arg-type]


def test_a_python_rigid_user_is_the_rigid_user() -> None:
    class Recorded(tt.OwnUsers, name="recorded-in-python"):
        def start(self, workload: tt.Workload, seed: int) -> Any:
            class Users:
                def begin(self) -> Any:
                    return enumerate(workload["submit_s"].tolist())

                def ended(self, *_: Any) -> Any:
                    return ()

            return Users()

    workload = difficult_workload()
    runs = [
        tt.simulate(workload, tt.Machine(processors=8), tt.Easy(), users=users) for users in (Recorded(), tt.Rigid())
    ]
    for name in ("submit_s", "start_s", "end_s"):
        assert np.array_equal(runs[0].columns[name], runs[1].columns[name], equal_nan=True)


# --- mistakes -----------------------------------------------------------------------------------------------


class Says:
    """Announces job 0 for 0 s, and upon its end what it was told to."""

    def __init__(self, answer: Any, begin: Any = ((0, 0),)) -> None:
        self.answer, self.first = answer, begin

    def begin(self) -> Any:
        return self.first

    def ended(self, job: int, time_s: float, status: str) -> Any:
        return self.answer if job == 0 else []


def sentence_of(behaviour: Any) -> str:
    class Mistaken(tt.OwnUsers, name="mistaken"):
        def start(self, workload: tt.Workload, seed: int) -> Any:
            return behaviour

    with pytest.raises(tt.InputError) as mistake:
        tt.simulate(three_jobs(), tt.Machine(processors=2), tt.FCFS(), users=Mistaken())
    return str(mistake.value)


ROWS = "jobs are rows from 0 to 2"
FROM_NOW = "choose a time from now on, up to 2^53 s"
LIST = "return a list of pairs (job, submit time), [] for none"
TOLD = "for job 0, completed at 10 s"


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ([(1, 9.0)], f"mistaken announced job 1 for 9.0 s at 10 s: {FROM_NOW}"),
        ([(1, np.float64(9.5))], f"mistaken announced job 1 for 9.5 s at 10 s: {FROM_NOW}"),
        ([(1, float("nan"))], f"mistaken announced job 1 for nan s at 10 s: {FROM_NOW}"),
        ([(1, 1e300)], f"mistaken announced job 1 for 1e+300 s at 10 s: {FROM_NOW}"),
        ([(1, "11")], f"mistaken announced job 1 for '11' s at 10 s: {FROM_NOW}"),
        ([(3, 11)], f"mistaken announced job 3: {ROWS}"),
        ([(-1, 11)], f"mistaken announced job -1: {ROWS}"),
        ([(1.5, 11)], f"mistaken announced job 1.5: {ROWS}"),
        ([(np.float64(1.5), 11)], f"mistaken announced job 1.5: {ROWS}"),
        ([(float("inf"), 11)], f"mistaken announced job inf: {ROWS}"),
        ([(float("nan"), 11)], f"mistaken announced job nan: {ROWS}"),
        ([(10**30, 11)], f"mistaken announced job {10**30}: {ROWS}"),
        ([("1", 11)], f"mistaken announced job '1': {ROWS}"),
        ([(True, 11)], f"mistaken announced job True: {ROWS}"),
        ([(0, 11)], "mistaken announced job 0 twice: a job is submitted once"),
        ([1], "mistaken announced 1: answer with pairs (job, submit time)"),
        ((1, 11), "mistaken announced 1: answer with pairs (job, submit time)"),
        (None, f"ended of mistaken returned None {TOLD}: {LIST}"),
        (1, f"ended of mistaken returned 1 {TOLD}: {LIST}"),
    ],
)
def test_mistakes_of_a_model_are_error_messages(answer: Any, sentence: str) -> None:
    assert sentence_of(Says(answer)) == sentence


@pytest.mark.parametrize(
    ("begin", "sentence"),
    [
        (None, f"begin of mistaken returned None before the first instant: {LIST}"),
        (0, f"begin of mistaken returned 0 before the first instant: {LIST}"),
        (
            [(0, float("-inf"))],
            "mistaken announced job 0 for -inf s in begin: choose a number of seconds, up to 2^53",
        ),
        ([(0, None)], "mistaken announced job 0 for None s in begin: choose a number of seconds, up to 2^53"),
    ],
)
def test_mistakes_in_begin_are_error_messages(begin: Any, sentence: str) -> None:
    assert sentence_of(Says([], begin)) == sentence


def test_an_unknown_behaviour_is_reported() -> None:
    need = "return an object with begin() and ended(job, time_s, status)"
    assert sentence_of(None) == f"start of mistaken returned None, which has no method begin: {need}"


class Fails:
    """Raises upon an end, or, asked to, inside the generator that `begin` returns."""

    def __init__(self, at_once: bool) -> None:
        self.at_once = at_once

    def begin(self) -> Any:
        yield 0, 0.0
        if self.at_once:
            raise KeyError("user 7")

    def ended(self, job: int, time_s: float, status: str) -> Any:
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("at_once", "sentence", "cause"),
    [
        (
            False,
            f"ended of fails failed {TOLD} (ZeroDivisionError): correct the method",
            ZeroDivisionError,
        ),
        (True, "begin of fails failed before the first instant (KeyError: 'user 7'): correct the method", KeyError),
    ],
)
def test_an_exception_of_a_model_says_where_and_when(at_once: bool, sentence: str, cause: type) -> None:
    class Failing(tt.OwnUsers, name="fails"):
        def start(self, workload: tt.Workload, seed: int) -> Any:
            return Fails(at_once)

    with pytest.raises(tt.InputError) as mistake:
        tt.simulate(three_jobs(), tt.Machine(processors=2), tt.FCFS(), users=Failing())
    assert str(mistake.value) == sentence
    assert isinstance(mistake.value.__cause__, cause)


def test_a_name_of_the_package_stays_its_own() -> None:
    with pytest.raises(tt.InputError) as mistake:

        class Mine(tt.OwnUsers, name="fluid"):
            pass

    assert str(mistake.value) == (
        "the name of Mine is 'fluid', which is reserved for the built-in Fluid: choose another with name="
    )
    assert REGISTRY["users"]["fluid"] is tt.Fluid


def test_an_own_model_may_be_defined_again_and_is_called_as_its_class() -> None:
    first, second = (type("Again", (tt.OwnUsers,), {}, name="again") for _ in range(2))
    assert REGISTRY["users"]["again"] is second is not first
    assert type("NoName", (tt.OwnUsers,), {})().name == "no-name"


def test_the_check_finds_models_that_lose_jobs_or_are_not_deterministic() -> None:
    class Loses(tt.OwnUsers, name="loses"):
        def start(self, workload: tt.Workload, seed: int) -> Any:
            return Says([])

    shared = OneAtATime(difficult_workload(), 1.0)
    asked = [0]

    class Wavers(InTurn, name="wavers"):
        def start(self, workload: tt.Workload, seed: int) -> Any:
            asked[0] += 1
            return OneAtATime(workload, shared.think_s + asked[0])

    with pytest.raises(
        AssertionError, match=r"never submits 199 of 200 jobs \(rows 1, 2, 3, 4, 5, …\): announce every"
    ):
        tt.testing.check_user_model(Loses())
    with pytest.raises(AssertionError, match="decides differently in a second run"):
        tt.testing.check_user_model(Wavers())
    lost = tt.check(tt.simulate(three_jobs(), tt.Machine(processors=2), tt.FCFS(), users=Loses()))
    assert [each.job for each in lost] == [2, 3]
    assert str(lost[0]) == (
        "job 2 was never submitted by its user (loses), but the run was not stopped:"
        " a user model announces every job once"
    )
