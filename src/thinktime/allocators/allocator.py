"""The base class of allocators: the name of the policy in the engine, and its options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from thinktime.spec import Spec
from thinktime.support.json_types import JsonDict
from thinktime.traces.column_uses import ColumnUse

RANKINGS = ("raw", "normalized")


class Allocator(Spec, kind="allocator"):
    """Base of the allocators, which choose nodes for a whole job.

    A built-in allocator is a spec here and a file in engine/allocators/ that registers the same name. Its options are
    class attributes with types and defaults. An allocator in Python derives from `tt.OwnAllocator`.
    """

    words: ClassVar[Mapping[str, tuple[str, ...]]] = {"ranking": RANKINGS}
    needs_plugin: ClassVar[str] = ""  # the name of a plugin that must be in the run
    random: ClassVar[bool] = False  # it draws random numbers: runs differ by their seed

    reads_texts: ClassVar[bool] = False  # it sees texts and truth values of jobs as such

    def engine_name(self) -> str:
        """Return the name of the policy in the engine."""
        return self.name

    def engine_options(self, seed: int) -> JsonDict:
        """Return the options as the engine takes them; `seed` is the seed of the run."""
        return self.canonical()

    def columns(self) -> set[ColumnUse]:
        """Return the columns of the workload that it reads."""
        return set()

    def live_options(self, seed: int) -> JsonDict:
        """Return options of one simulation only: the object through which the engine calls an allocator in Python."""
        return {}
