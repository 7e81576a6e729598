"""The outcomes of a study as a table: one row per run, one column per dimension and metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from thinktime.errors import InputError
from thinktime.metrics import CATALOGUE, KINDS, Cautions
from thinktime.result.canonical_json import readable_json
from thinktime.result.directory.staging import staged_file
from thinktime.study.dimensions import NAMES
from thinktime.study.execute import Outcome
from thinktime.study.study import Study
from thinktime.support.json_types import JsonDict, JsonTable

if TYPE_CHECKING:
    import polars as pl

#: Runs that agree in these have the same jobs and the same random draws.
BLOCK = ("workload", "seed")

EXPORT_ENDINGS = (".csv", ".parquet", ".json")

#: Kinds of cautions that are not metrics, and so have columns besides those of the metrics.
COUNTS = tuple(name for name in KINDS if name not in CATALOGUE.every_run())


def frame(outcomes: Iterable[Outcome]) -> pl.DataFrame:
    """Return `run`, the dimensions, the metrics, the count of each kind of caution, `seconds`, `error` and `cautions`.

    Metrics of tasks and of plugins have columns if a run has them. Missing values are null.
    """
    import polars as pl

    every = list(outcomes)
    found = set().union(*(outcome.get("summary") or {} for outcome in every))
    metrics = [name for name in CATALOGUE if name in found or name in CATALOGUE.every_run()]
    rows = [_outcome_row(outcome, metrics) for outcome in every]
    kinds: JsonDict = {"run": pl.String, **{_column(name): pl.String for name in NAMES}, "seed": pl.UInt64}
    kinds |= dict.fromkeys(metrics, pl.Float64)
    kinds |= dict.fromkeys(COUNTS, pl.Int64)
    kinds |= {"seconds": pl.Float64, "error": pl.String, "cautions": pl.String}
    return pl.DataFrame(rows, schema=kinds)


def export(outcomes: Iterable[Outcome], path: Path) -> int:
    """Write one row per run to a CSV, Parquet or JSON file, and return the number of rows."""
    if path.suffix not in EXPORT_ENDINGS:
        raise InputError(f"cannot write {path}: the name must end in {', '.join(EXPORT_ENDINGS)}")
    rows = list(outcomes)
    with staged_file(path) as temporary:
        if path.suffix == ".json":
            temporary.write_text(readable_json(rows), encoding="utf-8")
        elif path.suffix == ".csv":
            frame(rows).write_csv(temporary)
        else:
            frame(rows).write_parquet(temporary)
    return len(rows)


def _outcome_row(outcome: Outcome, metrics: Iterable[str]) -> JsonDict:
    summary = outcome.get("summary") or {}
    return {
        "run": outcome["run"],
        **{_column(name): outcome["cell"].get(name) for name in NAMES},
        **{name: None if summary.get(name) is None else float(summary[name]) for name in metrics},
        **{name: None if outcome["error"] else cautions_of(outcome).count(name) for name in COUNTS},
        "seconds": outcome.get("seconds"),
        "error": outcome["error"],
        "cautions": " ".join(cautions_of(outcome).sentences()),
    }


def _column(dimension: str) -> str:
    """Return the column of a dimension; `users` is the name of a metric."""
    return "user_model" if dimension == "users" else dimension


def varied(study: Study) -> list[str]:
    """Return the dimensions with several entries, without workload and seed; they distinguish configurations."""
    several = [name for name, entries in study.grid.items() if len(entries) > 1 and name not in BLOCK]
    return several or ["scheduler"]


def configuration(cell: JsonTable, dimensions: Iterable[str]) -> str:
    """Return the name of a configuration in tables and figures: `easy`, or `easy, half`."""
    return ", ".join(str(cell[name]) for name in dimensions)


def by_configuration(study: Study, outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """Return configuration → its successful outcomes, in the order of the grid."""
    names = varied(study)
    found: dict[str, list[Outcome]] = {configuration(task.cell, names): [] for task in study.tasks()}
    for outcome in outcomes:
        if outcome["error"] is None:
            found[configuration(outcome["cell"], names)].append(outcome)
    return found


def compared_dimensions(study: Study) -> list[str]:
    """Return the dimensions that are compared: those of the baseline, else the scheduler, else the first varied one.

    The other dimensions are conditions: configurations are compared within each combination of their entries.
    """
    several = varied(study)
    named = [name for name in several if name in study.baseline]
    return named or (["scheduler"] if "scheduler" in several else several[:1])


def conditions(study: Study) -> list[str]:
    """Return the varied dimensions that are fixed within a comparison."""
    chosen = compared_dimensions(study)
    return [name for name in varied(study) if name not in chosen]


def values_by_block(
    study: Study, outcomes: Iterable[Outcome], metric: str, dimensions: Iterable[str]
) -> dict[str, dict[Hashable, float]]:
    """Return configuration, named by these dimensions → block → value, for paired comparisons."""
    chosen = list(dimensions)
    found: dict[str, dict[Hashable, float]] = {}
    for run, blocks in _with_blocks(study, outcomes):
        values = found.setdefault(configuration(run["cell"], chosen), {})
        if run["summary"].get(metric) is not None:
            values |= dict.fromkeys(blocks, run["summary"][metric])
    return found


def runs_by_block(study: Study, outcomes: Iterable[Outcome]) -> dict[Hashable, Hashable]:
    """Return block → its runs; blocks with the same runs are copies."""
    found: dict[Hashable, tuple[str, ...]] = {}
    for run, blocks in _with_blocks(study, outcomes):
        for each in blocks:
            found[each] = (*found.get(each, ()), run["run"])
    return dict(found)


def _with_blocks(study: Study, outcomes: Iterable[Outcome]) -> Iterator[tuple[Outcome, list[Hashable]]]:
    """Yield each run with its blocks; a run without random draws is the same under every seed."""
    names = varied(study)
    planned = Counter((configuration(task.cell, names), task.cell["workload"]) for task in study.tasks())
    for run in outcomes:
        workload, seed = block(run["cell"])
        once = planned[configuration(run["cell"], names), workload] == 1
        yield run, [(workload, each) for each in (study.seeds if once else [seed])]


def distinct(runs: Iterable[Outcome]) -> list[Outcome]:
    """Return each run once: the same run under two names, as of a log that is listed twice, is one observation."""
    first: dict[str, Outcome] = {}
    for run in runs:
        first.setdefault(run["run"], run)
    return list(first.values())


def block(cell: JsonTable) -> tuple[str, int]:
    """Return workload and seed of a run."""
    return str(cell["workload"]), int(cell["seed"])


def baseline_of(study: Study) -> str:
    """Return the configuration that the others are compared with: the baseline of the study, or the first."""
    cells = [task.cell for task in study.tasks()]
    chosen = next(cell for cell in cells if study.baseline.items() <= cell.items())
    return configuration(chosen, compared_dimensions(study))


def cautions_of(outcome: Outcome) -> Cautions:
    """Return the cautions of a run; none of a run that failed."""
    said = outcome.get("cautions")
    return Cautions.from_dict(said) if said else Cautions()


def cautions_by_configuration(study: Study, outcomes: Iterable[Outcome]) -> dict[str, Cautions]:
    """Return configuration → the cautions of all its runs together."""
    return {name: pooled_cautions(runs) for name, runs in by_configuration(study, outcomes).items()}


def pooled_cautions(runs: Iterable[Outcome]) -> Cautions:
    """Return the cautions of several runs together."""
    return Cautions.pooled((cautions_of(run), int(run["summary"]["jobs"])) for run in runs if run["error"] is None)
