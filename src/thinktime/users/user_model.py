"""The base class of user models: a plan for the engine, made from the workload."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from thinktime.errors import InputError
from thinktime.spec import Spec
from thinktime.support.json_types import JsonDict

if TYPE_CHECKING:
    from thinktime.workload import Workload

TIES = ("planned", "original")
LONGEST_DAYS = 36525.0  # the longest period that repeats: a hundred years, so that times stay exact


class UserModel(Spec, kind="users"):
    """Base of the user models.

    A built-in user model is a spec here and a file in engine/users/ that registers the same name. `plan` turns a
    workload into the arrays that the engine's model works with. A user model in Python derives from `tt.OwnUsers`.
    """

    whole_log: ClassVar[str] = "need the whole log"  # why it cannot be read in blocks
    random: ClassVar[bool] = False  # it draws random numbers: runs differ by their seed
    words: ClassVar[Mapping[str, tuple[str, ...]]] = {"ties": TIES}

    def plan(self, workload: Workload, seed: int) -> JsonDict:
        """Return arrays and options for the engine by name; `session` has the session of every job."""
        return {}

    def streamed(self) -> JsonDict:
        """Return the options for a log that is read in blocks; raise InputError if users need the whole log."""
        raise InputError(f"users {self.name} {self.whole_log}: choose other users, or simulate without streaming")
