"""Nothing half-written: files and directories come to life under a temporary name and are then renamed.

A killed process leaves at most a hidden sibling, `.NAME.partial-PID-N`, which nothing takes for a result.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from thinktime.errors import InputError

RUN_FILE = "run.json"  # what makes a directory a run directory; written last

_counter = itertools.count(1)  # so that two threads of one process never share a temporary name


@contextlib.contextmanager
def staged_directory(directory: str | Path, overwrite: bool = False) -> Iterator[Path]:
    """A temporary directory that becomes `directory` if the block succeeds and vanishes if it does not."""
    target = Path(directory)
    _check_target(target, overwrite)
    temporary = _temporary(target)
    try:
        with errors_as_sentence(target):
            temporary.mkdir()
            yield temporary
            _sync_tree(temporary)
            _publish(temporary, target, overwrite)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


@contextlib.contextmanager
def staged_file(path: str | Path) -> Iterator[Path]:
    """A temporary file name that becomes `path` if the block succeeds; an existing file is replaced."""
    target = Path(path)
    temporary = _temporary(target)
    try:
        with errors_as_sentence(target):
            yield temporary
            _sync(temporary)
            os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def errors_as_sentence(target: Path) -> Iterator[None]:
    """What the operating system or polars refuses, as one sentence with the target's name."""
    try:
        yield
    except Exception as error:
        if not (isinstance(error, OSError) or type(error).__module__.partition(".")[0] == "polars"):
            raise
        advice = "choose a place with room and write access"
        raise InputError(f"cannot write {target}: {_reason(error)}: {advice}") from error


def _reason(error: Exception) -> str:
    """The system's own words, e.g. `No space left on device`, in one line."""
    text = getattr(error, "strerror", None) or str(error)
    return " ".join(text.split()).rstrip(".:")


def _check_target(target: Path, overwrite: bool) -> None:
    if not target.name:
        raise InputError(
            f"{str(target)!r} names no directory that could be created: give a path with a name at its end"
        )
    if not target.parent.is_dir():
        raise InputError(f"cannot write {target}: there is no directory {target.parent}: create it first")
    if not os.path.lexists(target):
        return
    if not overwrite:
        raise InputError(f"{target} exists already: choose another directory or overwrite=True")
    if not (target / RUN_FILE).is_file():
        raise InputError(f"{target} holds no {RUN_FILE}, so it is no run to overwrite: choose another directory")


def _temporary(target: Path) -> Path:
    return target.with_name(f".{target.name}.partial-{os.getpid()}-{next(_counter)}")


def _publish(temporary: Path, target: Path, overwrite: bool) -> None:
    """Rename. An old run steps aside first and is removed last: at every moment one of both exists."""
    if not (overwrite and target.exists()):
        os.rename(temporary, target)
        _sync(target.parent)
        return
    aside = target.with_name(f".{target.name}.replaced-{os.getpid()}-{next(_counter)}")
    os.rename(target, aside)
    try:
        os.rename(temporary, target)
    except OSError:
        os.rename(aside, target)
        raise
    _sync(target.parent)
    shutil.rmtree(aside, ignore_errors=True)


def _sync_tree(directory: Path) -> None:
    for path in directory.iterdir():
        _sync(path)
    _sync(directory)


def _sync(path: Path) -> None:
    """Onto the disk, so that a rename never precedes the contents it publishes."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
