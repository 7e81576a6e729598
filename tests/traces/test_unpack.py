"""Packed logs, damaged logs, files that are no logs: content decides, and one sentence says what is wrong."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import hashlib
import io
import lzma
import os
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.traces.lines import HEADER, job, write
from thinktime.errors import InputError
from thinktime.traces import log, read_log, unpack
from thinktime.traces.find import log_name
from thinktime.traces.unpack import read_blocks

TEXT = (HEADER + "".join(job(k, k) for k in range(1, 4000))).encode()


def zipped(files: dict[str, bytes]) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return memory.getvalue()


PACKED = {
    "plain": TEXT,
    "gzip": gzip.compress(TEXT),
    "gzip in two members": gzip.compress(TEXT[:5000]) + gzip.compress(TEXT[5000:]),
    "gzip with padding": gzip.compress(TEXT) + b"\0" * 70000,
    "xz": lzma.compress(TEXT),
    "bzip2": bz2.compress(TEXT),
    "zip": zipped({"anything.txt": TEXT}),
    "zip from macOS": zipped({"a.swf": TEXT, "__MACOSX/._a.swf": b"\0\5\x16\7", "._b.swf": b"\0", "README": b"x"}),
    "zip with readme": zipped({"README": b"hello", "toy.swf": TEXT}),
}


@pytest.mark.parametrize("packing", PACKED)
def test_the_content_counts_not_the_name(tmp_path: Path, packing: str) -> None:
    log = read_log(write(tmp_path, PACKED[packing], "misleading.dat"))
    assert len(log) == 3999
    assert log.sha256 == hashlib.sha256(TEXT).hexdigest()


@pytest.mark.parametrize("packing", PACKED)
def test_blocks_are_small(tmp_path: Path, packing: str) -> None:
    blocks = list(read_blocks(write(tmp_path, PACKED[packing]), 1000))
    assert b"".join(blocks) == TEXT
    assert max(map(len, blocks)) <= 1000


DAMAGED = {
    "cut gzip": PACKED["gzip"][:-40],
    "gzip without its sum": PACKED["gzip"][:-6],
    "gzip with a changed byte": PACKED["gzip"][:60] + b"\xff\xff\xff" + PACKED["gzip"][63:],
    "gzip with a tail": PACKED["gzip"] + b"tail",
    "cut xz": PACKED["xz"][:-40],
    "cut bzip2": PACKED["bzip2"][:-40],
    "cut zip": PACKED["zip"][:-40],
    "zip without a log": zipped({"a": b"1", "b": b"2"}),
    "zip with two logs": zipped({"a.swf": TEXT, "b.swf": TEXT}),
    "empty zip": zipped({}),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_archives_are_refused_with_one_message(tmp_path: Path, damage: str) -> None:
    path = write(tmp_path, DAMAGED[damage])
    with pytest.raises(InputError, match=r"toy\.swf .*: ") as caught:
        read_log(path)
    assert "\n" not in str(caught.value)


NO_LOGS = {
    "empty": (b"", "is empty"),
    "png": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)), "not an SWF log"),
    "html": (b"<!DOCTYPE html>\n<html><body>404</body></html>\n", "not an SWF log.*DOCTYPE"),
    "csv": (b"job,submit,wait\n1,0,5\n", "not an SWF log"),
    "only a header": (HEADER.encode(), "not an SWF log"),
    "only zeros": (b"\0" * 5000, "not an SWF log"),
    "gzip of nothing": (gzip.compress(b""), "is empty"),
}


@pytest.mark.parametrize("kind", NO_LOGS)
def test_what_is_no_log_is_refused(tmp_path: Path, kind: str) -> None:
    content, message = NO_LOGS[kind]
    with pytest.raises(InputError, match=message):
        read_log(write(tmp_path, content))


def test_missing_files_and_folders(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_log(tmp_path / "nowhere.swf")
    with pytest.raises(InputError, match="is a folder"):
        read_log(tmp_path)
    with pytest.raises(InputError, match="Cannot open"):
        read_log(str(tmp_path / "nul\0byte"))


@contextmanager
def not_as_root() -> Iterator[None]:
    """Root may read every file: become another user."""
    own = os.geteuid()
    if own == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(own)


def test_unreadable_file(tmp_path: Path) -> None:
    path = write(tmp_path, TEXT)
    path.chmod(0)
    with (
        not_as_root(),
        pytest.raises(InputError, match=r"Cannot open .*: Permission denied"),
    ):
        read_log(path)


@pytest.mark.parametrize(
    ("path", "name"),
    [("a/KTH-SP2-1996-2.1-cln.swf.gz", "KTH-SP2-1996-2.1-cln"), ("x.swf", "x"), ("y", "y"), (".swf", ".swf")],
)
def test_the_name_of_a_log(path: str, name: str) -> None:
    assert log_name(path) == name


def test_a_device_is_refused() -> None:
    with pytest.raises(InputError, match="/dev/zero is a device, not a log"):
        next(read_blocks("/dev/zero"))


def test_a_pipe_is_read_as_it_comes(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    packed = gzip.compress(b"1 2 3\n" * 1000)
    writer = threading.Thread(target=pipe.write_bytes, args=(packed,))
    writer.start()
    assert b"".join(read_blocks(pipe)) == b"1 2 3\n" * 1000
    writer.join()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_file_that_unpacks_to_far_more_is_refused(tmp_path: Path, pack, monkeypatch) -> None:
    monkeypatch.setattr(unpack, "FREE_BYTES", 1 << 20)
    bomb = tmp_path / "bomb"
    bomb.write_bytes(pack(bytes(20 << 20)))
    blocks: list[bytes] = []
    with pytest.raises(InputError, match=r"unpacks to more than 200 times as many"):
        blocks.extend(read_blocks(bomb))
    assert len(blocks) < 10


def test_an_endless_pipe_that_is_no_log_ends(monkeypatch) -> None:
    monkeypatch.setattr(log, "MOST_BYTES_WITHOUT_JOB", 1 << 16)
    out, into = os.pipe()
    writer = threading.Thread(target=write_for_ever, args=(into,))
    writer.start()
    with pytest.raises(InputError, match="hold no line of 18 numbers"):
        log.read_log(f"/dev/fd/{out}")
    os.close(out)
    writer.join()


def write_for_ever(into: int) -> None:
    with contextlib.suppress(BrokenPipeError), os.fdopen(into, "wb") as file:
        while True:
            file.write(b"y\n" * 1000)


def test_more_jobs_than_memory_are_refused(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(log, "memory_bytes", lambda: 1 << 20)
    path = write(tmp_path, "".join(job(k) for k in range(1, 5000)))
    with pytest.raises(InputError, match="read it with --stream"):
        log.read_log(path)
