"""Writes a workload as a log: the archive's columns, the spelling of the source, an updated header."""

from __future__ import annotations

import datetime
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike

import numpy as np

import thinktime._engine as _engine
from thinktime import __version__
from thinktime.errors import InputError
from thinktime.traces import Header, Spellings, TimeZone
from thinktime.traces.column_names import COLUMNS
from thinktime.traces.header import PROCESSOR_FIELD
from thinktime.workload.compressed_file import packed_file
from thinktime.workload.load_scaling import scaling_lines
from thinktime.workload.reading.job_columns import fitting_policy
from thinktime.workload.workload import Workload

#: Note of the header, and warning of the writer of SWF.
OTHER_SIZES = "the simulated sizes are neither the requested nor the allocated processors"
_ROWS = 100_000  # formatted at a time
_TOO_LARGE = 2.0**53  # float64 holds whole numbers exactly below this
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def write_swf(workload: Workload, path: str | PathLike[str], *, notes: Sequence[str] = ()) -> None:
    """Write a workload as a log in the Standard Workload Format; the whole file or nothing.

    Numbers keep the spelling of the log that they were read from, and the header is brought up to date. It names the
    field that holds the sizes if these are not the requested processors; `tt.read` uses it.

    Parameters
    ----------
    workload : Workload
        The jobs, written in their order.
    path : str or path
        The file; packed if its name ends in .gz, .xz or .bz2.
    notes : sequence of str
        Lines to add to the header as `Note`.

    Raises
    ------
    InputError
        If a value cannot be written in the format, or if the file cannot be written.

    Examples
    --------
    >>> import thinktime as tt
    >>> tt.write_swf(tt.default_workload(jobs=20), "log.swf.gz", notes=["twenty jobs"])
    """
    workload = _with_sizes(workload)
    _require_writable(workload)
    if processor_field([workload]) is None:
        warnings.warn(f"{OTHER_SIZES}, and SWF has no other field: write .parquet or .csv to keep them", stacklevel=2)
    with packed_file(path) as file:
        for line in header_lines(workload, notes):
            file.write(f";{line}\n".encode())
        for block in _formatted(workload):
            file.write(block)


def write_swf_blocks(
    blocks: Iterable[Mapping[str, np.ndarray]], path: str | PathLike[str], header: Sequence[str]
) -> int:
    """Write blocks of columns under a given header; return the number of jobs."""
    jobs = 0
    with packed_file(path) as file:
        file.writelines(f";{line}\n".encode() for line in header)
        for block in blocks:
            part = Workload(block)
            _require_writable(part)
            file.writelines(_formatted(part))
            jobs += len(part)
    return jobs


def header_lines(
    workload: Workload,
    notes: Sequence[str] = (),
    *,
    jobs: int | None = None,
    last_end_s: float | None = None,
    drawn_from: Sequence[Workload] = (),
) -> list[str]:
    """Return the header without semicolons: that of the source, with updated counts, end and provenance.

    `jobs`, `last_end_s` and the logs that the jobs are drawn from are given if the jobs are written in blocks.
    """
    header = workload.header or _plain_header(workload)
    jobs = len(workload) if jobs is None else jobs
    field = processor_field(drawn_from or [workload])
    fresh = _fresh_values(workload, jobs, _last_end_s(workload) if last_end_s is None else last_end_s)
    lines = _refreshed(header, {**fresh, PROCESSOR_FIELD: None if field == "requested" else field})
    other = [] if field else [OTHER_SIZES]
    said = [_note(text) for text in (*_provenance(workload), *other, *notes)]
    return [*lines, *(line for note in said if not set(note) <= set(lines) for line in note)]


def processor_field(logs: Sequence[Workload]) -> str | None:
    """Return the processor policy that gives the sizes of all jobs; None if there is none."""
    found = {fitting_policy(_with_sizes(log).columns) for log in logs} - {"requested"}
    return found.pop() if len(found) == 1 else None if found else "requested"


def _with_sizes(workload: Workload) -> Workload:
    """Return the workload; if it has no requested and allocated processors, these are the simulated ones."""
    sizes = ("allocated_processors", "requested_processors")
    if not all(np.isnan(workload[name]).all() for name in sizes):
        return workload
    return replace(workload, columns={**workload.columns, **dict.fromkeys(sizes, workload["processors"])})


def _formatted(workload: Workload) -> Iterator[bytes]:
    table = workload.spellings or Spellings.empty()
    columns = [np.ascontiguousarray(workload[name], np.float64) for name in (*COLUMNS, "line")]
    for k in range(0, len(workload), _ROWS):
        *fields, line = (values[k : k + _ROWS] for values in columns)
        yield _engine.swf_format(fields, line, table.line, table.field, table.end, table.blob)


