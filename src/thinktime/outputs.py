"""Files that no output may replace: what makes a directory a run or a store.

Every writer asks here first, whichever command or function named the file.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from thinktime.errors import InputError

RUN_FILE, STUDY_FILE, JOURNAL, RUNS = "run.json", "study.json", "journal", "runs"
TABLES = (
    "jobs.parquet",
    "timeline.parquet",
    "decisions.parquet",
    "placements.parquet",
    "attempts.parquet",
    "attempt_nodes.parquet",
)
REPORT = re.compile(r"report_(?P<name>[a-z0-9_-]+)\.parquet")  # a table of a plugin


def require_replaceable_file(path: str | os.PathLike[str]) -> None:
    """Raise InputError if the path, links followed, is a file of a run directory or of a store."""
    target = Path(os.path.realpath(path))
    if not target.is_file():
        return
    if _of_run(target) or _of_store(target):
        raise InputError(f"cannot write {path}: it is part of {target.parent}: choose another name")


def require_new(path: Path, overwrite: bool, *inputs: str | Path, option: str = "--out") -> None:
    """Raise InputError if an output is an input, or is there already and must not be replaced."""
    for each in inputs:
        if path.resolve() == Path(each).resolve():
            raise InputError(f"{path} would be written over {each}, which is read: choose another {option}")
    require_replaceable_file(path)
    if os.path.lexists(path) and not path.is_dir() and not overwrite:
        raise InputError(f"{path} exists already: choose another {option}, or add --overwrite to replace that file")


def _of_run(target: Path) -> bool:
    beside = target.name in TABLES or REPORT.fullmatch(target.name)
    return target.name == RUN_FILE or bool(beside and (target.parent / RUN_FILE).is_file())


def _of_store(target: Path) -> bool:
    journal = target.parent.name == JOURNAL and (target.parent.parent / STUDY_FILE).is_file()
    return target.name == STUDY_FILE or journal
