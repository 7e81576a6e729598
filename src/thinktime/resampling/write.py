"""Write a resampled log block by block, with its provenance and the table of replicas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import numpy as np

from thinktime.resampling.builder import Block, LogBuilder
from thinktime.resampling.resampled import REPLICA_COLUMNS
from thinktime.resampling.resampler import Resampler
from thinktime.traces import log_name
from thinktime.workload.compressed_file import packed_file
from thinktime.workload.writing import header_lines, write_swf_blocks

Progress = Callable[[int], None]  # receives the number of weeks done


class Written(NamedTuple):
    """The counts and paths of a written resample."""

    jobs: int
    users: int
    rare_users: int
    path: Path
    replicas: Path


def write_resample(
    resampler: Resampler, path: str | PathLike[str], *, seed: int = 0, progress: Progress | None = None
) -> Written:
    """Write the log of a seed as SWF, in constant memory, and the table of replicas as `NAME.replicas.csv`.

    Parameters
    ----------
    resampler
        The logs and options.
    path
        File to write; `.gz`, `.xz` and `.bz2` are compressed.
    seed
        Random seed.
    progress
        Called with the number of weeks done.

    Returns
    -------
    Written
        `jobs`, `users`, `rare_users`, `path` and `replicas` (the path of the table).

    Examples
    --------
    >>> import tempfile, thinktime as tt
    >>> resampler = tt.Resampler(tt.default_workload(weeks=30), weeks=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tt.write_resample(resampler, f"{folder}/two_weeks.swf.gz", seed=3).replicas.name
    'two_weeks.replicas.csv'
    """
    builder, header = resampler.builder(seed), resample_header(resampler, seed)
    jobs = write_swf_blocks(blocks_with_progress(resampler, seed, builder, progress), path, header)
    return with_replicas(path, jobs, builder)


def resample_header(resampler: Resampler, seed: int) -> list[str]:
    """Return the lines of the header of a resample, with its provenance."""
    jobs, last_end_s = resampler.tally(seed)
    made, notes = resampler.without_jobs(seed), resampler.notes(seed)
    return header_lines(made, notes, jobs=jobs, last_end_s=last_end_s, drawn_from=resampler.logs)


def blocks_with_progress(
    resampler: Resampler, seed: int, builder: LogBuilder, progress: Progress | None
) -> Iterator[Block]:
    """Yield the blocks; report each when the next is requested."""
    for block, weeks in resampler.progress(seed, builder=builder):
        yield block
        if progress:
            progress(weeks)


def with_replicas(path: str | PathLike[str], jobs: int, builder: LogBuilder) -> Written:
    """Write the table of replicas of a written log."""
    table = builder.replicas()
    rare = int(np.count_nonzero(table["kind"] == "rare"))
    return Written(jobs, len(table["user"]), rare, Path(path), write_replicas(table, path))


def write_replicas(table: Mapping[str, np.ndarray], path: str | PathLike[str]) -> Path:
    """Write REPLICA_COLUMNS as CSV next to the log, one line per appearance."""
    place = replicas_path(path)
    columns = [table[name].astype(str) for name in REPLICA_COLUMNS]
    with packed_file(place) as file:
        file.write((",".join(REPLICA_COLUMNS) + "\n").encode())
        file.writelines((",".join(row) + "\n").encode() for row in zip(*columns, strict=True))
    return place


def replicas_path(path: str | PathLike[str]) -> Path:
    """Return `x.replicas.csv` for `x.swf.gz`."""
    return Path(path).with_name(log_name(path) + ".replicas.csv")
