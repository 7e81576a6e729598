"""Users: they decide when each job is submitted.

A user model says at the beginning which submissions it already knows, and after each end which ones follow
from it. `Rigid` users know all of them: the recorded times. A reacting model returns a submission after the end
that it waited for; a submission for the very instant of that end belongs to that instant. A model that waits for
submissions too hears of them in `submitted`. A model is a file in this folder with a class that has the model's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np

from reference.job import Job

Streams: TypeAlias = Callable[[int], np.random.Generator]  # user → random numbers that no other user draws from


class Users:
    name: ClassVar[str] = ""

    #: Who joins first of those submitted at one instant: by the order in which submissions became known, except that
    #: those submitted at one instant in the log too keep the log's order ("planned"); or all by the log ("original").
    ties = "planned"

    @classmethod
    def make(cls, options: Mapping[str, Any], streams: Streams) -> Self:
        """Return the model with the options of its spec, which are in minutes, hours and days."""
        return cls()

    def begin(self, jobs: Sequence[Job]) -> list[tuple[float, int]]:
        """(time, index of the job) of the submissions that wait for nothing."""
        raise NotImplementedError

    def ended(self, index: int, now: float) -> list[tuple[float, int]]:
        """The job has ended, or was rejected: the submissions that follow from that, none before now."""
        raise NotImplementedError

    def submitted(self, index: int, now: float) -> list[tuple[float, int]]:
        """The job has just been submitted: the submissions that follow from that, none before now."""
        return []


class Rigid(Users):
    name = "rigid"

    def begin(self, jobs: Sequence[Job]) -> list[tuple[float, int]]:
        return [(float(job.submit), index) for index, job in enumerate(jobs)]

    def ended(self, index: int, now: float) -> list[tuple[float, int]]:
        return []
