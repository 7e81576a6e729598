"""The native scanner: every kind of dirt in a log, one hand-made file each."""

from __future__ import annotations

import itertools
import random
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from tests.traces.lines import HEADER, job, write
from thinktime import _engine
from thinktime.traces import RawLog, read_log

CORPUS = sorted((Path(__file__).parent.parent / "fuzz" / "corpus").iterdir())


def scan(folder: Path, text: str | bytes) -> RawLog:
    return read_log(write(folder, text))


def field(log: RawLog, number: int) -> list[float]:
    return log.fields[number - 1].tolist()


def test_a_clean_log(tmp_path: Path) -> None:
    log = scan(tmp_path, HEADER + job() + job(2, 10, f4=61))
    assert [column.tolist() for column in log.fields][:4] == [[1, 2], [0, 10], [5, 5], [60, 61]]
    assert log.line.tolist() == [8, 9]
    assert log.counts == {"lines": 9, "comments": 7, "blanks": 0, "malformed": 0, "jobs": 2}
    assert len(log.spellings) == 0


@pytest.mark.parametrize(
    "text",
    [
        (job() + job(2)).replace("\n", "\r\n"),
        job() + job(2).replace("\n", "\r"),
        job() + job(2).rstrip("\n"),
        (job() + job(2)).replace(" ", "\t"),
        "   " + job() + " \t " + job(2),
        job().replace("\n", "   \n") + job(2),
        b"\xef\xbb\xbf" + (job() + job(2)).encode(),
    ],
    ids=["crlf", "cr at the end", "no final newline", "tabs", "leading blanks", "trailing blanks", "BOM"],
)
def test_line_ends_and_blanks_do_not_matter(tmp_path: Path, text: str | bytes) -> None:
    log = scan(tmp_path, text)
    assert field(log, 1) == [1, 2]
    assert field(log, 18) == [-1, -1]
    assert log.counts["jobs"] == log.counts["lines"] == 2
    assert len(log.spellings) == 0


def test_empty_lines_and_late_comments_are_counted(tmp_path: Path) -> None:
    log = scan(tmp_path, "; first\n\n" + job() + "  \n\t; later \xe9\n" + job(2) + "\n")
    assert log.counts == {"lines": 7, "comments": 2, "blanks": 3, "malformed": 0, "jobs": 2}
    assert log.header.lines == (" first",)
    assert log.comments == ((5, " later é"),)


def test_comments_are_utf8_or_latin1(tmp_path: Path) -> None:
    log = scan(tmp_path, b"; Acknowledge: \xc5ke\n; Computer: \xc3\x85ke\n" + job().encode())
    assert log.header["Acknowledge"] == log.header["Computer"] == ["Åke"]


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ("142.00", 142.0),
        ("+3", 3.0),
        ("007", 7.0),
        ("-0", 0.0),
        ("-0.0", 0.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("1.5E-2", 0.015),
        ("1e-400", 0.0),
        ("0.1234567890123456789", 0.1234567890123456789),
        ("9007199254740991", 2.0**53 - 1),
    ],
)
def test_unusual_spellings_are_read_and_remembered(tmp_path: Path, token: str, value: float) -> None:
    log = scan(tmp_path, job(f6=token))
    assert field(log, 6) == [value]
    assert (log.spellings.line.tolist(), log.spellings.field.tolist()) == ([1], [5])
    assert log.spellings.texts() == [token]


@pytest.mark.parametrize("token", ["0", "-1", "7", "552.21", "-0.5", "123456789012345", "0.001"])
def test_canonical_numbers_need_no_spelling(tmp_path: Path, token: str) -> None:
    log = scan(tmp_path, job(f6=token))
    assert field(log, 6) == [float(token)]
    assert len(log.spellings) == 0


def test_decimals_are_correctly_rounded(tmp_path: Path) -> None:
    """Against Python's own reading, on random decimals of all lengths that a log may hold."""
    draw = random.Random(7)
    tokens = [f"{draw.choice('+-') if draw.random() < 0.3 else ''}{_decimal(draw)}" for _ in range(4000)]
    log = scan(tmp_path, "".join(job(f6=token) for token in tokens))
    assert field(log, 6) == [float(token) + 0.0 for token in tokens]


