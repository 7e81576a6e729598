"""What a command wrote into a folder, remembered there: when it writes again, nothing of the old set stays.

`.thinktime-files.json` names the files. Only those are ever removed: other files in the folder stay.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

WRITTEN = ".thinktime-files.json"


class OutputSet:
    """`made = OutputSet(folder)` removes the old set; `made.add(paths)` remembers what was written, at once."""

    def __init__(self, folder: Path, *usual: str) -> None:
        """`usual` names files that are the command's even where no list says so."""
        self._folder, self.paths = folder, list[Path]()
        for name in {*_listed(folder / WRITTEN), *usual}:
            path = folder / name
            if path.is_file() and not path.is_symlink():
                path.unlink()

    def add(self, paths: Iterable[Path]) -> None:
        self.paths += paths
        names = sorted(path.relative_to(self._folder).as_posix() for path in self.paths)
        temporary = self._folder / f"{WRITTEN}.partial-{os.getpid()}"
        temporary.write_text(json.dumps(names, indent=1) + "\n", encoding="utf-8")
        temporary.replace(self._folder / WRITTEN)


def _listed(path: Path) -> list[str]:
    """Names in the folder or one below it; a list that says anything else is not believed."""
    try:
        names = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    return [name for name in names if _inside(name)] if isinstance(names, list) else []


def _inside(name: object) -> bool:
    parts = Path(name).parts if isinstance(name, str) and "\0" not in name else ()
    return 1 <= len(parts) <= 2 and not Path(*parts).is_absolute() and ".." not in parts
