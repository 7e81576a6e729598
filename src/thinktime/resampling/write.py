"""Writes a resampled log block by block: SWF, packed as its name says, with provenance, and the table of replicas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import NamedTuple

import numpy as np

from thinktime.resampling.builder import Block, Making
from thinktime.resampling.resampled import REPLICA_COLUMNS
from thinktime.resampling.resampler import Resampler
from thinktime.workload.packed import packed_file
from thinktime.workload.write import header_lines, write_swf_blocks

_ENDINGS = (".gz", ".xz", ".bz2", ".swf", ".parquet")
Hear = Callable[[int], None]  # is told how many weeks are done


class Written(NamedTuple):
    jobs: int
    users: int
    rare_users: int
    path: Path
    replicas: Path


def write_resample(
    resampler: Resampler, path: str | PathLike[str], *, seed: int = 0, hear: Hear | None = None
) -> Written:
    """The log of this seed as SWF, in constant memory; its side table as `NAME.replicas.csv`."""
    jobs, last_end_s = resampler.tally(seed)
    header = header_lines(resampler.without_jobs(seed), resampler.notes(seed), jobs=jobs, last_end_s=last_end_s)
    making = resampler.making(seed)
    write_swf_blocks(told(resampler, seed, making, hear), path, header)
    return with_replicas(path, jobs, making)


def told(resampler: Resampler, seed: int, making: Making, hear: Hear | None) -> Iterator[Block]:
    """The blocks, with word of each."""
    for block, weeks in resampler.progress(seed, making=making):
        yield block
        if hear:
            hear(weeks)


def with_replicas(path: str | PathLike[str], jobs: int, making: Making) -> Written:
    """Write the side table of what has been written."""
    table = making.replicas()
    rare = int(np.count_nonzero(table["kind"] == "rare"))
    return Written(jobs, len(table["user"]), rare, Path(path), write_replicas(table, path))


def write_replicas(table: Mapping[str, np.ndarray], path: str | PathLike[str]) -> Path:
    """As CSV beside the log: one line a user, REPLICA_COLUMNS."""
    place = replicas_path(path)
    columns = [table[name].astype(str) for name in REPLICA_COLUMNS]
    with packed_file(place) as file:
        file.write((",".join(REPLICA_COLUMNS) + "\n").encode())
        file.writelines((",".join(row) + "\n").encode() for row in zip(*columns, strict=True))
    return place


def replicas_path(path: str | PathLike[str]) -> Path:
    """`x.replicas.csv` for `x.swf.gz`."""
    name = fspath(path)
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    return Path(name + ".replicas.csv")
