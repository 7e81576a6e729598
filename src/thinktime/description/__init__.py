"""Descriptions of workloads and their comparison (Zakay and Feitelson 2014, sections 3 and 5)."""

from thinktime.description.attributes import ATTRIBUTES, attribute_values
from thinktime.description.by_user import MARGINALS, marginals
from thinktime.description.comparison import (
    ITSELF,
    LEVEL,
    RESAMPLES,
    Comparison,
    Row,
    compare_descriptions,
    compare_workloads,
    resamples_of,
    spread_of,
)
from thinktime.description.description import Description, Settings, describe
from thinktime.description.distances import MEASURES, Measure
from thinktime.description.job_similarity import STATISTICS, Shares, Similarity, similarity
from thinktime.description.locality import DailyConcentration, StackDepth, daily_concentration, stack_depth
from thinktime.description.permutation import Permutation, permutation_test
from thinktime.description.self_similarity import Hurst, hurst, pox_points

__all__ = [
    "ATTRIBUTES",
    "ITSELF",
    "LEVEL",
    "MARGINALS",
    "MEASURES",
    "RESAMPLES",
    "STATISTICS",
    "Comparison",
    "DailyConcentration",
    "Description",
    "Hurst",
    "Measure",
    "Permutation",
    "Row",
    "Settings",
    "Shares",
    "Similarity",
    "StackDepth",
    "attribute_values",
    "compare_descriptions",
    "compare_workloads",
    "daily_concentration",
    "describe",
    "hurst",
    "marginals",
    "permutation_test",
    "pox_points",
    "resamples_of",
    "similarity",
    "spread_of",
    "stack_depth",
]
