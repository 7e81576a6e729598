"""Check of own readers."""

from __future__ import annotations

from os import PathLike

import numpy as np

from thinktime.errors import InputError
from thinktime.result import Result
from thinktime.simulation import simulate
from thinktime.spec import from_dict
from thinktime.support.equality import same
from thinktime.traces import Reader
from thinktime.traces.reader import joined
from thinktime.workload import Workload
from thinktime.workload.reading.read import open_records, read
from thinktime.workload.reading.stream import stream


def check_reader(reader: Reader, source: str | PathLike[str], *, streams: bool = True) -> None:
    """Check a reader on a source; raise AssertionError with the first problem.

    Parameters
    ----------
    reader
        An own or a built-in reader.
    source
        A file, or what else the reader takes, with at least one job.
    streams
        Whether the source can be read as a stream: its jobs are sorted by submit time (default True).

    Raises
    ------
    AssertionError
        Reading fails or finds no job; a second reading differs; the account does not add up; a stream has other jobs
        than the workload; the spec does not survive as plain data; or the jobs cannot be simulated.
    """
    where = f"{reader!r} on {source}"
    try:
        first, again = read(source, reader=reader), read(source, reader=reader)
        assert len(first), f"{where} finds no job that the filter base keeps: {first.account['dropped']}"
        _require_same_jobs(first, again, f"{where} finds other jobs in a second reading: read the source anew")
        _require_account(first, where)
        _require_records(reader, source, where)
        if streams:
            _require_same_stream(reader, source, first, where)
        _require_plain_data(reader, where)
        _require_simulation(first, again, where)
    except InputError as error:
        raise AssertionError(f"{where}: {error}") from error


def _require_same_jobs(first: Workload, again: Workload, message: str) -> None:
    assert same(first.columns, again.columns) and first.types == again.types, message  # noqa: PT018 - one message
    assert first.header == again.header, message


def _require_account(workload: Workload, where: str) -> None:
    account = workload.account
    parts = [account[key] for key in ("comment_lines", "blank_lines", "malformed_lines", "job_lines")]
    assert account["lines"] == sum(parts), (
        f"{where} counts {account['lines']} lines, but {parts} comments, blanks, malformed lines and jobs"
    )
    assert account["kept"] == len(workload), (
        f"{where} has {len(workload)} jobs, but its account says {account['kept']}: count dropped records"
    )


def _require_records(reader: Reader, source: str | PathLike[str], where: str) -> None:
    """Check what blocks promise: columns of equal length that stay the same, and a name and a hash at the end."""
    records = open_records(source, reader)
    names: set[str] = set()
    for block in records.blocks():
        names = names or set(block)
        assert set(block) == names, f"{where} yields blocks with different columns: {sorted(set(block) ^ names)}"
        assert len({len(values) for values in block.values()}) == 1, f"{where} yields columns of different lengths"
        wrong = [name for name, values in block.items() if values.dtype != np.float64]
        assert not wrong, f"{where} yields columns that are not float64: {wrong}"
    assert records.sha256, f"{where} has no sha256 at the end"


def _require_same_stream(reader: Reader, source: str | PathLike[str], whole: Workload, where: str) -> None:
    jobs = stream(source, reader=reader)
    columns = joined(list(jobs))
    different = [name for name in whole.columns if not same(whole[name], columns.get(name))]
    assert not different, f"{where}: a stream has other values in {', '.join(different)}"
    assert jobs.types == whole.types, f"{where}: a stream has other types of columns"


def _require_plain_data(reader: Reader, where: str) -> None:
    assert from_dict("reader", reader.to_dict()) == reader, f"{where} is not equal after from_dict(to_dict())"


def _require_simulation(first: Workload, again: Workload, where: str) -> None:
    size = max(int(first["processors"].max()), first.machine_processors or 1)
    runs: list[Result] = [simulate(each, size, "easy") for each in (first, again)]
    assert runs[0].digest == runs[1].digest, f"{where}: two simulations have different digests"
