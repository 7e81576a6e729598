"""Outcomes of trials as columns, one row per simulation, and as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from thinktime.bootstrapping.run_trials import ABOUT_FILE, FORMAT, Outcomes
from thinktime.bootstrapping.trials import COUNTED, Experiment, Trial
from thinktime.errors import InputError
from thinktime.metrics import KINDS, Caution, Cautions, compared
from thinktime.metrics.count_cautions import scaling_caution
from thinktime.result.canonical_json import readable_json
from thinktime.result.directory.staging import errors_as_input_error, staged_file
from thinktime.support.files import json_of
from thinktime.support.html import table_html
from thinktime.support.json_types import JsonDict, JsonTable

if TYPE_CHECKING:
    import polars as pl

Columns = dict[str, np.ndarray]
TABLE_FILE: str = "table.parquet"
LEFT_OUT_FILE: str = "left_out.parquet"


def columns_of(experiment: Experiment, trials: Sequence[Trial], outcomes: Outcomes) -> Columns:
    """Return `resample`, `load`, `seed`, `scheduler`, `jobs`, the measures, `saturated` and the counts of cautions.

    Rows are in the order of the trials.
    """
    found = [outcomes[run]["summary"] for trial in trials for run in experiment.runs(trial)]
    measures = [name for name in experiment.measures if name != "jobs"]
    times = len(experiment.schedulers)  # rows of a trial
    return {
        "resample": np.repeat(np.array([trial.number for trial in trials], dtype=np.int64), times),
        "load": np.repeat(np.array([trial.load for trial in trials], dtype=np.float64), times),
        "seed": np.repeat(np.array([trial.seed for trial in trials], dtype=np.uint64), times),
        "scheduler": np.array(list(experiment.schedulers) * len(trials), dtype=object),
        "jobs": np.array([each["jobs"] for each in found], dtype=np.int64),
        **{name: np.array([_nan_if_missing(each[name]) for each in found]) for name in measures},
        "saturated": np.array([bool(each["saturated"]) for each in found]),
        **{name: np.array([each[name] for each in found], np.int64) for name in COUNTED if name not in measures},
    }


def _nan_if_missing(value: float | None) -> float:
    return np.nan if value is None else float(value)


def original_of(experiment: Experiment, outcomes: Outcomes) -> dict[str, JsonDict]:
    """Scheduler → what the log itself gives: `jobs`, the measures, `saturated`."""
    columns = columns_of(experiment, [experiment.original()], outcomes)
    names = [name for name in columns if name not in ("resample", "load", "seed", "scheduler")]
    return {
        str(scheduler): {name: columns[name][row].item() for name in names}
        for row, scheduler in enumerate(columns["scheduler"])
    }


def cautions(columns: Mapping[str, np.ndarray], about: JsonTable) -> dict[str, Cautions]:
    """Return scheduler → the cautions of all its runs together."""
    steps = about.get("log", {}).get("scale_load")
    rows = {str(name): columns["scheduler"] == name for name in dict.fromkeys(columns["scheduler"].tolist())}
    return {
        name: _cautions({key: values[mine] for key, values in columns.items()}, steps) for name, mine in rows.items()
    }


def _cautions(columns: Mapping[str, np.ndarray], steps: object) -> Cautions:
    jobs, runs = int(columns["jobs"].sum()), len(columns["jobs"])
    counts = {name: int(columns[name].sum()) for name in COUNTED if name in columns}
    found = {name: Caution(name, count, jobs) for name, count in counts.items()}
    found["saturated"] = Caution("saturated", int(columns["saturated"].sum()), runs)
    found |= scaling_caution(steps, runs)
    return Cautions(tuple(found[name] for name in KINDS if name in found and found[name].count))


def frame(columns: Columns) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame([pl.Series(name, values.tolist() if values.dtype == object else values)
                         for name, values in columns.items()])  # fmt: skip


def of_frame(table: pl.DataFrame) -> Columns:
    return {name: np.array(table[name].to_list(), dtype=object) if name == "scheduler" else table[name].to_numpy()
            for name in table.columns}  # fmt: skip


def write(folder: str | Path, about: JsonTable, tables: Mapping[str, Columns]) -> Path:
    """Write each file under a temporary name first; the description is written last."""
    place = Path(folder)
    with errors_as_input_error(place):
        place.mkdir(parents=True, exist_ok=True)
    for name, columns in tables.items():
        with staged_file(place / name) as temporary:
            frame(columns).write_parquet(temporary)
    with staged_file(place / ABOUT_FILE) as temporary:
        temporary.write_text(readable_json({"format": FORMAT, **about}), encoding="utf-8")
    return place


def read(folder: str | Path, kind: str) -> tuple[JsonDict, dict[str, Columns]]:
    """Return what `write` has written."""
    import polars as pl

    place = Path(folder)
    try:
        about = json_of(place / ABOUT_FILE)
        if about["format"] != FORMAT or about["kind"] != kind:
            raise ValueError
        tables = {name: of_frame(pl.read_parquet(place / name, glob=False)) for name in about["tables"]}
    except OSError as error:
        raise InputError(f"No {kind} in {place} ({error.strerror}): run it to its end with this folder") from None
    except (ValueError, KeyError, TypeError, pl.exceptions.PolarsError):
        raise InputError(f"No readable {kind} in {place}: run it again with this folder") from None
    return about, tables


def intervals_html(title: str, rows: pl.DataFrame, cautions: Mapping[str, Cautions]) -> str:
    """Return what a notebook shows: the cautions, then the table."""
    cells = [[_resample_cell_text(value) for value in row] for row in rows.rows()]
    notes = "".join(f"<p>{escape(sentence)}</p>" for sentence in compared(cautions))
    return notes + table_html(title, rows.columns, cells)


def _resample_cell_text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
