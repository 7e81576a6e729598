"""Stack depth: how deep in a stack of values a job's value is found. Zakay and Feitelson 2014, 5.2.

The stack is searched from the top for the first entry y with x = y or |x − y| <= tolerance · y. If there is one, that
entry moves to the top as it is; if not, x is put on top. The result is the mean depth, from 0, over the jobs found.
"""

from __future__ import annotations

from collections.abc import Sequence


def stack_depths(values: Sequence[float], tolerance: float) -> list[int | None]:
    """The depth of each value; None where it was not found."""
    stack: list[float] = []  # the top is first
    return [pass_by(stack, value, tolerance) for value in values]


def pass_by(stack: list[float], value: float, tolerance: float) -> int | None:
    for depth, entry in enumerate(stack):
        if value == entry or abs(value - entry) <= tolerance * entry:
            stack.insert(0, stack.pop(depth))
            return depth
    stack.insert(0, value)
    return None
