"""The time a user waits: `thinktime run` without and with figures, `tt.simulate`, the first simulation, `--help`.

Each command is measured as a process from start to end, including imports. `tt.simulate` is measured from its second
call on, in a fresh process, against the engine alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from thinktime_bench.logs import MAIN_LOG, main_log, written
from thinktime_bench.measurement import Case, Measurement
from thinktime_bench.process import Ended, run, thinktime

GOAL_RUN_S, GOAL_FIGURES_S, GOAL_FIRST_S, GOAL_HELP_S = 0.6, 1.2, 0.5, 0.3
GOAL_SIMULATE = 1.5  # times the engine alone
REPEATS, QUICK_REPEATS = 7, 2
FIRST_JOBS = 1000
#: AccaSim 1.1.3 with EASY on HPC2N, whole process, s (benchmarks/accasim/compare.py)
ACCASIM = {"accasim_cpu_s": 278.9, "accasim_wall_s": 266.8}

FIRST = """
import sys
import thinktime as tt
log = tt.read_swf(sys.argv[1])
run = tt.simulate(log, tt.Machine(processors=log.machine_processors), tt.Easy())
print((run.columns["start_s"] - run.columns["submit_s"]).mean())
"""


def cases(folder: Path | None, quick: bool) -> Iterator[Case]:
    repeats = QUICK_REPEATS if quick else REPEATS
    yield Case("command", "thinktime run --no-figures", partial(_in_scratch, _without_figures, folder, repeats))
    yield Case("command", "thinktime run", partial(_in_scratch, _with_figures, folder, repeats))
    yield Case("command", "tt.simulate", partial(_in_scratch, _simulate, folder, repeats))
    yield Case("command", "first simulation", partial(_in_scratch, _first, folder, repeats))
    yield Case("command", "thinktime --help", partial(_in_scratch, _help, folder, repeats))


def _in_scratch(
    measure: Callable[[Path | None, Path, int], list[Measurement]], folder: Path | None, repeats: int
) -> list[Measurement]:
    with TemporaryDirectory(prefix="thinktime-bench-") as scratch:
        return measure(folder, Path(scratch), repeats)


def _without_figures(folder: Path | None, scratch: Path, repeats: int) -> list[Measurement]:
    return _whole_run(folder, scratch, repeats, GOAL_RUN_S, "--no-figures")


def _with_figures(folder: Path | None, scratch: Path, repeats: int) -> list[Measurement]:
    return _whole_run(folder, scratch, repeats, GOAL_FIGURES_S)


def _whole_run(folder: Path | None, scratch: Path, repeats: int, goal: float, *more: str) -> list[Measurement]:
    """From the packed log to the written run directory."""
    log = main_log(folder, scratch)
    options = ("--scheduler", "easy", "--overwrite", "--json", *more)
    ended = [thinktime("run", log, *options, "--out", scratch / "run") for _ in range(repeats)]
    best = min(ended, key=lambda one: one.wall_s)
    theirs = ACCASIM if log.name.startswith(MAIN_LOG) else {}
    return _command_measurements(" ".join(["run", _short_name(log), *more]), ended, goal, _what_was_run(best) | theirs)


def _simulate(folder: Path | None, scratch: Path, repeats: int) -> list[Measurement]:
    """The second and later calls of `tt.simulate`, in times the engine alone; wall clock, the best of each."""
    log = main_log(folder, scratch)
    found = run([sys.executable, "-m", "thinktime_bench.second_call", str(log), str(repeats)]).json
    name = f"tt.simulate {_short_name(log)}"
    details = {key: found[key] for key in ("jobs", "events", "mean_wait_s")}
    seconds = {"engine_alone_s": found["engine_s"], "simulate_again_s": found["simulate_s"]}
    return [
        Measurement("command", f"{name}, first call", found["first_s"], "s", None, 1, details=details),
        Measurement(
            "command",
            f"{name}, again, by engine time",
            found["simulate_s"] / found["engine_s"],
            "x",
            GOAL_SIMULATE,
            repeats,
            details=details | seconds,
        ),
    ]


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
    log = written(scratch / "small.swf", FIRST_JOBS)
    ended = [run([sys.executable, "-c", FIRST, str(log)]) for _ in range(repeats)]
    details = {"jobs": FIRST_JOBS, "mean_wait_s": float(ended[0].out)}
    return _command_measurements("first simulation", ended, GOAL_FIRST_S, details)


def _help(folder: Path | None, scratch: Path, repeats: int) -> list[Measurement]:
    ended = [thinktime("--help") for _ in range(repeats)]
    return _command_measurements("--help", ended, GOAL_HELP_S, {"lines": len(ended[0].out.splitlines())})


def _short_name(log: Path) -> str:
    """`HPC2N` for `HPC2N-2002-2.2-cln.swf.gz`."""
    return log.name.partition(".swf")[0].partition("-")[0]


def _command_measurements(name: str, ended: list[Ended], goal: float, details: dict[str, Any]) -> list[Measurement]:
    """CPU time and wall-clock time, the best of each."""
    best = {"CPU": min(one.cpu_s for one in ended), "wall": min(one.wall_s for one in ended)}
    return [
        Measurement("command", f"{name}, {clock}", seconds, "s", goal, len(ended), details=details)
        for clock, seconds in best.items()
    ]
