"""`thinktime resample`: a new log from the users of other logs, of any length and load, written block by block."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument

from thinktime.cli import log_argument, parsing, printing
from thinktime.cli.options import (
    RESAMPLED,
    WRITTEN,
    Json,
    PoolOptions,
    ReadingOptions,
    file_path,
    flag,
    names,
    option,
    option_group,
    repeated_option,
    text,
    with_options,
)
from thinktime.cli.options.declare import completion_of
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.support.output_files import require_new
from thinktime.traces.find import log_name

if TYPE_CHECKING:
    from thinktime.resampling import Flurry, Resampler
    from thinktime.resampling.write import Written
    from thinktime.workload import Workload

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

CHANGED, RARE = "Changing jobs", "Rare behaviours"
Logs = Annotated[
    list[str],
    Argument(
        metavar="LOG...",
        help="Log file, name of a downloaded log, or `default`; several logs are mixed.",
        autocompletion=completion_of(names.logs),
    ),
]


def _load_factors(option: str, text: str) -> float | list[float]:
    loads = [parsing.decimal(option, part) for part in text.split(",")]
    return loads[0] if len(loads) == 1 else loads


def _weeks_of_log(option: str, text: str) -> tuple[int, int]:
    first, colon, end = text.partition(":")
    if not colon:
        raise InputError(f"{option} must be FIRST:END in weeks, for example 0:26 (got {text!r})")
    return parsing.whole(option, first), parsing.whole(option, end)


@option_group()
class LengthOptions:
    """How long and how busy the new log is."""

    weeks: int | None = option(
        "--weeks", parsing.whole, metavar="N", help="Length of the new log in weeks (default: that of the log)."
    )
    load: float | list[float] = option(
        "--load",
        _load_factors,
        default="1",
        metavar="F",
        help="Multiply the number of users by this factor, for example 1.2; for several logs also one per log: 1,0.5.",
    )
    seed: int = option(
        "--seed", parsing.whole, default="0", metavar="N", help="Random seed; the same seed gives the same bytes."
    )


@option_group(WRITTEN)
class ResampledFileOptions:
    """Where the new log is written."""

    out: Path | None = option(
        "--out",
        file_path,
        metavar="FILE",
        help="SWF (.swf, .gz, .xz, .bz2) or .parquet file (default: LOG-resampled-SEED.swf.gz). A table of the users is"
        " written next to it.",
    )
    overwrite: bool = flag("--overwrite", help="Replace an existing file.")


@option_group(RESAMPLED)
class DrawOptions:
    """How users are drawn."""

    start: str = option(
        "--start",
        text,
        default="log",
        metavar="NAME",
        help="Long-term users start at a random week of the log (log) or of their own activity (activity).",
    )
    piece: tuple[int, int] | None = option(
        "--piece", _weeks_of_log, metavar="A:B", help="Use only weeks A to B of the log (B excluded), for example 0:26."
    )
    bias: str | None = option(
        "--bias",
        text,
        metavar="RULE",
        help="Draw some users more often, by thirds of their jobs, work, processors or run, for example"
        " work:large=2,small=0.5.",
    )


@option_group(CHANGED)
class ChangeOptions:
    """How jobs are changed."""

    locality: float = option(
        "--locality",
        parsing.decimal,
        default="0",
        metavar="F",
        help="Order of a user's jobs, from -1 (random) over 0 (as recorded) to 1 (similar jobs together).",
    )
    shake: str | None = option(
        "--shake", text, metavar="WHAT", help="Shift jobs, sessions or users by a small random time."
    )
    amplitude_s: float | None = option(
        "--amplitude",
        parsing.seconds,
        metavar="DURATION",
        help="Maximum shift in either direction (default: 30s for jobs, 10m for sessions, 30m for users).",
    )
    keep_ids: bool = flag("--keep-ids", help="Keep the user numbers of the log, also for users drawn twice.")


@option_group(RARE)
class RareOptions:
    """Which behaviours are rare."""

    rare: tuple[str, ...] = repeated_option(
        "--rare",
        text,
        metavar="RULE",
        help="Rare behaviour: USER:BEGIN:END in seconds, a condition such as 'user=374 and job>14968', or auto (what"
        " --flurries finds). Repeatable.",
    )
    rare_per_week: float = option(
        "--rare-per-week", parsing.decimal, default="0", metavar="F", help="Mean number that start per week."
    )
    flurries: bool = flag("--flurries", help="Only find flurries and print them in the archive's filter notation.")


@app.command("resample")
@with_options
def resample(
    logs: Logs,
    length: LengthOptions,
    file: ResampledFileOptions,
    pools: PoolOptions,
    draw: DrawOptions,
    change: ChangeOptions,
    rare: RareOptions,
    reading: ReadingOptions,
    as_json: Json = False,
) -> None:
    """Make a new log from the users of a log: longer, busier, or similar to it.

    Example: thinktime resample KTH-SP2-1996-2.1-cln --weeks 260 --load 1.2 --seed 1 --out five_years.swf.gz

    Example: thinktime resample default --flurries
    """
    if rare.flurries:
        _print_flurries([log_argument.read(log, reading)[0] for log in logs], as_json)
        return
    from thinktime.resampling import Resampler
    from thinktime.resampling.options import Options
    from thinktime.support.random_streams import checked_seed

    options: dict[str, Any] = {
        "weeks": length.weeks,
        "load": length.load,
        **pools.keywords(),
        **dataclasses.asdict(draw),
        **dataclasses.asdict(change),
        "rare_per_week": rare.rare_per_week,
    }
    checked_seed(length.seed)
    Options(**options).loads(len(logs))  # raise InputError before a long log is read
    target = file.out or Path(f"{'+'.join(log_name(log) for log in logs)}-resampled-{length.seed}.swf.gz")
    log_argument.require_log_name(target)
    _require_new_files(target, logs, file.overwrite)
    workloads = [log_argument.read(log, reading)[0] for log in logs]
    with Stage("sorting users"):
        resampler = Resampler(workloads, **options, rare=_rare_behaviours(workloads, list(rare.rare)))
    written = _write_resampled(resampler, target, length.seed)
    _print_resampled(resampler, written, length.seed, as_json)


def _require_new_files(target: Path, logs: list[str], overwrite: bool) -> None:
    from thinktime.resampling.write import replicas_path

    for path in (target, replicas_path(target)):
        require_new(path, overwrite, *logs)


def _rare_behaviours(workloads: list[Workload], texts: list[str]) -> list[Any]:
    """Return rare behaviours; `auto` becomes the flurries that are found."""
    from thinktime.resampling import flurries

    found = [flurry.behaviour for flurry in flurries(workloads[0])] if "auto" in texts else []
    if "auto" in texts and not found:
        raise InputError(f"no flurries found in {workloads[0].name}: give rare behaviours as --rare USER:BEGIN:END")
    return [*(text for text in texts if text != "auto"), *found]


def _write_resampled(resampler: Resampler, target: Path, seed: int) -> Written:
    """Write the log, in the format of the file's ending, and its table of users."""
    from thinktime.resampling.write import blocks_with_progress, resample_header, with_replicas
    from thinktime.result.writer import writer_of
    from thinktime.traces import written

    with Stage("resampling", float(resampler.weeks), "weeks") as stage:

        def hear(weeks: int) -> None:
            stage.done = float(weeks)

        builder, about = resampler.builder(seed), written.Written.of(resample_header(resampler, seed), {})
        blocks = blocks_with_progress(resampler, seed, builder, hear)
        jobs = writer_of(target).write_blocks(blocks, target, about, resampler.without_jobs(seed))
        return with_replicas(target, jobs, builder)


