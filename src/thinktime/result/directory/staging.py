"""Files and directories are written under a temporary name and then renamed, so that none is ever half-written.

A killed process leaves at most a hidden file or folder `.NAME.partial-PID-N` in the same folder.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from thinktime.errors import InputError
from thinktime.support.files import json_of, require_text_path
from thinktime.support.output_files import REPORT, RUN_FILE, TABLES, require_replaceable_file

FORMAT = "thinktime-run"  # the field `format` of run.json

#: All files of a run directory: a directory with other files is never replaced.
FIGURES = "figures"
FIGURE_KINDS = (".png", ".svg", ".pdf")
OWN_FILES = (RUN_FILE, *TABLES, "schedule.swf", "jobs.csv", "batsim_jobs.csv", "accasim_schedule.txt")

_counter = itertools.count(1)  # so that two threads of one process never share a temporary name


@contextlib.contextmanager
def staged_directory(directory: str | Path, overwrite: bool = False) -> Iterator[Path]:
    """Yield a temporary directory that is renamed to `directory` if the block succeeds and removed if it does not."""
    target = Path(directory)
    require_text_path(target)
    _check_target(target, overwrite)
    temporary = _temporary(target)
    try:
        with errors_as_input_error(target):
            temporary.mkdir()
            yield temporary
            _sync_tree(temporary)
            _publish(temporary, target, overwrite)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


@contextlib.contextmanager
def staged_file(path: str | Path, *, kept: bool = False) -> Iterator[Path]:
    """Yield a temporary file name that is renamed to `path` if the block succeeds.

    An existing file is replaced; a file of a run or a store only if the caller keeps it.
    """
    target = Path(path)
    if not kept:
        require_replaceable_file(target)
    require_text_path(target)
    if not target.name or target.is_dir():
        raise InputError(f"cannot write {path}: Is a directory: give the name of a file")
    temporary = _temporary(target)
    try:
        with errors_as_input_error(target):
            yield temporary
            _sync(temporary)
            os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def errors_as_input_error(target: Path) -> Iterator[None]:
    """Turn errors of the operating system and of polars into an InputError with the name of the target."""
    try:
        yield
    except Exception as error:
        if not (isinstance(error, OSError) or type(error).__module__.partition(".")[0] == "polars"):
            raise
        advice = "choose a place with room and write access"
        raise InputError(f"cannot write {target}: {_reason_of_system(error)}: {advice}") from error


def _reason_of_system(error: Exception) -> str:
    """Return the text of the operating system in one line, such as `No space left on device`."""
    text = getattr(error, "strerror", None) or str(error)
    return " ".join(text.split()).rstrip(".:")


def _check_target(target: Path, overwrite: bool) -> None:
    if not target.name:
        raise InputError(
            f"{str(target)!r} does not name a directory that can be created: give a path that ends in a name"
        )
    if not target.parent.is_dir():
        raise InputError(f"cannot write {target}: there is no directory {target.parent}: create it first")
    if not os.path.lexists(target):
        return
    if not overwrite:
        raise InputError(f"{target} already exists: choose another directory or overwrite=True")
    require_replaceable(target)


def require_replaceable(target: Path) -> None:
    """Raise InputError unless the directory holds a run and nothing else: replacing it deletes all files."""
    advice = "so it is not replaced: choose another directory"
    if target.is_symlink():
        raise InputError(f"{target} is a symbolic link, {advice} or the one it points to")
    if not _says_run(target / RUN_FILE):
        raise InputError(f"{target} holds no {RUN_FILE} of a run, {advice}")
    foreign = sorted(path.name for path in target.iterdir() if not _own(path))
    if foreign:
        raise InputError(f"{target} also holds {foreign[0]!r}, which is not part of a run, {advice}")


def _says_run(path: Path) -> bool:
    try:
        content = json_of(path)
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and content.get("format") == FORMAT


def _own(path: Path) -> bool:
    """Return whether an entry is a file of a run, or a temporary file of a killed process."""
    if path.name == FIGURES and path.is_dir() and not path.is_symlink():
        return all(_left_behind(item) or (_is_file(item) and item.suffix in FIGURE_KINDS) for item in path.iterdir())
    known = path.name in OWN_FILES or REPORT.fullmatch(path.name) is not None
    return _left_behind(path) or (_is_file(path) and known)


def _left_behind(path: Path) -> bool:
    return _is_file(path) and path.name.startswith(".") and ".partial-" in path.name


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _temporary(target: Path) -> Path:
    return target.with_name(f".{target.name}.partial-{os.getpid()}-{next(_counter)}")


def _publish(temporary: Path, target: Path, overwrite: bool) -> None:
    """Rename. An old run is renamed first and removed last, so that one of the two always exists."""
    if not (overwrite and target.exists()):
        _rename_to_new(temporary, target)
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


def _rename_to_new(temporary: Path, target: Path) -> None:
    """Rename, unless another process has created the target in the meantime."""
    try:
        os.rename(temporary, target)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
            raise
        raise InputError(
            f"{target} was written by another process in the meantime: that run is kept, this one is not saved"
        ) from None


def _sync_tree(directory: Path) -> None:
    for path in directory.iterdir():
        _sync(path)
    _sync(directory)


def _sync(path: Path) -> None:
    """Flush to the disk, so that the content is there before the rename."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
