"""Damaged files of every format: an InputError or a workload whose account adds up, in memory and as a stream."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.effort import examples

ENDINGS = {"csv": "csv", "parquet": "parquet", "batsim": "json"}
TELLING = [b'"', b"\n", b",", b"#", b"\xff", b"1e999", b"-1", b"{", b"nan"]
TEXTS = ["", "é", 'a"b', "x,y", "two\nlines", None, "007", "nan"]


def some_workload() -> tt.Workload:
    return tt.Workload.from_columns(
        submit_s=[0, 1.5, 2, 3, 4, 5, 6, 7],
        run_s=[1, 2, 3.25, 4, 5, 6, 7, 8],
        processors=[1, 2, 3, 4, 5, 6, 7, 8],
        user=[1, 1, 2, 2, 3, 3, 4, 4],
        attributes={"colour": TEXTS, "gpus": [1, None, 2, 3, 4, 5, 6, 7], "ok": [True, None] * 4},
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("formats")
    for ending in ENDINGS.values():
        tt.write(some_workload(), folder / f"good.{ending}")
    return folder


def ends_well(path: Path, reader: str | None) -> None:
    """Read the file in both ways; only InputError may be raised."""
    try:
        found = tt.read(path, reader=reader)
        counted = [found.account[key] for key in ("comment_lines", "blank_lines", "malformed_lines", "job_lines")]
        assert found.account["lines"] == sum(counted)
        assert found.account["kept"] == len(found)
        found.frame  # noqa: B018 - all values have their types
    except tt.InputError:
        pass
    try:
        for block in tt.stream(path, reader=reader):
            assert len({len(values) for values in block.values()}) == 1
    except tt.InputError:
        pass


@pytest.mark.parametrize("reader", ENDINGS)
@examples(100)
@given(content=st.binary(max_size=300))
def test_random_bytes(place: Path, reader: str, content: bytes) -> None:
    path = place / f"bytes.{ENDINGS[reader]}"
    path.write_bytes((b"PAR1" if reader == "parquet" else b"") + content)
    ends_well(path, reader)
    ends_well(path, None)


@pytest.mark.parametrize("reader", ENDINGS)
@examples(100)
@given(seed=st.integers(0, 2**32))
def test_mutations_and_truncations(place: Path, reader: str, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray((place / f"good.{ENDINGS[reader]}").read_bytes())
    for _ in range(chance.randint(1, 4)):
        change(data, chance)
    path = place / f"changed.{ENDINGS[reader]}"
    path.write_bytes(bytes(data))
    ends_well(path, reader)


def change(data: bytearray, chance: random.Random) -> None:
    at, size = chance.randrange(len(data) + 1), chance.randint(1, 12)
    kind = chance.choice(["cut", "remove", "insert", "replace", "copy"])
    if kind == "cut":
        del data[at:]
    elif kind == "remove":
        del data[at : at + size]
    elif kind == "insert":
        data[at:at] = chance.choice(
            [chance.randbytes(size), b'"', b"\n", b",", b"#", b"\xff", b"1e999", b"-1", b"{", b"nan"]
        )
    elif kind == "replace":
        data[at : at + size] = chance.randbytes(size)
    else:
        data[at:at] = data[at : at + size * 9]


cells = st.one_of(
    st.sampled_from(
        ["", "-1", "nan", "inf", "1e400", "0x1", "true", "TRUE", "007", "1_0", " 5 ", '"', '""', "é", "1,5"]
    ),
    st.text(max_size=5),
    st.integers().map(str),
    st.floats().map(str),
)
names = st.sampled_from(
    ["job", "submit_s", "run_s", "processors", "user", "line", "nodes", "class", "a b", "", "ok", "wait"]
)


@examples(200)
@given(
    columns=st.lists(names, min_size=1, max_size=8),
    rows=st.lists(st.lists(cells, max_size=9), max_size=8),
    delimiter=st.sampled_from(",;|\t"),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_odd_tables(place: Path, columns: list[str], rows: list[list[str]], delimiter: str, end: str) -> None:
    path = place / "odd.csv"
    given = ["submit_s", "run_s", "processors", *columns] if len(columns) % 2 else columns
    lines = [delimiter.join(given), *(delimiter.join(["1", "2", "3", *row][: len(given)]) for row in rows)]
    path.write_bytes(end.join(lines).encode("utf-8", "surrogatepass"))
    ends_well(path, "csv")
    ends_well(path, None)


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=5,
)
job = st.fixed_dictionaries(
    {"id": st.one_of(st.text(max_size=4), st.integers(), values), "subtime": st.one_of(st.integers(0, 9), values)},
    optional={
        "res": st.one_of(st.integers(1, 9), values),
        "profile": st.one_of(st.sampled_from(["a", "b", "c", "d"]), values),
        "walltime": values,
        "user": values,
        "x y": values,
        "job": values,
        "requested_time_s": values,
    },
)
PROFILES: dict[str, Any] = {"a": {"type": "delay", "delay": 3}, "b": {"type": "composed", "seq": ["a", "b"]}}


@examples(200)
@given(jobs=st.lists(st.one_of(job, values), max_size=5), profiles=st.one_of(st.just(PROFILES), values), more=values)
def test_odd_documents(place: Path, jobs: list[Any], profiles: Any, more: Any) -> None:
    path = place / "odd.json"
    path.write_text(json.dumps({"jobs": jobs, "profiles": profiles, "nb_res": more, "thinktime": more}))
    ends_well(path, "batsim")
    ends_well(path, None)
