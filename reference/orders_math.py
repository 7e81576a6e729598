"""Logarithms as C has them: of zero minus infinity, of a negative number no number."""

from __future__ import annotations

import math


def log10(x: float) -> float:
    return math.log10(x) if x > 0 else logarithm_outside(x)


def log2(x: float) -> float:
    return math.log2(x) if x > 0 else logarithm_outside(x)


def logarithm_outside(x: float) -> float:
    return -math.inf if x == 0 else math.nan
