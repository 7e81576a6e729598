"""`thinktime bootstrap`: simulate many resamples of a log, for intervals, paired differences and load sweeps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from thinktime import spec as specs
from thinktime.cli import log_argument, parsing, printing
from thinktime.cli import options as o
from thinktime.cli.commands.bootstrap import tables
from thinktime.cli.printing import figure_files
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError

if TYPE_CHECKING:
    from thinktime.bootstrapping import Bootstrap, LoadSweep
    from thinktime.support.output_files import OutputSet

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

LOADS_MOST = 100
_in = partial(o.in_panel, show_default=False)

Schedulers = Annotated[
    list[str] | None,
    _in(
        o.SIMULATED,
        "--scheduler",
        help="easy by default; may be given several times: fcfs, easy:order=sjf. All meet the same resamples.",
    ),
]
Resamples = Annotated[
    str | None,
    _in(o.RESAMPLED, "--resamples", metavar="N", help="How many; by default 1000, with --loads 10 at each load."),
]
Load = Annotated[str, _in(o.RESAMPLED, "--load", metavar="F", help="Times as many users, as in 1.2.")]
Loads = Annotated[
    str | None,
    _in(
        o.RESAMPLED,
        "--loads",
        metavar="A:B:STEP",
        help="A sweep over load factors instead, as in 0.8:1.4:0.1 or 0.8,1,1.2.",
    ),
]
Weeks = Annotated[
    str | None, _in(o.RESAMPLED, "--weeks", metavar="N", help="Length of a resample; by default the log's.")
]
Seed = Annotated[str, _in(o.RESAMPLED, "--seed", metavar="N", help="Other seeds give other resamples.")]
Jackknife = Annotated[
    str,
    _in(
        o.MEASURED,
        "--jackknife",
        metavar="N",
        help="Groups of users that are left out in turn for BCa intervals; 100, or 0 for none.",
    ),
]
Measures = Annotated[
    str | None,
    _in(o.MEASURED, "--measures", metavar="NAMES", help="Metrics of a summary, as in wait_mean_s,utilisation."),
]
Level = Annotated[str, _in(o.MEASURED, "--level", metavar="F", help="Of the intervals; 0.95.")]
Out = Annotated[
    Path | None,
    _in(
        o.WRITTEN,
        "--out",
        metavar="DIR",
        help="Tables, figures and a journal; by default LOG-bootstrap. The same command with the same folder goes on"
        " where it was interrupted.",
    ),
]
Figures = Annotated[bool, _in(o.WRITTEN, "--figures/--no-figures", help="Whether figures are drawn.")]
Threads = Annotated[
    str | None, Option("--threads", metavar="N", help="Resamples at once; by default all cores.", show_default=False)
]


@app.command("bootstrap")
def bootstrap(
    log: o.Log,
    processors: o.Processors = None,
    cluster: o.Cluster = None,
    speed: o.Speed = "1",
    scheduler: Schedulers = None,
    users: o.Users = "rigid",
    estimates: o.EstimatesOption = "requested",
    resamples: Resamples = None,
    load: Load = "1",
    loads: Loads = None,
    weeks: Weeks = None,
    long_term_weeks: o.LongTerm = "12",
    edge_weeks: o.Edge = "4",
    seed: Seed = "0",
    measures: Measures = None,
    level: Level = "0.95",
    jackknife: Jackknife = "100",
    filter: o.Filter = "base",
    processor_field: o.ProcessorField = None,
    remove: o.Remove = None,
    overrun: o.Overrun = "extend",
    oversized: o.Oversized = "reject",
    out: Out = None,
    figures: Figures = True,
    formats: o.Formats = "png",
    threads: Threads = None,
    as_json: o.Json = False,
) -> None:
    """How sure is a result? Simulate many resamples of a log: intervals, and differences of schedulers.

    Example: thinktime bootstrap KTH-SP2-1996-2.1-cln --scheduler easy --scheduler fcfs --out kth

    Example: thinktime bootstrap KTH-SP2-1996-2.1-cln --loads 0.8:1.4:0.1 --out kth-loads
    """
    given = _given(locals())
    wanted, confidence = figure_files.parse_formats(formats), _level(level)
    how = log_argument.Reading(filter, processor_field, tuple(remove or ()))
    factors = None if loads is None else parse_loads(loads)
    if factors is not None and load != "1":
        raise InputError("--load is one factor and --loads are several: give one of the two")
    nodes = _nodes(cluster, processors, speed)
    workload, _ = log_argument.read(log, how)
    machine = nodes or _machine(workload, processors, speed)
    target = out or Path(f"{workload.name}-bootstrap")
    found = _carried_out(workload, machine, given, factors, target)
    paths = write(found, target, confidence, wanted if figures else ())
    if as_json:
        printing.as_json(tables.facts(found, confidence) | {"paths": printing.paths(paths)})
    else:
        tables.tell(found, confidence, paths)


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """What `bootstrap` and `load_sweep` take, from texts."""
    from thinktime.workload import Estimates

    number = {name: parsing.whole(f"--{name}", options[name]) for name in ("resamples", "weeks", "threads")
              if options[name] is not None}  # fmt: skip
    measures = options["measures"]
    return {
        **number,
        **({} if measures is None else {"measures": [name.strip() for name in measures.split(",")]}),
        "schedulers": {text: specs.parse("scheduler", text) for text in options["scheduler"] or ["easy"]},
        "resample": parsing.pools(options["long_term_weeks"], options["edge_weeks"]),
        "seed": parsing.whole("--seed", options["seed"]),
        "load": parsing.decimal("--load", options["load"]),
        "jackknife": parsing.whole("--jackknife", options["jackknife"]),
        "users": specs.parse("users", options["users"]),
        "estimates": Estimates.parse(options["estimates"]),
        "overrun": options["overrun"],
        "oversized": options["oversized"],
    }


def _level(text: str) -> float:
    from thinktime.statistics.interval import check_share

    return check_share("--level", parsing.decimal("--level", text))


def parse_loads(text: str) -> list[float]:
    """`0.8:1.4:0.1`, both ends included, or `0.8,1,1.2`."""
    if ":" not in text:
        return [parsing.decimal("--loads", part) for part in text.split(",")]
    parts = [parsing.decimal("--loads", part) for part in text.split(":")]
    if len(parts) != 3 or not 0 < parts[0] <= parts[1] < math.inf or not 0 < parts[2] < math.inf:
        raise InputError(f"--loads is {text!r}: write FIRST:LAST:STEP, as in 0.8:1.4:0.1, or factors with commas")
    first, last, step = parts
    number = int((last - first) / step + 1e-9) + 1
    if number > LOADS_MOST:
        raise InputError(f"--loads is {text!r}, which are {number:,} factors: choose at most {LOADS_MOST}")
    return [round(first + k * step, 10) for k in range(number)]


def _nodes(cluster: str | None, processors: str | None, speed: str) -> Any:
    if cluster is None:
        return None
    if processors is not None:
        raise InputError("--cluster says what the nodes are, and --processors counts them: give one of the two")
    from thinktime.platforms import Cluster

    return Cluster.from_text(cluster).scaled(speed=parsing.decimal("--speed", speed))


def _machine(workload: Any, processors: str | None, speed: str) -> Any:
    from thinktime.platforms import Machine

    size = None if processors is None else parsing.whole("--processors", processors)
    return Machine(processors=log_argument.machine_size(workload, size)[0], speed=parsing.decimal("--speed", speed))


def _carried_out(
    workload: Any, machine: Any, given: dict[str, Any], factors: list[float] | None, folder: Path
) -> Bootstrap | LoadSweep:
    from thinktime.bootstrapping import bootstrap, load_sweep

    with Stage("simulating resamples", 1.0, "trials") as stage:

        def hear(done: int, total: int) -> None:
            stage.total, stage.done = float(total), float(done)

        if factors is None:
            return bootstrap(workload, machine, **given, folder=folder, progress=hear)
        others = {name: value for name, value in given.items() if name not in ("load", "jackknife")}
        return load_sweep(workload, machine, loads=factors, **others, folder=folder, progress=hear)


def write(found: Bootstrap | LoadSweep, folder: Path, level: float, formats: tuple[str, ...]) -> list[Path]:
    """Beside what the library has written: intervals as CSV, and figures."""
    from thinktime.bootstrapping.tables import ABOUT_FILE, TABLE_FILE
    from thinktime.result.directory.staging import staged_file
    from thinktime.support.output_files import OutputSet

    made = OutputSet(folder, "intervals.csv", "differences.csv", "loads.csv")
    for name, table in tables.tables(found, level).items():
        with staged_file(folder / f"{name}.csv") as temporary:
            table.write_csv(temporary)
        made.add([folder / f"{name}.csv"])
    if formats:
        _draw(found, folder, level, formats, made)
    return [folder / ABOUT_FILE, folder / TABLE_FILE, *made.paths]


def _draw(found: Bootstrap | LoadSweep, folder: Path, level: float, formats: tuple[str, ...], made: OutputSet) -> None:
    from thinktime import plots
    from thinktime.bootstrapping import LoadSweep

    with Stage("drawing"):
        if isinstance(found, LoadSweep):
            drawn = {"load_sweep": plots.load_sweep(found, level=level)}
        else:
            drawn = plots.bootstrap_figures(found, level=level)
        for name, figure in drawn.items():
            made.add(plots.save(figure, folder / figure_files.FOLDER / name, formats))