def _print_resampled(resampler: Resampler, written: Written, seed: int, as_json: bool) -> None:
    paths = printing.paths([written.path, written.replicas])
    if as_json:
        printing.as_json({**_resampled_facts(resampler, written, seed), "paths": paths})
        return
    printing.heading(f"{'+'.join(log.name for log in resampler.logs)}, resampled with seed {seed}")
    for pools in resampler.pools:
        printing.row("pools", f"{pools.workload.name}: {pools.text()}")
        if not pools.count("long_term"):
            weeks = f"{resampler.options.long_term_weeks:g} weeks"
            printing.row(
                "note",
                f"no user is active for more than {weeks}, so there are no long-term users: see --long-term-weeks",
            )
    rare = f", {written.rare_users:,} of them rare behaviours" if written.rare_users else ""
    printing.row("result", f"{written.jobs:,} jobs of {written.users:,} users{rare} in {resampler.weeks:,} weeks")
    printing.row("written", *paths)


def _resampled_facts(resampler: Resampler, written: Written, seed: int) -> dict[str, Any]:
    from thinktime.resampling import KINDS

    return {
        "logs": [log.name for log in resampler.logs],
        "seed": seed,
        "weeks": resampler.weeks,
        "jobs": written.jobs,
        "users": written.users,
        "rare_users": written.rare_users,
        "options": resampler.options.to_dict(),
        "pools": [
            {kind: {"users": pools.count(kind), "jobs": pools.jobs(kind)} for kind in KINDS}
            for pools in resampler.pools
        ],
    }


def _print_flurries(workloads: list[Workload], as_json: bool) -> None:
    from thinktime.resampling import flurries

    found = {workload.name: flurries(workload) for workload in workloads}
    if as_json:
        printing.as_json({name: [_flurry_facts(flurry) for flurry in proposals] for name, proposals in found.items()})
        return
    for name, proposals in found.items():
        printing.heading(f"{name}: {len(proposals)} {'flurry' if len(proposals) == 1 else 'flurries'}")
        for flurry in proposals:
            printing.row("", flurry.line())


def _flurry_facts(flurry: Flurry) -> dict[str, Any]:
    behaviour = flurry.behaviour
    return {
        "user": behaviour.user,
        "begin_s": behaviour.begin_s,
        "end_s": behaviour.end_s,
        "jobs": flurry.jobs,
        "share": flurry.share,
        "busiest_day": flurry.busiest_day,
        "filter": flurry.filter,
        "line": flurry.line(),
    }
