"""The scanner alone, from the text of a log in memory, block by block, to columns."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from thinktime_bench.logs import main_log
from thinktime_bench.measurement import Case, Measurement

GOAL_MB_PER_S = 300.0
REPEATS, QUICK_REPEATS = 15, 3


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    yield Case("scanner", "scanning", partial(_scan_log, folder, QUICK_REPEATS if quick else REPEATS))


def _scan_log(folder: Path | None, repeats: int) -> list[Measurement]:
    from thinktime.traces.unpack import read_blocks

    with TemporaryDirectory(prefix="thinktime-bench-") as scratch:
        log = main_log(folder, Path(scratch))
        return [measure(log.name.partition(".swf")[0], list(read_blocks(log)), repeats)]


def measure(name: str, blocks: list[bytes], repeats: int) -> Measurement:
    runs = [_scan(blocks) for _ in range(repeats)]
    best, size = min(seconds for seconds, _ in runs), sum(map(len, blocks))
    return Measurement(
        part="scanner",
        name=name,
        value=size / max(best, 1e-9) / 1e6,
        unit="MB/s",
        goal=GOAL_MB_PER_S,
        repeats=repeats,
        details={"bytes": size, "cpu_s": best, **runs[0][1]},
    )


def _scan(blocks: list[bytes]) -> tuple[float, dict[str, Any]]:
    """Return CPU seconds and the counts of the scanner."""
    from thinktime import _engine

    begin = time.process_time()
    scanner = _engine.SwfScanner()
    for block in blocks:
        scanner.feed(block)
    scanner.finish()
    fields, line, _ = scanner.drain()
    seconds = time.process_time() - begin
    sums = {"sum_of_run_times_s": float(np.sum(fields[3])), "sum_of_processors": float(np.sum(fields[4]))}
    return seconds, {"lines": scanner.counts()["lines"], "jobs": len(line), **sums}
