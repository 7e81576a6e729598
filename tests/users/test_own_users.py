"""User models written in Python: the engine drives them, they are held to the rules, and the rules can be checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import thinktime as tt
from thinktime.spec import REGISTRY
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
    assert result.spec["users"] == {"name": "in-turn", "think_s": 5.0}
    assert tt.check(result) == []


def test_it_passes_the_check() -> None:
    tt.testing.check_user_model(InTurn())


@pytest.mark.parametrize("name", ["rigid", "session-replay", "adjusted", "fluid"])
def test_the_models_of_the_package_pass_it_too(name: str) -> None:
    tt.testing.check_user_model(REGISTRY["users"][name]())  # type: ignore[arg-type]


def test_distribution_based_users_pass_it() -> None:
    tt.testing.check_user_model(tt.DistributionBased(monday_s=0))


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

    def __init__(self, *answer: Any) -> None:
        self.answer = answer

    def begin(self) -> Any:
        return [(0, 0)]

    def ended(self, job: int, time_s: float, status: str) -> Any:
        if job == 0:
            return list(self.answer)
        return []


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ([(1, 9.0)], "mistaken announced job 1 for 9.0 s at 10 s: choose a time from now on"),
        ([(1, float("nan"))], "mistaken announced job 1 for nan s at 10 s: choose a time from now on"),
        ([(3, 11)], "mistaken announced job 3: jobs are rows from 0 to 2"),
        ([(0, 11)], "mistaken announced job 0 twice: a job is submitted once"),
        ([1], "mistaken announced 1: answer with pairs (job, submit time)"),
    ],
)
def test_mistakes_of_a_model_are_sentences(answer: list[Any], sentence: str) -> None:
    class Mistaken(tt.OwnUsers, name="mistaken"):
        def start(self, workload: tt.Workload, seed: int) -> Any:
            return Says(*answer)

    with pytest.raises(tt.InputError) as mistake:
        tt.simulate(three_jobs(), tt.Machine(processors=2), tt.FCFS(), users=Mistaken())
    assert str(mistake.value) == sentence


def test_the_check_finds_who_loses_jobs_and_who_changes_his_mind() -> None:
    class Loses(tt.OwnUsers, name="loses"):
        def start(self, workload: tt.Workload, seed: int) -> Any:
            return Says()

    shared = OneAtATime(difficult_workload(), 1.0)
    asked = [0]

    class Wavers(InTurn, name="wavers"):
        def start(self, workload: tt.Workload, seed: int) -> Any:
            asked[0] += 1
            return OneAtATime(workload, shared.think_s + asked[0])

    with pytest.raises(AssertionError, match="never submits job 1"):
        tt.testing.check_user_model(Loses())
    with pytest.raises(AssertionError, match="decides differently when asked again"):
        tt.testing.check_user_model(Wavers())
