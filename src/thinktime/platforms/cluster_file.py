"""Which file a text means: paths count from the current folder, or, in a study, from the folder of its file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path

from thinktime.errors import InputError
from thinktime.toml_lines import line_of, text_of_file

_BASE: ContextVar[Path | None] = ContextVar("folder of cluster files", default=None)


@contextlib.contextmanager
def paths_from(folder: Path) -> Iterator[None]:
    """Inside, relative paths of cluster files count from this folder."""
    token = _BASE.set(folder)
    try:
        yield
    finally:
        _BASE.reset(token)


def found(path: str) -> Path:
    base = _BASE.get()
    return Path(path) if base is None else base / path


def cluster_text(path: Path) -> str:
    return text_of_file(path, "give the file of a cluster, as text in UTF-8")


def with_place(error: InputError, path: Path, text: str = "") -> InputError:
    """The same sentence with the file, and the line if the text is TOML and the mistake says where it is."""
    line = line_of(text, getattr(error, "place", ()) or ()) if text else None
    return InputError(f"{path}{f' line {line}' if line else ''}: {error}")
