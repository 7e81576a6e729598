"""Allocators, one per file. `reference/nodes/allocator.py` says what an allocator is asked, and finds them here."""
