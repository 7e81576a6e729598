"""First fit."""

from thinktime.allocators.allocator import Allocator


class FirstFit(Allocator, name="first-fit"):
    """Walks the nodes in the order of the configuration and takes as many units on each as fit."""
