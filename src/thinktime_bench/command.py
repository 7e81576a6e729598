"""What a user waits for: a whole `thinktime run`, the first simulation of a fresh process, `thinktime --help`.

Each is a process of its own, from its start to its end, imports included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from thinktime_bench.logs import main_log, written
from thinktime_bench.measurement import Case, Measurement
from thinktime_bench.process import Ended, run, thinktime

GOAL_COMMAND_S, GOAL_FIRST_S, GOAL_HELP_S = 1.0, 0.5, 0.3
REPEATS, QUICK_REPEATS = 7, 2
FIRST_JOBS = 1000

FIRST = """
import sys
import thinktime as tt
log = tt.read_swf(sys.argv[1])
run = tt.simulate(log, tt.Machine(processors=log.machine_processors), tt.Easy())
print((run.columns["start_s"] - run.columns["submit_s"]).mean())
"""


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    repeats = QUICK_REPEATS if quick else REPEATS
    yield Case("command", "thinktime run", partial(_in_scratch, _whole, folder, repeats))
    yield Case("command", "first simulation", partial(_in_scratch, _first, folder, repeats))
    yield Case("command", "thinktime --help", partial(_in_scratch, _help, folder, repeats))


def _in_scratch(
    measure: Callable[[Path | None, Path, int], list[Measurement]], folder: Path | None, repeats: int
) -> list[Measurement]:
    with TemporaryDirectory(prefix="thinktime-bench-") as scratch:
        return measure(folder, Path(scratch), repeats)


def _whole(folder: Path | None, scratch: Path, repeats: int) -> list[Measurement]:
    """From the packed log to the written run directory."""
    log = main_log(folder, scratch)
    options = ("--scheduler", "easy", "--no-figures", "--overwrite", "--json")
    ended = [thinktime("run", log, *options, "--out", scratch / "run") for _ in range(repeats)]
    best = min(ended, key=lambda one: one.wall_s)
    return _figures(f"run {log.name.partition('.swf')[0]}", ended, GOAL_COMMAND_S, _what_was_run(best))


def _what_was_run(ended: Ended) -> dict[str, Any]:
    """Counts, checksum, and where the seconds of the quickest run went (by the wall clock)."""
    said = ended.json
    steps = said["seconds"]
    rest = ended.wall_s - sum(steps.values())
    return {
        "jobs": said["summary"]["jobs"],
        "events": said["statistics"]["events"],
        "mean_wait_s": said["summary"]["wait_mean_s"],
        **{f"{name}_s": seconds for name, seconds in steps.items()},
        "start_and_imports_and_summary_s": rest,
    }


def _first(folder: Path | None, scratch: Path, repeats: int) -> list[Measurement]:
    """Import, read a small log, simulate."""
    import sys

    log = written(scratch / "small.swf", FIRST_JOBS)
    ended = [run([sys.executable, "-c", FIRST, str(log)]) for _ in range(repeats)]
    details = {"jobs": FIRST_JOBS, "mean_wait_s": float(ended[0].out)}
    return _figures("first simulation", ended, GOAL_FIRST_S, details)


def _help(folder: Path | None, scratch: Path, repeats: int) -> list[Measurement]:
    ended = [thinktime("--help") for _ in range(repeats)]
    return _figures("--help", ended, GOAL_HELP_S, {"lines": len(ended[0].out.splitlines())})


def _figures(name: str, ended: list[Ended], goal: float, details: dict[str, Any]) -> list[Measurement]:
    """CPU time and wall-clock time, the best of each."""
    best = {"CPU": min(one.cpu_s for one in ended), "wall": min(one.wall_s for one in ended)}
    return [
        Measurement("command", f"{name}, {clock}", seconds, "s", goal, len(ended), details=details)
        for clock, seconds in best.items()
    ]
