"""A scheduler of your own, in Python: the engine asks it once a pass, and it answers with the jobs to start."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, NoReturn, Protocol

from thinktime.errors import InputError
from thinktime.own_spec import Called, OwnSpec
from thinktime.schedulers.keys import COLUMNS
from thinktime.schedulers.scheduler import Scheduler
from thinktime.spec import one_of


class Policy(Protocol):
    """What decides in one simulation. It may also have `submitted(row, now_s)` and `ended(row, now_s)`."""

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Iterable[int]:
        """Rows of the jobs to start now, in that order; see `OwnScheduler`."""


class OwnScheduler(OwnSpec, Scheduler):
    """Base of schedulers written in Python: `schedule` is asked once a pass, whenever somebody waits.

    `queue` has the arrays `row, submit_s, estimate_s, expected_s, processors, user` of who waits, in the order of
    joining; `running` has `row, start_s, expected_end_s, processors, user` of who runs, by expected end; `machine` has
    `processors`, `free` and `wake(time_s)`, which asks for a pass then. Arrays are read-only and stay what they were.
    Real run times are not shown: `expected_s` is the estimate, and under the rule `extend`, by which overruns are
    known, the run time where that is longer.

    A subclass is a spec: its options are class attributes with types and defaults, and `name=` (else the name of the
    class) is what `run.json` calls it. Whatever a policy remembers lives in the object that `start` returns, because
    specs do not change. `class Mine(OwnScheduler, columns=("user", "queue"))` says which columns of the log the arrays
    have besides; a streamed simulation holds none.
    """

    columns_shown: ClassVar[tuple[str, ...]] = ("user",)

    def __init_subclass__(cls, name: str | None = None, columns: Iterable[str] | None = None) -> None:
        if columns is not None:
            cls.columns_shown = tuple(columns)
        for column in cls.columns_shown:
            one_of(f"a column of {cls.__name__}", column, COLUMNS)
        super().__init_subclass__(name=cls.take_name(name))

    def start(self, processors: int, seed: int) -> Policy:
        """The policy at the beginning of a simulation: by default this object itself, which remembers nothing."""
        return self

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Iterable[int]:
        raise NotImplementedError(f"{type(self).__name__} needs a method schedule(now_s, queue, running, machine)")

    def columns(self) -> set[str]:
        return set(self.columns_shown)

    def live_options(self, processors: int, seed: int) -> dict[str, Any]:
        return {"policy": Deciding(self.name, self.start(processors, seed))}


class Deciding(Called):
    """Between the engine and a policy: what the engine calls, and the sentences when an answer is wrong."""

    def __init__(self, name: str, policy: Any) -> None:
        if not callable(getattr(policy, "schedule", None)):
            raise InputError(f"start of {name} gave {policy!r}: return an object with a method schedule")
        super().__init__("scheduler", name)
        self.schedule = policy.schedule
        self.submitted = getattr(policy, "submitted", None)
        self.ended = getattr(policy, "ended", None)

    def refuse(self, what: str, value: Any, now_s: float, row: int) -> NoReturn:
        said, advice = _WRONG[what]
        raise InputError(f"scheduler {self.name} {said.format(value=value, row=row)} at {now_s:.15g} s: {advice}")


#: what is wrong with an answer → (what the policy did, what to do instead)
_WRONG = {
    "answer": ("answered with {value!r}", "return the rows to start, as a list or an array, or () for none"),
    "row": ("answered with {value!r} among the rows to start", "rows are whole numbers from queue.row"),
    "stranger": ("started the job in row {row}, which does not wait", "choose rows from queue.row"),
    "twice": ("started the job in row {row} twice", "name each row once"),
    "room": (
        "started the job in row {row}, which needs more than the {value} processors left",
        "keep the sum of the processors within machine.free",
    ),
    "placement": ("started the job in row {row}, which no nodes have room for", "start what fits on the nodes"),
    "wakes": (
        "was woken {value} times with the job in row {row} waiting, nothing running and nobody to come,",
        "start a job or stop calling machine.wake",
    ),
}
