"""The bridge to SimGrid: the cost of a chunk that is assigned at once, decided by thinktime, or requested by message.

Equal loops of many and of few tasks are played; the difference in CPU time of the worker, its children included, over
the difference in chunks is the figure, so that starting a process and making its cores do not count. The native level
plays the same loop for comparison. Where no Python has SimGrid there is nothing to measure.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.applications import ApplicationContext
from thinktime.applications.loop import Loop
from thinktime.applications.simgrid import WORKER, simgrid_python
from thinktime.applications.worker_messages import JobMessage
from thinktime.applications.worker_pool import WorkerPool
from thinktime.errors import InputError
from thinktime_bench.measurement import Case, Measurement

CORES, TASKS, QUICK_TASKS = 64, 8000, 400
REPEATS, QUICK_REPEATS = 3, 1
LINE = {"bandwidth_bytes_s": 6.25e9, "latency_s": 5e-7, "message_bytes": 64}
#: how a core gets its chunk → goal in µs, the highest cost measured before
WAYS = {"at once": 216.0, "decided by us": 216.0, "by message": None}


class _One:
    """A technique that assigns single tasks."""

    def chunk(self, core: int, remaining: int) -> int:
        return 1

    def done(self, core: int, tasks: int, work_s: float, total_s: float) -> None:
        pass


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    try:
        command = [simgrid_python(), str(WORKER)]
    except InputError:
        return
    tasks, repeats = (QUICK_TASKS, QUICK_REPEATS) if quick else (TASKS, REPEATS)
    for way in WAYS:
        yield Case("bridge", f"a chunk in SimGrid, {way}", partial(_chunks, command, way, tasks, repeats))
    yield Case("bridge", "a chunk in the native level", partial(_native, 100 * tasks, repeats))


def _play(way: str, tasks: int) -> JobMessage:
    lengths, nodes = np.random.default_rng(1).gamma(4.0, 25.0, tasks), np.arange(CORES) // 16
    who: dict[str, Any] = {"technique": _One()} if way == "decided by us" else {"chunks": [1]}
    network: dict[str, Any] = {"network": LINE, "nodes": nodes} if way == "by message" else {}
    return JobMessage(tasks=lengths, speeds=np.ones(CORES), **who, **network)


def _chunks(command: list[str], way: str, tasks: int, repeats: int) -> list[Measurement]:
    few, many = ([_cost(command, _play(way, size)) for _ in range(repeats)] for size in (CORES, tasks))
    cpu_s = min(each["cpu_s"] for each in many) - min(each["cpu_s"] for each in few)
    details = {**many[0], "cpu_s": cpu_s, "cores": CORES}
    us = 1e6 * cpu_s / (tasks - CORES)
    return [Measurement("bridge", f"a chunk in SimGrid, {way}", us, "us", WAYS[way], repeats, details=details)]


def _cost(command: list[str], play: JobMessage) -> dict[str, Any]:
    """CPU time of a worker from its start to its end."""
    begin = _children_s()
    with WorkerPool(command) as bridge:
        played, simulator = bridge.wait(bridge.submit(play)), bridge.simulator
        time.sleep(0.1)  # until the worker has collected its child, whose time is counted then
    return {
        "cpu_s": _children_s() - begin,
        "chunks": played.chunks,
        "makespan_s": played.duration_s,
        "simulator": simulator,
    }


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _native(tasks: int, repeats: int) -> list[Measurement]:
    """The native application level: self-scheduling of the same number of tasks."""
    from thinktime import _engine

    loop = Loop(technique="ss", variation=0.5, tasks_per_core=tasks // CORES)
    loops = _engine.Loops(loop.plan(ApplicationContext(None, 1.0, CORES, 1)))
    one, cores = np.ones(1), np.arange(CORES, dtype=np.int64)
    job: dict[str, Any] = {"row": np.zeros(1, np.int64), "processors": np.full(1, CORES, np.int64), "each_s": 1e4 * one}
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        shown = loops.show(**job, start_s=0 * one, limit_s=np.inf * one, core=cores)
        times.append(time.process_time() - begin)
    chunks = len(shown["task"])
    details = {"cpu_s": min(times), "chunks": chunks, "makespan_s": float(shown["end_s"].max())}
    us = 1e6 * min(times) / chunks
    return [
        Measurement("bridge", "a chunk in the native level, task by task", us, "us", None, repeats, details=details)
    ]
