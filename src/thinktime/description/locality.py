"""Locality by stack depth: how many other values have passed since a job's value was last seen.

Table VI of Zakay and Feitelson 2014. One pass over all jobs in the order of submission; the rules are in
`engine/description/stack_depth.h`. Times match within 5 % of the stored value, processors exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

import thinktime._engine as _engine
from thinktime.description.attributes import attribute_values
from thinktime.equality import ByContent
from thinktime.errors import InputError

if TYPE_CHECKING:
    from thinktime.workload.workload import Workload

TOLERANCE = 0.05


@dataclass(frozen=True, eq=False)
class StackDepth(ByContent):
    """Of one attribute."""

    attribute: str
    tolerance: float  # relative
    depths: np.ndarray  # int64, one a job with a known value; −1: the value was new
    mean: float  # over the jobs whose value was found; NaN if none was

    @property
    def found(self) -> int:
        return int((self.depths >= 0).sum())

    @property
    def entries(self) -> int:
        """Values on the stack at the end."""
        return len(self.depths) - self.found


def stack_depth(workload: Workload, attribute: str, *, tolerance: float | None = None) -> StackDepth:
    """The stack depth of one attribute: `processors`, `estimate` or `run`."""
    tolerance = (0.0 if attribute == "processors" else TOLERANCE) if tolerance is None else tolerance
    if not 0 <= tolerance < 1:
        raise InputError(f"tolerance is {tolerance}: a part of a value, such as 0.05")
    values = attribute_values(workload, attribute)
    depths = _engine.stack_depths(np.ascontiguousarray(values[~np.isnan(values)]), tolerance=float(tolerance))
    found = depths[depths >= 0]
    return StackDepth(attribute, float(tolerance), depths, float(found.mean()) if len(found) else float("nan"))
