"""Own readers in Python: a class whose `blocks` yields columns from any source."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from thinktime.errors import InputError
from thinktime.spec.own import OwnSpec, one_line
from thinktime.traces.header import Header
from thinktime.traces.reader import Block, Reader, Records, is_regular, rows_of
from thinktime.traces.typed_blocks import TypedBlocks
from thinktime.traces.unpack import read_blocks


class OwnReader(OwnSpec, Reader):
    """Base of readers in Python: define `blocks(source)`, which yields mappings of column names to lists or arrays.

    A block has `submit_s`, `run_s` (seconds) and `processors`, and any other column of a workload, such as `user` and
    `requested_time_s`; further columns become attributes. None and NaN are missing values. All blocks have the same
    columns. A reader may also define `header(source)`, which returns keys of a log's header, such as
    `{"MaxProcs": 128, "UnixStartTime": 1700000000, "TimeZoneString": "Europe/Berlin"}`.

    A subclass is a spec: options are class attributes with types and defaults, and `name=` (default: the class name)
    is its name. `class Mine(OwnReader, endings=(".mine",))` reads all files with that ending. With `opens_files=False`
    the source is not looked up as a file: it may be the address of a database.

    Examples
    --------
    >>> import thinktime as tt
    >>> class Sizes(tt.OwnReader):
    ...     def blocks(self, source):
    ...         sizes = [int(line) for line in open(source)]
    ...         yield {"submit_s": range(len(sizes)), "run_s": [60] * len(sizes), "processors": sizes}
    >>> with open("sizes.txt", "w") as file:
    ...     print(2, 4, 8, sep="\\n", file=file)
    >>> tt.read("sizes.txt", reader=Sizes())["processors"].tolist()
    [2.0, 4.0, 8.0]
    """

    def __init_subclass__(
        cls, name: str | None = None, endings: Iterable[str] | None = None, opens_files: bool | None = None
    ) -> None:
        if endings is not None:
            cls.endings = tuple(_ending(cls.__name__, each) for each in endings)
        if opens_files is not None:
            cls.opens_files = opens_files
        super().__init_subclass__(name=cls.take_name(name))

    def blocks(self, source: Path) -> Iterable[Mapping[str, Any]]:
        """Yield blocks of columns."""
        raise NotImplementedError(f"{type(self).__name__} needs a method blocks(source)")

    def header(self, source: Path) -> Mapping[str, object]:
        """Return keys of the header (default: none)."""
        return {}

    def records(self, source: Path) -> Records:
        return OwnRecords(self, source)


class GivenRecords(Records):
    """The records of blocks in Python; every row is one record."""

    def __init__(self, blocks: Iterable[object], what: str = "blocks", source: Path = Path("blocks")) -> None:
        super().__init__(source)
        self._given, self._what = blocks, what

    def blocks(self) -> Iterator[Block]:
        typed, content = TypedBlocks(self._what), hashlib.sha256()
        self.types = typed.types
        for given in self._each():
            block = typed.convert(given)
            self.account.jobs = self.account.lines = self.account.jobs + rows_of(block)
            for name, values in block.items():
                content.update(name.encode() + values.tobytes())
            self.sha256 = content.hexdigest()
            if rows_of(block):
                yield block
        if self.account.jobs == 0:
            raise InputError(f"{self._what}: no job was found: check the source")

    def _each(self) -> Iterator[object]:
        yield from self._given


class OwnRecords(GivenRecords):
    """The records of an own reader. Its exceptions become InputErrors that keep them as their cause."""

    def __init__(self, reader: OwnReader, source: Path) -> None:
        super().__init__((), f"reader {reader.name} on {source}", source)
        self._reader = reader

    def blocks(self) -> Iterator[Block]:
        self.header = self._called_header()
        yield from super().blocks()
        self.sha256 = sha256_of_file(self.source) or self.sha256

    def _called_header(self) -> Header:
        try:
            return header_of(self._reader.header(self.source))
        except InputError:
            raise
        except Exception as error:
            raise InputError(f"{self._what} failed in header with {one_line(error)}") from error

    def _each(self) -> Iterator[object]:
        try:
            yield from self._reader.blocks(self.source)
        except InputError:
            raise
        except Exception as error:
            raise InputError(f"{self._what} failed after {self.account.jobs:,} jobs with {one_line(error)}") from error


def header_of(entries: Mapping[str, object]) -> Header:
    """Return the header with these keys; a value may be a list, for keys that are repeated."""
    if not isinstance(entries, Mapping):
        raise InputError(f'the header is {entries!r}: give a mapping such as {{"MaxProcs": 128}}')
    lines = [
        f" {key}: {text}"
        for key, value in entries.items()
        for each in (value if isinstance(value, list | tuple) else [value])
        for text in [" ".join(str(each).splitlines())]
    ]
    return Header.parse(lines)


def sha256_of_file(path: Path) -> str:
    """Return the hash of the unpacked content; an empty text if the source is not a regular file."""
    if not is_regular(path):
        return ""
    content = hashlib.sha256()
    for block in read_blocks(path):
        content.update(block)
    return content.hexdigest()


def _ending(cls: str, given: str) -> str:
    if not (isinstance(given, str) and given.startswith(".") and len(given) > 1):
        raise InputError(f'{cls} has the ending {given!r}: write it with its dot, such as ".mine"')
    return given.lower()
