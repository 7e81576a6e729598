"""A deep queue: EASY with about 30,000 jobs waiting, on a workload that is drawn from a seed.

56,000 jobs are submitted at time 0; the small half is backfilled soon. Then jobs arrive at the rate at which a full
machine processes them, so that about 30,000 wait until the last arrival. At every end of a job EASY searches all
waiting jobs for those that fit next to the reservation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.platforms import Machine
from thinktime.schedulers.easy import Easy
from thinktime.simulation.requests import Requests
from thinktime.simulation.settings import Settings
from thinktime_bench.engine import measure_requests
from thinktime_bench.measurement import Case, Measurement

GOAL = 1.0  # M jobs/s
WAITING = 30_000  # approximate queue length during most of the run
BACKLOG = 56_000  # jobs submitted at time 0
JOBS = 300_000
PROCESSORS = 1024
#: Arriving work relative to the machine's capacity: the utilisation of EASY with this queue.
LOAD = 0.996
SEED = 7
REPEATS, QUICK_REPEATS = 9, 2


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    yield Case("queue", f"{WAITING:,} waiting, easy", partial(measure, JOBS, QUICK_REPEATS if quick else REPEATS))


def measure(jobs: int, repeats: int, backlog: int = BACKLOG) -> list[Measurement]:
    settings = Settings(machine=Machine(processors=PROCESSORS), scheduler=Easy())
    requests = draw(jobs, backlog)
    found = measure_requests("queue", f"{WAITING:,} waiting", settings, requests, GOAL, repeats)
    return [replace(found, details={**found.details, **queue_lengths(settings, requests)})]


def draw(jobs: int, backlog: int) -> Requests:
    """Sizes are powers of two, run times lognormal (median 18 min), estimates up to five times too long."""
    random = np.random.default_rng(SEED)
    processors = (2 ** random.integers(0, 9, jobs)).astype(np.int32)
    run = np.ceil(random.lognormal(7.0, 1.5, jobs))
    estimate = np.ceil(run * random.uniform(1.0, 5.0, jobs) / 300) * 300
    return Requests(_submit_times(processors * run, backlog), run, estimate, processors)


def _submit_times(work: np.ndarray, backlog: int) -> np.ndarray:
    """A job arrives when the machine has processed the work of the earlier arrivals, without the backlog."""
    brought = np.cumsum(work[backlog:]) / (PROCESSORS * LOAD)
    return np.concatenate([np.zeros(backlog), np.floor(brought)])


def queue_lengths(settings: Settings, requests: Requests) -> dict[str, Any]:
    """Return the queue length until the last arrival: mean over time and over events, minimum, maximum. Not timed."""
    engine = settings.engine(timeline=True, keep_jobs=True)
    requests.load(engine)
    engine.close()
    engine.run(np.inf, 2**63)
    timeline = engine.take_timeline(all=True)
    coming = timeline["time_s"] <= requests.submit_s[-1]
    queued, lasts = timeline["queued_jobs"][coming], np.diff(timeline["time_s"][coming])
    return {
        "queued_time_mean": float(np.average(queued[:-1], weights=lasts)),
        "queued_event_mean": float(queued.mean()),
        "queued_least": int(queued.min()),
        "queued_most": int(queued.max()),
        "events_while_coming": float(np.count_nonzero(coming) / len(coming)),
    }
