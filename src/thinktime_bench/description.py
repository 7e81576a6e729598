"""Descriptions of workloads: stack depth, similarity across sessions, shuffled sessions; natively, CPU time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from thinktime_bench.logs import find_logs
from thinktime_bench.measurement import Case, Measurement

GOAL_DEPTHS = 0.3  # M jobs/s: 300,000 jobs in a second
JOBS = 300_000
REPEATS, QUICK_REPEATS = 5, 2
SHUFFLES = 20


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    repeats = QUICK_REPEATS if quick else REPEATS
    yield Case("description", "stack depth", partial(stack_depth_of_many, JOBS, repeats))
    for name, path in find_logs(folder, quick).items():
        yield Case("description", name, partial(_measure_description, name, path, repeats))


def stack_depth_of_many(jobs: int, repeats: int) -> list[Measurement]:
    """Run times between a second and ten days without locality, which give the deepest stack."""
    from thinktime import _engine
    from thinktime.support.random_streams import stream

    values = np.floor(np.exp(stream(1, "bench", "run times").uniform(0.0, np.log(864_000.0), jobs)))
    seconds, depths = _best_cpu_time(lambda: _engine.stack_depths(values, tolerance=0.05), repeats)
    found = {"jobs": jobs, "mean_depth": float(depths[depths >= 0].mean()), "entries": int((depths < 0).sum())}
    return [_rate("stack depth of random run times", jobs, seconds, repeats, GOAL_DEPTHS, found)]


def _measure_description(name: str, path: Path | None, repeats: int) -> list[Measurement]:
    from thinktime.description import permutation_test, similarity, stack_depth
    from thinktime.generate import default_workload
    from thinktime.workload import read_swf, sessions

    log = read_swf(path) if path else default_workload()
    cut = sessions(log)
    depth_s, depth = _best_cpu_time(lambda: stack_depth(log, "run"), repeats)
    alike_s, alike = _best_cpu_time(lambda: similarity(log, cut, "run", medians=False), repeats)
    shuffle_s, shuffled = _best_cpu_time(lambda: permutation_test(log, cut, "run", shuffles=SHUFFLES), 1)
    jobs = len(log)
    return [
        _rate(f"{name}, stack depth", jobs, depth_s, repeats, GOAL_DEPTHS, {"jobs": jobs, "mean_depth": depth.mean}),
        _rate(f"{name}, similarity", jobs, alike_s, repeats, None, {"jobs": jobs, "in_a_session": alike.same_session}),
        _rate(f"{name}, shuffles", jobs * SHUFFLES, shuffle_s, 1, None, {"shuffles": SHUFFLES, "p": shuffled.p}),
    ]


def _best_cpu_time(measured: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Return the minimum CPU seconds and the result."""
    best, found = float("inf"), None
    for _ in range(repeats):
        begin = time.process_time()
        found = measured()
        best = min(best, time.process_time() - begin)
    return best, found


def _rate(
    name: str, jobs: int, seconds: float, repeats: int, goal: float | None, details: dict[str, Any]
) -> Measurement:
    rate = jobs / max(seconds, 1e-9) / 1e6
    return Measurement("description", name, rate, "M jobs/s", goal, repeats, details={**details, "cpu_s": seconds})
