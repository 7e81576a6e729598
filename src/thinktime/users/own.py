"""Own user models in Python: the engine reports every end, and the model returns new submissions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import is_number
from thinktime.spec.own import OwnSpec
from thinktime.support.json_types import JsonDict
from thinktime.support.time_units import LATEST_S
from thinktime.users.user_model import UserModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from thinktime.workload import Workload

STATUS = ("completed", "killed", "rejected")


class Behaviour(Protocol):
    """The users of one simulation. Jobs are rows of the workload; each is announced once."""

    def begin(self) -> Iterable[tuple[int, float]]:
        """Return (job, submit time in seconds) for the submissions that wait for no job."""

    def ended(self, job: int, time_s: float, status: str) -> Iterable[tuple[int, float]]:
        """Return the submissions that follow from a completed, killed or rejected job, none before now."""


class OwnUsers(OwnSpec, UserModel):
    """Base of user models in Python: define `start`, which returns the behaviour of one simulation.

    The behaviour has `begin()` and `ended(job, time_s, status)`; both return pairs (job, submit time). A subclass is a
    spec: options are class attributes with types and defaults, and `name=` (default: the class name) is its name in
    `run.json`. State belongs to the object that `start` returns. A model that draws random numbers sets
    `random: ClassVar[bool] = True` and draws from `seed`.

    Examples
    --------
    >>> import thinktime as tt
    >>> class Behaviour:
    ...     def __init__(self, submit_s):
    ...         self.submit_s = submit_s
    ...     def begin(self):
    ...         return list(enumerate(self.submit_s))
    ...     def ended(self, job, time_s, status):
    ...         return []
    >>> class AsRecorded(tt.OwnUsers):
    ...     def start(self, workload, seed):
    ...         return Behaviour(workload["submit_s"])
    """

    whole_log: ClassVar[str] = "are given the whole workload"

    def __init_subclass__(cls, name: str | None = None) -> None:
        super().__init_subclass__(name=cls.take_name(name))

    def start(self, workload: Workload, seed: int) -> Behaviour:
        """Return the behaviour of the users of one simulation."""
        raise NotImplementedError(f"{type(self).__name__} needs a method start(workload, seed)")

    def plan(self, workload: Workload, seed: int) -> JsonDict:
        behaviour = self.start(workload, seed)
        for callback in ("begin", "ended"):
            if not callable(getattr(behaviour, callback, None)):
                raise InputError(
                    f"start of {self.name} returned {_short_repr(behaviour)}, which has no method {callback}:"
                    " return an object with begin() and ended(job, time_s, status)"
                )
        return {"model": Announced(self.name, behaviour, len(workload))}


class Announced:
    """Between the engine and a behaviour: checks the announced submissions."""

    def __init__(self, name: str, behaviour: Behaviour, jobs: int) -> None:
        self.name, self.behaviour, self.jobs = name, behaviour, jobs
        self.known: set[int] = set()

    def begin(self) -> list[tuple[int, float]]:
        answer = self._asked(self.behaviour.begin)
        return [self._checked(each, -math.inf) for each in answer]

    def ended(self, job: int, time_s: float, status: int) -> list[tuple[int, float]]:
        answer = self._asked(self.behaviour.ended, job, time_s, STATUS[status])
        return [self._checked(each, time_s) for each in answer]

    def _asked(self, ask: Callable[..., Any], *event: Any) -> list[Any]:
        """Return the answer as a list; a generator runs here."""
        callback = "ended" if event else "begin"
        try:
            answer = ask(*event)
            if hasattr(answer, "__iter__"):
                return list(answer)
        except MemoryError:
            raise
        except Exception as error:
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise InputError(
                f"{callback} of {self.name} failed {_call(*event)} ({what}): correct the method"
            ) from error
        raise InputError(
            f"{callback} of {self.name} returned {_short_repr(answer)} {_call(*event)}:"
            " return a list of pairs (job, submit time), [] for none"
        )

    def _checked(self, submission: object, now_s: float) -> tuple[int, float]:
        job, submit_s = self._pair(submission)
        if not is_number(job) or not 0 <= job < self.jobs or job != int(job):
            raise InputError(f"{self.name} announced job {_short_repr(job)}: jobs are rows from 0 to {self.jobs - 1}")
        row = int(job)
        if row in self.known:
            raise InputError(f"{self.name} announced job {row} twice: a job is submitted once")
        if not is_number(submit_s) or not now_s <= submit_s <= LATEST_S or submit_s < -LATEST_S:
            raise InputError(f"{self.name} announced job {row} for {_short_repr(submit_s)} s {_rule(now_s)}")
        self.known.add(row)
        return row, float(submit_s)

    def _pair(self, submission: Any) -> tuple[Any, Any]:
        try:
            job, submit_s = submission
        except (TypeError, ValueError):
            raise InputError(
                f"{self.name} announced {_short_repr(submission)}: answer with pairs (job, submit time)"
            ) from None
        return job, submit_s


def _call(*event: Any) -> str:
    """Describe the call: `begin` has no arguments, `ended` has a job, a time and a status."""
    return f"for job {event[0]}, {event[2]} at {event[1]:.15g} s" if event else "before the first instant"


def _rule(now_s: float) -> str:
    """Describe the times that may be announced."""
    if now_s == -math.inf:
        return "in begin: choose a number of seconds, up to 2^53"
    return f"at {now_s:.15g} s: choose a time from now on, up to 2^53 s"


def _short_repr(value: object, most: int = 60) -> str:
    """Return a short repr on one line; numpy numbers as numbers."""
    text = " ".join(repr(value.item() if isinstance(value, np.generic) else value).split())
    return text if len(text) <= most else f"{text[:most]}…"