def _require_writable(workload: Workload) -> None:
    for name in COLUMNS:
        values = workload[name]
        bad = np.flatnonzero(np.abs(values) >= _TOO_LARGE)
        if bad.size:
            raise InputError(
                f"{name} of row {bad[0]} is {values[bad[0]]:g}, more than a log holds exactly (2^53):"
                " check how this workload was made"
            )

    _require_no_submit_that_means_unknown(workload)


def _require_no_submit_that_means_unknown(workload: Workload) -> None:
    """Raise InputError if a submit time is −1, which means unknown in a log; filter pyss keeps it."""
    bad = np.flatnonzero(workload["submit_s"] == -1)
    if bad.size and workload.source.get("filter") != "pyss":
        raise InputError(
            f"submit_s of row {bad[0]} is -1, which in a log means that the submit time is unknown:"
            " shift the submit times before writing"
        )


def _plain_header(workload: Workload) -> Header:
    """Return the header of a workload without a log."""
    size = workload.machine_processors
    machine = [f" MaxNodes: {size}", f" MaxProcs: {size}"] if size else []
    return Header.parse([" Version: 2.2", f" Computer: {workload.name}", *machine])


def _fresh_values(workload: Workload, jobs: int, last_end_s: float | None) -> dict[str, str | None]:
    """Return key → value for keys that must agree with the jobs; None removes the line."""
    start, shifted = workload.unix_start_s, {}
    if workload.source.get("time_shift_s") and start:
        shifted = {"UnixStartTime": f"{start:.0f}", "StartTime": _date_at_machine(workload, 0.0)}
    end = _date_at_machine(workload, last_end_s) if last_end_s is not None else None
    return {"MaxJobs": str(jobs), "MaxRecords": str(jobs), "EndTime": end, **shifted}


def _last_end_s(workload: Workload) -> float | None:
    return workload.span_s + float(np.fmin.reduce(workload["submit_s"])) if len(workload) else None


def _date_at_machine(workload: Workload, time_s: float) -> str | None:
    """Return a time of the workload as `date` prints it at the machine."""
    start = workload.unix_start_s
    if start is None:
        return None
    last = start + time_s
    zone = (workload.header.time_zone() if workload.header else None) or TimeZone("none")
    try:
        clock = datetime.datetime.fromtimestamp(last + zone.offset_at(last), datetime.UTC)
    except (ValueError, OverflowError, OSError):
        return None
    where = zone.abbreviation_at(last) or ("UTC" if zone.because == "none" else "")
    day, month = _DAYS[clock.weekday()], _MONTHS[clock.month - 1]
    return f"{day} {month} {clock:%d %H:%M:%S} {where} {clock.year}".replace("  ", " ")


def _refreshed(header: Header, fresh: dict[str, str | None]) -> list[str]:
    """Return the lines of the header with new values; missing keys are appended."""
    lines, missing = [], dict(fresh)
    for line in header.lines:
        key, prefix = _key_of(line, fresh)
        if key is None:
            lines.append(line)
            continue
        value = missing.pop(key, None)
        if value is not None:
            lines.append(prefix + value)
    return [*lines, *(f" {key}: {value}" for key, value in missing.items() if value is not None)]


def _key_of(line: str, keys: dict[str, str | None]) -> tuple[str | None, str]:
    """Return the key of the line, and the text before its value."""
    match = re.match(r"\s*(\w+)\s*:\s*", line)
    for key in keys if match else ():
        if match and key.lower() == match[1].lower():
            return key, match[0]
    return None, ""


def _provenance(workload: Workload) -> list[str]:
    source = workload.source
    notes = [f"written by thinktime {__version__}"]
    if source.get("sha256"):
        notes.append(f"source {source.get('log', workload.name)}, sha256 {source['sha256']}")
    if "filter" in source:
        notes.append(f"filter {source['filter']}, processors {source.get('processors')}")
    notes += [f"removed {text}" for text in source.get("remove", ())]
    notes += [f"load scaled: {line}" for line in scaling_lines(workload.account.get("load_scaling"))]
    if "window_s" in source:
        begin_s, end_s = source["window_s"]
        notes.append(f"submitted from {begin_s:.15g} s until before {end_s:.15g} s ({source['window_because']})")
    return notes + ([f"seed {source['seed']}"] if "seed" in source else [])


def _note(text: str) -> list[str]:
    first, *rest = text.splitlines() or [""]
    return [f" Note: {first}", *(f"       {line}" for line in rest)]
