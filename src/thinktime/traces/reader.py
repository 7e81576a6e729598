"""Readers: a class per format of logs, found by the registry. A reader opens a source as records, block by block.

`reader_of` chooses the reader of a file: an own reader by the ending of its name, then by content, then by ending.
"""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, TypeAlias

import numpy as np

from thinktime.errors import InputError
from thinktime.spec import REGISTRY, Spec, as_spec
from thinktime.spec.own import OwnSpec
from thinktime.support.json_types import JsonDict
from thinktime.support.memory import memory_bytes
from thinktime.traces.attributes import ColumnType
from thinktime.traces.column_names import COLUMNS
from thinktime.traces.find import format_ending, log_name
from thinktime.traces.header import Header
from thinktime.traces.spellings import Spellings
from thinktime.traces.unpack import read_blocks

HEAD_BYTES = 1 << 16  # by which a format is recognised
MOST_MALFORMED = 1000  # records that the account describes; further ones are counted

#: Column → float64 array, NaN for missing: any subset of COLUMNS, `processors`, `line` and attributes.
Block: TypeAlias = Mapping[str, np.ndarray]


@dataclass
class RecordAccount:
    """What became of every line: lines = comments + blanks + malformed + jobs. Grows while records are read.

    `jobs` counts the records of jobs, those in `dropped` included: the blocks have `jobs` − Σ `dropped` rows.
    """

    lines: int = 0
    comments: int = 0
    blanks: int = 0
    jobs: int = 0
    malformed: int = 0
    faults: list[JsonDict] = field(default_factory=list)  # line, reason, text of the first malformed records
    dropped: dict[str, int] = field(default_factory=dict)  # reason → records that the reader left out
    notes: list[str] = field(default_factory=list)  # sentences for the user, such as renamed columns
    more: JsonDict = field(default_factory=dict)  # further facts of this format, for the account of the workload

    def fault(self, line: int, reason: str, text: str) -> None:
        """Count a malformed record, and describe it if it is among the first."""
        self.malformed += 1
        if len(self.faults) < MOST_MALFORMED:
            self.faults.append({"line": line, "reason": reason, "text": printable(text[:200])})

    def drop(self, reason: str, count: int = 1) -> None:
        if count:
            self.dropped[reason] = self.dropped.get(reason, 0) + count

    def note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)


class Records:
    """One pass over one source. A format implements `blocks`; the other attributes are complete as described."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.name = log_name(source)
        self.header = Header()  # complete after the first block
        self.types: dict[str, ColumnType] = {}  # of attributes and named columns; labels grow with the blocks
        self.account = RecordAccount()  # complete at the end
        self.sha256 = ""  # of the unpacked content; complete at the end
        self.spellings: Spellings | None = None  # of SWF, after `whole`
        self.reader: JsonDict = {}  # name, options and hash of the code of the reader that opened the source

    def blocks(self) -> Iterator[Block]:
        """Yield blocks of equal-length columns, in the order of the source; `line` is the number of the record."""
        raise NotImplementedError

    def whole(self) -> Block:
        """Return all blocks as one; a column that some blocks lack is missing there."""
        return collected(self.blocks(), str(self.source))


class Reader(Spec, kind="reader"):
    """Base of readers: `class SwfReader(Reader, name="swf")` registers the format `swf`."""

    endings: ClassVar[tuple[str, ...]] = ()  # of file names, without .gz, .xz, .bz2 and .zip
    opens_files: ClassVar[bool] = True  # False: the source is a text for the reader alone, such as an address

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        """Return whether a file that begins with these (unpacked) bytes is in this format."""
        return False

    def records(self, source: Path) -> Records:
        """Open a source."""
        raise NotImplementedError


def opened(reader: Reader, source: Path) -> Records:
    """Return the records of a source, which name their reader."""
    records = reader.records(source)
    records.reader = reader.to_dict()
    return records


def readers() -> dict[str, type[Reader]]:
    """Return name → class of all registered readers."""
    return {name: cls for name, cls in sorted(REGISTRY["reader"].items()) if issubclass(cls, Reader)}


def reader_of(path: Path, reader: Reader | str | None = None) -> Reader:
    """Return the given reader, or the one that recognises the file."""
    if reader is not None:
        return as_spec(Reader, reader)
    ending, known = format_ending(path), readers()
    for cls in known.values():
        if issubclass(cls, OwnSpec) and ending in cls.endings:
            return cls()
    return _recognised(path, [cls for cls in known.values() if not issubclass(cls, OwnSpec)], ending)()


def _recognised(path: Path, known: list[type[Reader]], ending: str) -> type[Reader]:
    """Return the built-in reader by content, else by ending; a pipe is not looked at, so it is SWF by default."""
    by_ending = [cls for cls in known if ending in cls.endings]
    if not is_regular(path):
        return (by_ending or [cls for cls in known if cls.name == "swf"])[0]
    head = next(read_blocks(path, HEAD_BYTES), b"")
    refuse_encoding(path, head)
    by_content = [cls for cls in known if cls.recognises(head)]
    found = [cls for cls in by_content if cls in by_ending] or by_content or by_ending
    if found:
        return found[0]
    raise InputError(
        f"{path} is not recognised as a log ({', '.join(cls.name for cls in known)}): check the file, or name its"
        " format (reader=, --reader), such as your own reader, module:Class"
    )


_ENCODINGS = {
    b"\xff\xfe": "is encoded in UTF-16: save it in UTF-8",
    b"\xfe\xff": "is encoded in UTF-16: save it in UTF-8",
    b"\x28\xb5\x2f\xfd": "is packed with zstd: unpack it, or pack it with gzip",
    b"7z\xbc\xaf\x27\x1c": "is packed with 7z: unpack it, or pack it with gzip",
}


def refuse_encoding(path: Path, head: bytes) -> None:
    """Raise InputError for an encoding, packing or line end that no reader knows. Windows PowerShell writes UTF-16."""
    for mark, reason in _ENCODINGS.items():
        if head.startswith(mark):
            raise InputError(f"{path} {reason}")
    if b"\r" in head.strip() and not any(mark in head for mark in (b"\n", b"\0", b"{")):
        raise InputError(f"{path} has lines that end in a carriage return alone: convert it (tr '\\r' '\\n')")


def is_regular(path: Path) -> bool:
    """Return whether the path is a file that can be read twice; a folder or a missing file raises later."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


def collected(blocks: Iterable[Block], what: str) -> Block:
    """Return the blocks as one; raise InputError before they fill the memory of this machine."""
    kept, size = list[Block](), 0
    for block in blocks:
        if block:
            kept.append(block)
            size += 2 * 8 * rows_of(block) * (len(block) + len(COLUMNS))  # and a copy while they are filtered
            require_memory(what, size)
    return joined(kept)


def require_memory(what: str, size: int) -> None:
    if size > memory_bytes():
        raise InputError(
            f"{what} has more jobs than fit into the {memory_bytes() >> 30} GiB of this machine: read it with --stream,"
            " or use a part of it"
        )


def joined(blocks: list[Block]) -> Block:
    """Return the blocks as one; a column that some blocks lack is NaN there."""
    if len(blocks) <= 1:
        return blocks[0] if blocks else {}
    names = dict.fromkeys(name for block in blocks for name in block)
    return {name: np.concatenate([_column(block, name) for block in blocks]) for name in names}


def _column(block: Block, name: str) -> np.ndarray:
    return block[name] if name in block else np.full(rows_of(block), np.nan)


def rows_of(block: Block) -> int:
    return len(next(iter(block.values()))) if block else 0


def printable(text: str) -> str:
    return text.encode("unicode_escape").decode("ascii")
