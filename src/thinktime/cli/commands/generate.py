"""`thinktime generate`: jobs of a model, any number of them, written block by block."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from thinktime.cli import log_argument, parsing, printing
from thinktime.cli import options as o
from thinktime.cli.printing import figure_files
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.support.output_files import require_new

if TYPE_CHECKING:
    from thinktime.generate import AccaSim, Generator
    from thinktime.workload import Workload

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

LEARNT = "What accasim learns from"


_in = partial(o.in_panel, show_default=False)


Model = Annotated[
    str,
    Argument(
        metavar="GENERATOR",
        help="default, lublin or accasim, with options: lublin:jobs=10000,processors=128,estimates=tsafrir.",
    ),
]
Seed = Annotated[str, Option("--seed", help="Other seeds give other jobs; the same seed gives the same bytes.")]
Out = Annotated[
    Path | None,
    _in(
        o.WRITTEN,
        "--out",
        metavar="FILE",
        help="SWF (.swf, .gz, .xz, .bz2) or .parquet; by default GENERATOR-SEED.swf.gz. With --published a folder.",
    ),
]
Log = Annotated[str | None, _in(LEARNT, "--log", help="A log file, or the name of a log in the logs folder.")]
Cluster = Annotated[
    str | None,
    _in(LEARNT, "--cluster", metavar="NAME|FILE", help="The log's cluster: seth, ricc, …, or a .toml or .json file."),
]
Requests = Annotated[
    Path | None,
    _in(o.WRITTEN, "--requests", metavar="FILE", help="Of accasim: work, nodes and resources of every job, as CSV."),
]
Published = Annotated[
    bool,
    _in(
        LEARNT, "--published", help="The four data sets of Galleguillos et al. 2020 in the folder --out, with figures."
    ),
]
Share = Annotated[str, _in(LEARNT, "--share", metavar="F", help="With --published: a share of the jobs, as in 0.1.")]


@app.command("generate")
def generate(
    generator: Model,
    seed: Seed = "1",
    out: Out = None,
    overwrite: Annotated[bool, _in(o.WRITTEN, "--overwrite", help="Replace a file that is there already.")] = False,
    requests: Requests = None,
    log: Log = None,
    cluster: Cluster = None,
    published: Published = False,
    share: Share = "1",
    formats: o.Formats = "png",
    as_json: o.Json = False,
) -> None:
    """Jobs of a model: the package's own, Lublin and Feitelson's, or AccaSim's from a log. Any number, as a stream.

    Example: thinktime generate lublin:jobs=1000000,processors=256,estimates=tsafrir --seed 1 --out lublin.swf.gz

    Example: thinktime generate accasim:jobs=50000,core_speed=1.5 --log HPC2N-2002-2.2-cln --cluster seth
    """
    from thinktime.support.random_streams import checked_seed

    number = checked_seed(parsing.whole("--seed", seed))
    spec, kinds = parsed(generator), figure_files.parse_formats(formats)
    _require_learning(spec, log, cluster, requests, published)
    if published:
        folder = out or Path(f"published-{Path(str(log)).name.partition('.swf')[0]}")
        _require_free([folder / f"{name}.swf.gz" for name in _names()], log, overwrite)
        _publish(spec, str(log), str(cluster), number, parsing.decimal("--share", share), folder, kinds, as_json)
        return
    target = out or Path(f"{spec.name}-{number}.swf.gz")
    log_argument.require_log_name(target, ".parquet")
    _require_free([target, *([requests] if requests else [])], log, overwrite)
    made: Any = spec if log is None else _learnt(spec, log, str(cluster))
    written = [*_write(made, target, number), *([_write_requests(made, requests, number)] if requests else [])]
    _tell(made, number, written, as_json)


def parsed(text: str) -> Generator:
    """The generator of this text, all of its options checked."""
    from thinktime.generate import Generator
    from thinktime.spec import parse

    found = parse("generator", text)
    assert isinstance(found, Generator)
    return found


def _require_learning(spec: Generator, log: str | None, cluster: str | None, requests: Any, published: bool) -> None:
    """A log and its cluster for accasim, and for nobody else."""
    given = {"--log": log, "--cluster": cluster, "--requests": requests, "--published": published}
    if spec.name == "accasim":
        missing = [option for option in ("--log", "--cluster") if given[option] is None]
        if missing:
            raise InputError(f"accasim learns from a log and its cluster, and {missing[0]} is missing: add it")
        return
    extra = [option for option, value in given.items() if value]
    if extra:
        raise InputError(f"{extra[0]} belongs to accasim, and {spec.name} does not learn from a log: leave it out")


def _require_free(targets: list[Path], log: str | None, overwrite: bool) -> None:
    for target in targets:
        require_new(target, overwrite, *([] if log is None else [log]))
    if len({target.resolve() for target in targets}) < len(targets):
        raise InputError(f"{targets[0]} is asked for twice: choose another --requests")


def _read(log: str, cluster: str) -> tuple[Workload, Any]:
    from thinktime.platforms import Cluster

    system = Cluster.from_text(cluster)  # a mistake in it is told before a long log is read
    return log_argument.read(log, log_argument.Reading())[0], system


def _learnt(spec: Any, log: str, cluster: str) -> AccaSim:
    workload, system = _read(log, cluster)
    with Stage("learning from the log"):
        found: AccaSim = spec.of(workload, system)
    return found


def _write(made: Generator, target: Path, seed: int) -> list[Path]:
    """Block by block; for Parquet also its provenance, which SWF has in its header."""
    with Stage("generating", float(made.length) if made.length else None, "jobs") as stage:

        def hear(jobs: int) -> None:
            stage.done = float(jobs)

        if target.suffix.lower() != ".parquet":
            made.write_swf(target, seed=seed, progress=hear)
            return [target]
        from thinktime.generate.generator import ROWS, with_progress
        from thinktime.result.exports.workload_parquet import write_provenance, write_workload_parquet

        write_workload_parquet(with_progress(made.blocks(seed=seed, rows=ROWS), hear), target)
        return [target, write_provenance({"name": made.name, "source": made.source(seed)}, target)]


def _write_requests(made: AccaSim, path: Path, seed: int) -> Path:
    """One line a job: its number, work, nodes, and the quantity of each resource on every node."""
    from thinktime.workload.compressed_file import packed_file

    with packed_file(path) as file:
        for k, block in enumerate(made.requests(seed=seed)):
            if k == 0:
                file.write((",".join(block) + "\n").encode())
            rows = zip(*(values_.tolist() for values_ in block.values()), strict=True)
            file.writelines((",".join(f"{value:.10g}" for value in row) + "\n").encode() for row in rows)
    return path


def _names() -> list[str]:
    from thinktime.generate import DATA_SETS

    return list(DATA_SETS)


def _publish(
    spec: Any, log: str, cluster: str, seed: int, share: float, folder: Path, kinds: tuple[str, ...], as_json: bool
) -> None:
    from thinktime.generate import published_data_sets
    from thinktime.generate.accasim import performance_of
    from thinktime.generate.accasim_profile import work_of

    if spec.text().partition(":")[2]:
        raise InputError(f"--published has its own options, and {spec.text()!r} gives others: write accasim alone")
    workload, system = _read(log, cluster)
    with Stage("learning from the log"):
        made = published_data_sets(workload, system, share=share)
    folder.mkdir(parents=True, exist_ok=True)
    written = [path for name, each in made.items() for path in _write(each, folder / f"{name}.swf.gz", seed)]
    work = {"original": work_of(workload, system, performance_of(spec.performance))}
    drawn = _draw(workload, made, work, seed, folder, kinds)
    _tell_published(workload.name, made, [*written, *drawn], as_json)


def _draw(
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


def _tell_published(name: str, made: dict[str, AccaSim], written: list[Path], as_json: bool) -> None:

    if as_json:
        sets = {label: {"generator": each.text(), "jobs": each.jobs} for label, each in made.items()}
        printing.as_json({"log": name, "data_sets": sets, "paths": printing.paths(written)})
        return
    printing.heading(f"{name}: the published data sets")
    for label, each in made.items():
        printing.row(label, f"{each.jobs:,} jobs, {each.text()}")
    printing.row("written", *printing.paths(written))


def _tell(made: Generator, seed: int, written: list[Path], as_json: bool) -> None:

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
