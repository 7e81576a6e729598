"""What every user model offers the engine: its name there, and a plan made from the workload."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from thinktime.spec import Spec

if TYPE_CHECKING:
    from thinktime.workload import Workload

TIES = ("planned", "original")
LONGEST_DAYS = 36525.0  # of a period that comes again: a hundred years, so that times stay exact


class UserModel(Spec, kind="users"):
    """Base of the user models. Numbers are checked against `lowest`, words against `words`, by the option's name."""

    random: ClassVar[bool] = False  # it draws random numbers: runs differ by their seed
    words: ClassVar[Mapping[str, tuple[str, ...]]] = {"ties": TIES}

    def plan(self, workload: Workload, seed: int) -> dict[str, Any]:
        """What the engine is told before the first instant: arrays and options by name. `session` is every job's."""
        return {}
