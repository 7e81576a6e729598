"""A user model of your own, in Python: the engine tells it of every end, and it answers with submissions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Protocol

from thinktime.errors import InputError
from thinktime.spec import is_number
from thinktime.users.user_model import UserModel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from thinktime.workload import Workload

STATUS = ("completed", "killed", "rejected")


class Behaviour(Protocol):
    """What the users of one simulation do. Jobs are rows of the workload; a job is announced once."""

    def begin(self) -> Iterable[tuple[int, float]]:
        """(job, submit time in seconds) of the submissions that wait for nothing."""

    def ended(self, job: int, time_s: float, status: str) -> Iterable[tuple[int, float]]:
        """A job was completed, killed or rejected: the submissions that follow from it, none before now."""


class OwnUsers(UserModel):
    """Base of user models written in Python: `start` gives the behaviour of one simulation.

    A subclass is a spec: its options are class attributes with types, and `name=` is what `run.json` and the command
    line call it. Whatever a behaviour remembers lives in the object that `start` returns, because specs do not change.
    """

    def start(self, workload: Workload, seed: int) -> Behaviour:
        """The users at the beginning of a simulation."""
        raise NotImplementedError(f"{type(self).__name__} needs a method start(workload, seed)")

    def plan(self, workload: Workload, seed: int) -> dict[str, Any]:
        return {"model": Announced(self.name, self.start(workload, seed), len(workload))}


class Announced:
    """Between the engine and a behaviour: what is announced is checked, so that a mistake is a sentence."""

    def __init__(self, name: str, behaviour: Behaviour, jobs: int) -> None:
        self.name, self.behaviour, self.jobs = name, behaviour, jobs
        self.known: set[int] = set()

    def begin(self) -> list[tuple[int, float]]:
        return [self._checked(each, -math.inf) for each in self.behaviour.begin()]

    def ended(self, job: int, time_s: float, status: int) -> list[tuple[int, float]]:
        return [self._checked(each, time_s) for each in self.behaviour.ended(job, time_s, STATUS[status])]

    def _checked(self, submission: Any, now_s: float) -> tuple[int, float]:
        try:
            job, submit_s = submission
            row = int(job)
        except (TypeError, ValueError):
            raise InputError(f"{self.name} announced {submission!r}: answer with pairs (job, submit time)") from None
        if row != job or not 0 <= row < self.jobs:
            raise InputError(f"{self.name} announced job {job!r}: jobs are rows from 0 to {self.jobs - 1}")
        if row in self.known:
            raise InputError(f"{self.name} announced job {row} twice: a job is submitted once")
        if not is_number(submit_s) or not math.isfinite(submit_s) or submit_s < now_s:
            raise InputError(
                f"{self.name} announced job {row} for {submit_s!r} s at {now_s:g} s: choose a time from now on"
            )
        self.known.add(row)
        return row, float(submit_s)
