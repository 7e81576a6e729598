"""Traces of tasks: events per second of CPU time by format, and OTF2 with many cores.

A made-up run of jobs that take the whole machine, one task a core, goes to a file in a scratch folder; an event is a
begin or an end of a task. Where the package otf2 is missing, the other formats are measured.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from thinktime.tracing import Block, Host, Trace
from thinktime_bench.measurement import Case, Measurement

FEW, MANY, CORES_A_HOST, GROUP = 256, 4096, 64, 16
TASKS, QUICK_TASKS = 800_000, 80_000
GOAL_K_PER_S = 150.0
REPEATS, QUICK_REPEATS = 2, 1
APART_S = 10.0  # between starts of jobs; a task takes between a tenth and nearly all of it

#: format, cores, cores that share a location
KINDS = (
    ("otf2", FEW, 1),
    ("otf2", MANY, 1),
    ("otf2", MANY, GROUP),
    ("perfetto", FEW, 1),
    ("paje", FEW, 1),
    ("csv", FEW, 1),
)
ENDINGS = {"otf2": ".otf2", "perfetto": ".json", "paje": ".paje", "csv": ".csv"}


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    tasks, repeats = (QUICK_TASKS, QUICK_REPEATS) if quick else (TASKS, REPEATS)
    for kind, cores, group in KINDS:
        if kind != "otf2" or importlib.util.find_spec("_otf2"):
            yield Case(
                "traces", _trace_label(kind, cores, group), partial(_measure_trace, kind, cores, group, tasks, repeats)
            )


def _measure_trace(kind: str, cores: int, group: int, tasks: int, repeats: int) -> list[Measurement]:
    return [measure(kind, cores, group, tasks, repeats)]


def measure(kind: str, cores: int, group: int, tasks: int, repeats: int) -> Measurement:
    runs = [_time_trace_write(kind, cores, group, tasks // cores) for _ in range(repeats)]
    best, events = min(seconds for seconds, _ in runs), 2 * (tasks // cores) * cores
    details = {"jobs": tasks // cores, "events": events, "cpu_s": best, "size_bytes": runs[0][1]}
    rate = events / max(best, 1e-9) / 1000
    goal = GOAL_K_PER_S if kind == "otf2" else None
    return Measurement("traces", _trace_label(kind, cores, group), rate, "k events/s", goal, repeats, details=details)


def _trace_label(kind: str, cores: int, group: int) -> str:
    return f"{kind}, {cores:,} cores" + (f" in groups of {group}" if group > 1 else "")


def _time_trace_write(kind: str, cores: int, group: int, jobs: int) -> tuple[float, int]:
    """Return CPU seconds and the size of the trace."""
    options: dict[str, Any] = {"group_cores": group} if kind == "otf2" else {}
    with TemporaryDirectory(prefix="thinktime-bench-") as scratch:
        path = Path(scratch) / f"trace{ENDINGS[kind]}"
        begin = time.process_time()
        _writer(kind)(made_up(cores, jobs), path, **options)
        seconds = time.process_time() - begin
        files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
        return seconds, sum(file.stat().st_size for file in files)


def _writer(kind: str) -> Callable[..., int]:
    from thinktime.tracing import otf2_archive, paje, perfetto, tables

    writers: dict[str, Callable[..., int]] = {
        "otf2": otf2_archive.write_otf2,
        "perfetto": perfetto.write_perfetto,
        "paje": paje.write_paje,
        "csv": tables.write_csv,
    }
    return writers[kind]


def made_up(cores: int, jobs: int) -> Trace:
    """Return jobs one after the other, each with one task on every core."""
    start_s = APART_S * np.arange(jobs)
    hosts = tuple(Host(f"n-{k}", k * CORES_A_HOST, CORES_A_HOST) for k in range(cores // CORES_A_HOST))
    columns = {"job": np.arange(jobs, dtype=np.float64), "submit_s": start_s, "start_s": start_s}
    return Trace(_made_up_task_blocks(cores, jobs), hosts, columns, "made up", {"run": "none"})


def _made_up_task_blocks(cores: int, jobs: int) -> Iterator[Block]:
    random, every = np.random.default_rng(1), np.arange(cores)
    for job in range(jobs):
        number, start_s = np.full(cores, job), np.full(cores, APART_S * job)
        end_s = start_s + APART_S * random.uniform(0.1, 0.9, cores)
        where = {"job": number, "row": number, "run_start_s": start_s, "task": every, "chunk": every, "core": every}
        yield {**where, "start_s": start_s, "end_s": end_s}
