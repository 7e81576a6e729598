"""check_reader accepts every built-in format and finds the mistakes of own readers."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest

import thinktime as tt
from thinktime.spec import REGISTRY, as_spec

JOBS: dict[str, Any] = {"submit_s": [0, 5], "run_s": [10, 10], "processors": [2, 4], "colour": ["red", None]}


class Good(tt.OwnReader, name="check-good"):
    rows: int = 2

    def blocks(self, source: Path) -> Any:
        yield {name: values[: self.rows] for name, values in JOBS.items()}

    def header(self, source: Path) -> Any:
        return {"MaxProcs": 8}


class Changing(tt.OwnReader, name="check-changing"):
    _calls = count()

    def blocks(self, source: Path) -> Any:
        yield {**JOBS, "run_s": [10, next(Changing._calls)]}


class Unsorted(tt.OwnReader, name="check-unsorted"):
    def blocks(self, source: Path) -> Any:
        yield {**JOBS, "submit_s": [5, 7]}
        yield JOBS


class Failing(tt.OwnReader, name="check-failing"):
    def blocks(self, source: Path) -> Any:
        yield JOBS
        raise KeyError("nothing")


class Empty(tt.OwnReader, name="check-empty"):
    def blocks(self, source: Path) -> Any:
        yield {**JOBS, "run_s": [-5, -5]}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "any.txt"
    path.write_text("anything")
    return path


def test_a_good_reader(source: Path) -> None:
    tt.testing.check_reader(Good(), source)
    tt.testing.check_reader(Good(rows=1), source)


@pytest.mark.parametrize(
    ("reader", "message"),
    [
        (Changing(), "finds other jobs in a second reading"),
        (Unsorted(), "line 3 of any was submitted at 0 s, before jobs on earlier lines"),
        (Failing(), "reader check-failing on .* failed after 2 jobs with KeyError: 'nothing'"),
        (Empty(), "finds no job that the filter base keeps"),
    ],
)
def test_mistakes(source: Path, reader: tt.OwnReader, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        tt.testing.check_reader(reader, source)


def test_a_source_that_is_not_sorted_may_be_read_in_memory(source: Path) -> None:
    tt.testing.check_reader(Unsorted(), source, streams=False)


@pytest.mark.parametrize("name", ["swf", "csv", "parquet", "batsim"])
def test_built_in_readers(tmp_path: Path, name: str) -> None:
    reader: Any = REGISTRY["reader"][name]
    ending = reader.endings[0]
    tt.write(tt.default_workload(jobs=200), tmp_path / f"log{ending}")
    tt.testing.check_reader(as_spec(tt.Reader, name), tmp_path / f"log{ending}")
