"""Windows that cannot be, and the order of time."""

from __future__ import annotations

import numpy as np
import pytest

import thinktime as tt
from tests.effort import seeds
from tests.tracing.samples import block, random, tasks_of, trace
from thinktime.result.tasks import check_window
from thinktime.tracing import time_order


def test_windows_that_cannot_be() -> None:
    assert check_window((None, 5)) == (-np.inf, 5)
    for wrong in ((5, 5), (6, 5), (float("nan"), 1)):
        with pytest.raises(tt.InputError, match="later end"):
            check_window(wrong)


def in_order(blocks: list) -> dict[str, np.ndarray]:
    parts = list(time_order.in_time_order(trace(blocks)))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


@pytest.mark.parametrize("at_once", [1, 7, 200_000])
@pytest.mark.parametrize("seed", seeds(25))
def test_moments_in_the_order_of_time(monkeypatch: pytest.MonkeyPatch, at_once: int, seed: int) -> None:
    """Whatever is sorted at a time, every core enters and leaves one task after the other."""
    monkeypatch.setattr(time_order, "AT_ONCE", at_once)
    blocks = random(seed)
    found = in_order(blocks)
    assert np.all(np.diff(found["time"]) >= 0)
    assert replayed(found) == tasks_of(blocks)


def replayed(found: dict[str, np.ndarray]) -> list[tuple[int, ...]]:
    """Tasks again; a core that enters before it has left fails."""
    inside: dict[int, tuple[int, int, int]] = {}
    tasks = []
    columns = [found[name].tolist() for name in ("time", "enter", "core", "job", "task")]
    for time, enter, core, job, task in zip(*columns, strict=True):
        if enter:
            assert core not in inside
            inside[core] = (time, job, task)
        else:
            begin, *what = inside.pop(core)
            assert what == [job, task]
            tasks.append((core, begin, time, job, task))
    assert not inside
    return sorted(tasks)


def test_blocks_that_are_not_in_order_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_order, "AT_ONCE", 1)
    late = [block([(1, 0, 0, 0, 0, 50, 60)]), block([(2, 1, 0, 0, 1, 10, 70)])]
    with pytest.raises(tt.InputError, match="order of job starts"):
        in_order(late)
