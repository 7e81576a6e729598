"""Where the jobs of a run come from: a log, read as named, a generator, or a resample. Content decides, not the path.

A source is a JSON-able table. What it says besides `path` is all that matters for the run: for a log the hash
of its file and how it is read, for a generator its name and options. A resample is the source that it is made from,
with its options under `resample`, and further logs under `mixed`. Amounts of resources by job are under `requests`.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from thinktime.errors import InputError
from thinktime.generate import AccaSim, Generator
from thinktime.spec import from_dict, suggestion
from thinktime.support.files import require_regular
from thinktime.support.random_streams import checked_seed
from thinktime.workload import Workload

KEPT = 8  # workloads that stay in memory, the most recently used ones

RESAMPLE = "resample"
REQUESTS = "requests"  # amounts of a cluster's resources and pools by job: the hash of a file, and its path
READING = ("filter", "processors", "remove", "machine")  # options of read_swf
SEEDED = "seed"


#: by name; what each takes is in thinktime.generate
GENERATORS = ("default", "lublin", "accasim")
LEARNS = "accasim"  # from a log, under `from`, of a `cluster`


def from_log(path: Path, reading: Mapping[str, Any]) -> dict[str, Any]:
    """The source of a log; its reading is checked now."""
    from thinktime.workload.reading.read import Reading

    options = {"filter": "base", "processors": None, "remove": [], "machine": None} | dict(reading)
    checked = Reading(options["filter"], options["processors"], options["remove"], options["machine"])
    return {"log": sha256_of(path), **checked.to_dict(), "machine": options["machine"], "path": str(path)}


def from_generator(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    if name not in GENERATORS:
        near = suggestion(name, GENERATORS)
        raise InputError(f"no generator is called {name!r}{near}: choose one of {', '.join(GENERATORS)}")
    given = {key: value for key, value in options.items() if key != SEEDED}
    if SEEDED in options:
        checked_seed(options[SEEDED])
    if name == LEARNS:
        raise InputError(f"accasim learns from a log: write {{ generator = {name!r}, from = LOG, cluster = NAME }}")
    spec_of_generator(name, given)
    return {"generator": name, **options}


def from_learning(log: dict[str, Any], cluster: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """The source of a generator that learns from a log; the options are checked now."""
    from thinktime.platforms import Cluster

    if not isinstance(cluster, str):
        raise InputError(f"accasim needs the cluster of its log, and cluster is {cluster!r}: give a name such as seth")
    spec_of_generator(LEARNS, {key: value for key, value in options.items() if key != SEEDED})
    if SEEDED in options:
        checked_seed(options[SEEDED])
    return {"generator": LEARNS, "from": log, "cluster": Cluster.from_text(cluster).to_dict(), **options}


def spec_of_generator(name: str, options: Mapping[str, Any]) -> Generator:
    """The generator with its options, or a sentence."""
    found = from_dict("generator", {**options, "name": name})
    assert isinstance(found, Generator)
    return found


def from_resample(base: dict[str, Any], mixed: list[dict[str, Any]], options: Mapping[str, Any]) -> dict[str, Any]:
    """The source of resampled logs; their options are checked now, and with the log when it is read."""
    from thinktime.resampling.options import Options

    given = {key: value for key, value in options.items() if key != SEEDED}
    if SEEDED in options:
        checked_seed(options[SEEDED])
    Options.of(given).loads(1 + len(mixed))
    return {**base, RESAMPLE: dict(options), **({"mixed": mixed} if mixed else {})}


def with_requests(source: dict[str, Any], path: Path) -> dict[str, Any]:
    """The source with amounts by job; a workload whose jobs differ from seed to seed has none."""
    if is_random(source):
        raise InputError(
            f"requests is {path.name!r} but the jobs of this workload differ from seed to seed, and amounts are given"
            " by job: give the workload a seed of its own, or leave requests out"
        )
    return {**source, REQUESTS: {"sha256": sha256_of(path, "table of requests"), "path": str(path)}}


def files_of(source: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """What must be read: `log` and `requests`, where there are such, each with its hash and its path."""
    log = {"log": (source["log"], source["path"])} if "log" in source else {}
    table = source.get(REQUESTS)
    return {**log, **({REQUESTS: (table["sha256"], table["path"])} if table else {})}


def is_random(source: Mapping[str, Any]) -> bool:
    """Whether the seed matters: a generator or a resample that was not given a seed of its own."""
    if RESAMPLE in source:
        return SEEDED not in source[RESAMPLE]
    return "generator" in source and SEEDED not in source


def identity(source: Mapping[str, Any]) -> dict[str, Any]:
    """What the run's hash is over."""
    content = {key: value for key, value in source.items() if key != "path"}
    if REQUESTS in source:
        content[REQUESTS] = source[REQUESTS]["sha256"]
    if "from" in source:
        content["from"] = identity(source["from"])
    return content | ({"mixed": [identity(each) for each in source["mixed"]]} if "mixed" in source else {})


