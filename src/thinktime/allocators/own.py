"""Own allocators in Python: given the nodes with room for a job, `place` returns the nodes to use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, NoReturn

import numpy as np

from thinktime.allocators.allocator import Allocator
from thinktime.errors import InputError
from thinktime.spec.own import Called, OwnSpec
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.traces.column_uses import ColumnUse, readable_columns


class ToPlace(NamedTuple):
    """A job that needs nodes. Columns that the allocator declares are attributes: `job.colour`."""

    row: int  # in the workload
    unit: np.ndarray  # [resource]: what each of its units takes
    start_s: float  # when it would start
    end_s: float  # when it is expected to end
    attributes: JsonTable = MappingProxyType({})

    def __getattr__(self, name: str) -> Any:
        try:
            return self.attributes[name]
        except KeyError:
            raise AttributeError(f"the job's {name} is not available: add it to columns=") from None


class Room(NamedTuple):
    """The nodes with room for a unit, in the order of the configuration: read-only arrays, one row per node."""

    node: np.ndarray
    units: np.ndarray  # number of units of the job that fit
    free: np.ndarray  # [node, resource]: what is free at that time
    capacity: np.ndarray  # [node, resource]: what the node has


class OwnAllocator(OwnSpec, Allocator):
    """Base of allocators in Python: define `place`, which chooses the nodes of a job.

    `place(job, units, nodes)` returns nodes in the order to fill them (each takes as many units as fit until all are
    placed), a pair of arrays (nodes, units on each), or None if the job must wait. Schedulers with reservations also
    ask about the future: the answer must depend on the arguments alone. An allocator that may return None although
    enough units fit sets `adds_up: ClassVar[bool] = False`.

    A subclass is a spec like those of `tt.OwnScheduler`. State belongs to the object that `start` returns. `class
    Mine(OwnAllocator, columns=("user", "colour"))` adds columns and attributes: `job.colour`.

    Examples
    --------
    >>> import thinktime as tt
    >>> class LastNodes(tt.OwnAllocator):
    ...     def place(self, job, units, nodes):
    ...         return nodes.node[::-1]
    """

    adds_up: ClassVar[bool] = True

    columns_shown: ClassVar[tuple[str, ...]] = ()
    reads_texts: ClassVar[bool] = True

    def __init_subclass__(cls, name: str | None = None, columns: Iterable[str] | None = None) -> None:
        if columns is not None:
            cls.columns_shown = readable_columns(columns, cls.__name__)
        super().__init_subclass__(name=cls.take_name(name))

    def columns(self) -> set[ColumnUse]:
        return set(map(ColumnUse, self.columns_shown))

    def start(self, seed: int) -> Any:
        """Return the object that places the jobs of one simulation (default: this object, without state)."""
        return self

    def place(self, job: ToPlace, units: int, nodes: Room) -> Any:
        raise NotImplementedError(f"{type(self).__name__} needs a method place(job, units, nodes)")

    def live_options(self, seed: int) -> JsonDict:
        return {"policy": Placing(self.name, self.start(seed), self.adds_up, self.columns_shown)}


class Placing(Called):
    """What the engine calls: checks the answers of an own allocator."""

    def __init__(self, name: str, policy: Any, adds_up: bool, columns: Iterable[str] = ()) -> None:
        super().__init__("allocator", name)
        if not callable(getattr(policy, "place", None)):
            raise InputError(f"start of {name} gave {policy!r}: return an object with a method place")
        self.policy, self.adds_up = policy, adds_up
        self.names = tuple(columns)
        self.columns = [ColumnUse(column).word for column in self.names]  # as the engine names them
        self.meanings: dict[str, np.ndarray] = {}  # column → what its numbers stand for; 0 is missing

    def place(
        self,
        row: int,
        attributes: Sequence[float],
        unit: Any,
        units: int,
        start_s: float,
        end_s: float,
        node: Any,
        fits: Any,
        free: Any,
        has: Any,
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Return nodes and the units on each; None if the job must wait."""
        for array in (unit, node, fits):
            array.flags.writeable = False
        own = dict(zip(self.names, map(self._meant, self.names, attributes), strict=True))
        job, nodes = ToPlace(row, unit, start_s, end_s, own), Room(node, fits, free, has)
        try:
            answer = self.policy.place(job, units, nodes)
        except Exception as error:
            self.failed(error, start_s)
        return self._checked(answer, job, units, nodes)

    def _meant(self, column: str, number: float) -> Any:
        """Return the value of an attribute: a number, a text or a truth value."""
        meaning = self.meanings.get(column)
        return number if meaning is None else meaning[0 if number != number else int(number)]

    def _checked(self, answer: Any, job: ToPlace, units: int, nodes: Room) -> tuple[np.ndarray, np.ndarray] | None:
        if answer is None:
            if self.adds_up:
                self._refuse("found no nodes for", job, "answer with nodes, or write adds_up: ClassVar[bool] = False")
            return None
        chosen, given = self._arrays(answer, job)
        at = np.minimum(np.searchsorted(nodes.node, chosen), len(nodes.node) - 1)
        strange = np.flatnonzero(nodes.node[at] != chosen)
        if strange.size:
            self._refuse(f"chose node {chosen[strange[0]]}, without room, for", job, "choose from nodes.node")
        if len(np.unique(chosen)) < len(chosen):
            self._refuse("chose a node twice for", job, "name each node once, with all the units on it")
        fits = nodes.units[at]
        return self._filled(chosen, fits, units, job) if given is None else self._exact(chosen, given, fits, units, job)

    def _filled(self, chosen: np.ndarray, fits: np.ndarray, units: int, job: ToPlace) -> tuple[np.ndarray, np.ndarray]:
        """Put as many units on each node as fit, until all are placed."""
        before = np.cumsum(fits) - fits
        needed = before < units
        if fits.sum() < units:
            self._refuse(f"chose nodes for {fits.sum()} of the {units} units of", job, "choose more nodes")
        return chosen[needed], np.minimum(fits, units - before)[needed]

    def _exact(
        self, chosen: np.ndarray, given: np.ndarray, fits: np.ndarray, units: int, job: ToPlace
    ) -> tuple[np.ndarray, np.ndarray]:
        wrong = np.flatnonzero((given < 1) | (given > fits))
        if wrong.size:
            k = wrong[0]
            self._refuse(
                f"put {given[k]} units on node {chosen[k]}, where {fits[k]} fit, of", job, "stay within nodes.units"
            )
        if given.sum() != units:
            self._refuse(f"placed {given.sum()} of the {units} units of", job, "place all of them, and no more")
        return chosen, given

    def _arrays(self, answer: Any, job: ToPlace) -> tuple[np.ndarray, np.ndarray | None]:
        pair = isinstance(answer, tuple) and len(answer) == 2 and all(hasattr(each, "__len__") for each in answer)
        arrays = [np.asarray(each) for each in (answer if pair else [answer])]
        for array in arrays:
            if array.ndim != 1 or not array.size or not np.issubdtype(array.dtype, np.integer):
                self._refuse(f"answered with {answer!r} for", job, "give whole numbers: nodes, or nodes and units")
        if len({len(array) for array in arrays}) > 1:
            self._refuse("gave nodes and units of different lengths for", job, "give the units on each node")
        whole = [np.ascontiguousarray(array, dtype=np.int64) for array in arrays]
        return whole[0], whole[1] if pair else None

    def _refuse(self, what: str, job: ToPlace, advice: str) -> NoReturn:
        raise InputError(f"allocator {self.name} {what} the job in row {job.row} at {job.start_s:.15g} s: {advice}")
