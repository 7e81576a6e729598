"""The Paje format of ViTE, PajeNG (pj_dump) and Paje: text, one event per line, sorted by time.

The header defines the event types and their fields. Containers are the cluster, its hosts and their cores. The state of
a core is the job whose task it runs; extra fields are the task and its chunk.
"""

from __future__ import annotations

import colorsys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from thinktime.errors import InputError
from thinktime.tracing.events import TICKS_PER_S, Trace
from thinktime.tracing.time_order import Moments, in_time_order
from thinktime.workload.compressed_file import packed_file

#: event → (number, fields)
EVENTS = {
    "PajeDefineContainerType": (0, "Alias string, Type string, Name string"),
    "PajeDefineStateType": (1, "Alias string, Type string, Name string"),
    "PajeDefineEntityValue": (2, "Alias string, Type string, Name string, Color color"),
    "PajeCreateContainer": (3, "Time date, Alias string, Type string, Container string, Name string"),
    "PajePushState": (4, "Time date, Type string, Container string, Value string, Task int, Chunk int"),
    "PajePopState": (5, "Time date, Type string, Container string"),
    "PajeDestroyContainer": (6, "Time date, Type string, Name string"),
}
CONTAINER, STATE_TYPE, VALUE, CREATE, PUSH, POP, DESTROY = range(7)
GOLDEN = 0.618034  # golden ratio: step of the hue between consecutive jobs


def write_paje(trace: Trace, path: str | Path) -> int:
    """Write the file completely or not at all; return the number of tasks."""
    known, tasks, last = np.zeros(len(trace.jobs["job"]), bool), 0, 0
    with packed_file(path) as file:
        file.writelines(_header())
        ordered = in_time_order(trace)
        first = next(ordered, None)
        file.writelines(_containers(trace, 0 if first is None else int(first["time"][0])))
        for moments in () if first is None else _from_time_zero(first, ordered):
            file.writelines(_new_jobs(trace, moments["row"], known))
            file.write(_paje_event_lines(moments))
            tasks, last = tasks + int(moments["enter"].sum()), int(moments["time"][-1])
        file.writelines(_destroyed(trace, last))
    return tasks


def _from_time_zero(first: Moments, rest: Iterator[Moments]) -> Iterator[Moments]:
    if first["time"][0] < 0:
        raise InputError(f"Paje has no times before 0 (a task begins at {first['time'][0] / TICKS_PER_S:g} s)")
    yield first
    yield from rest


def _header() -> Iterator[bytes]:
    for event, (number, fields) in EVENTS.items():
        said = "".join(f"%  {each.strip()}\n" for each in fields.split(","))
        yield f"%EventDef {event} {number}\n{said}%EndEventDef\n".encode()


def _containers(trace: Trace, time: int) -> Iterator[bytes]:
    """Yield the types, then every host and core."""
    for alias, above, name in (("C", "0", "cluster"), ("H", "C", "host"), ("K", "H", "core")):
        yield f'{CONTAINER} {alias} {above} "{name}"\n'.encode()
    yield f'{STATE_TYPE} J K "job"\n'.encode()
    begin = _ticks_as_seconds(time)
    yield f'{CREATE} {begin} c C 0 "{_quotable(trace.name)}"\n'.encode()
    for place, host in enumerate(trace.hosts):
        yield f'{CREATE} {begin} h{place} H c "{_quotable(host.name)}"\n'.encode()
        for k in range(host.cores):
            yield f'{CREATE} {begin} k{host.first_core + k} K h{place} "{_quotable(host.name)}:{k}"\n'.encode()


def _quotable(text: str) -> str:
    """Replace quotation marks and line breaks."""
    return text.replace('"', "'").replace("\n", " ")


def _ticks_as_seconds(time: int) -> str:
    return f"{time // TICKS_PER_S}.{time % TICKS_PER_S:09d}"


def _new_jobs(trace: Trace, row: np.ndarray, known: np.ndarray) -> Iterator[bytes]:
    """Yield the states of jobs that appear for the first time."""
    fresh = np.unique(row[~known[row]])
    known[fresh] = True
    for each in fresh.tolist():
        colour = " ".join(f"{part:.3f}" for part in colorsys.hsv_to_rgb(each * GOLDEN % 1.0, 0.6, 0.85))
        yield f'{VALUE} j{each} J "job {trace.jobs["job"][each]:.0f}" "{colour}"\n'.encode()


def _paje_event_lines(moments: Moments) -> bytes:
    """Return one line per begin (push) or end (pop) of a task."""
    import polars as pl

    from thinktime.tracing.event_text import lines, seconds, whole

    table = pl.DataFrame({name: moments[name] for name in ("time", "enter", "row", "task", "chunk", "core")})
    where = (seconds("time"), whole("core"))
    push = pl.format("{} {} J k{} j{} {} {}", pl.lit(PUSH), *where, whole("row"), whole("task"), whole("chunk"))
    pop = pl.format("{} {} J k{}", pl.lit(POP), *where)
    return lines(table.select(pl.when("enter").then(push).otherwise(pop)).to_series())


def _destroyed(trace: Trace, time: int) -> Iterator[bytes]:
    end = _ticks_as_seconds(time)
    for place, host in enumerate(trace.hosts):
        for k in range(host.cores):
            yield f"{DESTROY} {end} K k{host.first_core + k}\n".encode()
        yield f"{DESTROY} {end} H h{place}\n".encode()
    yield f"{DESTROY} {end} C c\n".encode()
