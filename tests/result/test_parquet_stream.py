"""The streamed Parquet file reads like the one that polars writes."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import examples
from tests.metrics import schedule
from tests.shared_data import ROOT
from thinktime.errors import InputError
from thinktime.result import JOB_COLUMNS, ParquetStream
from thinktime.result.columns import WHOLE, jobs_frame, timeline_frame
from thinktime.result.directory.parquet_stream import BYTE_ARRAY, DOUBLE, INT64, TIMELINE_FIELDS, Field, write_table
from thinktime.result.directory.thrift import I32, Struct, encode, varint


def random_jobs(rng: np.random.Generator, rows: int, missing: float = 0.3) -> dict[str, np.ndarray]:
    columns = {name: rng.normal(0, 1e6, rows) for name in JOB_COLUMNS}
    columns = {name: np.round(values) if name in WHOLE else values for name, values in columns.items()}
    for values in columns.values():
        values[rng.random(rows) < missing] = np.nan
    return columns | {"status": rng.integers(0, 4, rows).astype(np.uint8)}


def written(path: Path, blocks: list[dict[str, np.ndarray]]) -> pl.DataFrame:
    with ParquetStream(path) as stream:
        for block in blocks:
            stream.write(block)
    return pl.read_parquet(path)


def expected(blocks: list[dict[str, np.ndarray]]) -> pl.DataFrame:
    empty = {name: values[:0] for name, values in schedule.columns().items()}
    every = [empty, *blocks]
    return jobs_frame({name: np.concatenate([block[name] for block in every]) for name in JOB_COLUMNS})


@examples(40, shared_fixture=True)
@given(
    st.integers(0, 2**32),
    st.lists(st.integers(0, 70), max_size=6),
    st.sampled_from([0.0, 0.3, 1.0]),
)
def test_random_columns(tmp_path: Path, seed: int, sizes: list[int], missing: float) -> None:
    rng = np.random.default_rng(seed)
    blocks = [random_jobs(rng, rows, missing) for rows in sizes]
    frame = written(tmp_path / "jobs.parquet", blocks)
    assert frame.schema == expected(blocks).schema
    assert frame.equals(expected(blocks))


WHOLE_NUMBERS = st.integers(-(2**53), 2**53) | st.integers(0, 3)


@examples(60, shared_fixture=True)
@given(st.lists(st.tuples(WHOLE_NUMBERS, st.floats(allow_nan=False) | st.integers(0, 3).map(float)), max_size=400))
def test_any_numbers(tmp_path: Path, rows: list[tuple[int, float]]) -> None:
    whole, floats = [row[0] for row in rows], [row[1] for row in rows]
    fields = [Field("whole", INT64), Field("float", DOUBLE)]
    write_table(tmp_path / "x.parquet", fields, {"whole": np.array(whole, np.int64), "float": np.array(floats, float)})
    frame = pl.read_parquet(tmp_path / "x.parquet")
    assert frame["whole"].to_list() == whole
    assert frame["float"].to_list() == floats
    assert pyarrow.parquet.read_table(tmp_path / "x.parquet").to_pydict() == frame.to_dict(as_series=False)


def test_differences_that_exceed_64_bits_wrap_around(tmp_path: Path) -> None:
    numbers = np.array([-(2**63), 2**63 - 1, 0, -1, 2**62, -(2**63)] * 30, np.int64)
    write_table(tmp_path / "x.parquet", [Field("n", INT64)], {"n": numbers})
    assert pl.read_parquet(tmp_path / "x.parquet")["n"].to_list() == numbers.tolist()
    assert pyarrow.parquet.read_table(tmp_path / "x.parquet")["n"].to_pylist() == numbers.tolist()


def test_many_row_groups(tmp_path: Path) -> None:
    blocks = [random_jobs(np.random.default_rng(i), 33) for i in range(200)]
    assert written(tmp_path / "jobs.parquet", blocks).equals(expected(blocks))


def test_one_large_row_group_can_be_queried_lazily(tmp_path: Path) -> None:
    blocks = [random_jobs(np.random.default_rng(5), 100_000)]
    written(tmp_path / "jobs.parquet", blocks)
    killed = pl.scan_parquet(tmp_path / "jobs.parquet").filter(pl.col("status") == "killed").select("job").collect()
    assert killed.equals(expected(blocks).filter(pl.col("status") == "killed").select("job"))


@pytest.mark.parametrize("left_out", [False, True])
def test_a_column_that_is_left_out(tmp_path: Path, left_out: bool) -> None:
    path, part = tmp_path / "numbers.parquet", {name: np.arange(5.0) for name in "abc"}
    with ParquetStream(path, [Field(name, DOUBLE) for name in "abc"], optional="b") as stream:
        for _ in range(3):
            stream.write(part)
        if left_out:
            stream.leave_out()
    whole = pl.DataFrame({name: np.tile(values, 3) for name, values in part.items()})
    found = whole.drop("b") if left_out else whole
    assert pl.read_parquet(path).equals(found)
    assert pyarrow.parquet.read_table(path).column_names == found.columns


def test_an_empty_file_has_the_schema(tmp_path: Path) -> None:
    frame = written(tmp_path / "jobs.parquet", [])
    assert (len(frame), frame.schema) == (0, expected([]).schema)


def test_the_timeline_streams_too(tmp_path: Path) -> None:
    with ParquetStream(tmp_path / "timeline.parquet", TIMELINE_FIELDS) as stream:
        stream.write(schedule.timeline())
        stream.write(schedule.timeline())
    frame = timeline_frame(schedule.timeline())
    assert pl.read_parquet(tmp_path / "timeline.parquet").equals(pl.concat([frame, frame]))


def test_any_number_of_words(tmp_path: Path) -> None:
    for count in (1, 2, 3, 200):
        words = tuple(f"wörd {i}" for i in range(count))
        with ParquetStream(tmp_path / "words.parquet", [Field("word", BYTE_ARRAY, words)]) as stream:
            stream.write({"word": np.arange(count, dtype=np.uint8)})
        assert pl.read_parquet(tmp_path / "words.parquet")["word"].to_list() == list(words)


def test_without_a_footer_the_file_is_not_readable(tmp_path: Path) -> None:
    with contextlib.suppress(RuntimeError), ParquetStream(tmp_path / "jobs.parquet") as stream:
        stream.write(schedule.columns())
        raise RuntimeError
    assert (tmp_path / "jobs.parquet").stat().st_size > 100
    with pytest.raises(pl.exceptions.ComputeError):
        pl.read_parquet(tmp_path / "jobs.parquet")


def test_unequal_columns_are_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match=r"the columns have \[2, 6\] rows"),
        ParquetStream(tmp_path / "a") as stream,
    ):
        stream.write(schedule.columns() | {"user": np.zeros(2)})


def test_pyarrow_reads_it(tmp_path: Path) -> None:
    blocks = [random_jobs(np.random.default_rng(3), 50) for _ in range(3)]
    frame = written(tmp_path / "jobs.parquet", blocks)
    assert pyarrow.parquet.read_table(tmp_path / "jobs.parquet").to_pylist() == frame.to_dicts()


def test_the_writer_needs_no_polars(tmp_path: Path) -> None:
    code = (
        "import sys; from thinktime.result import ParquetStream; from tests.metrics.schedule import columns\n"
        "with ParquetStream(sys.argv[1]) as stream: stream.write(columns())\n"
        "print('polars' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "jobs.parquet")]
    assert subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout == "False\n"
    assert pl.read_parquet(tmp_path / "jobs.parquet").equals(jobs_frame(schedule.columns()))


def test_thrift_by_hand() -> None:
    assert varint(0) == b"\x00"
    assert varint(300) == b"\xac\x02"  # 300 = 2·128 + 44
    # field 1, i32 3 (zigzag 6); field 3, string "ab"; field 20, far away, i64 1; stop
    struct = Struct([(1, I32(3)), (2, None), (3, b"ab"), (20, 1)])
    assert encode(struct) == b"\x15\x06" + b"\x28\x02ab" + bytes([0x06, 40, 2]) + b"\x00"
    assert encode(Struct([(1, [I32(1)] * 15)]))[:3] == bytes([0x19, 0xF5, 15])
