"""What happens on a worker: find the log, carry out the runs, answer. Nothing is written that others see.

A log that the worker can read under the client's path is read there, if its hash is the right one. Otherwise the
worker says so, and the client sends the batch again with the bytes of the log, which Dask moves from worker to
worker. They are laid down once in the worker's own folder, which Dask removes with the worker.
"""

from __future__ import annotations

import dataclasses
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from thinktime import __version__
from thinktime.errors import InputError
from thinktime.study.execute import Outcome, execute
from thinktime.study.sources import sha256_of
from thinktime.study.study import Task


class Answer(NamedTuple):
    """What comes back of a batch: the outcomes, or why there are none."""

    outcomes: list[Outcome]
    missing_log: str | None = None  # hash of the log that this worker cannot read
    other_version: str | None = None  # the worker's, if it is not the client's


def run_batch(tasks: Sequence[Task], log: bytes | None = None) -> Answer:
    """Carry out runs of one log, or of none; `log` has the bytes of its file, as on the client's disk."""
    if tasks[0].spec["version"] != __version__:
        return Answer([], other_version=__version__)
    source = tasks[0].spec["workload"]
    if "log" not in source:
        return Answer([execute(task) for task in tasks])
    path = found(source, log)
    if path is None:
        return Answer([], missing_log=source["log"])
    return Answer([_carried_out(task, str(path)) for task in tasks])


def as_it_is(log: bytes) -> bytes:
    """The task that holds a log's bytes: unlike scattered data, Dask makes it again when its worker is lost."""
    return log


def found(source: Mapping[str, Any], log: bytes | None = None) -> Path | None:
    """Where the log can be read here, or None."""
    given = Path(source["path"])
    copy = _folder() / source["log"] / given.name  # a workload is called after its file
    for path in (given, copy):
        if _is(path, source["log"]):
            return path
    if log is not None:
        _write(copy, log)
    return copy if log is not None else None


def _carried_out(task: Task, path: str) -> Outcome:
    """The outcome of the task, which does not tell where the log lay."""
    source = task.spec["workload"]
    outcome = execute(dataclasses.replace(task, spec={**task.spec, "workload": {**source, "path": path}}))
    if outcome["error"] is not None:
        outcome["error"] = outcome["error"].replace(path, source["path"])
    return outcome


def _is(path: Path, sha256: str) -> bool:
    try:
        return sha256_of(path) == sha256
    except InputError:
        return False


def _folder() -> Path:
    from distributed import get_worker

    return Path(get_worker().local_directory) / "logs"


def _write(path: Path, data: bytes) -> None:
    """Under another name first: threads of this worker may look for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(number, "wb") as file:
        file.write(data)
    os.replace(name, path)
