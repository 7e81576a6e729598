"""Made-up runs with tasks, and independent tools."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from thinktime.tracing import Block, Host, Trace

HOSTS = (Host("thin-0", 0, 3), Host('fat "1"', 3, 5))


def block(rows: list[tuple[Any, ...]]) -> Block:
    """Rows of (job, row, task, chunk, core, start, end)."""
    names = ("job", "row", "task", "chunk", "core", "start_s", "end_s")
    columns = np.array(rows, float).reshape(-1, 7).T
    found = {n: c if n.endswith("_s") else c.astype(np.int64) for n, c in zip(names, columns, strict=True)}
    starts = np.full(1 + found["row"].max(initial=0), np.inf)
    np.minimum.at(starts, found["row"], found["start_s"])
    return {**found, "run_start_s": starts[found["row"]]}


def trace(blocks: list[Block], hosts: tuple[Host, ...] = HOSTS, **more: Any) -> Trace:
    """A job starts with its first task, and is submitted a second before."""
    jobs = 1 + max((int(each["row"].max()) for each in blocks), default=0)
    start_s, number = np.full(jobs, np.inf), np.arange(jobs, dtype=float)
    for each in blocks:
        np.minimum.at(start_s, each["row"], each["start_s"])
        number[each["row"]] = each["job"]
    columns = {"job": number, "submit_s": start_s - 1, "start_s": start_s}
    return Trace(iter(blocks), hosts, columns, "made up", {"run": "none"}, **more)


def small() -> list[Block]:
    """Two jobs side by side; the first works on until after the second has started; one task has no length."""
    first = block([(7, 0, 0, 0, 0, 1, 5), (7, 0, 1, 0, 0, 5, 9.5), (7, 0, 2, 1, 1, 1, 3), (7, 0, 3, 2, 1, 3, 3)])
    return [first, block([(9, 1, 0, 0, 3, 2, 4.25), (9, 1, 1, 1, 1, 3, 6)])]


def random(seed: int, jobs: int = 30, cores: int = 8) -> list[Block]:
    """Jobs on cores that are free; lengths of whole and of tiny parts of seconds, and none."""
    rng, free, blocks = np.random.default_rng(seed), np.zeros(cores), []
    now = 0.0
    for row in range(jobs):
        chosen = rng.choice(cores, rng.integers(1, cores + 1), replace=False)
        now = max(now, float(free[chosen].max()) + rng.choice([0.0, 0.5]))
        free[chosen] = now
        rows = []
        for task in range(int(rng.integers(1, 12))):
            core = int(rng.choice(chosen))
            end = free[core] + rng.choice([0.0, 1.0, 1e-7, float(rng.exponential())])
            rows.append((row + 100, row, task, task // 2, core, free[core], end))
            free[core] = end
        blocks.append(block(rows))
    return blocks


def tasks_of(blocks: list[Block]) -> list[tuple[int, int, int, int, int]]:
    """(core, begin, end in nanoseconds, job, task), sorted."""
    found: list[tuple[int, int, int, int, int]] = []
    for each in blocks:
        times = (np.rint(each[name] * 1e9).astype(int).tolist() for name in ("start_s", "end_s"))
        found += zip(each["core"].tolist(), *times, each["job"].tolist(), each["task"].tolist(), strict=True)
    return sorted(found)


def tool(name: str, *arguments: object) -> Iterator[str]:
    """The lines that another program prints; the test is skipped where it is not installed."""
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed (Debian: otf2-tools, pajeng)")
    done = subprocess.run([name, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return iter(done.stdout.splitlines())
