"""Studies: the overhead of store and runner per run, and the speedup of two threads.

A tiny run has 50 jobs, so that what is not simulation shows. For the threads a log of 28,475 jobs (KTH, or the
default workload where it is not there) is simulated under EASY on machines of slightly different speeds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from thinktime.study import Study, Threads, open_store, run_study
from thinktime.study.execute import simulated
from thinktime.study.executors import Local
from thinktime.study.sources import WORKLOADS
from thinktime_bench.measurement import Case, Measurement

ADDED_MS, SPEEDUP = 2.0, 1.8  # goals
LOG = "KTH-SP2-1996-2.1-cln"


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    tiny, runs = (300, 20) if quick else (10_000, 1000)
    yield Case("study", f"{tiny:,} tiny runs", partial(overhead, tiny))
    yield Case("study", f"{runs:,} runs of a log on 1 and 2 threads", partial(speedup, runs, folder))


def overhead(runs: int) -> list[Measurement]:
    """CPU seconds of the whole study minus those of its simulations and summaries."""
    study = _speeds({"generator": "default", "jobs": 50, "seed": 1}, runs)
    alone_s, (whole_s, _) = _by_hand(study), _carried_out(study, 1)
    added_ms = (whole_s - alone_s) / runs * 1e3
    details = {"jobs": 50 * runs, "alone_ms": alone_s / runs * 1e3, "whole_ms": whole_s / runs * 1e3}
    return [
        Measurement("study", f"store and runner, {runs:,} tiny runs", added_ms, "ms a run", ADDED_MS, 1, True, details)
    ]


def speedup(runs: int, folder: Path | None) -> list[Measurement]:
    """Wall time with one thread relative to two."""
    from thinktime_bench.logs import matching

    found = matching(folder, LOG)
    source: dict[str, Any] = {"log": str(found[0])} if found else {"generator": "default", "seed": 1}
    study = _speeds(source, runs)
    one, two = (_carried_out(study, threads)[1] for threads in (1, 2))
    details = {"one_thread_s": one, "two_at_once_s": two}
    return [Measurement("study", f"two at once, {runs:,} runs", one / two, "times", SPEEDUP, details=details)]


def _speeds(source: dict[str, Any], runs: int) -> Study:
    platforms = [f"machine:processors=128,speed={1 + k / 100_000}" for k in range(runs)]
    return Study.of(name="bench", workloads=[source], schedulers=["easy"], platforms=platforms)


def _by_hand(study: Study) -> float:
    tasks = study.tasks()
    workload = WORKLOADS.get(tasks[0].spec["workload"], 1)
    begin = time.process_time()
    for task in tasks:
        simulated(task.spec, workload).summary(**task.spec["summary"])
    return time.process_time() - begin


def _carried_out(study: Study, threads: int) -> tuple[float, float]:
    """Return CPU and wall seconds."""
    with TemporaryDirectory(prefix="thinktime-bench-") as scratch, open_store(Path(scratch) / "s", study) as store:
        cpu, wall = time.process_time(), time.perf_counter()
        run_study(study, store, Threads(1) if threads == 1 else Local(threads))
        return time.process_time() - cpu, time.perf_counter() - wall
