"""The part of Thrift's compact protocol that Parquet footers and page headers need.

A struct is a list of (field number, value) with ascending numbers: an int is written as I64 or, if marked,
I32; bytes as a string; a list as a list; a `Struct` as a struct; None is omitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_I32, _I64, _BINARY, _LIST, _STRUCT = 5, 6, 8, 9, 12  # the protocol's type codes


@dataclass(frozen=True)
class I32:
    """A number that the format declares as i32."""

    value: int


@dataclass(frozen=True)
class Struct:
    """Fields in ascending order of their numbers."""

    fields: Sequence[tuple[int, Value]]


@dataclass(frozen=True)
class Encoded:
    """An encoded struct: it takes a tenth of the memory until it is written."""

    content: bytes


Value = int | I32 | bytes | list["Value"] | Struct | Encoded | None


def varint(number: int) -> bytes:
    """Return a number with seven bits per byte, lowest first; the high bit marks that more follow."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def encode(struct: Struct) -> bytes:
    """Return the bytes of a struct: field headers with the distance to the previous field, then a stop byte."""
    out, last = bytearray(), 0
    for number, value in struct.fields:
        if value is None:
            continue
        step = number - last
        head = bytes([step << 4 | _code(value)]) if step < 16 else bytes([_code(value)]) + _zigzag(number)
        out += head + _encode_value(value)
        last = number
    return bytes(out) + b"\x00"


def _code(value: Value) -> int:
    if isinstance(value, I32):
        return _I32
    if isinstance(value, int):
        return _I64
    if isinstance(value, bytes):
        return _BINARY
    return _LIST if isinstance(value, list) else _STRUCT


def _encode_value(value: Value) -> bytes:
    if isinstance(value, Encoded):
        return value.content
    if isinstance(value, Struct):
        return encode(value)
    if isinstance(value, list):
        return _encode_list(value)
    if isinstance(value, bytes):
        return varint(len(value)) + value
    return _zigzag(value.value if isinstance(value, I32) else int(value or 0))


def _encode_list(items: list[Value]) -> bytes:
    code = _code(items[0]) if items else _STRUCT
    size = bytes([len(items) << 4 | code]) if len(items) < 15 else bytes([0xF0 | code]) + varint(len(items))
    return size + b"".join(_encode_value(item) for item in items)


def _zigzag(number: int) -> bytes:
    """Return the zigzag code of a number that is not negative."""
    return varint(number << 1)
