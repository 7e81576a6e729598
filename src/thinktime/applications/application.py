"""The base class of application models, which simulate the tasks inside jobs."""

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
class ApplicationContext(ByContent):
    """What an application model is planned from: the jobs, the cores and the seed."""

    workload: Workload | None  # None: a streamed simulation, or a finished run
    speed: float  # of the machine
    cores: int  # of the platform
    seed: int
    node_cores: np.ndarray | None = None  # cores of each node; None: one node
    groups: Sequence[tuple[str, int]] = ()  # groups of nodes in the order of the cluster: name, cores
    numbers: np.ndarray | None = None  # job numbers by row, if there is no workload

    @property
    def jobs(self) -> np.ndarray | None:
        """Return the job numbers by row; None in a streamed simulation."""
        return self.numbers if self.workload is None else self.workload["job"]


class Application(Spec, kind="application"):
    """Base of the application models.

    `plan` returns arrays and options for the engine, which simulates the tasks. A model whose jobs another program
    simulates overrides `level` and `shown`.
    """

    random: ClassVar[bool] = False  # it draws random numbers: runs differ by their seed
    inside: ClassVar[bool] = True  # the tasks inside jobs are simulated, so run times are not known in advance
    early: ClassVar[bool] = False  # jobs may release cores before they end

    @property
    def starts(self) -> str:
        """Return the command that simulates jobs in another process; empty if the engine does it."""
        return ""

    @classmethod
    def own_command(cls, spec: Mapping[str, Any]) -> str:
        """Return the command that the data of a spec names; empty if it names none."""
        return ""

    def plan(self, context: ApplicationContext) -> dict[str, Any]:
        """Return arrays and options for the engine by name."""
        return {}

    def variants(self, workload: Workload) -> np.ndarray | None:
        """Return the number of the model of every job, if jobs have different ones."""
        return None

    def columns(self) -> set[str]:
        """Return the columns of the workload that decide about the model of a job."""
        return set()

    def absent_in(self, workload: Workload) -> list[str]:
        """Return an error for each job or group that the model names and the workload does not have."""
        return []

    def level(self, context: ApplicationContext) -> Any:
        """Return an application level outside the engine; None: the engine's."""
        return None

    def shown(self, context: ApplicationContext) -> Any:
        """Return an object whose `show` repeats the jobs of a finished run task by task."""
        from thinktime import _engine

        return _engine.Loops(self.plan(context))
