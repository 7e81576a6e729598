"""Parquet of others: any types of columns, missing values, names by option, slices, damaged files."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import thinktime as tt
from thinktime.traces.readers import parquet

BASE = {"submit_s": [0, 5], "run_s": [10.5, 20.0], "processors": [2, None]}


def read(folder: Path, columns: dict[str, Any], reader: str | None = None) -> tt.Workload:
    pl.DataFrame(columns, strict=False).write_parquet(folder / "log.parquet")
    return tt.read(folder / "log.parquet", reader=reader)


def test_types_of_columns(tmp_path: Path) -> None:
    day = datetime.datetime(2024, 5, 6, 7, 8, 9)
    log = read(
        tmp_path,
        {
            **BASE,
            "processors": pl.Series([2, 4], dtype=pl.UInt8),
            "user": pl.Series(["ann", None], dtype=pl.Categorical),
            "gpus": pl.Series([1, None], dtype=pl.Int16),
            "ok": [True, None],
            "price": pl.Series(["1.25", None]).cast(pl.Decimal(10, 2)),
            "begun": [day, None],
            "held": [datetime.timedelta(seconds=90), None],
            "tags": [["a"], None],
        },
    )
    kinds = {name: log.types[name].kind for name in log.attributes}
    assert kinds == {"gpus": "whole", "ok": "truth", "price": "number", "begun": "text", "held": "number"}
    assert log["held"][0] == 90
    assert log.texts("begun")[0].startswith("2024-05-06 07:08:09")
    assert log.texts("user").tolist() == ["ann", None]
    notes = " ".join(log.account["notes"])
    assert "begun holds dates or times, which are read as texts" in notes
    assert "tags holds List(String) values, which are left out" in notes


def test_missing_processors_are_filtered(tmp_path: Path) -> None:
    assert read(tmp_path, BASE).account["dropped"] == {"no allocated processors": 1}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({**BASE, "submit_s": [datetime.datetime(2024, 1, 1)] * 2}, r"column submit_s .* holds dates .*: give seconds"),
        ({**BASE, "submit_s": ["a", "b"]}, "the column submit_s holds texts: give numbers of seconds"),
        ({**BASE, "run_s": [True, False]}, "the column run_s holds truth values"),
        ({**BASE, "run_s": [1.0, np.inf]}, "job record 2 has inf in the column run_s"),
        ({"submit": [1], "run_s": [1], "processors": [1]}, "if 'submit' is in seconds, give parquet:submit_s=submit"),
        ({**BASE, "big": [2**60, 1]}, "whole numbers above 2"),
        ({"submit_s": [], "run_s": [], "processors": []}, "has no row"),
    ],
)
def test_what_is_refused(tmp_path: Path, columns: dict[str, Any], message: str) -> None:
    with pytest.raises(tt.InputError, match=message):
        read(tmp_path, columns)


def test_columns_by_option(tmp_path: Path) -> None:
    log = read(tmp_path, {"t": [0], "d": [1], "n": [1]}, "parquet:submit_s=t,run_s=d,processors=n")
    assert (log["run_s"].tolist(), log.attributes) == ([1.0], ())


def test_slices_have_the_rows_of_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "SLICE_ROWS", 7)
    log = tt.default_workload(jobs=50)
    log.frame.write_parquet(tmp_path / "log.parquet", row_group_size=11)
    whole = tt.read(tmp_path / "log.parquet")
    parts = list(tt.stream(tmp_path / "log.parquet"))
    assert len(parts) == 8
    for name in whole.columns:
        np.testing.assert_array_equal(np.concatenate([part[name] for part in parts]), whole[name])


def test_damaged_files(tmp_path: Path) -> None:
    good = tmp_path / "log.parquet"
    tt.default_workload(jobs=50).frame.write_parquet(good)
    data = good.read_bytes()
    for content in (data[:-1], data[:100], b"PAR1", b"PAR1PAR1"):
        (tmp_path / "bad.parquet").write_bytes(content)
        with pytest.raises(tt.InputError, match=r"Cannot read .*bad.parquet as Parquet"):
            tt.read(tmp_path / "bad.parquet")


def test_durations_are_exact(tmp_path: Path) -> None:
    micro = [*range(0, 86_400_000_000, 7_777_777), None]
    run = pl.Series(micro, dtype=pl.Duration("us"))
    pl.DataFrame({"submit_s": [0] * len(micro), "run_s": run, "processors": [1] * len(micro)}).write_parquet(
        tmp_path / "log.parquet"
    )
    found = tt.read(tmp_path / "log.parquet", filter="all")["run_s"]
    np.testing.assert_array_equal(found, [*(each / 1e6 for each in micro[:-1]), np.nan])
