"""First fit."""

from thinktime.allocators.allocator import Allocator


class FirstFit(Allocator, name="first-fit"):
    """Takes nodes in the order of the configuration, with as many units on each as fit."""
