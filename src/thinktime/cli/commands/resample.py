"""`thinktime resample`: a new log from the users of old ones, of any length and load, written block by block."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from thinktime.cli import log_argument, parsing, printing
from thinktime.cli import options as o
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.support.output_files import require_new

if TYPE_CHECKING:
    from thinktime.resampling import Flurry, Resampler
    from thinktime.resampling.write import Written
    from thinktime.workload import Workload

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

CHANGED = "What is changed"
RARE = "Rare behaviours"


_in = partial(o.in_panel, show_default=False)


Logs = Annotated[
    list[str],
    Argument(metavar="LOG...", help="A log file, the name of a log, or `default`; several logs are mixed."),
]
Weeks = Annotated[str | None, Option("--weeks", metavar="N", help="Length of the result; by default the log's.")]
Load = Annotated[
    str, Option("--load", metavar="F", help="Times as many users, as in 1.2; for several logs also one each: 1,0.5.")
]
Seed = Annotated[str, Option("--seed", help="Other seeds give other logs; the same seed gives the same bytes.")]
Out = Annotated[
    Path | None,
    _in(
        o.WRITTEN,
        "--out",
        metavar="FILE",
        help="SWF (.swf, .gz, .xz, .bz2) or .parquet; by default LOG-resampled-SEED.swf.gz. The table of users is"
        " written beside it.",
    ),
]
Start = Annotated[
    str, _in(o.RESAMPLED, "--start", help="Long-term users begin at a random week of the log, or of their activity.")
]
Piece = Annotated[
    str | None,
    _in(o.RESAMPLED, "--piece", metavar="A:B", help="Only the log's weeks A to B, B excluded, as in 0:26."),
]
Bias = Annotated[
    str | None,
    _in(
        o.RESAMPLED,
        "--bias",
        help="Draw some users more often: by jobs, work, processors or run, in thirds: work:large=2,small=0.5.",
    ),
]
Locality = Annotated[
    str, _in(CHANGED, "--locality", metavar="F", help="From -1, a user's jobs in random order, to 1, similar together.")
]
Shake = Annotated[str | None, _in(CHANGED, "--shake", help="Displace jobs, sessions or users a little, at random.")]
Amplitude = Annotated[
    str | None,
    _in(CHANGED, "--amplitude", help="How far at most, either way; 30s for jobs, 10m for sessions, 30m for users."),
]
KeepIds = Annotated[bool, _in(CHANGED, "--keep-ids", help="Users keep the log's numbers, also those who come twice.")]
Rare = Annotated[
    list[str] | None,
    _in(
        RARE,
        "--rare",
        help="What is rare: USER:BEGIN:END in seconds, a filter such as 'user=374 and job>14968', or auto: what"
        " --flurries finds. May be given several times.",
    ),
]
RarePerWeek = Annotated[
    str, _in(RARE, "--rare-per-week", metavar="F", help="How many begin in a week on average; by default none.")
]
Flurries = Annotated[
    bool, _in(RARE, "--flurries", help="Only look for flurries, and print them as the archive writes filters.")
]


@app.command("resample")
def resample(
    logs: Logs,
    weeks: Weeks = None,
    load: Load = "1",
    seed: Seed = "0",
    out: Out = None,
    overwrite: Annotated[bool, _in(o.WRITTEN, "--overwrite", help="Replace a file that is there already.")] = False,
    long_term_weeks: o.LongTerm = "12",
    edge_weeks: o.Edge = "4",
    start: Start = "log",
    piece: Piece = None,
    bias: Bias = None,
    locality: Locality = "0",
    shake: Shake = None,
    amplitude: Amplitude = None,
    keep_ids: KeepIds = False,
    rare: Rare = None,
    rare_per_week: RarePerWeek = "0",
    flurries: Flurries = False,
    filter: o.Filter = "base",
    processor_field: o.ProcessorField = None,
    remove: o.Remove = None,
    as_json: o.Json = False,
) -> None:
    """A new log from the users of a log: longer, busier, or just another one like it.

    Example: thinktime resample KTH-SP2-1996-2.1-cln --weeks 260 --load 1.2 --seed 1 --out five_years.swf.gz

    Example: thinktime resample default --flurries
    """
    number = parsing.whole("--seed", seed)
    options: dict[str, Any] = {
        "weeks": None if weeks is None else parsing.whole("--weeks", weeks),
        "load": _loads(load),
        **parsing.pools(long_term_weeks, edge_weeks),
        "start": start,
        "piece": None if piece is None else _piece(piece),
        "bias": bias,
        "locality": parsing.decimal("--locality", locality),
        "shake": shake,
        "amplitude_s": None if amplitude is None else parsing.seconds("--amplitude", amplitude),
        "keep_ids": keep_ids,
        "rare_per_week": parsing.decimal("--rare-per-week", rare_per_week),
    }
    how = log_argument.Reading(filter, processor_field, tuple(remove or ()))
    if flurries:
        _tell_flurries([log_argument.read(log, how)[0] for log in logs], as_json)
        return
    from thinktime.resampling import Resampler
    from thinktime.resampling.options import Options
    from thinktime.support.random_streams import checked_seed

    checked_seed(number)
    Options(**options).loads(len(logs))  # mistakes are told before a long log is read
    target = out or Path(f"{'+'.join(_plain(log) for log in logs)}-resampled-{number}.swf.gz")
    log_argument.require_log_name(target, ".parquet")
    _require_free(target, logs, overwrite)
    workloads = [log_argument.read(log, how)[0] for log in logs]
    with Stage("sorting users"):
        resampler = Resampler(workloads, **options, rare=_rare(workloads, rare or []))
    written, more = _write(resampler, target, number)
    _tell(resampler, written, more, number, as_json)


def _loads(text: str) -> float | list[float]:
    loads = [parsing.decimal("--load", part) for part in text.split(",")]
    return loads[0] if len(loads) == 1 else loads


def _piece(text: str) -> tuple[int, int]:
    first, colon, end = text.partition(":")
    if not colon:
        raise InputError(f"--piece is {text!r}: write its first week and the week after its last, as in 0:26")
    return parsing.whole("--piece", first), parsing.whole("--piece", end)


def _plain(log: str) -> str:
    name = Path(log).name
    for ending in (".gz", ".xz", ".bz2", ".zip", ".swf"):
        name = name.removesuffix(ending)
    return name


def _require_free(target: Path, logs: list[str], overwrite: bool) -> None:
    from thinktime.resampling.write import replicas_path

    for path in (target, replicas_path(target)):
        require_new(path, overwrite, *logs)


def _rare(workloads: list[Workload], texts: list[str]) -> list[Any]:
    """Texts as they are; `auto` stands for what is found."""
    from thinktime.resampling import flurries

    found = [flurry.behaviour for flurry in flurries(workloads[0])] if "auto" in texts else []
    if "auto" in texts and not found:
        raise InputError(f"no flurry is found in {workloads[0].name}: name rare behaviours with --rare USER:BEGIN:END")
    return [*(text for text in texts if text != "auto"), *found]


def _write(resampler: Resampler, target: Path, seed: int) -> tuple[Written, list[Path]]:
    """The log and its side table; for Parquet also its provenance, which SWF has in its header."""
    from thinktime.resampling.write import blocks_with_progress, with_replicas, write_resample

    with Stage("resampling", float(resampler.weeks), "weeks") as stage:

        def hear(weeks: int) -> None:
            stage.done = float(weeks)

        if target.suffix.lower() != ".parquet":
            return write_resample(resampler, target, seed=seed, progress=hear), []
        from thinktime.result.exports.workload_parquet import write_provenance, write_workload_parquet

        builder = resampler.builder(seed)
        jobs = write_workload_parquet(blocks_with_progress(resampler, seed, builder, hear), target)
        without_jobs = resampler.without_jobs(seed)
        said = {"name": without_jobs.name, "source": without_jobs.source, "notes": resampler.notes(seed)}
        return with_replicas(target, jobs, builder), [write_provenance(said, target)]


def _tell(resampler: Resampler, written: Written, more: list[Path], seed: int, as_json: bool) -> None:

    paths = printing.paths([written.path, written.replicas, *more])
    if as_json:
        printing.as_json({**_said(resampler, written, seed), "paths": paths})
        return
    printing.heading(f"{'+'.join(log.name for log in resampler.logs)}, resampled with seed {seed}")
    for pools in resampler.pools:
        printing.row("pools", f"{pools.workload.name}: {pools.text()}")
        if not pools.count("long_term"):
            weeks = f"{resampler.options.long_term_weeks:g} weeks"
            printing.row("note", f"nobody is active for more than {weeks}, so nobody stays: see --long-term-weeks")
    rare = f", {written.rare_users:,} of them rare behaviours" if written.rare_users else ""
    printing.row("result", f"{written.jobs:,} jobs of {written.users:,} users{rare} in {resampler.weeks:,} weeks")
    printing.row("written", *paths)


def _said(resampler: Resampler, written: Written, seed: int) -> dict[str, Any]:
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


def _tell_flurries(workloads: list[Workload], as_json: bool) -> None:
    from thinktime.resampling import flurries

    found = {workload.name: flurries(workload) for workload in workloads}
    if as_json:
        printing.as_json({name: [_facts(flurry) for flurry in proposals] for name, proposals in found.items()})
        return
    for name, proposals in found.items():
        printing.heading(f"{name}: {len(proposals)} {'flurry' if len(proposals) == 1 else 'flurries'}")
        for flurry in proposals:
            printing.row("", flurry.line())


def _facts(flurry: Flurry) -> dict[str, Any]:
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
