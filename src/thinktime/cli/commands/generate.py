"""`thinktime generate`: jobs of a workload model, any number of them, written block by block."""

from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument

from thinktime.cli import log_argument, parsing, printing
from thinktime.cli.options import (
    USUAL_READING,
    WRITTEN,
    Json,
    file_path,
    flag,
    formats_option,
    names,
    option,
    option_group,
    text,
    with_options,
)
from thinktime.cli.options.declare import completion_of
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.support.output_files import require_new

if TYPE_CHECKING:
    from thinktime.generate import AccaSim, Generator
    from thinktime.traces.reader import Reader
    from thinktime.workload import Workload

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

Model = Annotated[
    str,
    Argument(
        metavar="GENERATOR",
        help=f"Workload model: {', '.join(names.registered('generator'))}; options follow a colon, for example"
        " lublin:jobs=10000,processors=128,estimates=tsafrir.",
        autocompletion=completion_of(partial(names.registered, "generator")),
    ),
]


@option_group()
class SeedOptions:
    seed: int = option(
        "--seed", parsing.whole, default="1", metavar="N", help="Random seed; the same seed gives the same bytes."
    )


@option_group(WRITTEN)
class GeneratedFileOptions:
    """What is written."""

    out: Path | None = option(
        "--out",
        file_path,
        metavar="FILE",
        help="Log to write: .swf, .csv, .json (Batsim), each also .gz, .xz or .bz2, or .parquet (default:"
        " GENERATOR-SEED.swf.gz); a folder with --published.",
    )
    overwrite: bool = flag("--overwrite", help="Replace an existing file.")
    requests: Path | None = option(
        "--requests",
        file_path,
        metavar="FILE",
        help="accasim: also write work, nodes and resources of each job as CSV.",
    )
    formats: tuple[str, ...] = formats_option()


@option_group("Learning (accasim)")
class LearningOptions:
    """What accasim learns from."""

    log: str | None = option(
        "--log", text, metavar="LOG", names=names.logs, help="Log file, or the name of a downloaded log."
    )
    reader: Reader | None = option(
        "--reader",
        parsing.typed_spec("reader"),
        metavar="NAME",
        names=partial(names.registered, "reader"),
        help="Format of the log: {names}, or module:Class (default: recognised by its content).",
    )
    cluster: str | None = option(
        "--cluster",
        text,
        metavar="NAME|FILE",
        names=partial(names.keys_of, "platforms.configurations.__init__", "NAMES"),
        help="Cluster of the log: {names}, or a .toml or .json file.",
    )
    published: bool = flag(
        "--published", help="Write the four data sets of Galleguillos et al. 2020 with figures into the folder --out."
    )
    share: float = option(
        "--share",
        parsing.decimal,
        default="1",
        metavar="F",
        help="With --published: fraction of the jobs, for example 0.1.",
    )


@app.command("generate")
@with_options
def generate(
    generator: Model, random: SeedOptions, file: GeneratedFileOptions, learning: LearningOptions, as_json: Json = False
) -> None:
    """Generate jobs with a workload model: default, Lublin and Feitelson's, or AccaSim's, which learns from a log.

    Example: thinktime generate lublin:jobs=1000000,processors=256,estimates=tsafrir --seed 1 --out lublin.swf.gz

    Example: thinktime generate accasim:jobs=50000,core_speed=1.5 --log HPC2N-2002-2.2-cln --cluster seth
    """
    from thinktime.support.random_streams import checked_seed

    seed, log, cluster = checked_seed(random.seed), learning.log, learning.cluster
    spec = parsed(generator)
    _require_learning(spec, log, cluster, file.requests, learning.published)
    if learning.published:
        folder = file.out or Path(f"published-{Path(str(log)).name.partition('.swf')[0]}")
        _require_new_targets([folder / f"{name}.swf.gz" for name in _published_names()], log, file.overwrite)
        _publish(spec, learning, seed, folder, file.formats, as_json)
        return
    target, requests = file.out or Path(f"{spec.name}-{seed}.swf.gz"), file.requests
    log_argument.require_log_name(target)
    _require_new_targets([target, *([requests] if requests else [])], log, file.overwrite)
    made: Any = spec if log is None else _learnt(spec, log, str(cluster), learning.reader)
    written = [*_write_jobs(made, target, seed), *([_write_requests(made, requests, seed)] if requests else [])]
    _print_generated(made, seed, written, as_json)


def parsed(text: str) -> Generator:
    """Return the generator that a text describes."""
    from thinktime.generate import Generator
    from thinktime.spec import as_spec

    return as_spec(Generator, text)


def _require_learning(spec: Generator, log: str | None, cluster: str | None, requests: object, published: bool) -> None:
    """Raise InputError unless accasim, and only accasim, has a log and a cluster."""
    given = {"--log": log, "--cluster": cluster, "--requests": requests, "--published": published}
    if spec.name == "accasim":
        missing = [name for name in ("--log", "--cluster") if given[name] is None]
        if missing:
            raise InputError(f"accasim learns from a log and its cluster: add {missing[0]}")
        return
    extra = [name for name, value in given.items() if value]
    if extra:
        raise InputError(f"{extra[0]} applies only to accasim (got the generator {spec.name}): remove it")


