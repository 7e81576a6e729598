"""Small logs with users of every kind, for the tests of resampling."""

from __future__ import annotations

import numpy as np

from reference import resample as oracle
from thinktime.resampling import origin_s
from thinktime.support.time_units import WEEK_S
from thinktime.workload import Workload, known_end_s


def random_log(seed: int, weeks: int = 30, long_term: int = 6, temporary: int = 8, first_s: float = 0.0) -> Workload:
    """Users who come and go; every job has its own run time, so that it can be recognised. Ties in submit times."""
    rng = np.random.default_rng(seed)
    submit, user = [], []
    for number in range(long_term + temporary):
        length = rng.integers(13, weeks + 1) if number < long_term else rng.integers(1, 6)
        begin = rng.integers(0, max(int(weeks - length), 0) + 1)
        jobs = rng.integers(2, 12)
        times = begin * WEEK_S + rng.random(jobs) * length * WEEK_S
        if number < long_term:
            times[:2] = begin * WEEK_S, (begin + length) * WEEK_S - 1
        submit.append(np.floor(times / 3600) * 3600)
        user.append(np.full(jobs, 10 + number))
    total = sum(map(len, submit))
    return Workload.from_columns(
        name="small",
        submit_s=np.concatenate(submit) + first_s,
        user=np.concatenate(user),
        wait_s=rng.integers(0, 3600, total),
        run_s=1000.0 + np.arange(total),
        processors=rng.integers(1, 9, total),
        requested_time_s=rng.integers(1, 5, total) * 3600,
    )


def oracle_jobs(workload: Workload) -> list[oracle.Job]:
    ends = known_end_s(workload)
    rows = zip(workload["user"].astype(int).tolist(), workload["submit_s"].tolist(), ends.tolist(), strict=True)
    return [oracle.Job(*row) for row in rows]


def oracle_pools(workload: Workload, **options: object) -> oracle.Pools:
    return oracle.user_pools(oracle_jobs(workload), origin_s(workload), **options)  # type: ignore[arg-type]


def source_rows(made: Workload, source: Workload) -> np.ndarray:
    """The source row of each job, by its run time."""
    order = np.argsort(source["run_s"])
    return order[np.searchsorted(source["run_s"][order], made["run_s"])]
