"""Amounts of resources and pools by job, from a table: a CSV or Parquet file with a column `job` and one for each name.

    job,gpu,licence
    17,1,0

Amounts of a resource are for each unit (processor) of the job, those of a pool for the whole job. A job that is not in
the table takes what the cluster's unit takes, and nothing of pools; lines of jobs that are not in the workload, such as
those that a filter dropped, are passed over.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from thinktime.errors import InputError
from thinktime.platforms.cluster import Cluster
from thinktime.spec import suggestion
from thinktime.workload import Workload

if TYPE_CHECKING:
    import polars as pl


def read_requests(path: str | Path, workload: Workload, cluster: Cluster) -> dict[str, np.ndarray]:
    """What `simulate` takes as `requests`."""
    table = _table(Path(path))
    known = (*cluster.resources, *(pool.name for pool in cluster.pools))
    _require_columns(Path(path), table, known)
    order = np.argsort(table["job"].to_numpy(), kind="stable")
    numbers = table["job"].to_numpy()[order]
    twice = np.flatnonzero(np.diff(numbers) == 0)
    if twice.size:
        raise InputError(f"{path} has job {numbers[twice[0]]} twice: give every job one line")
    at = np.minimum(np.searchsorted(numbers, workload["job"]), max(len(numbers) - 1, 0))
    found = numbers[at] == workload["job"] if len(numbers) else np.zeros(len(workload), bool)
    names, unit = [name for name in table.columns if name != "job"], dict(cluster.unit)
    amounts = {name: table[name].cast(float).fill_null(np.nan).to_numpy()[order] for name in names}
    return {name: np.where(found, amounts[name][at] if len(numbers) else 0, unit.get(name, 0)) for name in names}


def _table(path: Path) -> pl.DataFrame:
    import polars as pl

    try:
        return pl.read_parquet(path) if path.suffix.lower() == ".parquet" else pl.read_csv(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = str(error).strip().splitlines()[0].rstrip(".:")
        raise InputError(f"{path} cannot be read as a table ({reason}): give a .csv or .parquet file") from None


def _require_columns(path: Path, table: pl.DataFrame, known: tuple[str, ...]) -> None:
    if "job" not in table.columns or len(table.columns) < 2:
        raise InputError(
            f"{path} has the columns {', '.join(table.columns)}: give job, and {', '.join(known)} as needed"
        )
    for name in table.columns:
        if name != "job" and name not in known:
            near = suggestion(name, known)
            raise InputError(
                f"{path} has a column {name!r}{near}, of which the cluster has none: use {', '.join(known)}"
            )
        if not table[name].dtype.is_numeric() or (name == "job" and not table[name].dtype.is_integer()):
            what = "whole numbers of jobs" if name == "job" else "numbers"
            raise InputError(f"the column {name} of {path} holds {table[name].dtype}, not {what}: correct the file")
    if table["job"].null_count():
        raise InputError(f"the column job of {path} has empty cells: give every line its job")
