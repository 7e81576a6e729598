"""Results to test with: the hand-worked schedule, and random FCFS schedules by a plain loop."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tests.metrics import schedule
from thinktime.result import JOB_COLUMNS, Result

SPEC = {
    "workload": {"name": "hand-worked", "sha256": "0" * 64, "jobs": 6},
    "machine": {"processors": 4},
    "scheduler": {"name": "fcfs", "skip": False},
    "overrun": "kill",
    "seed": 7,
    "version": "0.1.0",
}


def hand_worked() -> Result:
    return Result(
        columns=schedule.columns(),
        processors=schedule.PROCESSORS,
        spec=SPEC,
        timeline_columns=schedule.timeline(),
        account={"lines": 6, "note": "größer"},
        statistics={"events": 17, "passes": 10, "run_s": 0.5},
    )


def changed(result: Result, **columns: dict[int, float]) -> Result:
    """The same result with some values replaced: `start_s={2: 5.0}` changes row 2."""
    new = {name: values.copy() for name, values in result.columns.items()}
    for name, values in columns.items():
        for row, value in values.items():
            new[name][row] = value
    return Result(new, result.processors, result.spec, result.timeline_columns)


@st.composite
def fcfs_runs(draw: st.DrawFn) -> Result:
    """A random workload, scheduled first come, first served."""
    processors = draw(st.integers(1, 8))
    job = st.tuples(st.integers(0, 30), st.integers(1, processors + 2), st.integers(0, 20), st.integers(1, 20))
    jobs = sorted(draw(st.lists(job, max_size=25)), key=lambda j: j[0])
    rows = _schedule(jobs, processors)
    columns = {name: np.array([row[name] for row in rows], dtype=float) for name in JOB_COLUMNS}
    columns["status"] = columns["status"].astype(np.uint8)
    return Result(columns, processors, {"scheduler": {"name": "fcfs"}}, _timeline(rows))


def _schedule(jobs: list[tuple[int, int, int, int]], processors: int) -> list[dict[str, float]]:
    rows: list[dict[str, float]] = []
    now = 0
    for number, (submit, size, run, estimate) in enumerate(jobs, start=1):
        row = dict.fromkeys(JOB_COLUMNS, np.nan)
        row |= {"job": number, "user": number % 3, "submit_s": submit, "processors": size, "status": 2}
        row |= {"run_s": min(run, estimate), "estimate_s": estimate, "recorded_submit_s": submit + 0.5}
        if size <= processors:
            now = max(now, submit)
            while _used(rows, now) + size > processors:
                now += 1
            row |= {"start_s": now, "end_s": now + min(run, estimate), "status": int(run > estimate)}
        rows.append(row)
    return rows


def _used(rows: list[dict[str, float]], now: int) -> float:
    return sum(row["processors"] for row in rows if row["start_s"] <= now < row["end_s"])


def _timeline(rows: list[dict[str, float]]) -> dict[str, np.ndarray]:
    ran = [row for row in rows if row["status"] != 2]
    times = sorted({row[name] for row in ran for name in ("submit_s", "start_s", "end_s")})
    queued = [[row["processors"] for row in ran if row["submit_s"] <= t < row["start_s"]] for t in times]
    running = [[row["processors"] for row in ran if row["start_s"] <= t < row["end_s"]] for t in times]
    return {
        "time_s": np.array(times, dtype=float),
        "queued_jobs": np.array([len(q) for q in queued], dtype=np.int64),
        "queued_processors": np.array([sum(q) for q in queued], dtype=np.int64),
        "running_jobs": np.array([len(r) for r in running], dtype=np.int64),
        "used_processors": np.array([sum(r) for r in running], dtype=np.int64),
    }
