"""Sources of the jobs of a run: a log, a generator, or a resample, identified by content, not by path.

A source is a JSON-able table. All entries but `path` affect the run: for a log the hash of its file and how it is
read, for a generator its name and options. A resample is the source of its log, with options under `resample` and
further logs under `mixed`. Factors for the load are under `scale_load`, amounts of resources by job under `requests`.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from thinktime.errors import InputError
from thinktime.generate import AccaSim, Generator
from thinktime.spec import from_dict, from_stored, suggestion
from thinktime.support.files import require_regular
from thinktime.support.random_streams import checked_seed
from thinktime.workload import LoadScaling, Workload, scale_load

if TYPE_CHECKING:
    from thinktime.traces.reader import Reader

KEPT = 8  # workloads that stay in memory, the most recently used

RESAMPLE = "resample"
SCALE_LOAD = "scale_load"  # factors for the load, in order
REQUEST_COLUMNS = "request_columns"  # resource or pool → column of the workload, or a number
REQUESTS = "requests"  # amounts of a cluster's resources and pools by job: the hash of a file, and its path
READING = ("reader", "filter", "processors", "remove", "machine")  # options of `read`
SEEDED = "seed"
READER = "reader"


#: names; their options are in thinktime.generate
GENERATORS = ("default", "lublin", "accasim")
LEARNS = "accasim"  # is fitted to the log under `from`, of a `cluster`


def from_log(path: Path, reading: Mapping[str, Any]) -> dict[str, Any]:
    """Return the source of a log; its reading options are checked now."""
    from thinktime.workload.reading.read import Reading

    options = {"reader": None, "filter": "base", "processors": None, "remove": [], "machine": None} | dict(reading)
    checked = Reading(options["filter"], options["processors"], options["remove"], options["machine"])
    format_of = _reader_of(path, options["reader"])
    return {"log": sha256_of(path), **format_of, **checked.to_dict(), "machine": options["machine"], "path": str(path)}


def _reader_of(path: Path, given: Any) -> dict[str, Any]:
    """Return the reader that affects the run: a given one, or an own one that is found by the ending of the file."""
    from thinktime.spec import as_spec
    from thinktime.spec.own import OwnSpec
    from thinktime.traces.reader import Reader, reader_of

    given = from_dict(READER, dict(given)) if isinstance(given, Mapping) else given
    reader = as_spec(Reader, given) if given is not None else reader_of(path)
    if not reader.opens_files:
        raise InputError(f"reader {reader.name} reads no file, and a study needs one: write its jobs to a file first")
    return {"reader": reader.to_dict()} if given is not None or isinstance(reader, OwnSpec) else {}


def readers_of(source: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the readers that a source names, with those of the logs that it is made from."""
    if READER in source:
        yield source[READER]
    for each in (*([source["from"]] if "from" in source else ()), *source.get("mixed", ())):
        yield from readers_of(each)


