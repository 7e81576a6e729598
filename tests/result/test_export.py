"""Exports: SWF, CSV and Batsim's jobs file say what the schedule says."""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from tests.effort import examples
from tests.result.runs import changed, fcfs_runs, hand_worked
from thinktime.errors import InputError
from thinktime.result import Result
from thinktime.result.exports.processor_numbers import place

SWF = """\
1 0 0 100 2 -1 -1 2 120 -1 1 1 -1 -1 -1 -1 -1 -1
2 10 90 50 4 -1 -1 4 60 -1 1 1 -1 -1 -1 -1 -1 -1
3 20 130 5 1 -1 -1 1 5 -1 1 2 -1 -1 -1 -1 -1 -1
4 30 -1 -1 -1 -1 -1 9 60 -1 5 2 -1 -1 -1 -1 -1 -1
5 160 0 0 3 -1 -1 3 10 -1 1 2 -1 -1 -1 -1 -1 -1
6 170 0 20 2 -1 -1 2 20 -1 0 3 -1 -1 -1 -1 -1 -1
"""

BATSIM = (
    "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,"
    "final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,"
    "allocated_resources,consumed_energy,metadata"
)


def split_swf(path: Path) -> tuple[list[str], str]:
    lines = path.read_text().splitlines(keepends=True)
    return [line for line in lines if line.startswith(";")], "".join(x for x in lines if not x.startswith(";"))


def test_swf_has_the_simulated_waits_and_its_provenance(tmp_path: Path) -> None:
    hand_worked().write_swf(tmp_path / "out.swf", header={"UnixStartTime": "843490800"})
    header, jobs = split_swf(tmp_path / "out.swf")
    assert jobs == SWF
    first = "; Version: 2.2\n; MaxJobs: 6\n; MaxRecords: 6\n; MaxProcs: 4\n; UnixStartTime: 843490800\n"
    assert "".join(header[:5]) == first
    assert f"; Note: run {hand_worked().digest}\n" in header
    assert '; Note: simulated scheduler {"name":"fcfs","skip":false}\n' in header
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.swf"]


def test_swf_is_sorted_by_submission_and_keeps_fractions(tmp_path: Path) -> None:
    late = changed(hand_worked(), submit_s={0: 175.25}, start_s={0: 175.25, 2: 150.1}, end_s={0: 275.25})
    late.write_swf(tmp_path / "out.swf")
    _, jobs = split_swf(tmp_path / "out.swf")
    lines = [line.split() for line in jobs.splitlines()]
    assert [line[0] for line in lines] == ["2", "3", "4", "5", "6", "1"]
    assert lines[-1][1:4] == ["175.25", "0", "100"]
    assert float(lines[1][2]) == 150.1 - 20
    assert all(len(line) == 18 for line in lines)


def test_unfinished_jobs_have_no_run_time_in_swf(tmp_path: Path) -> None:
    stopped = changed(hand_worked(), status={5: 3, 4: 3}, end_s={5: np.nan, 4: np.nan}, start_s={4: np.nan})
    stopped.write_swf(tmp_path / "out.swf")
    lines = [line.split() for line in split_swf(tmp_path / "out.swf")[1].splitlines()]
    assert (lines[4][2:5], lines[4][10]) == (["-1", "-1", "-1"], "-1")
    assert (lines[5][2:5], lines[5][10]) == (["0", "-1", "2"], "-1")


def test_an_empty_result_is_a_header(tmp_path: Path) -> None:
    empty = Result({name: values[:0] for name, values in hand_worked().columns.items()}, 4)
    empty.write_swf(tmp_path / "out.swf")
    empty.write_csv(tmp_path / "out.csv")
    empty.write_batsim(tmp_path / "out_jobs.csv")
    assert split_swf(tmp_path / "out.swf")[1] == ""
    assert (tmp_path / "out.csv").read_text().startswith("job,user,submit_s")
    assert (tmp_path / "out_jobs.csv").read_text() == BATSIM + "\n"


def test_csv_is_the_frame(tmp_path: Path) -> None:
    hand_worked().write_csv(tmp_path / "out.csv")
    read = pl.read_csv(tmp_path / "out.csv", schema=hand_worked().jobs.schema)
    assert read.equals(hand_worked().jobs)


