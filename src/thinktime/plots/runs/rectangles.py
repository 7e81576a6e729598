"""The rectangles of a Gantt chart, and their coverage of the pixels of an image."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from thinktime.result.exports.processor_numbers import Intervals, place
from thinktime.result.given_back import given_back_s
from thinktime.result.tasks import listed, spans_of_cores
from thinktime.support.equality import ByContent

if TYPE_CHECKING:
    from thinktime.result import Result


@dataclass(frozen=True, eq=False, repr=False)
class Rectangles(ByContent):
    """One row per block of neighbouring processors of a job; a job may have several."""

    job: np.ndarray  # row of the job in the columns that were placed
    begin_s: np.ndarray
    end_s: np.ndarray
    low: np.ndarray  # the first processor
    high: np.ndarray  # one after the last

    def __len__(self) -> int:
        return len(self.job)


def rectangles(columns: Mapping[str, np.ndarray], machine: int, held: list[Intervals] | None = None) -> Rectangles:
    """The processors of each job that started; a job without an end is still running.

    A counted machine does not say which processors a job had (`held` None): each job then takes the smallest gap that
    holds it.
    """
    held = place(columns, machine, compact=True) if held is None else held
    job = np.repeat(np.arange(len(held)), np.fromiter(map(len, held), np.int64, len(held)))
    bounds = np.fromiter(chain.from_iterable(chain.from_iterable(held)), np.int64, 2 * len(job)).reshape(-1, 2)
    return Rectangles(job, columns["start_s"][job], columns["end_s"][job], bounds[:, 0], bounds[:, 1] + 1)


def coverage(
    blocks: Rectangles,
    group: np.ndarray,
    groups: int,
    window: tuple[float, float],
    machine: int,
    shape: tuple[int, int],
) -> np.ndarray:
    """[group, row, column]: which part of each pixel of an image of `shape` the blocks of a group cover.

    Exact also where blocks are smaller than pixels. Along one axis, a block from a to b changes the coverage only at
    its two ends, by an amount that two pixels share where an end lies between them. So 16 numbers per block, summed
    along both axes, give the image.
    """
    rows, columns = shape
    x = _coverage_changes(_dots(blocks.begin_s, window, columns), _dots(blocks.end_s, window, columns))
    y = _coverage_changes(_dots(blocks.low, (0, machine), rows), _dots(blocks.high, (0, machine), rows))
    size = (groups, rows + 2, columns + 2)
    changes = np.zeros(np.prod(size))
    for row, height in y:
        for column, width in x:
            place_of = (group * size[1] + row) * size[2] + column
            changes += np.bincount(place_of, weights=height * width, minlength=len(changes))
    return np.clip(changes.reshape(size).cumsum(axis=1).cumsum(axis=2)[:, :rows, :columns], 0.0, 1.0)


def _dots(values: np.ndarray, limits: tuple[float, float], dots: int) -> np.ndarray:
    """Values as positions along an axis of `dots` pixels, clipped to it."""
    return np.clip((values - limits[0]) / (limits[1] - limits[0]) * dots, 0.0, float(dots))


def _coverage_changes(begin: np.ndarray, end: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Pixels, and by how much the coverage changes from the pixel before."""
    changes = []
    for at, sign in ((begin, 1.0), (end, -1.0)):
        dot = np.floor(at).astype(np.int64)
        changes += [(dot, sign * (1.0 - (at - dot))), (dot + 1, sign * (at - dot))]
    return changes


# --- runs that record their cores ---------------------------------------------------------------------------


def rectangles_of_cores(result: Result, runs: Mapping[str, np.ndarray]) -> Rectangles:
    """The rectangles of runs whose cores are recorded: neighbouring cores that were held for the same time.

    `runs` has a `number`, of the job or of the attempt, and `last`, whether it is the job's last run.
    """
    run_of = np.full(len(result) + len(result.attempts_made), -1)
    run_of[np.where(runs["last"], runs["number"], len(result) + runs["number"])] = np.arange(len(runs["number"]))
    owner, core, given_s = _release_times_of_cores(result)
    run = run_of[owner]
    run, core, given_s = (values[run >= 0] for values in (run, core, given_s))
    return _join_adjacent_cores(run, core, runs["start_s"][run], np.fmin(runs["end_s"][run], given_s))


def _release_times_of_cores(result: Result) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Owner, number and release time of each core of every run; NaN if the core was held to the end."""
    spans = spans_of_cores(result)
    core, owner, each = (
        listed(spans["first"], spans["cores"]),
        np.repeat(spans["row"], spans["cores"]),
        np.repeat(spans["cores_per_unit"], spans["cores"]),
    )
    place = np.arange(len(core)) - np.searchsorted(owner, owner)
    lead = core[np.arange(len(core)) - place % each]  # first core of the unit, which has the release time
    given_s = given_back_s(result, owner, lead)
    return owner, core, np.where(np.isinf(given_s), np.nan, given_s)


def _join_adjacent_cores(run: np.ndarray, core: np.ndarray, begin_s: np.ndarray, end_s: np.ndarray) -> Rectangles:
    order = np.lexsort((core, run))
    run, core, begin_s, end_s = (values[order] for values in (run, core, begin_s, end_s))
    same_end = (end_s[1:] == end_s[:-1]) | (np.isnan(end_s[1:]) & np.isnan(end_s[:-1]))
    goes_on = (run[1:] == run[:-1]) & (core[1:] == core[:-1] + 1) & same_end
    first = np.flatnonzero(np.concatenate([[True], ~goes_on])) if len(run) else np.empty(0, np.int64)
    last = np.concatenate([first[1:], [len(run)]])[: len(first)] - 1
    return Rectangles(run[first], begin_s[first], end_s[first], core[first], core[last] + 1)
