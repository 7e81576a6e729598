"""Rows of a reproduction with wrong papers: a row that cannot turn red proves nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from thinktime_reproduce import Claim, Findings, Verdict, judge

OPPOSITE = {"above": "below", "below": "above"}


def assert_wrong_papers_turn_rows_red(verdicts: Iterable[Verdict]) -> int:
    """Return how many rows were tried: all with a value of ours."""
    known = [each for each in verdicts if each.ours is not None and math.isfinite(each.ours)]
    for each in known:
        right = _with_paper(each.claim, each.ours)
        assert _verdict(right, each.ours) == "met", each.claim
        for wrong in _wrong(right, each.ours):
            assert _verdict(wrong, each.ours) == "missed", (wrong, each.ours)
    return len(known)


def _with_paper(claim: Claim, ours: float) -> Claim:
    """The claim of a paper that found what we found; a bound is a little off it."""
    unit = 2 * claim.half_unit
    beyond = {"above": ours - unit, "below": ours + unit}.get(claim.kind, ours)
    return replace(claim, paper=f"{beyond:.{claim.digits}f}")


def _wrong(claim: Claim, ours: float) -> Iterator[Claim]:
    """Papers whose value is off by three tolerances either way, or that say the opposite."""
    if claim.kind == "equal":
        for sign in (-1, 1):
            yield replace(claim, paper=f"{claim.value + sign * 3 * claim.allowed:.{claim.digits}f}")
        return
    away = 4 * claim.half_unit * (1 if claim.kind in ("above", "at least") else -1)
    yield replace(claim, paper=f"{ours + away:.{claim.digits}f}")
    if claim.kind in OPPOSITE:
        yield replace(claim, kind=OPPOSITE[claim.kind], evidence="claim")


def _verdict(claim: Claim, ours: float) -> str:
    there = Findings({claim.log: None}, {}, {})  # type: ignore[dict-item]
    (found,) = judge([replace(claim, ours=lambda findings: ours, tried="")], there, {})
    return found.verdict
