"""An allocator of your own, in Python: given the nodes with room for a job, it answers with those to take."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, NoReturn

import numpy as np

from thinktime.allocators.allocator import Allocator
from thinktime.errors import InputError
from thinktime.own_spec import Called, OwnSpec


class ToPlace(NamedTuple):
    """A job that needs nodes."""

    row: int  # in the workload
    unit: np.ndarray  # what each of its units takes of every resource
    start_s: float  # when it would start,
    end_s: float  # and is expected to end


class Room(NamedTuple):
    """The nodes with room for a unit or more, in the order of the configuration: read-only arrays, a row a node."""

    node: np.ndarray
    units: np.ndarray  # how many units of the job fit on it
    free: np.ndarray  # [node, resource]: what is free there then
    capacity: np.ndarray  # [node, resource]: what the node has


class OwnAllocator(OwnSpec, Allocator):
    """Base of allocators written in Python: `place` says where a job goes.

    It answers with nodes in the order in which they are to be filled, each with as many units as fit until there are
    enough; or with a pair of arrays, nodes and the units on each; or with None if the job must wait. Schedulers that
    promise nodes ask it about the future too: it must decide by what it is given, and the same each time. One that may
    answer None though the units that fit add up says `adds_up: ClassVar[bool] = False`.

    A subclass is a spec, as one of `OwnScheduler` is. Whatever it remembers lives in the object that `start` returns.
    """

    adds_up: ClassVar[bool] = True

    def __init_subclass__(cls, name: str | None = None) -> None:
        super().__init_subclass__(name=cls.take_name(name))

    def start(self, seed: int) -> Any:
        """What places the jobs of one simulation: by default this object itself, which remembers nothing."""
        return self

    def place(self, job: ToPlace, units: int, nodes: Room) -> Any:
        raise NotImplementedError(f"{type(self).__name__} needs a method place(job, units, nodes)")

    def live_options(self, seed: int) -> dict[str, Any]:
        return {"policy": Placing(self.name, self.start(seed), self.adds_up)}


class Placing(Called):
    """What the engine calls. An answer is checked, so that a mistake is a sentence."""

    def __init__(self, name: str, policy: Any, adds_up: bool) -> None:
        super().__init__("allocator", name)
        if not callable(getattr(policy, "place", None)):
            raise InputError(f"start of {name} gave {policy!r}: return an object with a method place")
        self.policy, self.adds_up = policy, adds_up

    def place(
        self, row: int, unit: Any, units: int, start_s: float, end_s: float, node: Any, fits: Any, free: Any, has: Any
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Nodes, and the units on each; None if the job must wait."""
        for array in (unit, node, fits):
            array.flags.writeable = False
        job, nodes = ToPlace(row, unit, start_s, end_s), Room(node, fits, free, has)
        try:
            answer = self.policy.place(job, units, nodes)
        except Exception as error:
            self.failed(error, start_s)
        return self._checked(answer, job, units, nodes)

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
        """As many units on each as fit, until there are enough."""
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
