"""Distributions to draw, from observations or from stored quantiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.plots.kit.run_names import named_runs
from thinktime.support.equality import ByContent


@dataclass(frozen=True, eq=False, repr=False)
class Distribution(ByContent):
    """`shares[i]` of all observations are at most `values[i]`; both ascend.

    A sample has steps. A sketch has points of a curve that is straight between them; its mean is unknown unless given.
    """

    values: np.ndarray
    shares: np.ndarray
    mean: float = float("nan")
    sketch: bool = False

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def of_sample(cls, values: Any, weights: Any = None) -> Distribution:
        """Return the distribution of observations, with equal or given weights; missing values (NaN) are left out."""
        values = _one_dimension(values)
        weights = np.ones(len(values)) if weights is None else _one_dimension(weights)
        kept = ~np.isnan(values) & (weights > 0)
        order = np.argsort(values[kept], kind="stable")
        values, weights = values[kept][order], weights[kept][order]
        below = np.cumsum(weights)
        mean = float(np.sum(values * weights) / below[-1]) if len(values) else float("nan")
        return cls(values, below / below[-1] if len(values) else below, mean)

    @classmethod
    def of_quantiles(cls, values: Any, mean: float = float("nan")) -> Distribution:
        """Return the distribution with these quantiles at even shares from 0 to 100 %; with a NaN it is empty."""
        values = _one_dimension(values)
        values = values[:0] if np.isnan(values).any() else values
        if np.any(np.diff(values) < 0):
            raise InputError("quantiles must ascend, at even shares from 0 to 100 %")
        return cls(values, np.linspace(0.0, 1.0, len(values)), mean, sketch=True)

    def quantile(self, shares: Any) -> np.ndarray:
        """The values that these shares of the observations do not exceed; NaN if empty."""
        shares = np.asarray(shares, dtype=np.float64)
        if not len(self):
            return np.full(shares.shape, np.nan)
        if self.sketch:
            return np.interp(shares, self.shares, self.values)
        row = np.searchsorted(self.shares, shares - 1e-12)  # cumulated weights have rounding errors
        return self.values[np.minimum(row, len(self) - 1)]

    def at_most(self, x: Any) -> np.ndarray:
        """The share of observations that are at most x."""
        place = np.searchsorted(self.values, x, side="right")
        steps = np.append(0.0, self.shares)[place]
        if not (self.sketch and len(self)):
            return steps
        inside = (place > 0) & (place < len(self))
        return np.where(inside, np.interp(x, *self._corners()), steps)

    def _corners(self) -> tuple[np.ndarray, np.ndarray]:
        """The points of a sketch, with the largest share of each value."""
        last = np.append(np.diff(self.values) > 0, True)
        return self.values[last], self.shares[last]

    def above(self, least: float) -> Distribution:
        """The distribution of the observations above `least`."""
        kept, out = self.values > least, float(self.at_most(least))
        if not kept.any():
            return Distribution(self.values[:0], self.shares[:0])
        weights = np.diff(np.append(out, self.shares[kept]))
        mean = float("nan") if self.sketch else float(np.sum(self.values[kept] * weights) / (1.0 - out))
        return Distribution(self.values[kept], (self.shares[kept] - out) / (1.0 - out), mean, self.sketch)


def distributions(runs: Any, of_result: Callable[[Any], Distribution]) -> dict[str, Distribution]:
    """Distributions by name. A run may be a result, a distribution, or an array of observations."""
    return {str(label): _distribution(run, of_result) for label, run in named_runs(runs).items()}


def _distribution(run: Any, of_result: Callable[[Any], Distribution]) -> Distribution:
    if isinstance(run, Distribution):
        return run
    return of_result(run) if hasattr(run, "columns") else Distribution.of_sample(run)


def _one_dimension(values: Any) -> np.ndarray:
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim != 1:
        raise InputError(f"a distribution must have one dimension (got {numbers.ndim})")
    return numbers
