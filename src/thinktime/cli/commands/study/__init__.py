"""`thinktime study`: init, run, status, resume, compare, export."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from thinktime.cli import printing
from thinktime.cli.commands.study.executor_options import ExecutorOptions, executor_of, shown_script
from thinktime.cli.error_messages import INCOMPLETE
from thinktime.cli.options import (
    Json,
    Overwrite,
    Trust,
    file_path,
    option,
    option_group,
    repeated_option,
    text,
    with_options,
)
from thinktime.errors import InputError
from thinktime.support import terminal
from thinktime.support.output_files import require_new
from thinktime.trust import process as allowing

if TYPE_CHECKING:
    from thinktime.study import Store, Study
    from thinktime.study.progress import Progress

app = typer.Typer(invoke_without_command=True, add_completion=False)

DEFAULT_FILE = Path("study.toml")
Given = Annotated[Path, Argument(metavar="STUDY", help="File or store of a study.")]
Pooled = Annotated[bool, Option("--pooled", help="Average over the logs instead of reporting each log.")]


@option_group()
class StoreOptions:
    store: Path | None = option(
        "--store", file_path, metavar="DIR", help="Store of the results (default: next to the file)."
    )


@option_group()
class MetricsOptions:
    metric: tuple[str, ...] = repeated_option(
        "--metric", text, metavar="NAME", help="Metric to compare (default: those of the study). Repeatable."
    )


@app.callback()
def study(context: typer.Context) -> None:
    """Run many configurations and compare them: init, run, status, resume, compare, export.

    Example: thinktime study init && thinktime study run study.toml
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("init")
def init(
    file: Annotated[Path, Argument(metavar="FILE", help="File to write.")] = DEFAULT_FILE,
    as_json: Json = False,
) -> None:
    """Write an example study with comments, ready to run.

    Example: thinktime study init my_study.toml
    """
    from thinktime.study.study_file import EXAMPLE

    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(EXAMPLE)
    except FileExistsError:
        raise InputError(f"{file} already exists: choose another name") from None
    if as_json:
        printing.as_json({"file": str(file)})
    else:
        terminal.line(f"wrote {file}: run it with `{printing.command('study', 'run', file)}`")


