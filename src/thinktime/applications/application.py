"""What every application model offers a simulation: a plan for the engine, or nothing if jobs are not looked into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from thinktime.spec import Spec
from thinktime.support.equality import ByContent

if TYPE_CHECKING:
    from thinktime.workload import Workload


@dataclass(frozen=True, eq=False, repr=False)
class Beneath(ByContent):
    """What lies beneath a simulation whose jobs are looked into."""

    workload: Workload | None  # None: jobs come as a stream, or are looked at afterwards
    speed: float  # of the machine
    cores: int  # of the platform
    seed: int
    node_cores: np.ndarray | None = None  # cores of each node; None: all are on one
    groups: Sequence[tuple[str, int]] = ()  # of a cluster's nodes, in their order: name, cores
    numbers: np.ndarray | None = None  # of the jobs, by row, where there is no workload any more

    @property
    def jobs(self) -> np.ndarray | None:
        """Their numbers by row; None: they come as a stream."""
        return self.numbers if self.workload is None else self.workload["job"]


class Application(Spec, kind="application"):
    """Base of the application models."""

    random: ClassVar[bool] = False  # it draws random numbers: runs differ by their seed
    inside: ClassVar[bool] = True  # jobs are looked into: how long they run is not known beforehand
    early: ClassVar[bool] = False  # cores may be given back before their job ends

    @property
    def starts(self) -> str:
        """The command that plays its jobs in another process; empty if the engine does."""
        return ""

    @classmethod
    def own_command(cls, spec: Mapping[str, Any]) -> str:
        """The command that such a spec itself names; empty if it has none."""
        return ""

    def plan(self, beneath: Beneath) -> dict[str, Any]:
        """What the engine is told: arrays and options by name."""
        return {}

    def level(self, beneath: Beneath) -> Any:
        """An application level outside the engine; None: the engine's own."""
        return None

    def shown(self, beneath: Beneath) -> Any:
        """Something whose `show` plays jobs of a finished run again, task by task."""
        from thinktime import _engine

        return _engine.Loops(self.plan(beneath))
