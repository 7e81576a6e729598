"""What goes in (`Job`), what comes out (`Outcome`), and a job while it is simulated (`Task`).

All times are seconds as floats.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

NOT_YET = math.nan


@dataclass(frozen=True)
class Job:
    """One job of the workload, as recorded."""

    submit: float
    run: float  # how long it ran on a machine of speed 1
    processors: int
    estimate: float  # the run time that the scheduler knows
    user: int = 1
    wait: float = 0.0  # as recorded
    unit: tuple[int, ...] = ()  # on a cluster: what each of its processors takes of each resource of a node
    pools: tuple[tuple[int, int], ...] = ()  # on a cluster: (pool, amount) that it takes while it runs
    owner: int = 0  # on a cluster: the owner of the reservations that it may use; 0 = none
    attributes: Mapping[str, str | float | None] = field(default_factory=dict)  # by name; None is missing

    @property
    def recorded_end(self) -> float:
        return self.submit + self.wait + self.run


@dataclass(frozen=True)
class Outcome:
    """The result of one job."""

    submit: float  # when it was really submitted; differs from the job's own only with reacting users
    start: float | None  # None: rejected
    end: float | None
    status: str  # completed, killed or rejected; unfinished if it still waits at the end
    placement: tuple[tuple[int, int], ...] = ()  # on a cluster: (node, processors there)


@dataclass(frozen=True)
class Attempt:
    """A run of a job that was aborted."""

    index: int
    start: float
    end: float
    fate: str  # killed: the job ended with it; requeued: the job waited again
    saved: float  # seconds of work that were kept
    placement: tuple[tuple[int, int], ...] = ()


@dataclass(eq=False)
class Task:
    """A job on its way through the simulation: from the submission to the queue, the machine and the end."""

    index: int  # its place in the input, which is also the tie-break between submissions of one instant
    submit: float
    processors: int  # after clipping to the machine
    estimate: float
    duration: float  # how long it will really run on this machine
    expected_length: float  # how long the scheduler plans for
    killed: bool  # True: its duration was cut at the estimate
    user: int = 1
    attributes: Mapping[str, str | float | None] = field(default_factory=dict)
    joined: int = -1  # its number in the order of joining the queue; breaks ties of every queue order
    started: int = -1  # its number in the order of starts; breaks ties between ends of one instant
    start: float = NOT_YET
    end: float = NOT_YET  # set at the start: start + duration
    expected_end: float = NOT_YET  # set at the start: start + expected_length
    slot: float = NOT_YET  # conservative only: the reserved start
    unit: tuple[int, ...] = ()  # on a cluster: what each processor takes of each resource of a node
    pools: tuple[tuple[int, int], ...] = ()  # on a cluster: (pool, amount)
    owner: int = 0  # on a cluster: the owner of the reservations that it may use
    overhead: float = 0.0  # seconds of this run that are not work: a restart
    saved: float = 0.0  # seconds of its work that aborted runs have saved
    placement: tuple[tuple[int, int], ...] = ()  # on a cluster: (node, processors there)
