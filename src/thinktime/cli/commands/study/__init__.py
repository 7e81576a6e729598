"""`thinktime study`: init, run, status, resume, compare, export."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from thinktime.cli import options as o
from thinktime.cli import printing
from thinktime.cli.commands.study.executor_options import Where, executor_of, shown_script, with_where
from thinktime.cli.error_messages import INCOMPLETE
from thinktime.errors import InputError
from thinktime.support import terminal
from thinktime.support.output_files import require_new
from thinktime.trust import process as allowing

app = typer.Typer(invoke_without_command=True, add_completion=False)

DEFAULT_FILE = Path("study.toml")
Given = Annotated[Path, Argument(metavar="STUDY", help="A study's file, or its store.")]
StoreAt = Annotated[Path | None, Option("--store", help="Where the outcomes are kept; by default beside the file.")]
Pooled = Annotated[bool, Option("--pooled", help="Average over the logs instead of reporting each by itself.")]
Metric = Annotated[list[str] | None, Option("--metric", help="What is compared; may be given several times.")]


@app.callback()
def study(context: typer.Context) -> None:
    """A grid of runs: init, run, status, resume, compare, export.

    Example: thinktime study init && thinktime study run study.toml
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("init")
def init(
    file: Annotated[Path, Argument(metavar="FILE", help="The file to write.")] = DEFAULT_FILE,
    as_json: o.Json = False,
) -> None:
    """Write a commented example that runs as it is.

    Example: thinktime study init my_study.toml
    """
    from thinktime.study.study_file import EXAMPLE

    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(EXAMPLE)
    except FileExistsError:
        raise InputError(f"{file} exists already: choose another name") from None
    if as_json:
        printing.as_json({"file": str(file)})
    else:
        terminal.line(f"wrote {file}: run it with `{printing.command('study', 'run', file)}`")


@app.command("run")
@with_where
def run(
    given: Given,
    where: Where,
    store: StoreAt = None,
    again: Annotated[bool, Option("--again", help="Also try the runs that failed before.")] = False,
    trust: o.Trust = False,
    as_json: o.Json = False,
) -> None:
    """Carry out what the store does not have yet.

    A study that was killed goes on where it was; runs in flight are lost, nothing else.

    Example: thinktime study run study.toml --threads 2

    Example: thinktime study run study.toml --slurm --workers 100 --walltime 04:00:00
    """
    _run(given, store, where, again, trust, as_json)


@app.command("resume")
@with_where
def resume(given: Given, where: Where, store: StoreAt = None, trust: o.Trust = False, as_json: o.Json = False) -> None:
    """Go on with a study that was stopped, and try again what failed.

    Example: thinktime study resume study.study
    """
    _run(given, store, where, True, trust, as_json)


@app.command("status")
def status(given: Given, store: StoreAt = None, trust: o.Trust = False, as_json: o.Json = False) -> None:
    """How much of a study is done, what failed and why.

    Example: thinktime study status study.toml
    """
    from thinktime.cli.commands.study.status import facts_of, print_status

    facts = facts_of(*opened(given, store, trust))
    printing.as_json(facts) if as_json else print_status(facts)


@app.command("compare")
def compare(
    given: Given,
    store: StoreAt = None,
    metric: Metric = None,
    pooled: Pooled = False,
    trust: o.Trust = False,
    as_json: o.Json = False,
) -> None:
    """Compare the configurations of a study: the answer in at most ten lines, then a table per metric.

    Each configuration is compared with the baseline on each log by itself, over the same seeds.

    Example: thinktime study compare study.toml --metric wait_mean_s
    """
    from thinktime.study.comparison.conclusions import conclusions

    study, kept = opened(given, store, trust)
    found = conclusions(study, kept, metric or study.metrics, pooled=pooled)
    printing.as_json(found.to_dict()) if as_json else terminal.line(str(found))


@app.command("export")
def export(
    given: Given,
    store: StoreAt = None,
    out: Annotated[Path, Option("--out", help="A file: .csv, .parquet or .json.")] = Path("outcomes.csv"),
    overwrite: o.Replace = False,
    trust: o.Trust = False,
    as_json: o.Json = False,
) -> None:
    """One row a run: every dimension, every metric, errors and cautions.

    Example: thinktime study export study.toml --out outcomes.parquet
    """
    from thinktime.study.outcomes import export as export_outcomes
    from thinktime.study.store import of_study

    require_new(out, overwrite, given)
    study, kept = opened(given, store, trust)
    rows = export_outcomes(of_study(kept, study), out)
    printing.as_json({"file": str(out), "rows": rows}) if as_json else terminal.line(f"wrote {rows:,} runs to {out}")


def opened(given: Path, store: Path | None, trust: bool = False) -> tuple[Any, Any]:
    """The study and its store, for looking: nothing is imported, unless `trust`."""
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


def read(given: Path, trust: bool) -> Any:
    """From its file, or from its store."""
    from thinktime.study import Study, study_of

    return study_of(given, trust=trust) if given.is_dir() else Study.read(given, trust=trust)


def looked_at(given: Path, place: Path, trust: bool) -> Any:
    """The same without an import: of a file that names classes of the user's, the store knows what they were."""
    from thinktime.study import study_of
    from thinktime.study.study_file import HOW_TO_BEGIN
    from thinktime.toml_lines import text_of_file
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


def _run(given: Path, store: Path | None, where: Where, again: bool, trust: bool, as_json: bool) -> None:
    """A file says what to run, like a script; a store may come from anywhere, so its own code needs `trust`."""
    with allowing(True):
        _run_study(read(given, trust or not given.is_dir()), given, store, where, again, as_json)


def _run_study(study: Any, given: Path, store: Path | None, where: Where, again: bool, as_json: bool) -> None:
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


def _say_resume(study: Any, store: Any, progress: Any) -> None:
    """Print how to continue an interrupted study."""
    from thinktime.study.own_classes import asks_for

    trusting = ["--trust"] if study.to_dict().get("own") or asks_for(study) else []
    so_far = f"{progress.done:,} of {progress.total:,} runs are kept"
    terminal.line(
        f"thinktime: {so_far}: go on with `{printing.command('study', 'resume', store.directory, *trusting)}`", err=True
    )
