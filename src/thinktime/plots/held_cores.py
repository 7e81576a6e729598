"""The rectangles of runs whose cores are known one by one, and were not all held to the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from thinktime.plots.rectangles import Rectangles
from thinktime.result.given_back import given_back_s
from thinktime.result.tasks import listed, spans_of_cores


def rectangles_of_cores(result: Any, runs: Mapping[str, np.ndarray]) -> Rectangles:
    """Of runs, which have a `number`, that of the job or of the attempt, and `last`: neighbouring cores that were held
    as long as each other."""
    run_of = np.full(len(result) + len(result.attempts_made), -1)
    run_of[np.where(runs["last"], runs["number"], len(result) + runs["number"])] = np.arange(len(runs["number"]))
    owner, core, given_s = _cores(result)
    run = run_of[owner]
    run, core, given_s = (values[run >= 0] for values in (run, core, given_s))
    return _joined(run, core, runs["start_s"][run], np.fmin(runs["end_s"][run], given_s))


def _cores(result: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of every run each core: whose it is, its number, and when it was given back; NaN: it was held to the end."""
    spans = spans_of_cores(result)
    core, owner, each = (
        listed(spans["first"], spans["cores"]),
        np.repeat(spans["row"], spans["cores"]),
        np.repeat(spans["cores_a_unit"], spans["cores"]),
    )
    place = np.arange(len(core)) - np.searchsorted(owner, owner)
    lead = core[np.arange(len(core)) - place % each]  # of its unit; that one is told when it is given back
    given_s = given_back_s(result, owner, lead)
    return owner, core, np.where(np.isinf(given_s), np.nan, given_s)


def _joined(run: np.ndarray, core: np.ndarray, begin_s: np.ndarray, end_s: np.ndarray) -> Rectangles:
    order = np.lexsort((core, run))
    run, core, begin_s, end_s = (values[order] for values in (run, core, begin_s, end_s))
    same_end = (end_s[1:] == end_s[:-1]) | (np.isnan(end_s[1:]) & np.isnan(end_s[:-1]))
    goes_on = (run[1:] == run[:-1]) & (core[1:] == core[:-1] + 1) & same_end
    first = np.flatnonzero(np.concatenate([[True], ~goes_on])) if len(run) else np.empty(0, np.int64)
    last = np.concatenate([first[1:], [len(run)]])[: len(first)] - 1
    return Rectangles(run[first], begin_s[first], end_s[first], core[first], core[last] + 1)
