"""Workloads survive a file of each format: columns, types, names, header, size, zone and start of the machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.shared_data import log
from thinktime.traces.attributes import ColumnType

FORMATS = ("csv", "parquet", "json", "csv.gz", "json.xz")
SMALL = st.one_of(st.none(), st.integers(0, 2**40), st.floats(0, 1e12))
TEXT = st.one_of(st.none(), st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=6))
NAMES = st.sampled_from(["ann", "bob", "7", "", " x", 'q"', "a,b", "é"])


@st.composite
def workloads(draw: Any) -> tt.Workload:
    rows = draw(st.integers(1, 6))

    def column(values: Any) -> list[Any]:
        return draw(st.lists(values, min_size=rows, max_size=rows))

    numbers: dict[str, Any] = {
        name: [np.nan if value is None else value for value in column(SMALL)]
        for name in draw(st.sets(st.sampled_from(["wait_s", "requested_time_s", "cpu_s", "think_time_s"])))
    }
    wholes: dict[str, Any] = {
        name: [np.nan if value is None else value for value in column(st.one_of(st.none(), st.integers(0, 2**40)))]
        for name in draw(st.sets(st.sampled_from(["user", "queue", "status", "used_memory_kb"])))
    }
    attributes = {
        "colour": column(TEXT),
        "urgent": column(st.one_of(st.none(), st.booleans())),
        "gpus": column(st.one_of(st.none(), st.integers(-(2**50), 2**50))),
        "share": column(st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False))),
    }
    chosen = draw(st.sets(st.sampled_from([*attributes])))
    return tt.Workload.from_columns(
        submit_s=column(st.one_of(st.integers(0, 2**40), st.floats(0, 1e12))),
        run_s=column(st.one_of(st.integers(0, 2**40), st.floats(0, 1e12))),
        processors=column(st.integers(1, 10**6)),
        attributes={name: attributes[name] for name in sorted(chosen)},
        **numbers,
        **wholes,
    )


def assert_same_jobs(found: tt.Workload, expected: tt.Workload) -> None:
    sizes = ("allocated_processors", "requested_processors")  # filled from processors
    for name in expected.columns:
        if name == "line" or (name in sizes and np.isnan(expected[name]).all()):
            continue
        kind = expected.types.get(name)
        if kind is not None and kind.kind == "text" and found.types[name].kind == "text":
            assert found.texts(name).tolist() == expected.texts(name).tolist(), name
        else:
            np.testing.assert_array_equal(found[name], expected[name], name)
        if kind is not None and not np.isnan(expected[name]).all():
            assert found.types[name].kind == kind.kind, name


@pytest.mark.parametrize("ending", FORMATS)
@given(workload=workloads())
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, ending: str, workload: tt.Workload) -> None:
    path = tmp_path_factory.getbasetemp() / f"round.{ending}"
    tt.write(workload, path)
    assert_same_jobs(tt.read(path, filter="all"), workload)


@pytest.mark.parametrize("ending", FORMATS)
def test_names_of_users_keep_their_numbers(tmp_path: Path, ending: str) -> None:
    (tmp_path / "names.csv").write_text("submit_s,run_s,processors,user,queue\n5,1,1,bob,q\n0,1,1,ann,\n7,1,1,bob,r\n")
    named = tt.read(tmp_path / "names.csv")
    assert named["user"].tolist() == [2, 1, 1]
    tt.write(named, tmp_path / f"again.{ending}")
    again = tt.read(tmp_path / f"again.{ending}")
    assert again["user"].tolist() == [2, 1, 1]
    assert again.texts("user").tolist() == ["ann", "bob", "bob"]
    assert again.texts("queue").tolist() == [None, "q", "r"]


@pytest.mark.parametrize("ending", FORMATS)
def test_numbers_without_a_name_are_written(tmp_path: Path, ending: str) -> None:
    workload = tt.Workload.from_columns(submit_s=[0, 1, 2], run_s=[1, 1, 1], processors=[1, 1, 1], user=[3, 1, np.nan])
    named = replace(workload, types={"user": ColumnType("whole", ("ann",))})
    tt.write(named, tmp_path / f"log.{ending}")
    assert tt.read(tmp_path / f"log.{ending}").texts("user").tolist() == ["3", "ann", None]


@pytest.mark.parametrize("ending", ["swf", "swf.gz", *FORMATS])
def test_header_machine_zone_and_start_survive(tmp_path: Path, ending: str) -> None:
    source = tmp_path / "from.swf"
    head = "; Computer: here\n; UnixStartTime: 1000000000\n; TimeZoneString: Europe/Berlin\n; MaxProcs: 77\n"
    source.write_text(head + "1 0 5 10 4 -1 -1 4 60 -1 1 3 1 1 1 -1 -1 -1\n")
    tt.write(tt.read(source), tmp_path / f"to.{ending}", notes=["a note", "two\nlines"])
    found = tt.read(tmp_path / f"to.{ending}")
    assert found.machine_size() == (77, "MaxProcs in the log's header")
    assert found.unix_start_s == 1_000_000_000
    assert str(found.local_time()[0]) == "2001-09-09T03:46:40"
    assert found.header is not None
    assert "a note" in found.header.notes
    assert found.header["Computer"] == ["here"]


@pytest.mark.parametrize("name", ["KTH-SP2-1996-2.1-cln", "CTC-SP2-1996-3.1-cln", "HPC2N-2002-2.2-cln"])
def test_real_logs_give_one_digest_in_every_format(tmp_path: Path, name: str) -> None:
    original = tt.read(log(name))
    digests = {tt.simulate(original, None, "easy").digest}
    class_reader = copying_reader(original)
    for ending in ("swf", "csv", "parquet", "json"):
        path = tmp_path / f"{name}.{ending}"
        tt.write(original, path)
        digests.add(tt.simulate(tt.read(path), None, "easy").digest)
        tt.simulate_stream(path, None, "easy", tmp_path / f"run-{ending}")
        digests.add(tt.Result.load(tmp_path / f"run-{ending}").digest)
    own = tt.read(tmp_path / f"{name}.swf", reader=class_reader)
    digests.add(tt.simulate(own, None, "easy").digest)
    assert len(digests) == 1


def copying_reader(workload: tt.Workload) -> tt.Reader:
    """Return an own reader that yields the jobs of a workload in blocks."""

    class Copy(tt.OwnReader):
        def blocks(self, source: Path) -> Any:
            for begin in range(0, len(workload), 1000):
                part = {name: values[begin : begin + 1000] for name, values in workload.columns.items()}
                yield {name: values for name, values in part.items() if name != "line"}

        def header(self, source: Path) -> Any:
            return {"MaxProcs": workload.machine_processors}

    return Copy()


def test_own_writers(tmp_path: Path) -> None:
    class Counts(tt.OwnWriter, endings=(".counts",)):
        def write(self, workload: tt.Workload, path: Path) -> None:
            path.write_text(str(len(workload)))

    class Broken(tt.OwnWriter):
        def write(self, workload: tt.Workload, path: Path) -> None:
            raise RuntimeError("no")

    workload = tt.default_workload(jobs=20)
    tt.write(workload, tmp_path / "log.counts")
    assert (tmp_path / "log.counts").read_text() == "20"
    with pytest.raises(tt.InputError, match=r"writer broken failed on .*log.broken with RuntimeError: no"):
        tt.write(workload, tmp_path / "log.broken", writer=Broken())
    assert [path.name for path in tmp_path.iterdir()] == ["log.counts"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("log.doc", r"a log must end in .*\.swf.* or .*, packed or not \(got .*log.doc"),
        ("log.csv.zip", r"ends in .zip, but .gz, .xz, .bz2 are written"),
        ("log.parquet.gz", "parquet packs its content itself"),
        ("no/folder/log.csv", "cannot write"),
    ],
)
def test_names_that_are_refused(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(tt.InputError, match=message):
        tt.write(tt.default_workload(jobs=5), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_batsim_needs_run_times(tmp_path: Path) -> None:
    workload = tt.Workload.from_columns(submit_s=[0, 1], run_s=[1, np.nan], processors=[1, 1])
    with pytest.raises(tt.InputError, match="run_s of row 1 is not known, which Batsim needs"):
        tt.write(workload, tmp_path / "log.json")
    assert list(tmp_path.iterdir()) == []


def test_swf_names_the_attributes_that_it_leaves_out(tmp_path: Path) -> None:
    workload = tt.Workload.from_columns(submit_s=[0], run_s=[1], processors=[3], attributes={"colour": ["red"]})
    tt.write(workload, tmp_path / "log.swf")
    again = tt.read(tmp_path / "log.swf")
    assert again["processors"].tolist() == [3]
    assert again.header is not None
    assert "attributes left out: colour" in again.header.notes
