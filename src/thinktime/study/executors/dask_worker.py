"""The worker's part: find the log and the table of requests, run the tasks, return the outcomes.

A file is read under the client's path if it exists there with the right hash. Otherwise the worker returns its hash,
and the client sends the batch again with the bytes of the file, which Dask moves between workers. A worker keeps them
in its local directory, which Dask removes with the worker.
"""

from __future__ import annotations

import dataclasses
import os
import tempfile
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from thinktime import __version__
from thinktime.errors import InputError
from thinktime.study.execute import Outcome, execute
from thinktime.study.sources import REQUESTS, files_of, sha256_of
from thinktime.study.study import Task


class Answer(NamedTuple):
    """The outcomes of a batch, or why there are none."""

    outcomes: list[Outcome]
    missing: str | None = None  # hash of the file that this worker cannot read
    other_version: str | None = None  # the worker's, if it is not the client's


def run_batch(
    tasks: Sequence[Task], log: bytes | None = None, requests: bytes | None = None, modules: Sequence[str] = ()
) -> Answer:
    """Run tasks of one log, or of none.

    `log` and `requests` are the bytes of the client's files, if they were sent; `modules` have the user's own policies.
    """
    if tasks[0].spec["version"] != __version__:
        return Answer([], other_version=__version__)
    for module in modules:
        import_module(module)
    given, places = {"log": log, "requests": requests}, dict[str, str]()
    for what, (sha256, path) in files_of(tasks[0].spec["workload"]).items():
        here = found(sha256, Path(path), given[what])
        if here is None:
            return Answer([], missing=sha256)
        places[what] = str(here)
    return Answer([_run_with_files(task, places) for task in tasks])


def held(data: bytes) -> bytes:
    """Return the bytes of a file as a Dask task: unlike scattered data, it is repeated if its worker is lost."""
    return data


def found(sha256: str, given: Path, data: bytes | None = None) -> Path | None:
    """Return the path of the file on this worker, or None."""
    if _is(given, sha256):
        return given
    copy = _folder() / sha256 / given.name  # a workload is called after its file
    if data is not None and not _is(copy, sha256):
        _write_then_rename(copy, data)
    return copy if _is(copy, sha256) else None


def _run_with_files(task: Task, places: Mapping[str, str]) -> Outcome:
    """Run the task with the files of this worker; errors name the client's paths."""
    source = dict(task.spec["workload"])
    if "log" in places:
        source["path"] = places["log"]
    if REQUESTS in places:
        source[REQUESTS] = {**source[REQUESTS], "path": places[REQUESTS]}
    outcome = execute(dataclasses.replace(task, spec={**task.spec, "workload": source}))
    for what, (_, path) in files_of(task.spec["workload"]).items():
        if outcome["error"] is not None:
            outcome["error"] = outcome["error"].replace(places[what], path)
    return outcome


def _is(path: Path, sha256: str) -> bool:
    try:
        return sha256_of(path) == sha256
    except InputError:
        return False


def _folder() -> Path:
    from distributed import get_worker

    return Path(get_worker().local_directory) / "logs"


def _write_then_rename(path: Path, data: bytes) -> None:
    """Write under a temporary name first, because other threads of this worker may look for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(number, "wb") as file:
        file.write(data)
    os.replace(name, path)