def _decimal(draw: random.Random) -> str:
    digits = "".join(draw.choice("0123456789") for _ in range(draw.randint(1, 25)))
    text = f"{digits[: draw.randint(1, 12)]}.{digits}"
    return f"{text}e{draw.randint(-30, 2)}" if draw.random() < 0.4 else text


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1 2 3\n", "fewer than 18 fields"),
        (job()[:-4] + "\n", "fewer than 18 fields"),
        (job(f4="nan"), "not a number"),
        (job(f4="inf"), "not a number"),
        (job(f4="0x10"), "not a number"),
        (job(f4="1,5"), "not a number"),
        (job(f4="1e"), "not a number"),
        (job(f4="-"), "not a number"),
        (job(f4="."), "not a number"),
        (job(f4="1-2"), "not a number"),
        (job(f4="60\0"), "not a number"),
        ("\0\0\0\n", "not a number"),
        (job(f4="9007199254740992"), "overflow"),
        (job(f4="9007199254740993"), "overflow"),
        (job(f4="1e999"), "overflow"),
        (job(f4="-1e17"), "overflow"),
        (job(f4="9" * 400), "overflow"),
        (job().rstrip() + " " * (1 << 20) + "\n", "line longer than 1 MiB"),
    ],
)
def test_bad_lines_are_records(tmp_path: Path, line: str, reason: str) -> None:
    log = scan(tmp_path, job() + line + job(3))
    assert field(log, 1) == [1, 3]
    assert log.counts["malformed"] == 1
    assert [(bad["line"], bad["reason"]) for bad in log.malformed] == [(2, reason)]
    assert len(log.malformed[0]["text"]) <= 4 * 120
    assert len(log.spellings) == 0


def test_a_rejected_line_leaves_no_spellings(tmp_path: Path) -> None:
    log = scan(tmp_path, job(f2="1.00", f3="007", f4="x") + job(2, f6="2.0"))
    assert log.spellings.texts() == ["2.0"]


def test_only_the_first_thousand_bad_lines_are_kept_but_all_counted(tmp_path: Path) -> None:
    log = scan(tmp_path, job() + "bad\n" * 1500)
    assert (log.counts["malformed"], len(log.malformed)) == (1500, 1000)


def test_fields_beyond_18_are_kept_as_text(tmp_path: Path) -> None:
    log = scan(tmp_path, job().rstrip() + " 12 node[1-4]  \n" + job(2))
    assert log.spellings.extras() == {1: "12 node[1-4]"}
    assert field(log, 18) == [-1, -1]


def test_a_very_long_comment_is_a_comment(tmp_path: Path) -> None:
    log = scan(tmp_path, ";" + "c" * (3 << 20) + "\n" + job())
    assert log.counts == {"lines": 2, "comments": 1, "blanks": 0, "malformed": 0, "jobs": 1}


def in_pieces(text: bytes, sizes: itertools.cycle) -> list[object]:
    scanner, rows, at = _engine.SwfScanner(), [], 0
    while at < len(text):
        size = next(sizes)
        scanner.feed(text[at : at + size])
        at += size
        fields, line, spellings = scanner.drain()
        rows.append((np.column_stack([*fields, line]), spellings[3]))
    scanner.finish()
    fields, line, spellings = scanner.drain()
    rows.append((np.column_stack([*fields, line]), spellings[3]))
    table = np.vstack([row for row, _ in rows])
    blobs = b"".join(blob for _, blob in rows)
    return [table.tolist(), blobs, scanner.counts(), as_lists(scanner.errors()), as_lists(scanner.comments())]


def as_lists(table: tuple) -> list[object]:
    line, field, end, blob = table
    return [line.tolist(), field.tolist(), end.tolist(), blob]


@pytest.mark.parametrize("path", CORPUS, ids=[path.name for path in CORPUS])
def test_pieces_do_not_matter(path: Path) -> None:
    text = path.read_bytes()
    whole = in_pieces(text, itertools.cycle([len(text) + 1]))
    assert in_pieces(text, itertools.cycle([1])) == whole
    assert in_pieces(text, itertools.cycle([3, 1, 7, 50])) == whole


def test_every_double_of_a_log_prints_as_it_was(tmp_path: Path) -> None:
    tokens = [str(Decimal(k) / 100) for k in range(1, 3000, 7)]
    log = scan(tmp_path, "".join(job(k + 1, f6=token) for k, token in enumerate(tokens)))
    out = _engine.swf_format(
        log.fields, log.line, *(getattr(log.spellings, n) for n in ("line", "field", "end", "blob"))
    )
    assert [line.split()[5].decode() for line in out.splitlines()] == tokens
