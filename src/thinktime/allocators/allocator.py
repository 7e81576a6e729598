"""What every allocator offers the engine: its name there and its options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from thinktime.spec import Spec

RANKINGS = ("raw", "normalized")


class Allocator(Spec, kind="allocator"):
    """Base of the allocators. All place a job whole or not at all."""

    words: ClassVar[Mapping[str, tuple[str, ...]]] = {"ranking": RANKINGS}
    needs_plugin: ClassVar[str] = ""  # the name of a plugin that must be in the run
    random: ClassVar[bool] = False  # it draws random numbers: runs differ by their seed

    def engine_name(self) -> str:
        return self.name

    def engine_options(self, seed: int) -> dict[str, Any]:
        """What the engine is told; the seed is the run's."""
        return self.canonical()

    def live_options(self, seed: int) -> dict[str, Any]:
        """What belongs to one simulation only: the object that an allocator in Python is asked through."""
        return {}
