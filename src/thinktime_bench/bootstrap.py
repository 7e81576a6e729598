"""`thinktime bootstrap` on a log of a year: 1,000 resamples, each simulated under EASY, intervals and figures.

KTH, or the default workload where it is not there. The memory at a tenth of the resamples and at all of them should be
nearly the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from thinktime_bench.logs import QUICK_LOGS, matching, written
from thinktime_bench.measurement import Case, Measurement
from thinktime_bench.process import COMMAND, Ended, with_memory

RESAMPLES, QUICK_RESAMPLES = 1000, 50
GOAL_S, GOAL_GROWTH = 90.0, 1.1


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    resamples = QUICK_RESAMPLES if quick else RESAMPLES
    yield Case("bootstrap", f"{resamples:,} resamples under EASY", partial(measure, folder, resamples))


def measure(folder: Path | None, resamples: int) -> list[Measurement]:
    with TemporaryDirectory(prefix="thinktime-bench-") as scratch:
        found = matching(folder, QUICK_LOGS[0])
        log = found[0] if found else written(Path(scratch) / "default.swf.gz")
        few, many = (_carried_out(log, Path(scratch) / str(number), number) for number in (resamples // 10, resamples))
    name, said = f"{log.name.partition('.swf')[0]}, {resamples:,} resamples", many.json
    wait = next(row for row in said["intervals"] if row["measure"] == "wait_mean_s")
    counts = {"resamples": resamples, "original_mean_wait_s": wait["original"], "mean_wait_s": wait["mean"]}
    details = {**counts, "cpu_s": many.cpu_s, "wall_s": many.wall_s}
    figures = [
        Measurement("bootstrap", f"{name}, {clock}", seconds, "s", GOAL_S, details=details)
        for clock, seconds in {"CPU": many.cpu_s, "wall": many.wall_s}.items()
    ]
    return [*figures, _rate(name, resamples, many), *_memory(name, few, many)]


def _rate(name: str, resamples: int, ended: Ended) -> Measurement:
    return Measurement("bootstrap", f"{name}, rate", resamples / ended.cpu_s, "resamples/s", details={"of": "CPU time"})


def _memory(name: str, few: Ended, many: Ended) -> list[Measurement]:
    if few.peak_mb is None or many.peak_mb is None:
        return []
    details = {"tenth_mb": few.peak_mb, "all_mb": many.peak_mb}
    growth = many.peak_mb / few.peak_mb
    return [Measurement("bootstrap", f"{name}, memory of a tenth", growth, "x", GOAL_GROWTH, details=details)]


def _carried_out(log: Path, out: Path, resamples: int) -> Ended:
    return with_memory(
        COMMAND, "bootstrap", log, "--scheduler", "easy", "--resamples", resamples, "--out", out, "--json"
    )
