"""OTF2 archives for Vampir and otf2-print: a folder with traces.otf2.

The system tree is the cluster with its hosts; a host is a location group, a core a location, a job a region, a task an
Enter and a Leave. OTF2 keeps two files per location. With `group_cores`, neighbouring cores of a host share a location,
whose call stack has one level per busy core.

The Python writer of the otf2 package creates an object per event. Calling its C library directly is several times
faster.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.errors import InputError
from thinktime.result.directory.staging import staged_directory
from thinktime.tracing.events import KINDS, TICKS_PER_S, Host, Trace, marks
from thinktime.tracing.otf2_definitions import Definitions
from thinktime.tracing.time_order import Moments, Stacks, in_time_order

ARCHIVE = "traces"  # name inside the folder, as in OTF2's own tools
CHUNK = 256 * 1024  # bytes per location in memory; the minimum of OTF2
MANY = 8192  # locations; more take gigabytes of memory and tens of thousands of files
FEW = 1024  # up to this number of locations, idle cores are included


def write_otf2(trace: Trace, path: str | Path, *, group_cores: int = 1, markers: bool = False) -> int:
    """Write the folder `path` completely or not at all; return the number of events."""
    otf2 = _library()
    if Path(path).exists():
        raise InputError(f"{path} exists and an archive is not overwritten: choose another name")
    with staged_directory(path) as folder, _errors_as_os(otf2):
        archive = _Archive(otf2, folder, trace, group_cores)
        for moments in in_time_order(trace):
            archive.write(moments)
        return archive.close(markers)


def _library() -> Any:
    try:
        import _otf2
    except ImportError:
        raise InputError("OTF2 archives need the package otf2: pip install 'thinktime[otf2]'") from None
    return _otf2


@contextmanager
def _errors_as_os(otf2: Any) -> Iterator[None]:
    """Raise errors of the library, mostly a full disk, as OSError."""
    try:
        yield
    except otf2.Error as error:
        raise OSError(f"OTF2: {error}") from error


class _Archive:
    """An archive while it is written; locations and regions are numbered on first use."""

    def __init__(self, otf2: Any, folder: Path, trace: Trace, group_cores: int) -> None:
        self.otf2, self.trace, self.folder = otf2, trace, folder
        self.no_definitions = b""  # the file of a location without definitions
        self.location_of, self.locations = _locations(trace.hosts, group_cores)
        self.stacks = Stacks() if group_cores > 1 else None
        self.region_of = np.full(len(trace.jobs["job"]), -1)  # by row
        self.rows: list[int] = []  # of the regions
        self.writers: dict[int, Any] = {}  # location → handle
        self.address = np.zeros(len(self.locations), np.uint64)  # of the handles, by location; 0: closed
        self.first, self.last = np.iinfo(np.int64).max, 0  # ticks
        self._open()

    def _open(self) -> None:
        from otf2.enums import Compression, FileMode, FileSubstrate, FlushType

        def always(*_: Any) -> Any:
            return FlushType.FLUSH

        kind = (FileMode.WRITE, CHUNK, CHUNK, FileSubstrate.POSIX, Compression.NONE)
        self.handle = self.otf2.Archive_Open(str(self.folder), ARCHIVE, *kind)
        self.callbacks = self.otf2.FlushCallbacks(pre_flush=always, post_flush=None)  # must outlive the archive
        self.otf2.Archive_SetFlushCallbacks(self.handle, self.callbacks, None)
        self.otf2.Archive_SetSerialCollectiveCallbacks(self.handle)
        self.otf2.Archive_SetCreator(self.handle, "thinktime")
        self.otf2.Archive_SetDescription(self.handle, self.trace.name)
        self.otf2.Archive_OpenDefFiles(self.handle)
        self.otf2.Archive_OpenEvtFiles(self.handle)
        self.leave, self.enter = _function("OTF2_EvtWriter_Leave"), _function("OTF2_EvtWriter_Enter")

    def write(self, moments: Moments) -> None:
        """Write enters and leaves, in order."""
        if moments["time"][0] < 0:
            raise InputError(f"OTF2 has no times before 0 (a task begins at {moments['time'][0] / TICKS_PER_S:g} s)")
        self.first = min(self.first, int(moments["time"][0]))
        self.last = max(self.last, int(moments["time"][-1]))
        location, region = self.location_of[moments["core"]], self._regions(moments["row"])
        self._open_writers(np.unique(location))
        if self.stacks is None:
            self._call(moments["enter"].tolist(), location, moments["time"].tolist(), region.tolist())
        else:
            self._call(*self.stacks.nested(moments["enter"], location, moments["time"], region))

    def _call(self, enter: list[bool], location: Any, time: list[int], region: list[int]) -> None:
        functions = (self.leave, self.enter)
        calls = (functions[each] for each in enter)
        failed = any(map(operator.call, calls, self.address[location].tolist(), repeat(None), time, region))
        if failed:
            raise OSError("OTF2 could not write an event")

    def _regions(self, row: np.ndarray) -> np.ndarray:
        """Number regions in order of appearance."""
        found, first = np.unique(row, return_index=True)
        for new in found[np.argsort(first)][self.region_of[found[np.argsort(first)]] < 0].tolist():
            self.region_of[new] = len(self.rows)
            self.rows.append(new)
        return self.region_of[row]

    def _open_writers(self, locations: Iterable[int]) -> None:
        for location in (int(each) for each in locations if not self.address[each]):
            self._define_locally(location)
            self.writers[location] = self.otf2.Archive_GetEvtWriter(self.handle, location)
            self.address[location] = ctypes.cast(self.writers[location], ctypes.c_void_p).value or 0

    def _define_locally(self, location: int) -> None:
        """Write an empty definition file, which readers require; the first by the library, the others as copies."""
        if self.no_definitions:
            (self.folder / ARCHIVE / f"{location}.def").write_bytes(self.no_definitions)
            return
        writer = self.otf2.Archive_GetDefWriter(self.handle, location)
        self.otf2.Archive_CloseDefWriter(self.handle, writer)
        self.no_definitions = (self.folder / ARCHIVE / f"{location}.def").read_bytes()

    def close(self, markers: bool) -> int:
        """Write idle cores, definitions and markers, then the anchor file; return the number of events."""
        if len(self.locations) <= FEW:
            self._open_writers(range(len(self.locations)))
        events = {k: self.otf2.EvtWriter_GetNumberOfEvents(writer) for k, writer in self.writers.items()}
        for writer in self.writers.values():
            self.otf2.Archive_CloseEvtWriter(self.handle, writer)
        self.otf2.Archive_CloseEvtFiles(self.handle)
        self.otf2.Archive_CloseDefFiles(self.handle)
        with Definitions(self.otf2, self.handle) as definitions:
            definitions.clock(min(self.first, self.last), self.last)
            definitions.tree(self.trace.name, self.trace.hosts)
            definitions.locations({k: (*self.locations[k], count) for k, count in sorted(events.items())})
            definitions.regions([f"job {self.trace.jobs['job'][row]:.0f}" for row in self.rows])
        if markers:
            self._mark()
        self.otf2.Archive_Close(self.handle)
        return sum(events.values())

    def _mark(self) -> None:
        """When the jobs of the trace were submitted and started, inside its window."""
        writer = self.otf2.Archive_GetMarkerWriter(self.handle)
        for number, name in enumerate(KINDS):
            self.otf2.MarkerWriter_WriteDefMarker(writer, number, "jobs", name, self.otf2.SEVERITY_NONE)
        everywhere = self.otf2.MARKER_SCOPE_GLOBAL
        for time, number, text in marks(self.trace, np.array(self.rows, np.int64)):
            self.otf2.MarkerWriter_WriteMarker(writer, time, 0, number, everywhere, 0, text)
        self.otf2.Archive_CloseMarkerWriter(self.handle, writer)


def _function(name: str) -> Callable[..., int]:
    """Return the C function (writer, no attributes, time, region) → 0 or an error code."""
    from _otf2.Config import conf

    signature = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32)
    return signature((name, conf.lib))


def locations(hosts: Iterable[Host], group_cores: int) -> int:
    """Return the maximum number of locations of an archive."""
    return sum(-(-host.cores // group_cores) for host in hosts)


def _locations(hosts: Iterable[Host], group_cores: int) -> tuple[np.ndarray, list[tuple[str, int]]]:
    """Return the location of each core, and (name, index of the host) of each location."""
    of_core: list[np.ndarray] = []
    found: list[tuple[str, int]] = []
    for place, host in enumerate(hosts):
        of_core.append(len(found) + np.arange(host.cores) // group_cores)
        lows = range(0, host.cores, group_cores)
        found += [(_location_name(low, min(low + group_cores, host.cores) - 1), place) for low in lows]
    return np.concatenate(of_core), found


def _location_name(low: int, high: int) -> str:
    return f"core {low}" if low == high else f"cores {low}-{high}"
