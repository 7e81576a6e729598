"""Output files: which files no output may replace, and which files a command wrote into a folder.

Every writer calls `require_replaceable_file` or `require_new` first. `OutputSet` lists the files of a command in
`.thinktime-files.json`; when the command writes again, it removes these files and no others.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path

from thinktime.errors import InputError

WRITTEN = ".thinktime-files.json"
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
    """Raise InputError if an output is also an input, or if it exists and must not be replaced."""
    for each in inputs:
        if path.resolve() == Path(each).resolve():
            raise InputError(f"{path} would overwrite the input {each}: choose another {option}")
    require_replaceable_file(path)
    if os.path.lexists(path) and not path.is_dir() and not overwrite:
        raise InputError(f"{path} already exists: choose another {option}, or add --overwrite to replace the file")


def _of_run(target: Path) -> bool:
    beside = target.name in TABLES or REPORT.fullmatch(target.name)
    return target.name == RUN_FILE or bool(beside and (target.parent / RUN_FILE).is_file())


def _of_store(target: Path) -> bool:
    journal = target.parent.name == JOURNAL and (target.parent.parent / STUDY_FILE).is_file()
    return target.name == STUDY_FILE or journal


class OutputSet:
    """The files of a command in a folder: `OutputSet(folder)` removes the old ones, `add(paths)` records new ones."""

    def __init__(self, folder: Path, *usual: str) -> None:
        """Remove the recorded files, and the files named `usual`."""
        self._folder, self.paths = folder, list[Path]()
        for name in {*_read_listed_names(folder / WRITTEN), *usual}:
            path = folder / name
            if path.is_file() and not path.is_symlink():
                path.unlink()

    def add(self, paths: Iterable[Path]) -> None:
        self.paths += paths
        names = sorted(path.relative_to(self._folder).as_posix() for path in self.paths)
        temporary = self._folder / f"{WRITTEN}.partial-{os.getpid()}"
        temporary.write_text(json.dumps(names, indent=1) + "\n", encoding="utf-8")
        temporary.replace(self._folder / WRITTEN)


def _read_listed_names(path: Path) -> list[str]:
    """Return the listed names in the folder or one level below it; ignore all others."""
    try:
        names = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    return [name for name in names if _names_file_inside(name)] if isinstance(names, list) else []


def _names_file_inside(name: object) -> bool:
    parts = Path(name).parts if isinstance(name, str) and "\0" not in name else ()
    return 1 <= len(parts) <= 2 and not Path(*parts).is_absolute() and ".." not in parts
