"""`thinktime inspect`: what is in a log, in a run directory, or in a cluster."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument

from thinktime.cli import log_argument, parsing, printing
from thinktime.cli.commands.inspect.cluster import is_cluster
from thinktime.cli.options import (
    Json,
    Overwrite,
    ReadingOptions,
    file_path,
    flag,
    formats_option,
    names,
    option,
    option_group,
    text,
    with_options,
)
from thinktime.cli.printing import figure_files
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.support.json_types import JsonDict
from thinktime.support.output_files import require_new

if TYPE_CHECKING:
    from thinktime.workload import Workload

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

COMPARED = "Comparing logs"
BY_ARRIVALS = "arrivals"
Subjects = Annotated[
    list[str],
    Argument(metavar="LOG...", help="A log, `default`, a run directory or a cluster; several logs with --compare."),
]


@option_group()
class InspectOptions:
    """What to show."""

    malformed: bool = flag("--malformed", help="List the malformed lines (at most 1000).")
    peak_s: float | None = option(
        "--peak",
        parsing.seconds,
        metavar="DURATION",
        help="Find the busiest window of this length, for example 24h; `--out` saves it as a log.",
    )
    by: str = option(
        "--by",
        text,
        default=BY_ARRIVALS,
        metavar="NAME",
        names=partial(names.keys_of, "workload.peak_window", "BY"),
        help="With --peak: count submitted jobs (arrivals) or submitted processor-seconds (work). With a run directory:"
        " a column of its jobs, such as user or an attribute; shows waits by its values.",
    )
    at_s: float | None = option(
        "--at", parsing.seconds, metavar="TIME", help="Show the queue and the running jobs of a run at this time."
    )
    figures: bool = flag("--figures", help="Draw the workload or the run.")
    out: Path | None = option(
        "--out",
        file_path,
        metavar="PATH",
        help="Log to write (.swf, .csv, .json or .parquet), or folder for the figures (default: figures/LOG); with"
        " --peak, the log of that window.",
    )
    formats: tuple[str, ...] = formats_option(panel=None)


@option_group(COMPARED)
class CompareOptions:
    """How logs are compared."""

    compare: bool = flag(
        "--compare",
        help="Describe the first log (users, locality, self-similarity, weekly cycle) and measure how much the other"
        " logs differ from it, judged by its resamples. With one log: how much its resamples differ.",
    )
    resamples: int = option(
        "--resamples",
        parsing.whole,
        default="20",
        metavar="N",
        help="Number of resamples; a verdict needs at least 20, 0 for none.",
    )
    shuffles: int = option(
        "--shuffles",
        parsing.whole,
        default="1000",
        metavar="N",
        help="Number of random exchanges of jobs between sessions, which test whether jobs of a session are more"
        " similar than by chance; 0 for none.",
    )
    seed: int = option("--seed", parsing.whole, default="0", metavar="N", help="Random seed of resamples and shuffles.")


@app.command("inspect")
@with_options
def inspect(
    subjects: Subjects,
    show: InspectOptions,
    compare: CompareOptions,
    reading: ReadingOptions,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Describe a log: its header, its jobs, and how each line was read.

    For a run directory: what was simulated, by which rules, and the results. For a
    cluster (a name or a .toml or .json file): its nodes.

    Example: thinktime inspect KTH-SP2-1996-2.1-cln.swf.gz --figures

    Example: thinktime inspect runs/default-easy-1a2b3c4d

    Example: thinktime inspect runs/default-easy-1a2b3c4d --at 7d

    Example: thinktime inspect runs/default-easy-1a2b3c4d --by user

    Example: thinktime inspect KTH-SP2-1996-2.1-cln --out kth.parquet

    Example: thinktime inspect seth

    Example: thinktime inspect CEA-Curie-2011-2.1-cln --peak 24h --remove "partition!=4" --out busiest_day.swf.gz

    Example: thinktime inspect --compare KTH-SP2-1996-2.1-cln.swf.gz resampled.swf.gz --figures
    """
    drawing = show.figures or show.out is not None
    if compare.compare:
        from thinktime.cli.commands.inspect.representative import compare_logs

        compare_logs(subjects, reading, compare, (show.out, show.formats) if drawing else None, as_json)
        return
    subject = _only(subjects)
    if show.peak_s is not None:
        from thinktime.cli.commands.inspect.peak import facts_of_peak, print_peak

        _print_facts(facts_of_peak(subject, reading, show, overwrite), [], print_peak, as_json)
    elif show.at_s is not None:
        _print_instant(subject, show.at_s, drawing, as_json)
    elif subject and Path(subject).is_dir():
        _inspect_run(Path(subject), show, drawing, as_json)
    elif is_cluster(subject):
        from thinktime.cli.commands.inspect.cluster import facts_of_cluster, print_cluster

        _refuse_figures(subject, drawing)
        _print_facts(facts_of_cluster(subject), [], print_cluster, as_json)
    else:
        _inspect_log(subject, reading, show, drawing, overwrite, as_json)


