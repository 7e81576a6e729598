"""Checks the outcomes in a journal, so that a damaged line does not end a report with a traceback."""

from __future__ import annotations

import math
from typing import Any

from thinktime.metrics.cautions import Cautions
from thinktime.study.stored_distributions import QUANTILES
from thinktime.support.json_types import JsonTable

USERS = ("user", "jobs", "mean_wait_s", "mean_bounded_slowdown")  # columns of equal length
QUANTITIES = ("wait_s", "bounded_slowdown", "slowdown", "queued_jobs")
CURVES = {**dict.fromkeys(QUANTITIES, len(QUANTILES)), "week_load": 7 * 24}  # lengths; all may be empty


def require_outcome(outcome: object, of_study: bool) -> None:
    """Raise ValueError unless the line is a valid outcome.

    Trials of a bootstrap have measures only; a run of a study also has its distributions (`sketch`).
    """
    try:
        good = _is_outcome(outcome, of_study)
    except (KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ValueError(f"not an outcome ({error})") from None
    if not good:
        raise ValueError("not an outcome")


def _is_outcome(outcome: Any, of_study: bool) -> bool:
    good = isinstance(outcome["run"], str) and isinstance(outcome["cell"], dict)
    good = good and isinstance(outcome["error"], str | None) and _is_number(outcome["seconds"])
    if not good or outcome["error"] is not None:
        return good
    good = all(value is None or _is_number(value) for value in outcome["summary"].values())
    return good and (not of_study or _is_run(outcome))


def _is_run(outcome: JsonTable) -> bool:
    cautions = Cautions.from_dict(outcome.get("cautions") or {})
    counted = all(each.count >= 0 and each.of >= 0 for each in cautions) and _is_number(outcome["summary"]["jobs"])
    return counted and _is_sketch(outcome["sketch"]) and _is_decision(outcome.get("decision"))


def _is_sketch(sketch: JsonTable) -> bool:
    curves = all(len(sketch.get(name) or ()) in (0, length) for name, length in CURVES.items())
    users = sketch["users"]
    alike = len({len(users[name]) for name in USERS if name in users}) <= 1
    return curves and alike and _all_numbers({name: sketch.get(name) or [] for name in CURVES}) and _all_numbers(users)


def _is_decision(decision: JsonTable | None) -> bool:
    if not decision:
        return True
    means = _is_number(decision["dispatch_s"]) and _is_number(decision["rest_s"])
    return means and len(decision["queued_jobs"]) == len(decision["mean_s"]) and _all_numbers(decision)


def _all_numbers(columns: JsonTable) -> bool:
    """Whether each value is a number or a list of numbers; any number may be missing."""
    lists = [value if isinstance(value, list) else [value] for value in columns.values()]
    return all(each is None or _is_number(each) for values in lists for each in values)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
