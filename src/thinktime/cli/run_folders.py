"""The directory of a run: the one of --out, or one named after the hash of the run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thinktime.errors import InputError

if TYPE_CHECKING:
    from thinktime.metrics import Summary

RUNS = Path("runs")
MOST_LETTERS = 60  # of the scheduler in the name of a directory


def own_name(log: str, scheduler: str, digest: str) -> Path:
    """Return `runs/KTH-SP2-1996-2.1-cln-easy-order=sjf-1a2b3c4d`: the same inputs give the same name."""
    return RUNS / f"{log}-{folder_name(scheduler)[:MOST_LETTERS].rstrip('-')}-{digest[:8]}"


def folder_name(text: str) -> str:
    """Return `easy-order=sjf` for `easy:order=sjf`."""
    return "".join(letter if letter.isalnum() or letter in "-_.=" else "-" for letter in text)


def require_free(directory: Path | None, overwrite: bool) -> None:
    """Raise InputError if the directory exists or cannot be made, before the simulation begins."""
    if directory is None:
        return
    if not directory.name:
        raise InputError(f"--out must be the name of a new directory (got {_path_as_given(directory)!r})")
    if os.path.lexists(directory):
        _require_replaceable(directory, overwrite)
    above = next(path for path in (directory.absolute(), *directory.absolute().parents) if path.exists())
    if not above.is_dir():
        raise InputError(f"cannot create {directory}: {above} is a file. Choose another --out.")
    if not os.access(above, os.W_OK):
        raise InputError(f"cannot create {directory}: {above} is not writable. Choose another --out.")


def _path_as_given(directory: Path) -> str:
    """Return an empty text for `.`: an empty --out is the usual mistake."""
    return "" if directory == Path() else str(directory)


def _require_replaceable(directory: Path, overwrite: bool) -> None:
    from thinktime.result.directory.staging import require_replaceable

    if not overwrite:
        raise InputError(f"{directory} already exists: choose another --out, or add --overwrite to replace the run")
    require_replaceable(directory)


def prepare(directory: Path) -> Path:
    """Create the parents of a directory and return it."""
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot create the folder {directory.parent} ({error.strerror}): choose another --out"
        ) from None
    return directory


def holds(directory: Path, digest: str) -> bool:
    """Return whether the directory has the finished run with this hash."""
    from thinktime.result.directory.save_load import read_run_file

    return directory.is_dir() and read_run_file(directory).get("digest") == digest


def summary_of(content: dict[str, Any]) -> Summary:
    """Return the summary in a run.json."""
    from thinktime.metrics import CATALOGUE, Cautions, Summary

    stored = content["summary"]
    every = CATALOGUE.every_run()
    values = {name: stored.get(name) for name in CATALOGUE if name in every or name in stored}
    strange = [name for name, value in values.items() if not isinstance(value, int | float | None)]
    if strange:
        raise InputError(f"the summary in run.json has {strange[0]} = {values[strange[0]]!r}: save the run again")
    said = stored["settings"], stored["excluded"], stored["notes"]
    return Summary(values, *said, Cautions.from_dict(stored.get("cautions", {})))
