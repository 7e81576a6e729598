"""Fit scipy's distributions to a sample and select the one closest to its histogram.

Parameters are maximum-likelihood estimates from at most 2,000 values at even ranks of the sample, so a log of millions
of jobs takes seconds. The sum of squared errors is over the histogram of the whole sample.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.support.equality import ByContent

THINNED = 2000  # values for the fit
MOST_BINS = 20_000  # maximum number of bins of a histogram


@dataclass(frozen=True)
class Law:
    """A distribution of scipy.stats with its parameters."""

    name: str
    parameters: tuple[float, ...]  # shapes, then location and scale
    error: float  # sum of squared differences between its density and the histogram

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        from scipy import stats

        *shapes, loc, scale = self.parameters
        drawn = getattr(stats, self.name).rvs(*shapes, loc=loc, scale=scale, size=count, random_state=rng)
        return np.asarray(drawn, dtype=np.float64)

    def to_dict(self) -> dict[str, Any]:
        return {"law": self.name, "parameters": list(self.parameters), "squared_error": self.error}


@dataclass(frozen=True, eq=False, repr=False)
class Histogram(ByContent):
    """Densities between edges, with the bins of numpy's `auto` rule."""

    edges: np.ndarray
    density: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray) -> Histogram:
        edges = np.histogram_bin_edges(values, bins="auto") if np.ptp(values) > 0 else np.array([0.5, 1.5]) * values[0]
        if len(edges) > MOST_BINS:
            edges = np.linspace(values.min(), values.max(), MOST_BINS + 1)
        density, edges = np.histogram(values, bins=edges, density=True)
        return cls(edges, density)

    def holds(self, values: np.ndarray) -> np.ndarray:
        """Return whether the bin of each value is not empty."""
        place = np.searchsorted(self.edges, values, side="right") - 1
        inside = (place >= 0) & (place < len(self.density))
        return inside & (self.density[np.clip(place, 0, len(self.density) - 1)] > 0)


def best_law(values: np.ndarray, candidates: tuple[str, ...], histogram: Histogram | None = None) -> Law:
    """Return the candidate with the smallest error; skip those that scipy cannot fit."""
    histogram = histogram or Histogram.of(values)
    thinned = at_even_ranks(values, THINNED)
    laws = [law for name in candidates if (law := _fitted(name, thinned, histogram)) is not None]
    if not laws:
        raise InputError(f"none of these distributions fits the log: {', '.join(candidates)}")
    return min(laws, key=lambda law: law.error)


def at_even_ranks(values: np.ndarray, count: int) -> np.ndarray:
    ordered = np.sort(values)
    if len(ordered) <= count:
        return ordered
    return ordered[np.linspace(0, len(ordered) - 1, count).round().astype(np.int64)]


def _likeliest(name: str, values: np.ndarray) -> tuple[float, ...]:
    """An erlang is a gamma whose shape is whole: the nearest one, and the rest fitted to it."""
    from scipy import stats

    if name != "erlang":
        return tuple(float(value) for value in getattr(stats, name).fit(values))
    shape = max(round(float(stats.gamma.fit(values)[0])), 1)
    return tuple(float(value) for value in stats.erlang.fit(values, f0=shape))


def _fitted(name: str, values: np.ndarray, histogram: Histogram) -> Law | None:
    from scipy import stats

    middle = (histogram.edges[1:] + histogram.edges[:-1]) / 2
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # of optimisers on their way
        try:
            parameters = _likeliest(name, values)
            density = getattr(stats, name).pdf(middle, *parameters)
        except (ValueError, RuntimeError, FloatingPointError, OverflowError, stats.FitError):
            return None
    error = float(np.sum((histogram.density - density) ** 2))
    return Law(name, parameters, error) if np.isfinite(error) and parameters[-1] > 0 else None
