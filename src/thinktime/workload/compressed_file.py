"""Writes a text file, packed by its ending; it gets its name when it is complete."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import secrets
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from os import PathLike, fspath
from typing import IO, cast

from thinktime.errors import InputError
from thinktime.support.output_files import require_replaceable_file

_OTHER_PACKING = (".zip", ".zst", ".7z", ".z")  # endings of packings that are not written


@contextmanager
def packed_file(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """Yield a file to write, packed if the name ends in .gz, .xz or .bz2; the whole file or nothing."""
    require_path(path)
    _require_known_packing(fspath(path))
    target = os.path.realpath(path) if os.path.islink(path) else fspath(path)  # keep a link
    require_replaceable_file(target)
    if os.path.exists(target) and not os.path.isfile(target):
        raise InputError(f"cannot write {fspath(path)}: not a regular file: choose another name")
    with _replacing(target) as file:
        yield file


def require_path(path: object) -> None:
    if not isinstance(path, str | PathLike):
        raise InputError(f"the file to write must be a name or a path (got {path!r:.40})")


def _require_known_packing(path: str) -> None:
    if path.lower().endswith(_OTHER_PACKING):
        raise InputError(f"{path} has an ending that is not supported: use .swf, .gz, .xz or .bz2")


@contextmanager
def _replacing(path: str) -> Iterator[IO[bytes]]:
    """Yield a temporary file that is renamed when it is complete."""
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{secrets.token_hex(4)}.part")
    try:
        with open(temporary, "xb") as file, _packed(file, path) as packed:
            yield packed
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}: check the disk and the folder") from None
    finally:
        with suppress(OSError):
            os.unlink(temporary)


def _packed(file: IO[bytes], path: str) -> AbstractContextManager[IO[bytes]]:
    """Return a packing file by the ending of the name; the bytes do not depend on the name or the time."""
    name = path.lower()
    if name.endswith(".gz"):
        return cast(AbstractContextManager[IO[bytes]], gzip.GzipFile("", "wb", 6, file, mtime=0))
    if name.endswith(".xz"):
        return cast(AbstractContextManager[IO[bytes]], lzma.LZMAFile(file, "wb"))
    if name.endswith(".bz2"):
        return cast(AbstractContextManager[IO[bytes]], bz2.BZ2File(file, "wb"))
    return nullcontext(file)