def test_an_export_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "out.csv").mkdir()
    with pytest.raises(InputError, match=r"cannot write .*out.csv: Is a directory"):
        hand_worked().write_csv(tmp_path / "out.csv")
    with pytest.raises(InputError, match="No such file or directory"):
        hand_worked().write_swf(tmp_path / "nowhere" / "out.swf")
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_batsim_has_batsims_columns_and_words(tmp_path: Path) -> None:
    hand_worked().write_batsim(tmp_path / "out_jobs.csv")
    text = (tmp_path / "out_jobs.csv").read_text()
    assert text.splitlines()[0] == BATSIM
    rows = list(csv.DictReader(text.splitlines()))
    done, late, timeout = "COMPLETED_SUCCESSFULLY", "REJECTED", "COMPLETED_WALLTIME_REACHED"
    assert [row["final_state"] for row in rows] == [done, done, done, late, done, timeout]
    assert [row["success"] for row in rows] == ["1", "1", "1", "0", "1", "0"]
    assert [row["allocated_resources"] for row in rows] == ["0-1", "0-3", "0", "", "0-2", "0-1"]
    assert rows[3]["starting_time"] == rows[3]["stretch"] == ""
    assert (rows[1]["workload_name"], rows[1]["job_id"], rows[1]["profile"]) == ("hand-worked", "2", "2")
    numbers = [
        "submission_time",
        "requested_time",
        "starting_time",
        "execution_time",
        "finish_time",
        "waiting_time",
        "turnaround_time",
        "stretch",
    ]
    assert [float(rows[1][name]) for name in numbers] == [10, 60, 100, 50, 150, 90, 140, 2.8]


def test_batsim_names_unfinished_jobs_by_what_they_do(tmp_path: Path) -> None:
    stopped = changed(hand_worked(), status={5: 3, 4: 3}, end_s={5: np.nan, 4: np.nan}, start_s={4: np.nan})
    stopped.write_batsim(tmp_path / "out_jobs.csv")
    states = pl.read_csv(tmp_path / "out_jobs.csv")["final_state"].to_list()
    assert states[4:] == ["SUBMITTED", "RUNNING"]


def test_processors_are_taken_lowest_first_and_given_back() -> None:
    # 0-1 to the first, 2 to the second; when the first ends, the third takes 0-1 and 3
    columns = {
        "job": np.array([1.0, 2, 3]),
        "start_s": np.array([0.0, 0, 10]),
        "end_s": np.array([10.0, 30, 20]),
        "processors": np.array([2.0, 1, 3]),
    }
    assert place(columns, 4) == [[(0, 1)], [(2, 2)], [(0, 1), (3, 3)]]


@pytest.mark.parametrize("ends", [(10.0, 20.0), (20.0, 10.0)])
def test_neighbours_that_are_free_are_one_interval(ends: tuple[float, float]) -> None:
    columns = {
        "job": np.array([1.0, 2, 3]),
        "start_s": np.array([0.0, 0, 20]),
        "end_s": np.array([*ends, 30]),
        "processors": np.array([2.0, 2, 4]),
    }
    assert place(columns, 4)[2] == [(0, 3)]


def test_an_oversubscribed_schedule_cannot_be_placed() -> None:
    with pytest.raises(InputError, match="job 2 has no free processors"):
        place(changed(hand_worked(), start_s={1: 50.0}, end_s={1: 100.0}).columns, 4)


@examples(60, shared_fixture=True)
@given(fcfs_runs())
def test_no_processor_serves_two_jobs_at_once(result: Result) -> None:
    of = result.columns
    placed = place(of, result.processors)
    sets = [{p for low, high in intervals for p in range(low, high + 1)} for intervals in placed]
    for i, mine in enumerate(sets):
        assert len(mine) == (of["processors"][i] if of["status"][i] != 2 else 0)
        assert mine <= set(range(result.processors))
        for j in range(i):
            together = of["start_s"][i] < of["end_s"][j] and of["start_s"][j] < of["end_s"][i]
            assert not (together and mine & sets[j])


@pytest.mark.parametrize("ending", ["gz", "xz", "bz2"])
def test_a_schedule_is_packed_as_its_name_says(tmp_path: Path, ending: str) -> None:
    hand_worked().write_swf(tmp_path / "plain.swf")
    hand_worked().write_swf(tmp_path / f"packed.swf.{ending}")
    opened: Any = {"gz": gzip.open, "xz": lzma.open, "bz2": bz2.open}[ending]
    assert opened(tmp_path / f"packed.swf.{ending}").read() == (tmp_path / "plain.swf").read_bytes()


def test_a_schedule_is_not_written_under_a_misleading_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has an ending that is not supported"):
        hand_worked().write_swf(tmp_path / "schedule.swf.zip")
