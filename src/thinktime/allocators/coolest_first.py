"""Coolest first."""

from thinktime.allocators.allocator import Allocator


class CoolestFirst(Allocator, name="coolest-first"):
    """Takes the coolest nodes first, by the temperatures of `plugins=[tt.Power(…), tt.Thermal(…)]`, which it needs."""
