"""A user model of your own, in Python: the engine tells it of every end, and it answers with submissions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from thinktime.errors import InputError
from thinktime.own_spec import OwnSpec
from thinktime.spec import is_number
from thinktime.users.user_model import UserModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from thinktime.workload import Workload

STATUS = ("completed", "killed", "rejected")
LATEST_S = 2.0**53  # up to here float64 holds whole seconds exactly


class Behaviour(Protocol):
    """What the users of one simulation do. Jobs are rows of the workload; a job is announced once."""

    def begin(self) -> Iterable[tuple[int, float]]:
        """(job, submit time in seconds) of the submissions that wait for nothing."""

    def ended(self, job: int, time_s: float, status: str) -> Iterable[tuple[int, float]]:
        """A job was completed, killed or rejected: the submissions that follow from it, none before now."""


class OwnUsers(OwnSpec, UserModel):
    """Base of user models written in Python: `start` gives the behaviour of one simulation.

    A subclass is a spec: its options are class attributes with types, and `name=` is what `run.json` and the command
    line call it. Whatever a behaviour remembers lives in the object that `start` returns, because specs do not change.
    A model that draws random numbers says so with `random: ClassVar[bool] = True`, and draws them from `seed`.
    """

    def __init_subclass__(cls, name: str | None = None) -> None:
        super().__init_subclass__(name=cls.take_name(name))

    def start(self, workload: Workload, seed: int) -> Behaviour:
        """The users at the beginning of a simulation."""
        raise NotImplementedError(f"{type(self).__name__} needs a method start(workload, seed)")

    def plan(self, workload: Workload, seed: int) -> dict[str, Any]:
        behaviour = self.start(workload, seed)
        for callback in ("begin", "ended"):
            if not callable(getattr(behaviour, callback, None)):
                raise InputError(
                    f"start of {self.name} returned {_shown(behaviour)}, which has no method {callback}:"
                    " return an object with begin() and ended(job, time_s, status)"
                )
        return {"model": Announced(self.name, behaviour, len(workload))}


class Announced:
    """Between the engine and a behaviour: what is announced is checked, so that a mistake is a sentence."""

    def __init__(self, name: str, behaviour: Behaviour, jobs: int) -> None:
        self.name, self.behaviour, self.jobs = name, behaviour, jobs
        self.known: set[int] = set()

    def begin(self) -> list[tuple[int, float]]:
        answer = self._asked(self.behaviour.begin)
        return [self._checked(each, -math.inf) for each in answer]

    def ended(self, job: int, time_s: float, status: int) -> list[tuple[int, float]]:
        answer = self._asked(self.behaviour.ended, job, time_s, STATUS[status])
        return [self._checked(each, time_s) for each in answer]

    def _asked(self, ask: Callable[..., Any], *told: Any) -> list[Any]:
        """The answer as a list; a generator does its work here too."""
        callback = "ended" if told else "begin"
        try:
            answer = ask(*told)
            if hasattr(answer, "__iter__"):
                return list(answer)
        except MemoryError:
            raise
        except Exception as error:
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise InputError(f"{callback} of {self.name} failed {_when(*told)} ({what}): correct the method") from error
        raise InputError(
            f"{callback} of {self.name} returned {_shown(answer)} {_when(*told)}:"
            " return a list of pairs (job, submit time), [] for none"
        )

    def _checked(self, submission: Any, now_s: float) -> tuple[int, float]:
        job, submit_s = self._pair(submission)
        if not is_number(job) or not 0 <= job < self.jobs or job != int(job):
            raise InputError(f"{self.name} announced job {_shown(job)}: jobs are rows from 0 to {self.jobs - 1}")
        row = int(job)
        if row in self.known:
            raise InputError(f"{self.name} announced job {row} twice: a job is submitted once")
        if not is_number(submit_s) or not now_s <= submit_s <= LATEST_S or submit_s < -LATEST_S:
            raise InputError(f"{self.name} announced job {row} for {_shown(submit_s)} s {_rule(now_s)}")
        self.known.add(row)
        return row, float(submit_s)

    def _pair(self, submission: Any) -> tuple[Any, Any]:
        try:
            job, submit_s = submission
        except (TypeError, ValueError):
            raise InputError(
                f"{self.name} announced {_shown(submission)}: answer with pairs (job, submit time)"
            ) from None
        return job, submit_s


def _when(*told: Any) -> str:
    """What a callback was told: nothing in begin; a job, a time and a status upon an end."""
    return f"when told that job {told[0]} was {told[2]} at {told[1]:.15g} s" if told else "before the first instant"


def _rule(now_s: float) -> str:
    """Which times may be announced: in begin, where the clock has not begun, every one that is exact."""
    if now_s == -math.inf:
        return "in begin: choose a number of seconds, up to 2^53"
    return f"at {now_s:.15g} s: choose a time from now on, up to 2^53 s"


def _shown(value: Any, most: int = 60) -> str:
    """As Python writes it, on one line and not too long; a number of numpy's as a number."""
    text = " ".join(repr(value.item() if isinstance(value, np.generic) else value).split())
    return text if len(text) <= most else f"{text[:most]}…"