def _inspect_run(directory: Path, show: InspectOptions, drawing: bool, as_json: bool) -> None:
    from thinktime.cli.commands.inspect.groups import facts_by, print_by
    from thinktime.cli.commands.inspect.run import facts_of_run, print_run

    if show.by != BY_ARRIVALS:
        _print_facts(facts_by(directory, show.by), [], print_by, as_json)
        return

    facts = facts_of_run(directory)
    drawn = _draw_run(directory, show.out, show.formats) if drawing else []
    _print_facts(facts, drawn, print_run, as_json)


def _inspect_log(
    subject: str, reading: ReadingOptions, show: InspectOptions, drawing: bool, overwrite: bool, as_json: bool
) -> None:
    from thinktime.cli.commands.inspect.log import facts_of_log, print_log

    _require_something(subject, reading)
    if show.by != BY_ARRIVALS:
        raise InputError(
            f"{subject} is a log, and --by {show.by} shows the waits of a saved run: give a run directory,"
            " or add --peak"
        )
    out = _log_to_write(subject, show, overwrite)
    workload, _ = log_argument.read(subject, reading)
    drawn = _draw_log(workload, show.out, show.formats) if drawing and out is None else []
    facts = facts_of_log(workload) | ({"written": str(_write_log(workload, out))} if out else {})
    _print_facts(facts, drawn, lambda facts: print_log(facts, show.malformed), as_json)


def _log_to_write(subject: str, show: InspectOptions, overwrite: bool) -> Path | None:
    """Return the log that `--out` names, checked before a long log is read; None if it is a folder for figures."""
    if show.out is None or show.figures or not log_argument.is_log_name(show.out):
        return None
    log_argument.require_log_name(show.out)
    require_new(show.out, overwrite, subject)
    return show.out


def _write_log(workload: Workload, out: Path) -> Path:
    from thinktime.result import write

    with Stage("writing"):
        write(workload, out)
    return out


def _require_something(subject: str, reading: ReadingOptions) -> None:
    """Raise InputError with all that `inspect` takes if there is no such log."""
    from thinktime.platforms.configurations import NAMES
    from thinktime.simulation.arguments import is_generator

    try:
        is_generator(subject) or log_argument.path_of(subject, reading)
    except InputError as error:
        what = f"inspect also takes a run directory, a cluster ({', '.join(NAMES)}) or its file"
        raise InputError(f"{str(error).rstrip('.')}. {what}.") from None


def _only(subjects: list[str]) -> str:
    if len(subjects) > 1:
        raise InputError(f"inspect takes one log (got {len(subjects)}): give one, or add --compare")
    return subjects[0]


def _print_instant(subject: str, at_s: float, drawing: bool, as_json: bool) -> None:
    from thinktime.cli.commands.inspect.instant import facts_at, print_at

    if not Path(subject).is_dir():
        raise InputError(f"{subject} is not a run directory: --at shows one moment of a saved run")
    if drawing:
        raise InputError("--at draws no figures: remove --figures and --out")
    _print_facts(facts_at(Path(subject), at_s), [], print_at, as_json)


def _refuse_figures(subject: str, drawing: bool) -> None:
    if drawing:
        raise InputError(f"{subject} is a cluster, and there are no figures of clusters: remove --figures and --out")


def _print_facts(facts: JsonDict, drawn: list[Path], show: Callable[[JsonDict], None], as_json: bool) -> None:
    if as_json:
        printing.as_json({**facts, "paths": {"figures": printing.paths(drawn)}})
        return
    show(facts)
    if drawn:
        printing.row("figures", *printing.paths(drawn))


def _draw_run(directory: Path, out: Path | None, formats: tuple[str, ...]) -> list[Path]:
    from thinktime.result import Result

    folder = out or directory / figure_files.FOLDER
    with Stage("drawing"):
        return figure_files.of_run(Result.load(directory), folder, formats, all_panels=True)


def _draw_log(workload: Workload, out: Path | None, formats: tuple[str, ...]) -> list[Path]:
    folder = out or Path(figure_files.FOLDER) / workload.name
    with Stage("drawing"):
        return figure_files.of_workload(workload, folder, formats, all_panels=True)
