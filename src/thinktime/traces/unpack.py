"""Reads a log in blocks, plain or packed (gzip, xz, bzip2, zip).

The first bytes decide about the packing, not the name. Memory is a few blocks. Pipes are allowed; devices are not,
because they never end, nor packed files that unpack to far more than any log.
"""

from __future__ import annotations

import bz2
import lzma
import os
import stat
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from os import PathLike, fspath
from typing import IO

from thinktime.errors import InputError

BLOCK_BYTES = 1 << 20
MOST_RATIO = 200  # of unpacked to packed bytes; logs have 3 to 15
FREE_BYTES = 256 << 20  # a packed file of any size may unpack to this
_PACKED_BYTES = 1 << 16  # read from a gzip file at a time
_GZIP_MAGIC = b"\x1f\x8b"
_DAMAGED = (
    EOFError,
    OSError,
    RuntimeError,
    NotImplementedError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
)


def read_blocks(path: str | PathLike[str], block_bytes: int = BLOCK_BYTES) -> Iterator[bytes]:
    """Yield the unpacked content in blocks of at most `block_bytes`."""
    name = fspath(path)
    with _open(name) as file:
        unpack = _unpacker(file.peek(6)[:6])  # type: ignore[attr-defined]
        try:
            blocks = unpack(file, block_bytes)
            yield from blocks if unpack is _plain_blocks else _one_ahead(_bounded(blocks, file), file)
        except InputError:
            raise
        except _DAMAGED as error:
            reason = str(error) or type(error).__name__
            raise InputError(f"Cannot read {name} to its end ({reason}): get the file again") from error


def _bounded(blocks: Iterator[bytes], file: IO[bytes]) -> Iterator[bytes]:
    """Yield the blocks of a packed file; raise InputError if it unpacks to far more than any log."""
    state, done = os.fstat(file.fileno()), 0
    packed = state.st_size if stat.S_ISREG(state.st_mode) else sys.maxsize
    for block in blocks:
        done += len(block)
        if done > max(FREE_BYTES, MOST_RATIO * packed):
            raise InputError(
                f"{file.name} has {packed:,} bytes and unpacks to more than {MOST_RATIO} times as many, more than"
                " any log: if this is right, unpack it first"
            )
        yield block


def _one_ahead(blocks: Iterator[bytes], file: IO[bytes]) -> Iterator[bytes]:
    """Unpack the next block in a thread while the caller scans this one: both release the GIL.

    A pipe is read without a thread, because an interrupt could not end a read that waits there.
    """
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        yield from blocks
        return
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, blocks, b"")
        while block := coming.result():
            coming = pool.submit(next, blocks, b"")
            yield block


def _open(name: str) -> IO[bytes]:
    try:
        file = open(name, "rb")  # noqa: SIM115 - the caller closes it
        kind = os.fstat(file.fileno()).st_mode
        if (stat.S_ISCHR(kind) or stat.S_ISBLK(kind)) and not file.isatty():
            file.close()
            raise InputError(f"{name} is a device, not a log: give a file or a pipe")
        return file
    except InputError:
        raise
    except FileNotFoundError:
        hint = "check the name, or get a log with `thinktime logs get`"
        raise InputError(f"{name} does not exist: {hint}") from None
    except IsADirectoryError:
        raise InputError(f"{name} is a folder, not a log: give a file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"Cannot open {name!r}: {reason}.") from None


def _unpacker(magic: bytes) -> Callable[[IO[bytes], int], Iterator[bytes]]:
    if magic.startswith(_GZIP_MAGIC):
        return _gzip_blocks
    if magic.startswith(b"\xfd7zXZ\x00"):
        return lambda file, size: _plain_blocks(lzma.LZMAFile(file), size)
    if magic.startswith(b"BZh"):
        return lambda file, size: _plain_blocks(bz2.BZ2File(file), size)
    if magic.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_blocks
    return _plain_blocks


def _plain_blocks(file: IO[bytes], size: int) -> Iterator[bytes]:
    while block := file.read(size):
        yield block


def _gzip_blocks(file: IO[bytes], size: int) -> Iterator[bytes]:
    """Yield unpacked gzip blocks with zlib: a third faster than the gzip module."""
    packed = file.read(_PACKED_BYTES)
    while packed:
        if not packed.startswith(_GZIP_MAGIC):
            raise InputError(f"{file.name} has bytes after its gzip content: get the file again")
        member = zlib.decompressobj(31)
        while not member.eof:
            if block := member.decompress(packed, size):
                yield block
            packed = member.unconsumed_tail or (b"" if member.eof else file.read(_PACKED_BYTES))
            if not packed and not member.eof:
                raise EOFError("the gzip content is cut short")
        packed = _next_member(member.unused_data, file)


def _next_member(rest: bytes, file: IO[bytes]) -> bytes:
    """Return what follows a gzip member: another member or nothing; zero bytes are skipped."""
    rest = rest.lstrip(b"\0")
    while len(rest) < len(_GZIP_MAGIC) and (more := file.read(_PACKED_BYTES)):
        rest = (rest + more).lstrip(b"\0")
    return rest


def _zip_blocks(file: IO[bytes], size: int) -> Iterator[bytes]:
    with zipfile.ZipFile(file) as archive, archive.open(_log_member(archive, file.name)) as member:
        yield from _plain_blocks(member, size)


def _log_member(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    """Return the only file of a zip archive, or the only one named *.swf."""
    files = [entry for entry in archive.infolist() if not (entry.is_dir() or _is_macos_extra(entry.filename))]
    logs = [entry for entry in files if entry.filename.lower().endswith(".swf")]
    for candidates in (files, logs):
        if len(candidates) == 1:
            return candidates[0]
    shown = ", ".join(entry.filename for entry in (logs or files)[:3]) + (", …" if len(logs or files) > 3 else "")
    raise InputError(f"{name} holds {len(files)} files ({shown}), a log is one: unpack it and name the file")


def _is_macos_extra(member: str) -> bool:
    """Return whether a member holds the attributes of a file, which macOS packs as `__MACOSX/._name`."""
    *folders, name = member.split("/")
    return "__MACOSX" in folders or name.startswith("._")