def _require_new_targets(targets: list[Path], log: str | None, overwrite: bool) -> None:
    for target in targets:
        require_new(target, overwrite, *([] if log is None else [log]))
    if len({target.resolve() for target in targets}) < len(targets):
        raise InputError(f"--out and --requests name the same file ({targets[0]}): choose another --requests")


def _read_log_and_cluster(log: str, cluster: str, reader: Reader | None) -> tuple[Workload, Any]:
    from thinktime.platforms import Cluster

    system = Cluster.from_text(cluster)  # raise InputError before a long log is read
    return log_argument.read(log, dataclasses.replace(USUAL_READING, reader=reader))[0], system


def _learnt(spec: Any, log: str, cluster: str, reader: Reader | None) -> AccaSim:
    workload, system = _read_log_and_cluster(log, cluster, reader)
    with Stage("learning from the log"):
        found: AccaSim = spec.of(workload, system)
    return found


def _write_jobs(made: Generator, target: Path, seed: int) -> list[Path]:
    """Write jobs block by block, in the format of the file's ending."""
    from thinktime.generate.generator import ROWS, with_progress
    from thinktime.result.writer import writer_of
    from thinktime.traces.written import Written

    with Stage("generating", float(made.length) if made.length else None, "jobs") as stage:

        def report(jobs: int) -> None:
            stage.done = float(jobs)

        blocks = with_progress(made.blocks(seed=seed, rows=ROWS), report)
        about = Written.of(made.header_lines(seed), {})
        writer_of(target).write_blocks(blocks, target, about, made.without_jobs(seed))
    return [target]


def _write_requests(made: AccaSim, path: Path, seed: int) -> Path:
    """Write one line per job: number, work, nodes, and the amount of each resource per node."""
    from thinktime.workload.compressed_file import packed_file

    with packed_file(path) as file:
        for k, block in enumerate(made.requests(seed=seed)):
            if k == 0:
                file.write((",".join(block) + "\n").encode())
            rows = zip(*(values_.tolist() for values_ in block.values()), strict=True)
            file.writelines((",".join(f"{value:.10g}" for value in row) + "\n").encode() for row in rows)
    return path


def _published_names() -> list[str]:
    from thinktime.generate import DATA_SETS

    return list(DATA_SETS)


def _publish(
    spec: Any, learning: LearningOptions, seed: int, folder: Path, kinds: tuple[str, ...], as_json: bool
) -> None:
    from thinktime.generate import published_data_sets
    from thinktime.generate.accasim import performance_of
    from thinktime.generate.accasim_profile import work_of

    if spec.text().partition(":")[2]:
        raise InputError(
            f"--published sets the options of accasim (got {spec.text()!r}): write accasim without options"
        )
    workload, system = _read_log_and_cluster(str(learning.log), str(learning.cluster), learning.reader)
    with Stage("learning from the log"):
        made = published_data_sets(workload, system, share=learning.share)
    folder.mkdir(parents=True, exist_ok=True)
    written = [path for name, each in made.items() for path in _write_jobs(each, folder / f"{name}.swf.gz", seed)]
    work = {"original": work_of(workload, system, performance_of(spec.performance))}
    drawn = _draw_published(workload, made, work, seed, folder, kinds)
    _print_published(workload.name, made, [*written, *drawn], as_json)


def _draw_published(
    log: Workload, made: dict[str, AccaSim], work: dict[str, Any], seed: int, folder: Path, kinds: tuple[str, ...]
) -> list[Path]:
    import numpy as np

    from thinktime import plots

    with Stage("drawing"):
        shown: dict[str, Any] = {"original": log}
        for name, each in made.items():
            shown[name] = each.workload(seed=seed)
            work[name] = np.concatenate([block["gflop"] for block in each.requests(seed=seed)])
        figures = {
            "submissions": plots.submission_shares(shown, title=f"{log.name}: submissions, original and generated"),
            "work": plots.work_distribution(work, title=f"{log.name}: work of jobs, original and generated"),
        }
        return [path for name, figure in figures.items() for path in plots.save(figure, folder / name, kinds)]


def _print_published(name: str, made: dict[str, AccaSim], written: list[Path], as_json: bool) -> None:
    if as_json:
        sets = {label: {"generator": each.text(), "jobs": each.jobs} for label, each in made.items()}
        printing.as_json({"log": name, "data_sets": sets, "paths": printing.paths(written)})
        return
    printing.heading(f"{name}: the published data sets")
    for label, each in made.items():
        printing.row(label, f"{each.jobs:,} jobs, {each.text()}")
    printing.row("written", *printing.paths(written))


def _print_generated(made: Generator, seed: int, written: list[Path], as_json: bool) -> None:
    jobs = made.length
    if as_json:
        said = {"generator": made.text(), "seed": seed, "jobs": jobs, "source": made.source(seed)}
        printing.as_json({**said, "machine_processors": made.machine_processors, "paths": printing.paths(written)})
        return
    printing.heading(f"{made.text()}, seed {seed}")
    count = f"{jobs:,} jobs" if jobs is not None else f"{made.source(seed).get('weeks')} weeks of jobs"
    printing.row("jobs", f"{count} for {made.machine_processors:,} processors")
    for what, law in made.source(seed).get("laws", {}).items():
        printing.row(f"law of {what}", f"{law['law']} ({', '.join(f'{value:.4g}' for value in law['parameters'])})")
    printing.row("written", *printing.paths(written))
