"""User-defined policies: the overhead of a Python scheduler per pass, and the cost of a key.

Passes are measured on a machine so large that no job waits. The policy starts every job at once and does nothing else;
the time beyond the engine's FCFS is the overhead of calling it. Keys are evaluated natively on arrays: named, composed,
and compiled if numba is installed. CPU time, the best of several repetitions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from thinktime.generate import default_workload
from thinktime.platforms import Machine
from thinktime.schedulers import Scheduler, key, native
from thinktime.schedulers.fcfs import FCFS
from thinktime.schedulers.native import SIGNATURE
from thinktime.schedulers.own import Deciding
from thinktime.schedulers.priority import Priority
from thinktime.simulation.requests import requests_of
from thinktime.simulation.settings import Settings
from thinktime_bench.measurement import Case, Measurement

GOAL_US = 2.0  # per pass
REPEATS, QUICK_REPEATS = 9, 2
KEYS, QUICK_KEYS = 1_000_000, 100_000
PROCESSORS = 1_000_000

#: data that the policy reads → (function, goal)
LOOKS: dict[str, tuple[Callable[..., Any], float | None]] = {
    "the rows": (lambda now_s, queue, running, machine: queue.row, GOAL_US),
    "what EASY needs": (
        lambda now_s, queue, running, machine: (
            machine.free,
            queue.processors,
            queue.expected_s,
            running.expected_end_s,
            running.processors,
            queue.row,
        )[-1],
        GOAL_US,
    ),
}
COMPOSED = -(key.wait / key.estimate * (key.wait / key.estimate) * (key.wait / key.estimate) * key.processors)


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    repeats = QUICK_REPEATS if quick else REPEATS
    for name in LOOKS:
        yield Case("own", f"a pass in Python, {name}", partial(_passes, name, repeats))
    for name, scheduler in keys().items():
        yield Case(
            "own",
            f"a key, {name}",
            partial(_measure_order_key, name, scheduler, QUICK_KEYS if quick else KEYS, repeats),
        )


class _Asked(Scheduler):
    """A Python scheduler that is not registered."""

    name: ClassVar[str] = "asked"
    look: str = ""

    def live_options(self, processors: int, seed: int) -> dict[str, Any]:
        return {"policy": Deciding(self.look, _Looking(LOOKS[self.look][0]))}


class _Looking:
    def __init__(self, schedule: Callable[..., Any]) -> None:
        self.schedule = schedule


def _passes(name: str, repeats: int) -> list[Measurement]:
    engines, asked = _cost(FCFS(), repeats), _cost(_Asked(look=name), repeats)
    us = 1e6 * (asked["cpu_s"] - engines["cpu_s"]) / asked["asked"]
    details = {**asked, "fcfs_cpu_s": engines["cpu_s"]}
    return [Measurement("own", f"a pass in Python, {name}", us, "us", LOOKS[name][1], repeats, details=details)]


def _cost(scheduler: Scheduler, repeats: int) -> dict[str, Any]:
    workload = default_workload()
    settings = Settings(machine=Machine(processors=PROCESSORS), scheduler=scheduler)
    requests, times = requests_of(workload, settings), []
    for _ in range(repeats):
        engine = settings.engine(timeline=False, keep_jobs=True)
        requests.load(engine)
        engine.close()
        begin = time.process_time()
        engine.run(np.inf, 2**63)
        times.append(time.process_time() - begin)
    submit_s = requests.submit_s
    return {
        "cpu_s": min(times),
        "jobs": len(workload),
        "passes": int(engine.statistics()["passes"]),
        "asked": int(np.unique(submit_s).size),  # passes with a waiting job
        "mean_wait_s": float(np.mean(engine.jobs()["start_s"] - submit_s)),
    }


def keys() -> dict[str, Priority]:
    """WFP3 in three ways; in two if numba is not installed."""
    found = {"named": Priority(key="wfp3"), "composed": Priority(key=COMPOSED)}
    try:
        import numba
    except ImportError:
        return found

    @numba.cfunc(SIGNATURE)
    def wfp3(now_s: float, submit_s: float, estimate_s: float, processors: float, user: float) -> float:
        x = (now_s - submit_s) / estimate_s
        return -(x * x * x * processors)

    return {**found, "compiled": Priority(key=native(wfp3))}


def _measure_order_key(name: str, scheduler: Priority, jobs: int, repeats: int) -> list[Measurement]:
    from thinktime import _engine

    random = np.random.default_rng(1)
    submit, estimate = random.integers(0, 10**6, jobs).astype(float), random.integers(1, 10**5, jobs).astype(float)
    processors = random.integers(1, 512, jobs).astype(float)
    order, times = scheduler.engine_options()["key"], []
    for _ in range(repeats):
        begin = time.process_time()
        values = _engine.order_keys(order, 1.0, submit, estimate, processors, processors, 2e6)
        times.append(time.process_time() - begin)
    details = {"keys": jobs, "mean_key": float(values.mean()), "cpu_s": min(times)}
    return [Measurement("own", f"a key, {name}", 1e9 * min(times) / jobs, "ns", None, repeats, details=details)]
