"""write_swf: kept lines come back with equal numbers, the header is up to date, nothing is half-written."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.shared_data import log
from tests.traces.lines import HEADER, job, write
from thinktime.errors import InputError
from thinktime.generate import default_workload
from thinktime.resampling import Resampler, write_resample
from thinktime.traces import read_log
from thinktime.workload import COLUMNS, Workload, read_swf, stream_swf, write_swf

ARCHIVE_LINES = (
    "    1        0 588530    937  306 142.00    -1   -1  35100    -1  1  97  -1 307  3 -1 -1 -1\n"
    "   12   342343      5    553   40 552.21    -1   40  43200    -1  1   4   1  -1 -1  1 -1 -1\n"
    "272394 31664481 249861   1189 2048     -1    -1 2048  72000    -1  0  21  89  -1 -1  4 -1 -1\n"
)


def job_lines(path: Path) -> list[bytes]:
    content = path.read_bytes()
    content = gzip.decompress(content) if path.suffix == ".gz" else content
    return [line for line in content.splitlines(keepends=True) if not line.lstrip().startswith(b";")]


def rewritten(workload: Workload, folder: Path, name: str = "out.swf", **options: object) -> Path:
    write_swf(workload, folder / name, **options)  # type: ignore[arg-type]
    return folder / name


def test_archive_lines_come_back_byte_for_byte(tmp_path: Path) -> None:
    path = rewritten(read_swf(write(tmp_path, HEADER + ARCHIVE_LINES)), tmp_path)
    assert b"".join(job_lines(path)).decode() == ARCHIVE_LINES


def test_spellings_and_extras_survive_sort_and_selection(tmp_path: Path) -> None:
    odd = job(1, 50, f6="142.00", f2="050").rstrip() + " node[1-4] x\n"
    signed = job(2, 20, f3="+7", f17="-1.0")
    workload = read_swf(write(tmp_path, odd + signed + job(3, 30, f6="1e1")))
    assert workload["job"].tolist() == [2, 3, 1]
    tokens = [line.split() for line in job_lines(rewritten(workload.select(np.array([2, 0])), tmp_path))]
    assert tokens == [odd.encode().split(), signed.encode().split()]


def test_a_changed_value_is_written_not_its_old_spelling(tmp_path: Path) -> None:
    workload = read_swf(write(tmp_path, job(f6="142.00", f4="60.0")))
    changed = replace(workload, columns={**workload.columns, "cpu_s": np.array([7.25])})
    tokens = job_lines(rewritten(changed, tmp_path))[0].split()
    assert (tokens[3], tokens[5]) == (b"60.0", b"7.25")


def test_the_header_is_kept_and_brought_up_to_date(tmp_path: Path) -> None:
    header = HEADER.replace("MaxJobs: 2", "MaxJobs: 77") + ";      EndTime:   long ago\n; Note: kept\n"
    workload = read_swf(write(tmp_path, header + job() + job(2, f5=0)), remove="job=9")
    written = rewritten(workload, tmp_path, notes=["mine,\nin two lines"]).read_text().splitlines()
    assert written[:7] == HEADER.replace("MaxJobs: 2", "MaxJobs: 1").splitlines()
    assert written[7:-1] == [
        ";      EndTime:   Mon Sep 23 14:01:36 CEST 1996",
        "; Note: kept",
        "; MaxRecords: 1",
        "; Note: written by thinktime 0.1.0",
        f"; Note: source toy, sha256 {workload.source['sha256']}",
        "; Note: filter base, processors requested",
        "; Note: removed job=9",
        "; Note: mine,",
        ";       in two lines",
    ]


def test_writing_again_adds_nothing_twice(tmp_path: Path) -> None:
    once = rewritten(read_swf(write(tmp_path, HEADER + job())), tmp_path)
    header = read_log(once).header
    again = read_log(rewritten(replace(read_swf(once), source={}), tmp_path, "again.swf")).header
    assert again.lines == header.lines


def test_a_shifted_log_shifts_its_start(tmp_path: Path) -> None:
    workload = read_swf(write(tmp_path, HEADER + job(1, 1000)), filter="batsim")
    again = read_swf(rewritten(workload, tmp_path))
    assert again.header is not None
    assert again.header.unix_start_s == 843480031 + 1000
    assert again.local_time()[0] == workload.local_time()[0]


def test_a_workload_from_no_log(tmp_path: Path) -> None:
    columns = {name: np.full(2, np.nan) for name in (*COLUMNS, "processors", "line")}
    columns |= {"job": np.array([1.0, 2]), "submit_s": np.array([0, 2.5]), "run_s": np.array([3.0, 1e-7])}
    made = Workload(columns=columns, name="made", source={"seed": 7}, account={"machine_processors": 64})
    path = rewritten(made, tmp_path)
    again = read_swf(path, filter="all")
    for name in COLUMNS:
        assert np.array_equal(again[name], made[name], equal_nan=True), name
    assert again.header is not None
    assert again.header.machine_size() == (64, "MaxProcs")
    assert "seed 7" in again.header.notes


@pytest.mark.parametrize(("end", "unpack"), [("gz", gzip.decompress), ("xz", lzma.decompress), ("bz2", bz2.decompress)])
def test_packed_by_name_and_deterministic(tmp_path: Path, end: str, unpack: Callable[[bytes], bytes]) -> None:
    workload = read_swf(write(tmp_path, HEADER + job()))
    first, second = (rewritten(workload, tmp_path, f"{name}.{end}") for name in ("a.swf", "b.SWF"))
    assert first.read_bytes() == second.read_bytes()
    assert unpack(first.read_bytes()) == rewritten(workload, tmp_path).read_bytes()
    assert len(read_swf(first)) == 1


def test_other_archives_are_refused(tmp_path: Path) -> None:
    workload = read_swf(write(tmp_path, HEADER + job()))
    with pytest.raises(InputError, match=r"y\.swf\.zip has an ending that is not supported: use"):
        write_swf(workload, tmp_path / "y.swf.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["toy.swf"]


def test_a_submit_time_that_would_read_as_unknown_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="submit_s of row 1 is -1, which in a log means that the submit time is unknown"
    ):
        write_swf(Workload.from_columns(submit_s=[-2, -1, 0]), tmp_path / "out.swf")
    assert not list(tmp_path.iterdir())
    as_pyss = read_swf(write(tmp_path, job(1, -1)), filter="pyss")
    assert job_lines(rewritten(as_pyss, tmp_path))[0].split()[1] == b"-1"


def test_nothing_half_written_remains(tmp_path: Path) -> None:
    workload = read_swf(write(tmp_path, HEADER + job()))
    broken = replace(workload, columns={**workload.columns, "run_s": np.array([2.0**60])})
    with pytest.raises(InputError, match=r"run_s of row 0 is 1\.15292e\+18"):
        write_swf(broken, tmp_path / "out.swf")
    with pytest.raises(InputError, match="cannot write"):
        write_swf(workload, tmp_path / "no" / "folder.swf")
    (tmp_path / "taken").mkdir()
    with pytest.raises(InputError, match="cannot write"):
        write_swf(workload, tmp_path / "taken")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["taken", "toy.swf"]


@pytest.mark.parametrize("name", ["KTH-SP2-1996-2.1-cln", "CTC-SP2-1996-3.1-cln"])
def test_real_logs_come_back_byte_for_byte(tmp_path: Path, name: str) -> None:
    path = rewritten(read_swf(log(name), filter="all"), tmp_path)
    assert job_lines(path) == job_lines(log(name))


@pytest.mark.parametrize("name", ["UniLu-Gaia-2014-1", "NASA-iPSC-1993-3"])
def test_real_logs_come_back_with_equal_numbers(tmp_path: Path, name: str) -> None:
    path = rewritten(read_swf(log(name), filter="all"), tmp_path)
    assert [line.split() for line in job_lines(path)] == [line.split() for line in job_lines(log(name))]


def test_a_written_log_reads_as_the_same_workload(tmp_path: Path) -> None:
    first = read_swf(log("KTH-SP2-1996-2.1-cln"))
    second = read_swf(rewritten(first, tmp_path))
    for name in (*COLUMNS, "processors"):
        assert np.array_equal(first[name], second[name], equal_nan=True), name


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    workload = default_workload(jobs=5)
    (tmp_path / "link.swf").symlink_to(tmp_path / "there.swf")
    write_swf(workload, tmp_path / "link.swf")
    assert (tmp_path / "link.swf").is_symlink()
    assert (tmp_path / "there.swf").is_file()
    with pytest.raises(InputError, match="not a regular file"):
        write_swf(workload, "/dev/null")


def sizes_of(processors: list[float], requested: list[float], allocated: list[float]) -> Workload:
    jobs = len(processors)
    return Workload.from_columns(
        submit_s=range(jobs),
        run_s=[10] * jobs,
        processors=processors,
        requested_processors=requested,
        allocated_processors=allocated,
    )


@pytest.mark.parametrize(
    ("sizes", "field"),
    [
        (([1, 2], [1, 2], [4, 4]), None),
        (([4, 5], [1, 2], [4, 5]), "allocated"),
        (([4, 2], [1, np.nan], [4, 2]), "allocated"),
        (([4, 9], [1, 9], [4, 5]), "max"),
        (([4, 4], [4, 4], [4, 4]), None),
        (([2, 3], [1.5, 2.5], [4, 4]), None),
    ],
)
def test_sizes_survive_by_the_name_of_their_field(
    tmp_path: Path, sizes: tuple[list[float], list[float], list[float]], field: str | None
) -> None:
    made = sizes_of(*sizes)
    path = rewritten(made, tmp_path)
    again, streamed = read_swf(path), stream_swf(path)
    assert again.header is not None
    assert again.header.first("ProcessorField") == field
    assert again["processors"].tolist() == made["processors"].tolist()
    assert [size for block in streamed for size in block["processors"]] == made["processors"].tolist()
    assert again.account["processors"] == streamed.account["processors"] == (field or "requested")


def test_an_option_or_another_simulator_decides_before_the_header(tmp_path: Path) -> None:
    path = rewritten(sizes_of([4, 9], [1, 9], [4, 5]), tmp_path)
    assert read_swf(path, processors="requested")["processors"].tolist() == [1, 9]
    assert read_swf(path, filter="alea", machine=99)["processors"].tolist() == [4, 5]
    requested = rewritten(read_swf(path, processors="requested"), tmp_path, "requested.swf")
    assert b"ProcessorField" not in requested.read_bytes()
    path.write_text(path.read_text().replace("ProcessorField: max", "ProcessorField: most"))
    assert read_swf(path)["processors"].tolist() == [1, 9]


def test_sizes_that_are_no_field_are_noted_with_a_warning(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match=r"neither the requested nor the allocated processors.*write \.parquet"):
        path = rewritten(sizes_of([3, 3], [1, 2], [4, 5]), tmp_path)
    again = read_swf(path)
    assert again.header is not None
    assert any("neither the requested nor the allocated" in note for note in again.header.notes)


def test_a_resample_keeps_the_sizes(tmp_path: Path) -> None:
    log = default_workload(weeks=6)
    log = replace(log, columns={**log.columns, "requested_processors": log["processors"] + 1})
    log = replace(log, columns={**log.columns, "allocated_processors": log["processors"]})
    resampler = Resampler(log, weeks=2)
    write_resample(resampler, tmp_path / "two.swf", seed=3)
    again = read_swf(tmp_path / "two.swf")
    assert again["processors"].tolist() == resampler.workload(seed=3)["processors"].tolist()
