"""`thinktime inspect`: what is in a log, in a run directory, or in a cluster."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from thinktime.cli import log_argument, parsing, printing
from thinktime.cli import options as o
from thinktime.cli.commands.inspect.cluster import is_cluster
from thinktime.cli.printing import figure_files
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

Subjects = Annotated[
    list[str],
    Argument(
        metavar="LOG...", help="A log, `default`, a run directory, or a cluster; with --compare also several logs."
    ),
]
Place = Annotated[
    Path | None, Option("--out", help="Folder for the figures; by default figures/LOG. With --peak: the log to write.")
]
Draw = Annotated[bool, Option("--figures", help="Draw the workload, or the run.")]
Peak = Annotated[
    str | None,
    Option("--peak", metavar="LENGTH", help="Of a log: its most intensive window so long, as in 24h; --out writes it."),
]
By = Annotated[
    str, Option("--by", help="With --peak: most jobs (arrivals), or most processor-seconds submitted (work).")
]
At = Annotated[str | None, Option("--at", metavar="TIME", help="Of a run: who waits and runs at this time.")]
Malformed = Annotated[bool, Option("--malformed", help="List the malformed lines, the first 1000.")]
COMPARED = "Whether logs are representative"
Compare = Annotated[
    bool,
    Option(
        "--compare",
        rich_help_panel=COMPARED,
        help="Describe the first log by its users, locality, self-similarity and weekly cycle, and how far others are"
        " from it, judged by resamples of the first; alone, how far its resamples are.",
    ),
]
Resamples = Annotated[
    str,
    Option(
        "--resamples", metavar="N", rich_help_panel=COMPARED, help="How many; fewer than 20 cannot decide, 0: none."
    ),
]
Shuffles = Annotated[
    str,
    Option(
        "--shuffles",
        metavar="N",
        rich_help_panel=COMPARED,
        help="Of jobs among sessions, to test whether the jobs of a session are more alike than chance; 0: none.",
    ),
]
Seed = Annotated[str, Option("--seed", metavar="N", rich_help_panel=COMPARED, help="Seed of resamples and shuffles.")]


@app.command("inspect")
def inspect(
    subjects: Subjects,
    filter: o.Filter = "base",
    processor_field: o.ProcessorField = None,
    remove: o.Remove = None,
    malformed: Malformed = False,
    compare: Compare = False,
    resamples: Resamples = "20",
    shuffles: Shuffles = "1000",
    seed: Seed = "0",
    peak: Peak = None,
    by: By = "arrivals",
    at: At = None,
    figures: Draw = False,
    out: Place = None,
    formats: o.Formats = "png",
    overwrite: o.Replace = False,
    as_json: o.Json = False,
) -> None:
    """What is in a log: its header, its jobs, and where every line went.

    Of a run directory: what was simulated, how, and what came out. Of a cluster
    (seth, ricc, ricc-1024, metacentrum, a .toml or .json file): its nodes.

    Example: thinktime inspect KTH-SP2-1996-2.1-cln.swf.gz --figures

    Example: thinktime inspect runs/default-easy-1a2b3c4d

    Example: thinktime inspect runs/default-easy-1a2b3c4d --at 7d

    Example: thinktime inspect seth

    Example: thinktime inspect CEA-Curie-2011-2.1-cln --peak 24h --remove "partition!=4" --out busiest_day.swf.gz

    Example: thinktime inspect --compare KTH-SP2-1996-2.1-cln.swf.gz resampled.swf.gz --figures
    """
    kinds = figure_files.parse_formats(formats)
    drawing = figures or out is not None
    if compare:
        from thinktime.cli.commands.inspect.representative import Asked, compare_logs

        counts = [parsing.whole(name, text) for name, text in _counts(resamples, shuffles, seed)]
        reading = log_argument.Reading(filter, processor_field, tuple(remove or ()))
        compare_logs(Asked(subjects, reading, *counts), (out, kinds) if drawing else None, as_json)
        return
    subject = _only(subjects)
    if peak is not None:
        from thinktime.cli.commands.inspect.peak import facts_of_peak, print_peak

        reading = log_argument.Reading(filter, processor_field, tuple(remove or ()))
        _tell(facts_of_peak(subject, reading, peak, by, out, figures, overwrite), [], print_peak, as_json)
    elif at is not None:
        _tell_instant(subject, at, drawing, as_json)
    elif subject and Path(subject).is_dir():
        from thinktime.cli.commands.inspect.run import facts_of_run, print_run

        facts = facts_of_run(Path(subject))
        drawn = _draw_run(Path(subject), out, kinds) if drawing else []
        _tell(facts, drawn, print_run, as_json)
    elif is_cluster(subject):
        from thinktime.cli.commands.inspect.cluster import facts_of_cluster, print_cluster

        _refuse_figures(subject, drawing)
        _tell(facts_of_cluster(subject), [], print_cluster, as_json)
    else:
        from thinktime.cli.commands.inspect.log import facts_of_log, print_log

        workload, _ = log_argument.read(subject, log_argument.Reading(filter, processor_field, tuple(remove or ())))
        drawn = _draw_log(workload, out, kinds) if drawing else []
        _tell(facts_of_log(workload), drawn, lambda facts: print_log(facts, malformed), as_json)


def _counts(resamples: str, shuffles: str, seed: str) -> list[tuple[str, str]]:
    return [("--resamples", resamples), ("--shuffles", shuffles), ("--seed", seed)]


def _only(subjects: list[str]) -> str:
    if len(subjects) > 1:
        raise InputError(f"inspect shows one log at a time, not {len(subjects)}: name one, or compare with --compare")
    return subjects[0]


def _tell_instant(subject: str, at: str, drawing: bool, as_json: bool) -> None:
    from thinktime.cli.commands.inspect.instant import facts_at, print_at

    if not Path(subject).is_dir():
        raise InputError(f"{subject} is not a run directory: --at shows an instant of a saved run")
    if drawing:
        raise InputError("--at shows an instant in words: leave out --figures and --out")
    _tell(facts_at(Path(subject), at), [], print_at, as_json)


def _refuse_figures(subject: str, drawing: bool) -> None:
    if drawing:
        raise InputError(f"{subject} is a cluster, of which there are no figures: leave out --figures and --out")


def _tell(facts: dict[str, Any], drawn: list[Path], show: Callable[[dict[str, Any]], None], as_json: bool) -> None:

    if as_json:
        printing.as_json({**facts, "paths": {"figures": printing.paths(drawn)}})
        return
    show(facts)
    if drawn:
        printing.row("pictures", *printing.paths(drawn))


def _draw_run(directory: Path, out: Path | None, formats: tuple[str, ...]) -> list[Path]:
    from thinktime.result import Result

    folder = out or directory / figure_files.FOLDER
    with Stage("drawing"):
        return figure_files.of_run(Result.load(directory), folder, formats, all_panels=True)


def _draw_log(workload: Any, out: Path | None, formats: tuple[str, ...]) -> list[Path]:
    folder = out or Path(figure_files.FOLDER) / workload.name
    with Stage("drawing"):
        return figure_files.of_workload(workload, folder, formats, all_panels=True)
