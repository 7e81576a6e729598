"""A schedule as CSV, and as SWF, the format of the Parallel Workloads Archive.

In SWF the wait and the run time are the simulated ones, −1 is missing, lines are sorted by submit time.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from thinktime.metrics.status import COMPLETED, KILLED, REJECTED, UNFINISHED
from thinktime.result.canonical_json import canonical_json
from thinktime.result.directory.staging import errors_as_input_error, staged_file
from thinktime.workload.compressed_file import packed_file

if TYPE_CHECKING:
    import polars as pl

    from thinktime.result.result import Result

#: our status → SWF's: 1 completed, 0 failed, 5 cancelled, −1 unknown. A job killed at its estimate has
#: failed. A rejected job was cancelled before its start.
SWF_STATUS = {COMPLETED: 1, KILLED: 0, REJECTED: 5, UNFINISHED: -1}

EXACT = 2.0**53  # whole numbers below it are exact in float64


def write_csv(result: Result, path: str | Path) -> None:
    """Write the data frame `jobs`; missing values are empty."""
    with staged_file(path) as temporary:
        result.jobs.write_csv(temporary)


def write_swf(result: Result, path: str | Path, header: Mapping[str, str] | None = None) -> None:
    """Write a header with the provenance, then 18 fields per job; packed if the name ends in .gz, .xz or .bz2."""
    fields = _swf_fields(result.columns)
    with errors_as_input_error(Path(path)), packed_file(path) as file:
        file.write("".join(f"; {line}\n" for line in _swf_header(result, header or {})).encode())
        text_frame(fields).write_csv(file, include_header=False, separator=" ", quote_style="never")


def _swf_header(result: Result, extra: Mapping[str, str]) -> list[str]:
    """Yield the header fields, then the provenance: every option, and the digest of the run."""
    given = {
        "Version": "2.2",
        "MaxJobs": len(result),
        "MaxRecords": len(result),
        "MaxProcs": result.processors,
    }
    spec = {name: result.spec[name] for name in sorted(result.spec)}
    provenance = {f"simulated {name}": canonical_json(value) for name, value in spec.items()}
    notes = {"schedule": "simulated by thinktime", "run": result.digest, **provenance}
    lines = [f"{name}: {value}" for name, value in (given | dict(extra)).items()]
    return [_swf_header_line(line) for line in lines + [f"Note: {name} {value}" for name, value in notes.items()]]


def _swf_header_line(text: str) -> str:
    return " ".join(text.split())


def _swf_fields(columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the 18 fields by number, in submit order; −1 for missing."""
    order = np.argsort(columns["submit_s"], kind="stable")
    of = {name: values[order] for name, values in columns.items()}
    started = ~np.isnan(of["start_s"])
    ended = ~np.isnan(of["end_s"])
    fields = {number: np.full(len(order), np.nan) for number in range(1, 19)}
    fields[1], fields[2], fields[3] = of["job"], of["submit_s"], of["start_s"] - of["submit_s"]
    fields[4] = np.where(ended, of["run_s"], np.nan)
    fields[5] = np.where(started, of["processors"], np.nan)  # allocated
    fields[8], fields[9], fields[12] = of["processors"], of["estimate_s"], of["user"]
    fields[11] = np.array([SWF_STATUS[code] for code in range(4)], dtype=float)[of["status"]]
    return {str(number): np.nan_to_num(values, nan=-1.0) for number, values in fields.items()}


def text_frame(columns: Mapping[str, np.ndarray]) -> pl.DataFrame:
    """Return whole numbers without a point, others with all their digits."""
    import polars as pl

    return pl.DataFrame([_number_text(name, values) for name, values in columns.items()])


def _number_text(name: str, values: np.ndarray) -> pl.Series:
    import polars as pl

    whole = (values == np.floor(values)) & (np.abs(values) < EXACT)
    if whole.all():
        return pl.Series(name, values.astype(np.int64))
    integers = pl.Series(np.where(whole, values, 0).astype(np.int64)).cast(pl.String)
    floats = pl.Series(name, values).fill_nan(None).cast(pl.String)
    return integers.zip_with(pl.Series(whole), floats).alias(name)
