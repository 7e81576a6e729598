"""Schedules of other simulators, and how they are compared with ours."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np

import thinktime as tt


def assert_same(found: tt.Result, theirs: dict[str, np.ndarray]) -> None:
    """The same jobs, and for each the same submit, start and end."""
    order = np.argsort(found.columns["job"], kind="stable")
    ours = {name: found.columns[name][order] for name in theirs}
    assert np.array_equal(ours["job"], theirs["job"]), "not the same jobs"
    differs = np.logical_or.reduce([ours[name] != theirs[name] for name in theirs])
    first = np.flatnonzero(differs)[:3]
    said = [{name: (ours[name][i], theirs[name][i]) for name in theirs} for i in first]
    assert not differs.any(), f"{differs.sum()} jobs differ, (ours, theirs): {said}"


def schedule_csv(path: Path) -> dict[str, np.ndarray]:
    """A peer's job_id,submit,start,end, sorted by job, under our names."""
    with gzip.open(path, "rt") as file:
        assert next(csv.reader(file)) == ["job_id", "submit", "start", "end"]
        columns = np.loadtxt(file, delimiter=",", unpack=True)
    return dict(zip(("job", "submit_s", "start_s", "end_s"), columns, strict=True))
