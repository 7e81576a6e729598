"""Own schedulers in Python: the engine calls `schedule` once per pass; it returns the jobs to start."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, NoReturn, Protocol

from thinktime.errors import InputError
from thinktime.schedulers.scheduler import Scheduler
from thinktime.spec.own import Called, OwnSpec
from thinktime.traces.column_uses import ColumnUse, readable_columns


class Policy(Protocol):
    """Schedules one simulation. It may also have `submitted(row, now_s)` and `ended(row, now_s)`."""

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Iterable[int]:
        """Return the rows of the jobs to start now, in that order; see `OwnScheduler`."""


class OwnScheduler(OwnSpec, Scheduler):
    """Base of schedulers in Python: define `schedule`, which is called once per pass while jobs wait.

    `queue` has the arrays `row, submit_s, estimate_s, expected_s, processors, user` of the waiting jobs in the order of
    arrival. `running` has `row, start_s, expected_end_s, processors, user` of the running jobs by expected end.
    `machine` has `processors`, `free` and `wake(time_s)`, which requests a pass at that time. Arrays are read-only
    snapshots. Real run times are hidden: `expected_s` is the estimate; with `overrun="extend"` it is the run time
    where that is longer.

    A subclass is a spec: options are class attributes with types and defaults, and `name=` (default: the class name) is
    its name in `run.json`. Specs do not change, so state belongs to the object that `start` returns. `class
    Mine(OwnScheduler, columns=("user", "colour"))` adds columns and attributes of the jobs to the arrays: numbers
    (NaN if missing), truth values (False if missing) or texts (None if missing).

    Examples
    --------
    >>> import thinktime as tt
    >>> class Widest(tt.OwnScheduler):
    ...     def schedule(self, now_s, queue, running, machine):
    ...         first = queue.processors.argmax()
    ...         return queue.row[[first]] if queue.processors[first] <= machine.free else ()
    """

    columns_shown: ClassVar[tuple[str, ...]] = ("user",)
    reads_texts: ClassVar[bool] = True

    def __init_subclass__(cls, name: str | None = None, columns: Iterable[str] | None = None) -> None:
        if columns is not None:
            cls.columns_shown = readable_columns(columns, cls.__name__)
        super().__init_subclass__(name=cls.take_name(name))

    def start(self, processors: int, seed: int) -> Policy:
        """Return the policy of one simulation (default: this object, without state)."""
        return self

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Iterable[int]:
        raise NotImplementedError(f"{type(self).__name__} needs a method schedule(now_s, queue, running, machine)")

    def columns(self) -> set[ColumnUse]:
        return set(map(ColumnUse, self.columns_shown))

    def live_options(self, processors: int, seed: int) -> dict[str, Any]:
        shown = " ".join(ColumnUse(name).word for name in self.columns_shown)
        return {"shown": shown, "policy": Deciding(self.name, self.start(processors, seed))}


class Deciding(Called):
    """Between the engine and a policy: what the engine calls, and the errors for wrong answers."""

    def __init__(self, name: str, policy: Any) -> None:
        if not callable(getattr(policy, "schedule", None)):
            raise InputError(f"start of {name} gave {policy!r}: return an object with a method schedule")
        super().__init__("scheduler", name)
        self.schedule = policy.schedule
        self.submitted = getattr(policy, "submitted", None)
        self.ended = getattr(policy, "ended", None)

    def refuse(self, what: str, value: Any, now_s: float, row: int) -> NoReturn:
        did, advice = _WRONG[what]
        raise InputError(f"scheduler {self.name} {did.format(value=value, row=row)} at {now_s:.15g} s: {advice}")


#: mistake → (what the policy did, what to do instead)
_WRONG = {
    "answer": ("answered with {value!r}", "return the rows to start, as a list or an array, or () for none"),
    "row": ("answered with {value!r} among the rows to start", "rows are whole numbers from queue.row"),
    "stranger": ("started the job in row {row}, which does not wait", "choose rows from queue.row"),
    "twice": ("started the job in row {row} twice", "name each row once"),
    "room": (
        "started the job in row {row}, which needs more than the {value} free processors",
        "keep the sum of the processors within machine.free",
    ),
    "placement": ("started the job in row {row}, for which the nodes have no room", "start what fits on the nodes"),
    "wakes": (
        "was woken {value} times while the job in row {row} waited and no other event was left,",
        "start a job or stop calling machine.wake",
    ),
}
