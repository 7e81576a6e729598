"""`thinktime bootstrap`: simulate many resamples of a log for confidence intervals, paired differences, load sweeps."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from thinktime.cli import log_argument, parsing, printing
from thinktime.cli.commands.bootstrap import tables
from thinktime.cli.options import (
    MEASURED,
    RESAMPLED,
    WRITTEN,
    Json,
    Log,
    MachineOptions,
    PoolOptions,
    ReadingOptions,
    RuleOptions,
    SchedulerOptions,
    UserOptions,
    file_path,
    flag,
    formats_option,
    option,
    option_group,
    with_options,
)
from thinktime.cli.printing import figure_files
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.support.json_types import JsonDict

if TYPE_CHECKING:
    from thinktime.bootstrapping import Bootstrap, LoadSweep
    from thinktime.platforms import Cluster, Machine
    from thinktime.support.output_files import OutputSet
    from thinktime.workload import Workload

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

LOADS_MOST = 100


def parse_loads(option: str, text: str) -> list[float]:
    """Return the factors of `0.8:1.4:0.1`, both ends included, or of `0.8,1,1.2`."""
    if ":" not in text:
        return [parsing.decimal(option, part) for part in text.split(",")]
    parts = [parsing.decimal(option, part) for part in text.split(":")]
    if len(parts) != 3 or not 0 < parts[0] <= parts[1] < math.inf or not 0 < parts[2] < math.inf:
        raise InputError(f"{option} must be FIRST:LAST:STEP, for example 0.8:1.4:0.1, or 0.8,1,1.2 (got {text!r})")
    first, last, step = parts
    number = int((last - first) / step + 1e-9) + 1
    if number > LOADS_MOST:
        raise InputError(f"{option} must have at most {LOADS_MOST} factors (got {number:,} in {text!r})")
    return [round(first + k * step, 10) for k in range(number)]


def _metric_names(option: str, text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _confidence_level(option: str, text: str) -> float:
    from thinktime.statistics.interval import check_share

    return check_share(option, parsing.decimal(option, text))


@option_group(RESAMPLED)
class ResampleOptions:
    """How many resamples are made, and of what kind."""

    resamples: int | None = option(
        "--resamples", parsing.whole, metavar="N", help="Number of resamples (default: 1000; with --loads 10 per load)."
    )
    load: float | None = option(
        "--load", parsing.decimal, metavar="F", help="Multiply the number of users by this factor, for example 1.2."
    )
    loads: list[float] | None = option(
        "--loads",
        parse_loads,
        metavar="A:B:STEP",
        help="Sweep over several load factors, for example 0.8:1.4:0.1 or 0.8,1,1.2.",
    )
    weeks: int | None = option(
        "--weeks", parsing.whole, metavar="N", help="Length of a resample in weeks (default: that of the log)."
    )
    seed: int = option("--seed", parsing.whole, default="0", metavar="N", help="Random seed.")


@option_group(MEASURED)
class BootstrapMetricOptions:
    """What is measured."""

    measures: list[str] | None = option(
        "--measures", _metric_names, metavar="NAMES", help="Metrics, separated by commas: wait_mean_s,utilisation."
    )
    level: float = option("--level", _confidence_level, default="0.95", metavar="F", help="Confidence level.")
    jackknife: int = option(
        "--jackknife",
        parsing.whole,
        default="100",
        metavar="N",
        help="Number of groups of users left out in turn for BCa intervals; 0 for none.",
    )


@option_group(WRITTEN)
class BootstrapOutputOptions:
    """What is written."""

    out: Path | None = option(
        "--out",
        file_path,
        metavar="DIR",
        help="Folder for tables, figures and a journal (default: LOG-bootstrap). The same command with the same folder"
        " continues an interrupted bootstrap.",
    )
    figures: bool = flag("--figures/--no-figures", default=True, help="Draw figures.")
    formats: tuple[str, ...] = formats_option()
    threads: int | None = option(
        "--threads", parsing.whole, metavar="N", help="Number of simultaneous simulations (default: all cores)."
    )


@app.command("bootstrap")
@with_options
def bootstrap(
    log: Log,
    platform: MachineOptions,
    schedulers: SchedulerOptions,
    users: UserOptions,
    resampling: ResampleOptions,
    pools: PoolOptions,
    metrics: BootstrapMetricOptions,
    reading: ReadingOptions,
    rules: RuleOptions,
    output: BootstrapOutputOptions,
    as_json: Json = False,
) -> None:
    """Estimate confidence intervals from many resamples of a log, and compare schedulers on the same resamples.

    Example: thinktime bootstrap KTH-SP2-1996-2.1-cln --scheduler easy --scheduler fcfs --out kth

    Example: thinktime bootstrap KTH-SP2-1996-2.1-cln --loads 0.8:1.4:0.1 --out kth-loads
    """
    if resampling.loads is not None and resampling.load is not None:
        raise InputError("--load and --loads exclude each other: give one factor or several")
    given = {
        "resamples": resampling.resamples,
        "weeks": resampling.weeks,
        "threads": output.threads,
        "measures": metrics.measures,
        "schedulers": {each.text(): each for each in schedulers.scheduler},
        "resample": pools.keywords(),
        "seed": resampling.seed,
        "users": users.users,
        "estimates": users.estimates,
        "overrun": rules.overrun,
        "oversized": rules.oversized,
    }
    _ = platform.nodes  # raise InputError before a long log is read
    workload, _stage = log_argument.read(log, reading)
    target = output.out or Path(f"{workload.name}-bootstrap")
    keywords = {name: value for name, value in given.items() if value is not None}
    found = _simulate_resamples(workload, platform.machine_for(workload), keywords, resampling, metrics, target)
    paths = write(found, target, metrics.level, output.formats if output.figures else ())
    if as_json:
        printing.as_json(tables.facts(found, metrics.level) | {"paths": printing.paths(paths)})
    else:
        tables.print_bootstrap(found, metrics.level, paths)


def _simulate_resamples(
    workload: Workload,
    machine: Machine | Cluster,
    keywords: JsonDict,
    resampling: ResampleOptions,
    metrics: BootstrapMetricOptions,
    folder: Path,
) -> Bootstrap | LoadSweep:
    from thinktime.bootstrapping import bootstrap, load_sweep

    with Stage("simulating resamples", 1.0, "trials") as stage:

        def report(done: int, total: int) -> None:
            stage.total, stage.done = float(total), float(done)

        if resampling.loads is not None:
            return load_sweep(workload, machine, loads=resampling.loads, **keywords, folder=folder, progress=report)
        load = 1.0 if resampling.load is None else resampling.load
        return bootstrap(
            workload, machine, load=load, jackknife=metrics.jackknife, **keywords, folder=folder, progress=report
        )


def write(found: Bootstrap | LoadSweep, folder: Path, level: float, formats: tuple[str, ...]) -> list[Path]:
    """Write intervals as CSV, and figures; return all files of the folder."""
    from thinktime.bootstrapping.tables import ABOUT_FILE, TABLE_FILE
    from thinktime.result.directory.staging import staged_file
    from thinktime.support.output_files import OutputSet

    made = OutputSet(folder, "intervals.csv", "differences.csv", "loads.csv")
    for name, table in tables.tables(found, level).items():
        with staged_file(folder / f"{name}.csv") as temporary:
            table.write_csv(temporary)
        made.add([folder / f"{name}.csv"])
    if formats:
        _draw_bootstrap(found, folder, level, formats, made)
    return [folder / ABOUT_FILE, folder / TABLE_FILE, *made.paths]


def _draw_bootstrap(
    found: Bootstrap | LoadSweep, folder: Path, level: float, formats: tuple[str, ...], made: OutputSet
) -> None:
    from thinktime import plots
    from thinktime.bootstrapping import LoadSweep

    with Stage("drawing"):
        if isinstance(found, LoadSweep):
            drawn = {"load_sweep": plots.load_sweep(found, level=level)}
        else:
            drawn = plots.bootstrap_figures(found, level=level)
        for name, figure in drawn.items():
            made.add(plots.save(figure, folder / figure_files.FOLDER / name, formats))
