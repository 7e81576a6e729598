"""Own self-scheduling techniques in Python: the engine asks how many tasks an idle core gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from thinktime.applications.techniques import Technique
from thinktime.errors import InputError
from thinktime.spec import Spec
from thinktime.spec.own import Called, OwnSpec, one_line

if TYPE_CHECKING:
    import numpy as np


class LoopFacts(NamedTuple):
    """A loop before it starts."""

    tasks: int
    workers: int  # cores of the job
    mean_s: float  # of a task, by the model
    deviation_s: float
    overhead_s: float  # per chunk
    speeds: np.ndarray  # by worker, relative to the machine; empty if all are 1
    seed: int  # of this loop, for techniques that draw


class OwnTechnique(OwnSpec, Technique):
    """Base of self-scheduling techniques in Python: define `chunk`, which returns the number of tasks for an idle core.

    `chunk(remaining, worker, loop)` is called for each request. `worker` is the position of the core among the
    `loop.workers` cores of the job; `loop` has `tasks`, `workers`, `mean_s`, `deviation_s`, `overhead_s`, `speeds` and
    `seed`. Return a whole number of 1 or more; more than `remaining` counts as all of them.

    A subclass is a spec: options are class attributes with types and defaults. Specs do not change, so a technique
    with state returns an object from `start(loop)`, which has `chunk` and serves one loop. It may also have
    `done(worker, tasks, work_s, total_s)`, called before the next request of a worker with the time of its last chunk.

    Examples
    --------
    >>> import thinktime as tt
    >>> class Guided(tt.OwnTechnique):
    ...     def chunk(self, remaining, worker, loop):
    ...         return -(-remaining // loop.workers)
    >>> tt.Loop(technique=Guided(), variation=0.5, tasks_per_core=8)
    Loop(technique=Guided(), variation=0.5, tasks_per_core=8)
    """

    def __init_subclass__(cls, name: str | None = None) -> None:
        super().__init_subclass__(name=cls.take_name(name))

    def __post_init__(self) -> None:
        Spec.__post_init__(self)

    def start(self, loop: LoopFacts) -> Any:
        """Return the technique of one loop (default: this object, without state)."""
        return self

    def chunk(self, remaining: int, worker: int, loop: LoopFacts) -> int:
        raise NotImplementedError(f"{type(self).__name__} needs a method chunk(remaining, worker, loop)")

    def stored(self) -> dict[str, Any]:
        return self.to_dict()

    def engine_name(self) -> str:
        return "static"  # replaced by the object of live_options

    def engine_options(self) -> dict[str, Any]:
        return {}

    def live_options(self) -> dict[str, Any]:
        return {"own_technique": Chunking(self)}


Chunk = Callable[[int, int], int]
Done = Callable[[int, int, float, float], None]


class Chunking(Called):
    """Between the engine and a technique: begins loops and checks the sizes of chunks."""

    adaptive = True  # done() is called

    def __init__(self, technique: OwnTechnique) -> None:
        super().__init__("technique", technique.name)
        self.technique = technique

    def begin(
        self,
        tasks: int,
        workers: int,
        mean_s: float,
        deviation_s: float,
        overhead_s: float,
        speeds: np.ndarray,
        key_low: int,
        key_high: int,
    ) -> tuple[Chunk, Done | None]:
        """Return the functions of one loop."""
        loop = LoopFacts(tasks, workers, mean_s, deviation_s, overhead_s, speeds, key_high << 64 | key_low)
        try:
            mine = self.technique.start(loop)
        except Exception as error:
            raise InputError(f"start of technique {self.name} failed with {one_line(error)}") from error
        if not callable(getattr(mine, "chunk", None)):
            raise InputError(f"start of {self.name} gave {mine!r}: return an object with a method chunk")
        return self._checked(mine.chunk, loop), self._guarded(getattr(mine, "done", None))

    def _checked(self, chunk: Callable[[int, int, LoopFacts], Any], loop: LoopFacts) -> Chunk:
        def checked(remaining: int, worker: int) -> int:
            try:
                size = chunk(remaining, worker, loop)
            except Exception as error:
                self._fail(error)
            if type(size) is int and size >= 1:
                return min(size, remaining)
            return self._whole(size, remaining)

        return checked

    def _whole(self, size: Any, remaining: int) -> int:
        """Return a size that is not an int, such as NumPy's; raise InputError if it is not a number of tasks."""
        if not isinstance(size, bool) and hasattr(size, "__index__") and size.__index__() >= 1:
            return min(int(size.__index__()), remaining)
        raise InputError(
            f"technique {self.name} answered with {size!r} when {remaining:,} tasks remained: return a whole number of"
            " 1 or more"
        )

    def _guarded(self, done: Done | None) -> Done | None:
        if done is None:
            return None

        def guarded(worker: int, tasks: int, work_s: float, total_s: float) -> None:
            try:
                done(worker, tasks, work_s, total_s)
            except Exception as error:
                self._fail(error)

        return guarded

    def _fail(self, error: Exception) -> Any:
        raise InputError(f"technique {self.name} failed with {one_line(error)}") from error
