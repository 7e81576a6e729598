"""Where the jobs of a run come from: a log, read as named, or a generator. Content decides, not the path.

A source is a JSON-able table. What it says besides `path` is all that matters for the run: for a log the hash
of its file and how it is read, for a generator its name and options.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from thinktime.errors import InputError
from thinktime.spec import suggestion
from thinktime.workload import Workload

KEPT = 8  # workloads that stay in memory, the most recently used ones

READING = ("filter", "processors", "remove", "machine")  # options of read_swf
SEEDED = "seed"


#: generator → the function of thinktime.generate that makes its workload; it takes the run's seed
GENERATORS = {"default": "default_workload"}


def from_log(path: Path, reading: Mapping[str, Any]) -> dict[str, Any]:
    """The source of a log; its reading is checked now."""
    from thinktime.workload.read import Reading

    options = {"filter": "base", "processors": None, "remove": [], "machine": None} | dict(reading)
    checked = Reading(options["filter"], options["processors"], options["remove"], options["machine"])
    return {"log": sha256_of(path), **checked.to_dict(), "machine": options["machine"], "path": str(path)}


def from_generator(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    if name not in GENERATORS:
        near = suggestion(name, GENERATORS)
        raise InputError(f"no generator is called {name!r}{near}: choose one of {', '.join(GENERATORS)}")
    known = signature(_generator(name)).parameters
    for option in options:
        if option not in known:
            raise InputError(
                f"generator {name} has no option {option!r}{suggestion(option, known)}: it takes {', '.join(known)}"
            )
    return {"generator": name, **options}


def _generator(name: str) -> Callable[..., Workload]:
    made: Callable[..., Workload] = getattr(import_module("thinktime.generate"), GENERATORS[name])
    return made


def is_random(source: Mapping[str, Any]) -> bool:
    """Whether the seed matters: a generator that was not given a seed of its own."""
    return "generator" in source and SEEDED not in source


def identity(source: Mapping[str, Any]) -> dict[str, Any]:
    """What the run's hash is over."""
    return {key: value for key, value in source.items() if key != "path"}


_known: dict[tuple[str, int, int], str] = {}  # path, size and time of change → hash


def sha256_of(path: Path) -> str:
    """Of the file's bytes, computed once as long as the file does not change."""
    try:
        state = path.stat()
        key = (str(path.resolve()), state.st_size, state.st_mtime_ns)
        if key not in _known:
            with path.open("rb") as file:
                _known[key] = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): check the name of the log") from None
    return _known[key]


class Shelf:
    """Workloads in memory by what they are; whoever asks for one that is being read waits for it."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept, self._lock = kept, threading.Lock()
        self._places: OrderedDict[str, _Place] = OrderedDict()

    def get(self, source: Mapping[str, Any], seed: int) -> Workload:
        key = repr(sorted(identity(source).items())) + (f" seed {seed}" if is_random(source) else "")
        with self._lock:
            place = self._places.setdefault(key, _Place())
            self._places.move_to_end(key)
            while len(self._places) > self._kept:
                self._places.popitem(last=False)
        return place.get(lambda: load(source, seed))


class _Place:
    def __init__(self) -> None:
        self._lock, self._workload = threading.Lock(), None  # type: tuple[threading.Lock, Workload | None]

    def get(self, make: Callable[[], Workload]) -> Workload:
        with self._lock:
            if self._workload is None:
                self._workload = make()
            return self._workload


SHELF = Shelf()


def load(source: Mapping[str, Any], seed: int) -> Workload:
    """Read or make the workload."""
    if "generator" in source:
        options = {key: value for key, value in source.items() if key != "generator"}
        return _generator(source["generator"])(**{SEEDED: seed} | options)
    from thinktime.workload import read_swf

    path = Path(source["path"])
    if sha256_of(path) != source["log"]:
        raise InputError(f"{path} has changed since the study was read: run the study again")
    return read_swf(path, **{key: source[key] for key in READING if source.get(key) is not None})
