"""Small clusters and workloads for the tests of plugins."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

import thinktime as tt

SCHEDULERS = (
    tt.FCFS(),
    tt.FCFS(skip=True),
    tt.SJF(),
    tt.Easy(),
    tt.Easy(recompute=False),
    tt.Easy(compat="accasim-1.0"),
    tt.Conservative(),
)
ALLOCATORS = (tt.FirstFit(), tt.BestFit(), tt.WorstFit(), tt.Contiguous(), tt.Random())
USERS = (tt.Rigid(), tt.SessionReplay(), tt.Adjusted(), tt.Fluid(), tt.DistributionBased(monday_s=0.0))


def cluster(nodes: int = 4, cores: int = 2, more: int = 0) -> tt.Cluster:
    groups = [{"name": "g", "nodes": nodes, "core": cores}]
    return tt.Cluster(groups=groups + ([{"name": "h", "nodes": more, "core": cores}] if more else []))


def workload(rows: list[tuple[float, float, float, int]], users: int = 3) -> tt.Workload:
    """(submit, run, estimate, processors) of each job."""
    rows = sorted(rows, key=lambda row: row[0])
    submit, run, estimate, processors = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    count = np.arange(len(rows))
    return tt.Workload.from_columns(
        job=count + 1,
        submit_s=submit,
        wait_s=np.zeros(len(rows)),
        run_s=run,
        processors=processors,
        requested_time_s=estimate,
        user=count % users + 1,
    )


def random_workload(seed: int, jobs: int = 60, most: int = 6, longest: float = 400.0) -> tt.Workload:
    draw = np.random.default_rng(seed)
    submit = np.cumsum(draw.integers(0, 120, jobs)).astype(float)
    run = draw.integers(0, int(longest), jobs).astype(float)
    estimate = run * draw.choice([1.0, 1.5, 4.0, 0.7], jobs)
    rows = zip(
        submit.tolist(),
        run.tolist(),
        np.ceil(estimate).tolist(),
        draw.integers(1, most + 1, jobs).tolist(),
        strict=True,
    )
    return workload(list(rows))


def anything() -> st.SearchStrategy[dict[str, Any]]:
    """A scheduler, an allocator, users and rules."""
    return st.fixed_dictionaries(
        {
            "scheduler": st.sampled_from(SCHEDULERS),
            "allocator": st.sampled_from(ALLOCATORS),
            "users": st.sampled_from(USERS),
            "overrun": st.sampled_from(["extend", "kill"]),
            "same_instant": st.sampled_from(["batch", "each-end-first"]),
            "seed": st.integers(0, 100),
        }
    )
