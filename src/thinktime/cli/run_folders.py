"""Where a run goes: the directory that was asked for, or one named after the run's hash."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from thinktime.errors import InputError

RUNS = Path("runs")


def own_name(log: str, scheduler: str, digest: str) -> Path:
    """`runs/KTH-SP2-1996-2.1-cln-easy-1a2b3c4d`: the same inputs give the same name."""
    return RUNS / f"{log}-{scheduler}-{digest[:8]}"


def require_free(directory: Path | None, overwrite: bool) -> None:
    """What was asked for must not exist yet and must be possible; told before anything long begins."""
    if directory is None:
        return
    if not directory.name:
        raise InputError(f"--out is {_typed(directory)!r}, which names no directory that could be made: give a name")
    if os.path.lexists(directory):
        _require_replaceable(directory, overwrite)
    above = next(path for path in (directory.absolute(), *directory.absolute().parents) if path.exists())
    if not above.is_dir():
        raise InputError(f"{directory} cannot be made because {above} is a file: choose another --out")
    if not os.access(above, os.W_OK):
        raise InputError(f"{directory} cannot be made because {above} is not writable: choose another --out")


def _typed(directory: Path) -> str:
    """`''` and `.` are the same path; the former is what people give by mistake."""
    return "" if directory == Path() else str(directory)


def _require_replaceable(directory: Path, overwrite: bool) -> None:
    from thinktime.result.directory.staging import require_replaceable

    if not overwrite:
        raise InputError(f"{directory} exists already: choose another --out, or --overwrite to replace that run")
    require_replaceable(directory)


def prepare(directory: Path) -> Path:
    """The directory with all that is above it made."""
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"the folder {directory.parent} cannot be made ({error.strerror}): choose another --out"
        ) from None
    return directory


def holds(directory: Path, digest: str) -> bool:
    """Whether this very run is there already and finished."""
    from thinktime.result.directory.save_load import read_run_file

    return directory.is_dir() and read_run_file(directory).get("digest") == digest


def summary_of(content: dict[str, Any]) -> Any:
    """The Summary that a run.json holds."""
    from thinktime.metrics import CATALOGUE, Cautions, Summary

    stored = content["summary"]
    every = CATALOGUE.every_run()
    values = {name: stored.get(name) for name in CATALOGUE if name in every or name in stored}
    strange = [name for name, value in values.items() if not isinstance(value, int | float | None)]
    if strange:
        raise InputError(f"the summary in run.json has {strange[0]} = {values[strange[0]]!r}: save the run again")
    said = stored["settings"], stored["excluded"], stored["notes"]
    return Summary(values, *said, Cautions.from_dict(stored.get("cautions", {})))