def from_generator(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    if name not in GENERATORS:
        near = suggestion(name, GENERATORS)
        raise InputError(f"unknown generator {name!r}{near}: choose from {', '.join(GENERATORS)}")
    given = {key: value for key, value in options.items() if key != SEEDED}
    if SEEDED in options:
        checked_seed(options[SEEDED])
    if name == LEARNS:
        raise InputError(f"accasim learns from a log: write {{ generator = {name!r}, from = LOG, cluster = NAME }}")
    spec_of_generator(name, given)
    return {"generator": name, **options}


def from_learning(log: dict[str, Any], cluster: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the source of a generator that is fitted to a log; the options are checked now."""
    from thinktime.platforms import Cluster

    if not isinstance(cluster, str):
        raise InputError(f"cluster of accasim must be the cluster of its log, such as seth (got {cluster!r})")
    spec_of_generator(LEARNS, {key: value for key, value in options.items() if key != SEEDED})
    if SEEDED in options:
        checked_seed(options[SEEDED])
    return {"generator": LEARNS, "from": log, "cluster": Cluster.from_text(cluster).to_dict(), **options}


def spec_of_generator(name: str, options: Mapping[str, Any]) -> Generator:
    """Return the generator with its options; raise InputError for invalid ones."""
    found = from_dict("generator", {**options, "name": name})
    assert isinstance(found, Generator)
    return found


def from_resample(base: dict[str, Any], mixed: list[dict[str, Any]], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the source of resampled logs; options are checked now, and with the log when it is read."""
    from thinktime.resampling.options import Options

    given = {key: value for key, value in options.items() if key != SEEDED}
    if SEEDED in options:
        checked_seed(options[SEEDED])
    Options.of(given).loads(1 + len(mixed))
    return {**base, RESAMPLE: dict(options), **({"mixed": mixed} if mixed else {})}


def with_requests(source: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return the source with a table of requests; raise InputError if its jobs differ between seeds."""
    if is_random(source):
        raise InputError(
            f"requests is {path.name!r} but the jobs of this workload differ between seeds: give the workload a seed,"
            " or omit requests"
        )
    return {**source, REQUESTS: {"sha256": sha256_of(path, "table of requests"), "path": str(path)}}


def with_scaled_load(source: dict[str, Any], given: Any) -> dict[str, Any]:
    """Return the source with a crudely scaled load: a table with `factor` and `by`, or a list of these."""
    steps = [LoadScaling.of(each).to_dict() for each in (given if isinstance(given, list) else [given])]
    return {**source, SCALE_LOAD: steps}


def files_of(source: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Return the files to read, `log` and `requests`, each with its hash and path."""
    log = {"log": (source["log"], source["path"])} if "log" in source else {}
    table = source.get(REQUESTS)
    return {**log, **({REQUESTS: (table["sha256"], table["path"])} if table else {})}


def is_random(source: Mapping[str, Any]) -> bool:
    """Whether the jobs depend on the seed of the run: a generator or resample without a seed."""
    if RESAMPLE in source:
        return SEEDED not in source[RESAMPLE]
    return "generator" in source and SEEDED not in source


def identity(source: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content that the hash of a run covers."""
    content = {key: value for key, value in source.items() if key != "path"}
    if REQUESTS in source:
        content[REQUESTS] = source[REQUESTS]["sha256"]
    if "from" in source:
        content["from"] = identity(source["from"])
    return content | ({"mixed": [identity(each) for each in source["mixed"]]} if "mixed" in source else {})


_known: dict[tuple[str, int, int], str] = {}  # path, size and time of change → hash


def sha256_of(path: Path, what: str = "log") -> str:
    """Return the SHA-256 of a file; it is computed again only if the file changes."""
    try:
        require_regular(path)
        state = path.stat()
        key = (str(path.resolve()), state.st_size, state.st_mtime_ns)
        if key not in _known:
            with path.open("rb") as file:
                _known[key] = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"Cannot read the {what} {path}: {error.strerror}.") from None
    return _known[key]


class WorkloadCache:
    """Workloads in memory, by content. A thread that needs one that is being read waits for it."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept, self._lock = kept, threading.Lock()
        self._places: OrderedDict[str, _Place] = OrderedDict()

    def get(self, source: Mapping[str, Any], seed: int) -> Workload:
        apart = (REQUESTS, REQUEST_COLUMNS)  # requests do not change the jobs
        source = {key: value for key, value in source.items() if key not in apart}
        key = repr(sorted(identity(source).items())) + (f" seed {seed}" if is_random(source) else "")
        made: Workload = self.keep(key, lambda: load(source, seed))
        return made

    def keep(self, key: str, make: Callable[[], Any]) -> Any:
        """Return what `make` makes; it is made once while it is in the cache."""
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


WORKLOADS = WorkloadCache()


def load(source: Mapping[str, Any], seed: int) -> Workload:
    """Read or generate the workload."""
    if SCALE_LOAD in source:
        return _scaled(source, seed)
    if RESAMPLE in source:
        key = "resampler of " + repr(sorted(identity(source).items()))
        made: Workload = WORKLOADS.keep(key, lambda: _resampler(source)).workload(source[RESAMPLE].get(SEEDED, seed))
        return made
    if "generator" in source:
        return _generator(source).workload(seed=source.get(SEEDED, seed))
    from thinktime.workload import read

    path = Path(source["path"])
    if sha256_of(path) != source["log"]:
        raise InputError(f"{path} has changed since the study was read: run the study again")
    reader = from_stored(READER, dict(source[READER])) if READER in source else None
    how = {key: source[key] for key in READING if source.get(key) is not None and key != READER}
    return read(path, reader=cast("Reader | None", reader), **how)


def _scaled(source: Mapping[str, Any], seed: int) -> Workload:
    workload = WORKLOADS.get({key: value for key, value in source.items() if key != SCALE_LOAD}, seed)
    for step in source[SCALE_LOAD]:
        workload = scale_load(workload, step["factor"], by=step["by"], machine=source.get("machine"))
    return workload


def _generator(source: Mapping[str, Any]) -> Generator:
    """Return the generator; one that is fitted to a log is fitted once for all seeds."""
    said = ("generator", "from", "cluster", SEEDED)
    found = spec_of_generator(source["generator"], {key: value for key, value in source.items() if key not in said})
    if not isinstance(found, AccaSim):
        return found
    key = "learnt from " + repr(sorted((k, v) for k, v in identity(source).items() if k != SEEDED))
    learnt: Generator = WORKLOADS.keep(key, lambda: _fitted(found, source))
    return learnt


def _fitted(generator: AccaSim, source: Mapping[str, Any]) -> Generator:
    cluster: Any = from_dict("platform", dict(source["cluster"]))
    return generator.of(WORKLOADS.get(source["from"], 1), cluster)


def _resampler(source: Mapping[str, Any]) -> Any:
    """Return the resampler, prepared once for all seeds. A generated log that is resampled always has seed 1."""
    from thinktime.resampling import Resampler

    base = {key: value for key, value in source.items() if key not in (RESAMPLE, "mixed")}
    logs = [WORKLOADS.get(each, 1) for each in (base, *source.get("mixed", ()))]
    return Resampler(logs, **{key: value for key, value in source[RESAMPLE].items() if key != SEEDED})
