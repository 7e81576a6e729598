"""A scheduler of your own, in Python: the engine asks it once a pass, and it answers with the jobs to start."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ClassVar, NoReturn, Protocol

from thinktime.errors import InputError
from thinktime.schedulers.keys import COLUMNS
from thinktime.schedulers.scheduler import Scheduler
from thinktime.spec import REGISTRY, one_of


class Policy(Protocol):
    """What decides in one simulation. It may also have `submitted(row, now_s)` and `ended(row, now_s)`."""

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Iterable[int]:
        """Rows of the jobs to start now, in that order; see `OwnScheduler`."""


class OwnScheduler(Scheduler):
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

    said_besides: ClassVar[frozenset[str]] = frozenset({"source"})
    columns_shown: ClassVar[tuple[str, ...]] = ("user",)

    def __init_subclass__(cls, name: str | None = None, columns: Iterable[str] | None = None) -> None:
        chosen = name or _dashed(cls.__name__)
        known = REGISTRY["scheduler"].get(chosen)
        if known is not None and not issubclass(known, OwnScheduler):
            raise InputError(
                f"{cls.__name__} would be called {chosen!r}, as {known.__name__} is: give it another name="
            )
        if columns is not None:
            cls.columns_shown = tuple(columns)
        for column in cls.columns_shown:
            one_of(f"a column of {cls.__name__}", column, COLUMNS)
        super().__init_subclass__(name=chosen)

    def start(self, processors: int, seed: int) -> Policy:
        """The policy at the beginning of a simulation: by default this object itself, which remembers nothing."""
        return self

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Iterable[int]:
        raise NotImplementedError(f"{type(self).__name__} needs a method schedule(now_s, queue, running, machine)")

    def columns(self) -> set[str]:
        return set(self.columns_shown)

    def to_dict(self) -> dict[str, Any]:
        """Its name, its options, and the hash of its source: with another source it is another run."""
        source = source_hash(type(self))
        return {**super().to_dict(), **({"source": source} if source else {})}

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> OwnScheduler:
        """What `to_dict` came from, if the class is still the same."""
        source = options.pop("source", None)
        if source is not None and source != source_hash(cls):
            raise InputError(f"scheduler {cls.name} has another source than when this was written: simulate it anew")
        return cls(**options)

    def live_options(self, processors: int, seed: int) -> dict[str, Any]:
        return {"policy": Called(self.name, self.start(processors, seed))}


class Called:
    """Between the engine and a policy: what the engine calls, and the sentences when an answer is wrong."""

    def __init__(self, name: str, policy: Any) -> None:
        if not callable(getattr(policy, "schedule", None)):
            raise InputError(f"start of {name} gave {policy!r}: return an object with a method schedule")
        self.name = name
        self.schedule = policy.schedule
        self.submitted = getattr(policy, "submitted", None)
        self.ended = getattr(policy, "ended", None)

    def refuse(self, what: str, value: Any, now_s: float, row: int) -> NoReturn:
        said, advice = _WRONG[what]
        raise InputError(f"scheduler {self.name} {said.format(value=value, row=row)} at {now_s:.15g} s: {advice}")

    def failed(self, error: Exception, now_s: float) -> NoReturn:
        raise InputError(
            f"scheduler {self.name} failed at {now_s:.15g} s with {type(error).__name__}: {error}"
        ) from error


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


def source_hash(cls: type) -> str:
    """Of the text that defines the class; empty where Python cannot find it."""
    import hashlib
    import inspect

    try:
        return hashlib.sha256(inspect.getsource(cls).encode()).hexdigest()[:16]
    except (OSError, TypeError):
        return ""


def _dashed(name: str) -> str:
    """`ShortestFirst` → `shortest-first`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()
