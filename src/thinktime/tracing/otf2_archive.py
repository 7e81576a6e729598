"""OTF2 archives, which Vampir and otf2-print read: a folder with traces.otf2 to open.

The system tree is the cluster with its hosts; a host is a location group, a core a location, a job a region, and a
task is an Enter and a Leave. OTF2 keeps two files a location, so that a machine of many cores makes many files:
with `group_cores` neighbouring cores of a host share a location, whose call stack then is as deep as cores are
busy.

The wheel's own writer makes a Python object of each event. Here the functions of the C library are called with
plain numbers, which is several times faster.
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

ARCHIVE = "traces"  # the name inside the folder: what OTF2's own tools call it
CHUNK = 256 * 1024  # bytes of a location in memory, events and definitions alike; the least that OTF2 takes
MANY = 8192  # locations: beyond, they take gigabytes of memory and tens of thousands of files
FEW = 1024  # locations: up to so many, idle cores have one too


def write_otf2(trace: Trace, path: str | Path, *, group_cores: int = 1, markers: bool = False) -> int:
    """Writes the folder `path`, all of it or nothing; how many events."""
    otf2 = _library()
    if Path(path).exists():
        raise InputError(f"{path} exists already: an archive is a folder, which is not replaced: choose another name")
    with staged_directory(path) as folder, _errors_as_os(otf2):
        archive = _Archive(otf2, folder, trace, group_cores)
        for moments in in_time_order(trace):
            archive.write(moments)
        return archive.close(markers)


def _library() -> Any:
    try:
        import _otf2
    except ImportError:
        raise InputError(
            "OTF2 archives need the package otf2, which is not installed: pip install 'thinktime[otf2]'"
        ) from None
    return _otf2


@contextmanager
def _errors_as_os(otf2: Any) -> Iterator[None]:
    """What the library refuses, most often for want of room, as the system's error."""
    try:
        yield
    except otf2.Error as error:
        raise OSError(f"OTF2: {error}") from error


class _Archive:
    """An archive while it is written: numbers of locations and regions are given when they are first met."""

    def __init__(self, otf2: Any, folder: Path, trace: Trace, group_cores: int) -> None:
        self.otf2, self.trace, self.folder = otf2, trace, folder
        self.no_definitions = b""  # what the definitions of a location look like that has none
        self.location_of, self.locations = _locations(trace.hosts, group_cores)
        self.stacks = Stacks() if group_cores > 1 else None
        self.region_of = np.full(len(trace.jobs["job"]), -1)  # by row
        self.rows: list[int] = []  # of the regions
        self.writers: dict[int, Any] = {}  # location → handle
        self.address = np.zeros(len(self.locations), np.uint64)  # of the handles, by location; 0: not opened
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
        """Enters and leaves, in their order."""
        if moments["time"][0] < 0:
            raise InputError(f"a task begins at {moments['time'][0] / TICKS_PER_S:g} s: OTF2 has no times before 0")
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
        """Regions are numbered in the order in which jobs appear."""
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
        """A file without definitions, lacking which readers complain. The library writes the first; all are alike."""
        if self.no_definitions:
            (self.folder / ARCHIVE / f"{location}.def").write_bytes(self.no_definitions)
            return
        writer = self.otf2.Archive_GetDefWriter(self.handle, location)
        self.otf2.Archive_CloseDefWriter(self.handle, writer)
        self.no_definitions = (self.folder / ARCHIVE / f"{location}.def").read_bytes()

    def close(self, markers: bool) -> int:
        """The rest: idle cores, definitions, markers; the anchor file comes last."""
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
    """A C function (writer, no attributes, time, region) → 0, or an error code."""
    from _otf2.Config import conf

    signature = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32)
    return signature((name, conf.lib))


def locations(hosts: Iterable[Host], group_cores: int) -> int:
    """How many an archive may have: those of all cores."""
    return sum(-(-host.cores // group_cores) for host in hosts)


def _locations(hosts: Iterable[Host], group_cores: int) -> tuple[np.ndarray, list[tuple[str, int]]]:
    """The location of each core, and of each location its name and the place of its host."""
    of_core: list[np.ndarray] = []
    found: list[tuple[str, int]] = []
    for place, host in enumerate(hosts):
        of_core.append(len(found) + np.arange(host.cores) // group_cores)
        lows = range(0, host.cores, group_cores)
        found += [(_location_name(low, min(low + group_cores, host.cores) - 1), place) for low in lows]
    return np.concatenate(of_core), found


def _location_name(low: int, high: int) -> str:
    return f"core {low}" if low == high else f"cores {low}-{high}"