_known: dict[tuple[str, int, int], str] = {}  # path, size and time of change → hash


def sha256_of(path: Path, what: str = "log") -> str:
    """Of the file's bytes, computed once as long as the file does not change."""
    try:
        require_regular(path)
        state = path.stat()
        key = (str(path.resolve()), state.st_size, state.st_mtime_ns)
        if key not in _known:
            with path.open("rb") as file:
                _known[key] = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): check the name of the {what}") from None
    return _known[key]


class Shelf:
    """Workloads in memory by what they are; whoever asks for one that is being read waits for it."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept, self._lock = kept, threading.Lock()
        self._places: OrderedDict[str, _Place] = OrderedDict()

    def get(self, source: Mapping[str, Any], seed: int) -> Workload:
        source = {key: value for key, value in source.items() if key != REQUESTS}  # they are no part of the jobs
        key = repr(sorted(identity(source).items())) + (f" seed {seed}" if is_random(source) else "")
        made: Workload = self.keep(key, lambda: load(source, seed))
        return made

    def keep(self, key: str, make: Callable[[], Any]) -> Any:
        """What `make` makes, once as long as it is kept."""
        with self._lock:
            place = self._places.setdefault(key, _Place())
            self._places.move_to_end(key)
            while len(self._places) > self._kept:
                self._places.popitem(last=False)
        return place.get(make)


class _Place:
    def __init__(self) -> None:
        self._lock, self._made = threading.Lock(), None  # type: tuple[threading.Lock, Any]

    def get(self, make: Callable[[], Any]) -> Any:
        with self._lock:
            if self._made is None:
                self._made = make()
            return self._made


SHELF = Shelf()


def load(source: Mapping[str, Any], seed: int) -> Workload:
    """Read or make the workload."""
    if RESAMPLE in source:
        key = "resampler of " + repr(sorted(identity(source).items()))
        made: Workload = SHELF.keep(key, lambda: _resampler(source)).workload(source[RESAMPLE].get(SEEDED, seed))
        return made
    if "generator" in source:
        return _generator(source).workload(seed=source.get(SEEDED, seed))
    from thinktime.workload import read_swf

    path = Path(source["path"])
    if sha256_of(path) != source["log"]:
        raise InputError(f"{path} has changed since the study was read: run the study again")
    return read_swf(path, **{key: source[key] for key in READING if source.get(key) is not None})


def _generator(source: Mapping[str, Any]) -> Generator:
    """What a log teaches is learnt once for all seeds."""
    said = ("generator", "from", "cluster", SEEDED)
    found = spec_of_generator(source["generator"], {key: value for key, value in source.items() if key not in said})
    if not isinstance(found, AccaSim):
        return found
    key = "learnt from " + repr(sorted((k, v) for k, v in identity(source).items() if k != SEEDED))
    learnt: Generator = SHELF.keep(key, lambda: found.of(SHELF.get(source["from"], 1), _cluster(source["cluster"])))
    return learnt


def _cluster(table: Mapping[str, Any]) -> Any:
    return from_dict("platform", dict(table))


def _resampler(source: Mapping[str, Any]) -> Any:
    """Sorted into pools once for all seeds. A generated log that is resampled is always the same one."""
    from thinktime.resampling import Resampler

    base = {key: value for key, value in source.items() if key not in (RESAMPLE, "mixed")}
    logs = [SHELF.get(each, 1) for each in (base, *source.get("mixed", ()))]
    return Resampler(logs, **{key: value for key, value in source[RESAMPLE].items() if key != SEEDED})
