"""Coolest first."""

from typing import ClassVar

from thinktime.allocators.allocator import Allocator


class CoolestFirst(Allocator, name="coolest-first"):
    """Takes the coolest nodes first. Needs the temperatures of `plugins=[tt.Power(…), tt.Thermal(…)]`."""

    needs_plugin: ClassVar[str] = "thermal"
