"""Own schedulers in Python: the engine calls `schedule` once per pass; it returns the jobs to start.

A policy may also name nodes for jobs, reject waiting jobs, and kill or requeue running ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol, TypeAlias

from thinktime.errors import InputError
from thinktime.schedulers.scheduler import Scheduler
from thinktime.spec.own import Called, OwnSpec
from thinktime.traces.column_uses import ColumnUse, readable_columns

if TYPE_CHECKING:
    import numpy as np

#: Nodes of one job: one number per unit, or node → units.
Nodes: TypeAlias = "Sequence[int] | Mapping[int, int] | np.ndarray"
#: Rows to start, each perhaps in a pair with its nodes.
Answer: TypeAlias = Iterable[int | tuple[int, Nodes]]


class Policy(Protocol):
    """Schedules one simulation. It may also have `submitted(row, now_s)` and `ended(row, now_s)`."""

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Answer:
        """Return the rows of the jobs to start now, in that order; see `OwnScheduler`."""


class OwnScheduler(OwnSpec, Scheduler):
    """Base of schedulers in Python: define `schedule`, which is called once per pass while jobs wait.

    `queue` has the arrays `row, submit_s, estimate_s, expected_s, processors, user` of the waiting jobs in the order of
    arrival. `running` has `row, start_s, expected_end_s, processors, user` of the running jobs by expected end.
    `machine` has `processors`, `free` and `wake(time_s)`, which requests a pass at that time. Arrays are read-only
    snapshots. Real run times are hidden: `expected_s` is the estimate; with `overrun="extend"` it is the run time
    where that is longer.

    The answer has rows to start, in that order. On a cluster `(row, nodes)` starts a job on these nodes: one number per
    unit, or `{node: units}`. `machine.reject(rows, reason)` rejects waiting jobs; `machine.kill(rows, reason)` ends
    running jobs; `machine.requeue(rows, reason, saved_s=0, restart_s=0)` puts them back to their place in the queue.
    These happen before the starts of the same answer, which may use what they release.

    A subclass is a spec: options are class attributes with types and defaults, and `name=` (default: the class name) is
    its name in `run.json`. Specs do not change, so state belongs to the object that `start` returns. `class
    Mine(OwnScheduler, columns=("user", "colour"))` adds columns and attributes of the jobs to the arrays: numbers
    (NaN if missing), truth values (False if missing) or texts (None if missing).
    With `when_empty=True` the policy is also called if no job waits.

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
    called_when_empty: ClassVar[bool] = False

    def __init_subclass__(
        cls, name: str | None = None, columns: Iterable[str] | None = None, when_empty: bool | None = None
    ) -> None:
        if when_empty is not None:
            cls.called_when_empty = when_empty
        if columns is not None:
            cls.columns_shown = readable_columns(columns, cls.__name__)
        super().__init_subclass__(name=cls.take_name(name))

    def start(self, processors: int, seed: int) -> Policy:
        """Return the policy of one simulation (default: this object, without state)."""
        return self

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Answer:
        raise NotImplementedError(f"{type(self).__name__} needs a method schedule(now_s, queue, running, machine)")

    def columns(self) -> set[ColumnUse]:
        return set(map(ColumnUse, self.columns_shown))

    def live_options(self, processors: int, seed: int) -> dict[str, Any]:
        shown = " ".join(ColumnUse(name).word for name in self.columns_shown)
        policy = Deciding(self.name, self.start(processors, seed))
        return {"shown": shown, "policy": policy, "when_empty": self.called_when_empty}


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
        said = did.format(value=value, row=row)
        raise InputError(f"scheduler {self.name} {said} at {now_s:.15g} s: {advice.format(value=value)}")

    @staticmethod
    def named_nodes(nodes: Any) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the numbers and the units of the nodes that an answer names; None if it names them in another way."""
        import numpy as np

        if isinstance(nodes, Mapping):
            number, units = (_whole_numbers(list(each)) for each in (nodes.keys(), nodes.values()))
            wrong = number is None or units is None or not len(number) or units.min() < 1
            return None if wrong else (number, units)  # type: ignore[return-value]
        if (each := _whole_numbers(nodes)) is None or not len(each):
            return None
        number, first, units = np.unique(each, return_index=True, return_counts=True)
        order = np.argsort(first)
        return number[order], units[order].astype(np.int64)


def _whole_numbers(values: Any) -> np.ndarray | None:
    import numpy as np

    try:
        array = np.asarray(values)
    except ValueError:
        return None
    return np.ascontiguousarray(array, np.int64) if array.ndim == 1 and array.dtype.kind in "iu" else None


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
    "rejected": ("started the job in row {row}, which it rejects in the same pass", "do one of the two"),
    "counted": ("named nodes for the job in row {row}, but this machine has none", "return the row alone"),
    "nodes": (
        "named the nodes {value!r} for the job in row {row}",
        "give one node number per unit, such as [0, 0, 1], or a dict of node: units",
    ),
    "node": ("put the job in row {row} on node {value[0]}", "choose from {value[1]} nodes, numbered from 0"),
    "units": (
        "named nodes for {value[0]} units of the job in row {row}, which has {value[1]}",
        "name one node per unit of the job",
    ),
    "closed": (
        "put the job in row {row} on node {value}, which is closed",
        "choose nodes with room in machine.node_free",
    ),
    "full": (
        "put {value[2]} units of the job in row {row} on node {value[0]}, which has room for {value[1]}",
        "choose nodes with room in machine.node_free",
    ),
    "pools": ("started the job in row {row}, for which a pool or limit has no room", "start it later"),
    "closure": (
        "put the job in row {row} on nodes that close before its expected end",
        "choose other nodes, or start it later",
    ),
    "requeues": (
        "requeued jobs {value} times without an end or a submission, the last one in row {row},",
        "let jobs complete",
    ),
    "wakes": (
        "was woken {value} times while the job in row {row} waited and no other event was left,",
        "start a job or stop calling machine.wake",
    ),
}
