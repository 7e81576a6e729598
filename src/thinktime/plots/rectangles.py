"""The rectangles of a Gantt chart, and the same as a picture where they are smaller than its dots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np

from thinktime.equality import ByContent
from thinktime.result.placement import Intervals, place


@dataclass(frozen=True, eq=False)
class Rectangles(ByContent):
    """One row a block of neighbouring processors of a job; a job may have several."""

    job: np.ndarray  # row of the job in the columns that were placed
    begin_s: np.ndarray
    end_s: np.ndarray
    low: np.ndarray  # the first processor
    high: np.ndarray  # one after the last

    def __len__(self) -> int:
        return len(self.job)


def rectangles(columns: Mapping[str, np.ndarray], machine: int, held: list[Intervals] | None = None) -> Rectangles:
    """The processors of each job, which must have a start; those without an end are still running. Which processors is
    chosen here, unless it is known."""
    held = place(columns, machine) if held is None else held
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
    """[group, row, column]: which part of each dot of a picture of `shape` the blocks of a group cover.

    Exact also where blocks are smaller than dots. Along one axis, a block from a to b changes the coverage
    from dot to dot at its two ends only, by an amount that is shared by two dots where an end lies between; so
    16 numbers a block, summed up along both axes, are the whole picture.
    """
    rows, columns = shape
    x = _ends(_dots(blocks.begin_s, window, columns), _dots(blocks.end_s, window, columns))
    y = _ends(_dots(blocks.low, (0, machine), rows), _dots(blocks.high, (0, machine), rows))
    size = (groups, rows + 2, columns + 2)
    changes = np.zeros(np.prod(size))
    for row, height in y:
        for column, width in x:
            place_of = (group * size[1] + row) * size[2] + column
            changes += np.bincount(place_of, weights=height * width, minlength=len(changes))
    return np.clip(changes.reshape(size).cumsum(axis=1).cumsum(axis=2)[:, :rows, :columns], 0.0, 1.0)


def _dots(values: np.ndarray, limits: tuple[float, float], dots: int) -> np.ndarray:
    """Values as places along an axis of so many dots, inside it."""
    return np.clip((values - limits[0]) / (limits[1] - limits[0]) * dots, 0.0, float(dots))


def _ends(begin: np.ndarray, end: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Dots, and by how much the coverage changes from the dot before."""
    changes = []
    for at, sign in ((begin, 1.0), (end, -1.0)):
        dot = np.floor(at).astype(np.int64)
        changes += [(dot, sign * (1.0 - (at - dot))), (dot + 1, sign * (at - dot))]
    return changes
