"""`thinktime run` in memory: read, simulate, save, export, draw.

The run directory appears under its name when jobs, timeline and run.json are complete. Exports and figures
follow, each file by itself complete or absent; a run without them is a finished run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thinktime.cli import log_argument, run_folders
from thinktime.cli.commands.run.finished import Done
from thinktime.cli.commands.run.request import Order
from thinktime.cli.printing import figure_files
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.own_source import reusable

if TYPE_CHECKING:
    from thinktime.result import Result
    from thinktime.simulation import Simulation
    from thinktime.workload import Workload

DAY_S = 86400.0


@dataclass
class Timing:
    """Seconds of each step, by name, in the order in which they were taken."""

    steps: dict[str, float]

    def took(self, name: str, stage: Stage) -> None:
        self.steps[name] = stage.seconds


def run_in_memory(order: Order) -> Done:
    order.check()
    timing = Timing({})
    workload, stage = log_argument.read(order.log, order.reading, order.size)
    timing.took("read", stage)
    size, because = log_argument.machine_size(workload, order.size, order.size_because)
    result, directory, found = _run(order, workload, size, timing)
    exports = _export(order, result, workload, directory)
    figures = _draw(order, result, directory, found, timing)
    return Done(
        name=workload.name,
        spec=result.spec,
        digest=result.digest,
        summary=result.summary(**order.summary_options),
        account=workload.account,
        statistics=result.statistics,
        directory=directory,
        exports=exports,
        figures=figures,
        machine_because=because,
        found=found,
        seconds=timing.steps,
    )


def _run(order: Order, workload: Workload, size: int, timing: Timing) -> tuple[Result, Path, bool]:
    """The result and its directory; the run that is there already is loaded instead of computed again."""
    from thinktime.result.canonical_json import digest_of
    from thinktime.simulation import Simulation
    from thinktime.simulation.outcome import require_complete

    more = {"decisions": order.decisions, **order.amounts(workload), **order.rules}
    simulation = Simulation(workload, order.machine(size), order.policy, **more)
    digest = digest_of(_named(simulation.spec, order))
    directory = order.out or run_folders.own_name(workload.name, order.policy.name, digest)
    again = not reusable(simulation.spec)  # code that cannot be read: what is there may be of other code
    if order.out is None and not order.overwrite and not again and run_folders.holds(directory, digest):
        found = _found(directory, order)
        require_complete(found.cautions, order.strict)
        return found, directory, True
    result = _simulate(simulation, order, timing)
    require_complete(result.cautions, order.strict)
    result.summary(**order.summary_options)  # a window that holds nothing is told before anything is written
    with Stage("writing") as stage:
        replaced = order.overwrite or (again and order.out is None)
        result.save(run_folders.prepare(directory), replaced, **order.summary_options)
    timing.took("write", stage)
    return result, directory, False


def _found(directory: Path, order: Order) -> Result:
    """The run that is there, whose run.json now has the summary asked for."""
    from thinktime.result import Result
    from thinktime.result.directory.save_load import store_summary

    result = Result.load(directory)
    if order.decisions and not len(result.decisions_columns["time_s"]):
        raise InputError(f"{directory} holds this run without decision times: give --overwrite or another --out")
    store_summary(result, directory, **order.summary_options)
    return result


def _simulate(simulation: Simulation, order: Order, timing: Timing) -> Result:
    import numpy as np

    submit = simulation.workload["submit_s"]
    first, last = (float(submit[0]), float(submit[-1])) if len(submit) else (0.0, 0.0)
    end = float(np.minimum(last, order.until_s))
    with Stage("simulating", max(end - first, 1.0) / DAY_S, "days") as stage:

        def hear(clock_s: float) -> None:
            stage.done = (clock_s - first) / DAY_S

        simulation.run(order.until_s, hear)
        result = simulation.result()
        result = replace(result, spec=_named(result.spec, order))
    timing.took("simulate", stage)
    return result


def _named(spec: Mapping[str, Any], order: Order) -> Mapping[str, Any]:
    """The spec also says where a run was stopped: a stopped run is another run."""
    return spec if order.until is None else {**spec, "until": order.until_s}


def _export(order: Order, result: Result, workload: Workload, directory: Path) -> list[Path]:
    for name, method in order.exports.items():
        more: dict[str, Any] = {"header": _clock(workload)} if method == "write_swf" else {}
        getattr(result, method)(directory / name, **more)
    return [directory / name for name in order.exports]


def _clock(workload: Workload) -> dict[str, str]:
    """What the log says of its clock, for the schedule that is written as a log."""
    header = workload.header
    keys = ("UnixStartTime", "TimeZoneString", "TimeZone") if header else ()
    return {key: value for key in keys if header and (value := header.first(key))}


def _draw(order: Order, result: Result, directory: Path, found: bool, timing: Timing) -> list[Path]:
    """Asked for or not drawn yet; what an earlier run drew is not drawn again."""
    if order.figures is False:
        return []
    folder, formats = directory / figure_files.FOLDER, figure_files.parse_formats(order.formats)
    there = [folder / f"run_overview.{name}" for name in formats]
    if found and order.figures is None and all(path.is_file() for path in there):
        return there
    with Stage("drawing") as stage:
        drawn = figure_files.of_run(result, folder, formats, bool(order.figures))
    timing.took("draw", stage)
    return drawn
