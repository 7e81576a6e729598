"""Random bytes and mutated logs: read_swf gives a workload or an InputError, never anything else."""

from __future__ import annotations

import contextlib
import gzip
import lzma
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import examples
from thinktime.errors import InputError
from thinktime.workload import FILTERS, describe, read_swf, stream_swf, write_swf
from thinktime.workload.reading.remove_conditions import check

CORPUS = [path.read_bytes() for path in sorted((Path(__file__).parent / "corpus").iterdir())]
TELLING = st.sampled_from([b"\n", b"\r\n", b" ", b"\t", b";", b"\0", b"-1", b"1e9", b"+", b".", b"2", b"\xff", b": "])

edits = st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 30), TELLING | st.binary(max_size=20)), max_size=8)


@st.composite
def mutated_logs(draw: st.DrawFn) -> bytes:
    """A corpus file with pieces cut out and others put in; sometimes packed, sometimes cut."""
    text = draw(st.sampled_from(CORPUS))
    for at, cut, insert in draw(edits):
        at = at % (len(text) + 1)
        text = text[:at] + insert + text[at + cut :]
    packed: Any = draw(st.sampled_from([bytes, gzip.compress, lzma.compress]))
    text = packed(text)
    return text[: draw(st.integers(0, len(text)))] if draw(st.integers(0, 4)) == 0 else text


def survives(content: bytes, filter: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any.swf"
        path.write_bytes(content)
        try:
            workload = read_swf(path, filter=filter)
        except InputError:
            return
        assert describe(workload.account)
        write_swf(workload, path)
        if len(workload):
            again = read_swf(path, filter="all", machine=workload.machine_processors or 1)
            assert np.array_equal(np.sort(again["run_s"]), np.sort(workload["run_s"]), equal_nan=True)


@examples(150)
@given(st.binary(max_size=3000), st.sampled_from(sorted(FILTERS)))
def test_random_bytes(content: bytes, filter: str) -> None:
    survives(content, filter)


@examples(300)
@given(mutated_logs(), st.sampled_from(sorted(FILTERS)))
def test_mutated_logs(content: bytes, filter: str) -> None:
    survives(content, filter)


@examples(150)
@given(mutated_logs(), st.integers(1, 500))
def test_mutated_logs_streamed(content: bytes, block_bytes: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any.swf"
        path.write_bytes(content)
        stream = stream_swf(path, block_bytes=block_bytes)
        try:
            kept = sum(len(block["line"]) for block in stream)
        except InputError:
            return
        assert kept == stream.account["kept"]


@examples(300)
@given(st.text(alphabet="jobuser=<>!()&| 1.9e-andnotor'\0", max_size=40))
def test_random_conditions(text: str) -> None:
    with contextlib.suppress(InputError):
        assert check(text) == text
