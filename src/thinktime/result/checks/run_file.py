"""Compare run.json with the saved run: hashes, numbers of rows and the summary."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from thinktime.errors import InputError
from thinktime.result.canonical_json import jsonable
from thinktime.result.checks.timeline import Finding
from thinktime.result.result import Result
from thinktime.support.json_types import JsonDict, JsonTable

#: Relative tolerance: another machine may sum a mean in another order.
RELATIVE = 1e-9


def claims_hold(result: Result) -> Iterator[Finding]:
    """Yield the claims of run.json that do not hold; none for a result that was not loaded."""
    for sentence in _broken(result, result.claims):
        yield Finding(np.arange(1), lambda _, said=sentence: said, of_jobs=False)  # type: ignore[misc]


def _broken(result: Result, claims: JsonTable) -> Iterator[str]:
    rows = {"jobs": len(result), "timeline_rows": len(result.timeline_columns["time_s"])}
    for name, count in rows.items():
        if name in claims and claims[name] != count:
            yield f"run.json says {name} = {claims[name]} but there are {count}"
    if "digest" in claims and claims["digest"] != result.digest:
        yield f"run.json says digest {claims['digest']} but its spec has {result.digest}"
    content = claims.get("content_digest")
    if content is None:  # streamed: no hash of the jobs, and a summary of running sums
        return
    if content != result.content_digest:
        yield f"run.json says content_digest {content} but the jobs have {result.content_digest}"
    yield from _broken_summary(result, claims)


def _broken_summary(result: Result, claims: JsonTable) -> Iterator[str]:
    stored, options = claims.get("summary"), claims.get("summary_options", {})
    if not isinstance(stored, Mapping) or not isinstance(options, Mapping):
        return
    try:
        expected = jsonable(result.summary(**options).to_dict())
    except (InputError, TypeError, ValueError) as error:
        yield f"run.json has summary_options that no summary can be made with ({error})"
        return
    if "cautions" not in stored:  # written before cautions were counted
        expected.pop("cautions")
    said = _with_counts(stored)
    for name, value in _with_counts(expected).items():
        if not _same_within_rounding(said.get(name), value):
            yield f"run.json says {name} = {said.get(name)} but the jobs and the timeline give {value}"


def _with_counts(summary: JsonTable) -> JsonDict:
    """Reduce cautions to what a reader of run.json uses; the sentences follow from it, worded by each version."""
    cautions = summary.get("cautions")
    if not isinstance(cautions, Mapping):
        return dict(summary)
    counts = {name: _count_of_caution(each) if isinstance(each, Mapping) else each for name, each in cautions.items()}
    return {**summary, "cautions": counts}


def _count_of_caution(caution: JsonTable) -> str:
    words = [str(caution[name]) for name in ("because", "advice") if name in caution]
    return "; ".join([f"{caution.get('count')} of {caution.get('of')}", *words])


def _same_within_rounding(stored: object, expected: object) -> bool:
    if isinstance(expected, float) and isinstance(stored, int | float):
        return math.isclose(stored, expected, rel_tol=RELATIVE)
    return bool(stored == expected)
