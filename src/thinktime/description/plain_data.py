"""A description as plain data: every number that is not a long array."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.description.by_user import MARGINALS
from thinktime.description.job_similarity import STATISTICS, Similarity
from thinktime.support.json_types import JsonDict

if TYPE_CHECKING:
    from thinktime.description.description import Description

QUANTILES = {"least": 0.0, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95, "most": 1.0}


def facts(found: Description) -> JsonDict:
    """Plain data by measure; `missing` has reasons."""
    return {
        "name": found.name,
        "jobs": found.jobs,
        "users": found.users,
        "span_s": found.span_s,
        "local_clock": found.local_clock,
        "settings": asdict(found.settings),
        "marginals": {name: _quantiles(values, MARGINALS[name][1]) for name, values in found.marginals.items()},
        "week": None if found.week is None else found.week.tolist(),
        "similarity": {name: _similarity(each) for name, each in found.similarity.items()},
        "permutation": {name: _permutation(each) for name, each in found.permutation.items()},
        "stack_depth": {
            name: {"mean": each.mean, "found": each.found, "entries": each.entries, "tolerance": each.tolerance}
            for name, each in found.stack_depth.items()
        },
        "concentration": {
            name: {"bins": each.bins, "mean": each.mean, **_quantiles(each.shares, "share")}
            for name, each in found.concentration.items()
        },
        "hurst": None if found.hurst is None else {"h": found.hurst.h, "blocks": len(found.hurst.log_n)},
        "missing": dict(found.missing),
        "notes": list(found.notes),
    }


def _quantiles(values: np.ndarray, unit: str) -> JsonDict:
    if not len(values):
        return {"count": 0, "unit": unit}
    found = {name: float(np.quantile(values, q)) for name, q in QUANTILES.items()}
    return {"count": len(values), "unit": unit, "mean": float(values.mean()), **found}


def _similarity(found: Similarity) -> JsonDict:
    return {
        "users": len(found.users),
        "same_session": found.same_session,
        "expected_if_shuffled": found.expected,
        **{
            statistic: {
                "by_distance": found.curve(statistic).tolist(),
                "0_vs_1": asdict(found.shares(0, 1, statistic)),
                "1_vs_2": asdict(found.shares(1, 2, statistic)),
            }
            for statistic in STATISTICS
        },
    }


def _permutation(found: Any) -> JsonDict:
    return {
        "users": found.users,
        "shuffles": len(found.shuffled),
        "original": found.original,
        "p": found.p,
        "shuffled_mean": float(found.shuffled.mean()),
        "shuffled_most": float(found.shuffled.max()),
        "sigmas": found.sigmas,
    }