@app.command("run")
@with_options
def run(
    given: Given,
    where: ExecutorOptions,
    at: StoreOptions,
    again: Annotated[bool, Option("--again", help="Also repeat the runs that failed.")] = False,
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    """Compute the runs that are not in the store yet.

    An interrupted study continues; only the runs in progress are repeated.

    Example: thinktime study run study.toml --threads 2

    Example: thinktime study run study.toml --slurm --workers 100 --walltime 04:00:00
    """
    _run_trusted(given, at.store, where, again, trust, as_json)


@app.command("resume")
@with_options
def resume(given: Given, where: ExecutorOptions, at: StoreOptions, trust: Trust = False, as_json: Json = False) -> None:
    """Continue a study that was stopped, and repeat the runs that failed.

    Example: thinktime study resume study.study
    """
    _run_trusted(given, at.store, where, True, trust, as_json)


@app.command("status")
@with_options
def status(given: Given, at: StoreOptions, trust: Trust = False, as_json: Json = False) -> None:
    """Show how many runs are done, and which failed and why.

    Example: thinktime study status study.toml
    """
    from thinktime.cli.commands.study.status import facts_of, print_status

    facts = facts_of(*opened(given, at.store, trust))
    printing.as_json(facts) if as_json else print_status(facts)


@app.command("compare")
@with_options
def compare(
    given: Given,
    at: StoreOptions,
    metrics: MetricsOptions,
    pooled: Pooled = False,
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    """Compare the configurations of a study: the answer in at most ten lines, then one table per metric.

    Each configuration is compared with the baseline, separately for each log, over the same seeds.

    Example: thinktime study compare study.toml --metric wait_mean_s
    """
    from thinktime.study.comparison.conclusions import conclusions

    study, kept = opened(given, at.store, trust)
    found = conclusions(study, kept, list(metrics.metric) or study.metrics, pooled=pooled)
    printing.as_json(found.to_dict()) if as_json else terminal.line(str(found))


@option_group()
class ExportOptions:
    out: Path = option(
        "--out", file_path, default="outcomes.csv", metavar="FILE", help="File to write: .csv, .parquet or .json."
    )


@app.command("export")
@with_options
def export(
    given: Given,
    at: StoreOptions,
    output: ExportOptions,
    overwrite: Overwrite = False,
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    """Write a table with one row per run: dimensions, metrics, errors and cautions.

    Example: thinktime study export study.toml --out outcomes.parquet
    """
    from thinktime.study.outcomes import export as export_outcomes
    from thinktime.study.store import of_study

    require_new(output.out, overwrite, given)
    study, kept = opened(given, at.store, trust)
    rows = export_outcomes(of_study(kept, study), output.out)
    printing.as_json({"file": str(output.out), "rows": rows}) if as_json else terminal.line(
        f"wrote {rows:,} runs to {output.out}"
    )


def opened(given: Path, store: Path | None, trust: bool = False) -> tuple[Study, Store]:
    """Return the study and its store for reading: nothing is imported, unless `trust`."""
    from thinktime.study import Store

    place = store or place_of(given)
    with allowing(trust):
        study = looked_at(given, place, trust)
    if not place.is_dir():
        at = ("--store", store) if store else ()
        raise InputError(
            f"{place} does not exist: run the study first with `{printing.command('study', 'run', given, *at)}`"
        )
    return study, Store(place)


def read(given: Path, trust: bool) -> Study:
    """Return the study of a file or a store."""
    from thinktime.study import Study, study_of

    return study_of(given, trust=trust) if given.is_dir() else Study.read(given, trust=trust)


def looked_at(given: Path, place: Path, trust: bool) -> Study:
    """Return the study without an import: the store knows the user's classes that the file names."""
    from thinktime.study import study_of
    from thinktime.study.study_file import HOW_TO_BEGIN
    from thinktime.support.toml_lines import text_of_file
    from thinktime.trust import TrustError

    try:
        return read(given, trust)
    except TrustError:
        known = study_of(place) if place.is_dir() else None
        if known is None or known.text != text_of_file(given, HOW_TO_BEGIN):
            raise
        return known


def place_of(given: Path) -> Path:
    from thinktime.study.store import store_of

    return store_of(given)


def _run_trusted(
    given: Path, store: Path | None, where: ExecutorOptions, again: bool, trust: bool, as_json: bool
) -> None:
    """Run a study. A file is trusted like a script; a store may come from elsewhere, so its code needs `trust`."""
    with allowing(True):
        _run_study(read(given, trust or not given.is_dir()), given, store, where, again, as_json)


def _run_study(
    study: Study, given: Path, store: Path | None, where: ExecutorOptions, again: bool, as_json: bool
) -> None:
    from thinktime.cli.commands.study.status import facts_of, print_run
    from thinktime.study.runner import run_in_store

    study, place = study.renewed(), store or place_of(given)
    if shown_script(where, place):
        return
    done = run_in_store(study, place, executor_of(where, place), again=again, interrupted=partial(_say_resume, study))
    facts = facts_of(study, done.store) | {"computed": done.counts.computed, "there": done.counts.there}
    printing.as_json(facts) if as_json else print_run(facts)
    if facts["failed"]:
        raise typer.Exit(INCOMPLETE)


def _say_resume(study: Study, store: Store, progress: Progress) -> None:
    """Print how to continue an interrupted study."""
    from thinktime.study.own_classes import untrusted_code

    trusting = ["--trust"] if study.to_dict().get("own") or untrusted_code(study) else []
    so_far = f"{progress.done:,} of {progress.total:,} runs are kept"
    terminal.line(
        f"thinktime: {so_far}: go on with `{printing.command('study', 'resume', store.directory, *trusting)}`", err=True
    )
