"""Cluster files: relative paths start at the current folder, or in a study at the folder of its file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path

from thinktime.errors import InputError
from thinktime.support.toml_lines import line_of, text_of_file

_BASE: ContextVar[Path | None] = ContextVar("folder of cluster files", default=None)


@contextlib.contextmanager
def paths_from(folder: Path) -> Iterator[None]:
    """Inside the block, relative paths of cluster files start at this folder."""
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
    """Return the error with the file, and with the line if the text is TOML and the error has a place."""
    line = line_of(text, getattr(error, "place", ()) or ()) if text else None
    return InputError(f"{path}{f' line {line}' if line else ''}: {error}")
