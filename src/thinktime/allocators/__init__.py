"""Allocators choose the nodes of a job. One policy per file; the registry finds every file in this folder."""

from thinktime.allocators.allocator import Allocator
from thinktime.allocators.own import OwnAllocator

__all__ = ["Allocator", "OwnAllocator"]
