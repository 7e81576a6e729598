"""`thinktime run` in memory: read, simulate, save, export, draw.

The run directory gets its name when jobs, timeline and run.json are complete. Exports and figures follow; each file
is complete or absent, and a run without them is a finished run.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thinktime.cli import log_argument, run_folders
from thinktime.cli.commands.run.finished import FinishedRun
from thinktime.cli.commands.run.options import Request
from thinktime.cli.printing import figure_files
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.spec.own_source import reusable
from thinktime.support.time_units import DAY_S

if TYPE_CHECKING:
    from thinktime.result import Result
    from thinktime.simulation import Simulation
    from thinktime.workload import Workload


@dataclass
class Timing:
    """Seconds of each step, by name, in order."""

    steps: dict[str, float]

    def took(self, name: str, stage: Stage) -> None:
        self.steps[name] = stage.seconds


def run_in_memory(requests: Sequence[Request]) -> list[FinishedRun]:
    """Simulate each request on the same log, which is read once."""
    for request in requests:
        request.check()
    first = requests[0]
    if first.output.figures is not False:
        _import_in_background("matplotlib.figure")
    seed, platform = first.simulation.seed, first.platform
    workload, stage = log_argument.read(first.log, first.reading, seed=seed, machine=platform.size)
    size, because = log_argument.machine_size(workload, platform.size, platform.size_because)
    return [_finish_run(request, workload, size, because, stage) for request in requests]


def _import_in_background(*modules: str) -> None:
    """Load what is needed to draw while the log is read and simulated, which releases the GIL.

    The thread is not a daemon: the interpreter waits on exit until its imports are complete.
    """
    threading.Thread(target=lambda: [import_module(name) for name in modules]).start()


def _finish_run(request: Request, workload: Workload, size: int, because: str, reading: Stage) -> FinishedRun:
    timing = Timing({"read": reading.seconds})
    result, directory, found = _run_or_load(request, workload, size, timing)
    exports = _export(request, result, workload, directory)
    figures = _draw_run_figures(request, result, directory, found, timing)
    return FinishedRun(
        name=workload.name,
        scheduler=request.scheduler.text(),
        spec=result.spec,
        digest=result.digest,
        summary=result.summary(**request.metrics.keywords()),
        account=workload.account,
        statistics=result.statistics,
        directory=directory,
        exports=exports,
        figures=figures,
        machine_because=because,
        found=found,
        seconds=timing.steps,
    )


def _run_or_load(request: Request, workload: Workload, size: int, timing: Timing) -> tuple[Result, Path, bool]:
    """Return the result, its directory, and whether it was there already: then it is loaded, not computed again."""
    from thinktime.result.canonical_json import digest_of_run
    from thinktime.simulation import Simulation
    from thinktime.simulation.outcome import require_complete

    more = {"decisions": request.output.decisions, **request.job_requests(workload), **request.keywords}
    simulation = Simulation(workload, request.machine(size), request.scheduler, **more)
    digest = digest_of_run(_spec_with_until(simulation.spec, request))
    directory = request.out or run_folders.own_name(workload.name, request.scheduler.text(), digest)
    again = not reusable(simulation.spec)  # the source of an own policy is unknown: the saved run may be of other code
    if request.out is None and not request.output.overwrite and not again and run_folders.holds(directory, digest):
        found = _found(directory, request)
        require_complete(found.cautions, request.simulation.strict)
        return found, directory, True
    result = _simulate_in_memory(simulation, request, timing)
    require_complete(result.cautions, request.simulation.strict)
    result.summary(**request.metrics.keywords())  # raise InputError for an empty window before anything is written
    with Stage("writing") as stage:
        replaced = request.output.overwrite or (again and request.out is None)
        result.save(run_folders.prepare(directory), replaced, **request.metrics.keywords())
    timing.took("write", stage)
    return result, directory, False


def _found(directory: Path, request: Request) -> Result:
    """Load the saved run and store the requested summary in its run.json."""
    from thinktime.result import Result
    from thinktime.result.directory.save_load import store_summary

    result = Result.load(directory)
    if request.output.decisions and not result.every_pass_timed:
        raise InputError(
            f"{directory} has this run with a sample of decision times: add --overwrite or choose another --out"
        )
    store_summary(result, directory, **request.metrics.keywords())
    return result


def _simulate_in_memory(simulation: Simulation, request: Request, timing: Timing) -> Result:
    submit = simulation.workload["submit_s"]
    first, last = (float(submit[0]), float(submit[-1])) if len(submit) else (0.0, 0.0)
    until_s = math.inf if request.simulation.until_s is None else request.simulation.until_s
    end = min(last, until_s)
    with Stage("simulating", max(end - first, 1.0) / DAY_S, "days") as stage:

        def hear(clock_s: float) -> None:
            stage.done = (clock_s - first) / DAY_S

        simulation.run(until_s, hear)
        result = simulation.result()
        result = replace(result, spec=_spec_with_until(result.spec, request))
    timing.took("simulate", stage)
    return result


def _spec_with_until(spec: Mapping[str, Any], request: Request) -> Mapping[str, Any]:
    """Return the spec with the time of --until: a stopped run has another hash."""
    until_s = request.simulation.until_s
    return spec if until_s is None else {**spec, "until": until_s}


def _export(request: Request, result: Result, workload: Workload, directory: Path) -> list[Path]:
    for name, method in request.output.exports.items():
        more: dict[str, Any] = {"header": _clock_of_header(workload)} if method == "write_swf" else {}
        getattr(result, method)(directory / name, **more)
    return [directory / name for name in request.output.exports]


def _clock_of_header(workload: Workload) -> dict[str, str]:
    """Return the clock in the log's header, for the schedule that is written as a log."""
    header = workload.header
    keys = ("UnixStartTime", "TimeZoneString", "TimeZone") if header else ()
    return {key: value for key in keys if header and (value := header.first(key))}


def _draw_run_figures(request: Request, result: Result, directory: Path, found: bool, timing: Timing) -> list[Path]:
    """Draw the figures that were requested or are missing."""
    if request.output.figures is False:
        return []
    folder, formats = directory / figure_files.FOLDER, request.output.formats
    there = [folder / f"run_overview.{name}" for name in formats]
    if found and request.output.figures is None and all(path.is_file() for path in there):
        return there
    with Stage("drawing") as stage:
        drawn = figure_files.of_run(result, folder, formats, bool(request.output.figures))
    timing.took("draw", stage)
    return drawn
