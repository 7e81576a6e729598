"""Amounts of resources and pools by job, from a CSV or Parquet file with a column `job` and one column per name.

    job,gpu,licence
    17,1,0

Amounts of a resource are per unit (processor) of the job, those of a pool per job. A job that is not in the table
takes the unit of the cluster, nothing of pools, and the usual numbers of plugins (`watts`). Rows of jobs that are not
in the workload, for example after a filter, are skipped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.platforms.cluster import Cluster
from thinktime.spec import REGISTRY, suggestion
from thinktime.support.files import require_regular, require_text_path
from thinktime.workload import Workload

if TYPE_CHECKING:
    import polars as pl


class RequestTable:
    """A table of requests; `of(workload)` returns the amounts of its jobs."""

    def __init__(self, path: str | Path, cluster: Cluster) -> None:
        table = _request_table(Path(path))
        require_columns(Path(path), table.schema, cluster)
        if table["job"].null_count():
            raise InputError(f"the column job of {path} has empty cells: give every row its job")
        order = np.argsort(table["job"].to_numpy(), kind="stable")
        self._numbers = table["job"].to_numpy()[order]
        twice = np.flatnonzero(np.diff(self._numbers) == 0)
        if twice.size:
            raise InputError(f"{path} has job {self._numbers[twice[0]]} twice: give every job one row")
        names = [name for name in table.columns if name != "job"]
        self._amounts = {name: table[name].cast(float).fill_null(np.nan).to_numpy()[order] for name in names}
        self._unknown = {**dict.fromkeys(_plugin_inputs(), math.nan), **dict(cluster.unit)}  # by name; others 0

    def of(self, workload: Workload) -> dict[str, np.ndarray]:
        """Return the `requests` of `simulate`."""
        numbers, jobs = self._numbers, workload["job"]
        if not len(numbers):
            return {name: np.full(len(jobs), float(self._unknown.get(name, 0))) for name in self._amounts}
        at = np.minimum(np.searchsorted(numbers, jobs), len(numbers) - 1)
        found = numbers[at] == jobs
        return {name: np.where(found, each[at], self._unknown.get(name, 0)) for name, each in self._amounts.items()}


def _plugin_inputs() -> tuple[str, ...]:
    """Return the names of numbers by job that plugins take, such as watts."""
    return tuple(name for cls in REGISTRY["plugin"].values() for name in getattr(cls, "job_inputs", ()))


def named_requests(text: str | PathLike[str]) -> dict[str, str | float] | None:
    """Return the mapping that a text such as `gpu=gpus,licence=1` spells: columns of the workload, or one number for
    all jobs. None for the name of a file."""
    if not isinstance(text, str) or "=" not in text or Path(text).exists():
        return None
    found: dict[str, str | float] = {}
    for item in text.split(","):
        name, equals, value = (part.strip() for part in item.partition("="))
        if not (name and equals and value) or name in found:
            raise InputError(
                f"requests is {text!r}: name the column of each resource once, as in gpu=gpus, or give a .csv or"
                " .parquet file"
            )
        try:
            found[name] = float(value)
        except ValueError:
            found[name] = value
    return found


def read_requests(path: str | Path, workload: Workload, cluster: Cluster) -> dict[str, np.ndarray]:
    """Return the `requests` of `simulate`."""
    return RequestTable(path, cluster).of(workload)


def _request_table(path: Path) -> pl.DataFrame:
    import polars as pl

    with _readable(path):
        if _is_parquet(path):
            return pl.read_parquet(path, glob=False)
        table = pl.read_csv(path, glob=False)
        return table if len(table) else table.cast(pl.Int64)  # a header without rows


def _is_parquet(path: Path) -> bool:
    return path.suffix.lower() == ".parquet"


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    import polars as pl

    try:
        require_text_path(path)
        require_regular(path)
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).strip().splitlines()[0].rstrip(".:")
        raise InputError(f"Cannot read {path} as a table ({reason}): give a .csv or .parquet file") from None


def columns_of(path: str | Path) -> Mapping[str, pl.DataType]:
    """Return names and types of columns, from the beginning of the file."""
    import polars as pl

    with _readable(Path(path)):
        if _is_parquet(Path(path)):
            return pl.read_parquet_schema(path)
        scanned = pl.scan_csv(path, glob=False)
        first = scanned.head(1).collect()
        return scanned.collect_schema() if len(first) else first.cast(pl.Int64).schema


def require_columns(path: Path, columns: Mapping[str, pl.DataType], cluster: Cluster) -> None:
    """Raise InputError unless the columns are `job` and resources or pools of the cluster."""
    known = (*cluster.resources, *(pool.name for pool in cluster.pools), *_plugin_inputs())
    if "job" not in columns or len(columns) < 2:
        raise InputError(f"{path} has the columns {', '.join(columns)}: give job, and {', '.join(known)} as needed")
    for name, kind in columns.items():
        if name != "job" and name not in known:
            near = suggestion(name, known)
            raise InputError(
                f"{path} has a column {name!r}{near}, which the cluster does not have: use {', '.join(known)}"
            )
        if not kind.is_numeric() or (name == "job" and not kind.is_integer()):
            what = "whole numbers of jobs" if name == "job" else "numbers"
            raise InputError(f"the column {name} of {path} holds {kind}, not {what}: correct the file")
