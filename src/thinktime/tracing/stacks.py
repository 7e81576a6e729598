"""Call stacks of cores that share a location: what is entered last is left first.

Tasks of one job may be left in any order, because they are one region. Where tasks of two jobs overlap, the upper
ones are left, the ended one is left, and the upper ones are entered again, all at one instant: times by region stay
right.
"""

from __future__ import annotations

import numpy as np


class Stacks:
    """The regions that are entered, by location."""

    def __init__(self) -> None:
        self._of: dict[int, list[int]] = {}

    def nested(
        self, enter: np.ndarray, location: np.ndarray, time: np.ndarray, region: np.ndarray
    ) -> tuple[list[bool], list[int], list[int], list[int]]:
        """The same moments, with those added that keep every stack a stack."""
        found: list[tuple[bool, int, int, int]] = []
        columns = (enter.tolist(), location.tolist(), time.tolist(), region.tolist())
        for entered, where, when, what in zip(*columns, strict=True):
            stack = self._of.setdefault(where, [])
            if entered:
                stack.append(what)
                found.append((True, where, when, what))
            else:
                found += [(each, where, when, which) for each, which in self._left(stack, what)]
        return tuple(map(list, zip(*found, strict=True))) if found else ([], [], [], [])  # type: ignore[return-value]

    @staticmethod
    def _left(stack: list[int], region: int) -> list[tuple[bool, int]]:
        """Leave down to the region, and enter again what was above it."""
        above = []
        while stack[-1] != region:
            above.append(stack.pop())
        stack.pop()
        stack += above[::-1]
        return [*((False, each) for each in above), (False, region), *((True, each) for each in above[::-1])]
