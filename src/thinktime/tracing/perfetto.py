"""Chrome's trace event format in JSON for ui.perfetto.dev and chrome://tracing: .json or .json.gz.

A host is a process, a core a thread, a task a complete event ("ph": "X") named after its job. Times are microseconds
with three decimals. Metadata events ("M") with the names of hosts and cores come first. Process and thread numbers are
distinct, because the viewer takes a thread with the number of its process for the main thread.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.tracing.events import Block, Trace, marks, ticks
from thinktime.workload.compressed_file import packed_file

#: Parts of a task event; names of columns are replaced by their values.
EVENT = (
    *('{"name":"job ', "job", '","cat":"task","ph":"X","ts":', "ts", ',"dur":', "dur", ',"pid":', "pid"),
    *(',"tid":', "tid", ',"args":{"task":', "task", ',"chunk":', "chunk", "}}"),
)


def write_perfetto(trace: Trace, path: str | Path, *, markers: bool = False) -> int:
    """Write the file completely or not at all; return the number of task events."""
    tasks, rows = 0, np.zeros(len(trace.jobs["job"]), bool)
    with packed_file(path) as file:
        file.write(_head(trace).encode())
        file.writelines(_host_and_core_names(trace))
        for block in trace.blocks:
            file.write(_perfetto_event_lines(trace, block))
            tasks += len(block["core"])
            rows[block["row"]] = True
        if markers:
            file.writelines(_marks(trace, np.flatnonzero(rows)))
        file.write(f"{_process_name(trace, 0)}\n]}}\n".encode())  # the last line has no comma
    return tasks


def _head(trace: Trace) -> str:
    about = json.dumps({"trace": trace.name, **trace.facts}, ensure_ascii=False)
    return f'{{"displayTimeUnit":"ms","otherData":{about},"traceEvents":[\n'


def _host_and_core_names(trace: Trace) -> Iterator[bytes]:
    """Yield the names of hosts and cores."""
    for place, host in enumerate(trace.hosts):
        yield f"{_process_name(trace, place)},\n".encode()
        yield _metadata_line("process_sort_index", place + 1, sort_index=place)
        for k in range(host.cores):
            thread = _thread(trace, host.first_core + k)
            yield _metadata_line("thread_name", place + 1, thread, name=f"core {k}")
            yield _metadata_line("thread_sort_index", place + 1, thread, sort_index=k)


def _process_name(trace: Trace, place: int) -> str:
    return _metadata_line("process_name", place + 1, name=trace.hosts[place].name).decode().rstrip(",\n")


def _metadata_line(what: str, process: int, thread: int | None = None, **arguments: Any) -> bytes:
    of = {"pid": process} if thread is None else {"pid": process, "tid": thread}
    event = {"name": what, "ph": "M", **of, "args": arguments}
    return f"{json.dumps(event, ensure_ascii=False, separators=(',', ':'))},\n".encode()


def _thread(trace: Trace, core: Any) -> Any:
    """Return the thread number of a core, above the process numbers."""
    return len(trace.hosts) + 1 + core


def _perfetto_event_lines(trace: Trace, block: Block) -> bytes:
    """Return one event per task."""
    import polars as pl

    from thinktime.tracing.event_text import lines, microseconds, whole

    begin, end = ticks(block["start_s"]), ticks(block["end_s"])
    if begin.size and begin.min() < 0:
        raise InputError(f"Perfetto JSON has no times before 0 (a task begins at {block['start_s'].min():g} s)")
    table = pl.DataFrame(
        {"begin": begin, "length": end - begin, "pid": trace.host_of(block["core"]) + 1,
         "tid": _thread(trace, block["core"]), **{name: block[name] for name in ("job", "task", "chunk")}}
    )  # fmt: skip
    times = {"ts": microseconds("begin"), "dur": microseconds("length")}
    values = {**times, **{name: whole(name) for name in ("job", "pid", "tid", "task", "chunk")}}
    text = pl.concat_str([values.get(part, pl.lit(part)) for part in EVENT])
    return lines(table.select(text).to_series(), ",\n")


def _marks(trace: Trace, rows: np.ndarray) -> Iterator[bytes]:
    """Yield submissions and starts as global instants."""
    for time, _, text in marks(trace, rows):
        event = (
            f'{{"name":"{text}","cat":"job","ph":"i","s":"g","ts":{time // 1000}.{time % 1000:03d},"pid":1,"tid":1}}'
        )
        yield f"{event},\n".encode()
