"""read_swf: where every line goes, the order of jobs, derived times, and the account in words."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.traces.lines import HEADER, job, lines_accounted_for, write
from thinktime.errors import InputError
from thinktime.workload import COLUMNS, Workload, describe, read_swf, stream_swf

CORPUS = sorted((Path(__file__).parent.parent / "fuzz" / "corpus").iterdir())
NO_LOGS = (
    "csv",
    "html",
    "not_numbers",
    "only_header",
    "overflow",
    "png",
)  # files of the corpus without a job


def read(folder: Path, text: str, **options: object) -> Workload:
    return read_swf(write(folder, text), **options)  # type: ignore[arg-type]


def test_unknown_becomes_missing_and_nothing_else_does(tmp_path: Path) -> None:
    workload = read(tmp_path, HEADER + job(f3=-1, f6="-1.0", f11=0))
    assert set(workload) == {*COLUMNS, "processors", "line"}
    missing = {name for name in workload if np.isnan(workload[name][0])}
    expected = {
        "wait_s",
        "cpu_s",
        "used_memory_kb",
        "requested_memory_kb",
        "executable",
        "queue",
        "partition",
    }
    assert missing == expected | {"preceding_job", "think_time_s"}
    assert (workload["status"][0], workload["line"][0]) == (0, 8)


def test_the_sort_is_stable_and_counted(tmp_path: Path) -> None:
    workload = read(tmp_path, job(1, 50) + job(2, 20) + job(3, 50) + job(4, 20) + job(5, 50))
    assert workload["job"].tolist() == [2, 4, 1, 3, 5]
    assert workload["line"].tolist() == [2, 4, 1, 3, 5]
    assert workload.account["unsorted"] == 2


@pytest.mark.parametrize("path", CORPUS, ids=[path.name for path in CORPUS])
@pytest.mark.parametrize("name", ["base", "all", "pyss", "rlsched"])
def test_every_line_is_in_exactly_one_place(path: Path, name: str) -> None:
    if path.name in NO_LOGS:
        with pytest.raises(InputError, match="not an SWF log"):
            read_swf(path, filter=name)
        return
    workload = read_swf(path, filter=name)
    account = workload.account
    assert lines_accounted_for(account) == account["lines"]
    assert account["kept"] == len(workload)
    assert json.loads(json.dumps(account)) == account
    assert describe(account).splitlines()[0].startswith(f"{account['lines']} lines")


def test_negative_and_unknown_submits(tmp_path: Path) -> None:
    account = read(tmp_path, job(1, -7) + job(2, -1) + job(3, 4)).account
    assert account["negative_submit"] == 2
    assert account["dropped"] == {"submit time unknown": 1}


def test_duplicates_are_counted_and_kept_unless_asked(tmp_path: Path) -> None:
    text = job() + job() + job(1, 3) + job(2, 4)
    kept, dropped = read(tmp_path, text), read(tmp_path, text, duplicates="drop")
    assert (kept.account["duplicate_numbers"], kept.account["duplicate_lines"]) == (2, 1)
    assert (len(kept), len(dropped)) == (4, 2)
    assert dropped.account["dropped"] == {"job number seen before": 2}


def test_the_machine_size_and_its_reason(tmp_path: Path) -> None:
    sizes = [
        (" MaxProcs: 16 (8 thin)", {}, 16, "MaxProcs"),
        (" MaxNodes: 12", {}, 12, "MaxNodes"),
        (" Note: nothing", {}, 7, "largest simultaneous use"),
        (" MaxProcs: 16", {"machine": 9}, 9, "argument"),
    ]
    for line, options, size, because in sizes:
        account = read(tmp_path, f";{line}\n" + job(f5=7), **options).account
        assert (account["machine_processors"], account["machine_because"]) == (size, because)


@pytest.mark.parametrize(
    ("jobs", "size", "because"),
    [
        # submit, wait, run, allocated, status: [0, 10) and [10, 20) do not overlap, [5, 15) overlaps both
        ([(0, 0, 10, 7, 1), (0, 10, 10, 6, 1), (5, 0, 10, 3, 1)], 10, "largest simultaneous use"),
        ([(0, 0, 10, 7, 1), (0, 10, 10, 6, 1)], 7, "largest simultaneous use"),
        ([(0, -1, 10, 7, 1), (0, -1, 10, 6, 1)], 7, "largest allocation"),
        ([(0, 0, 10, 2, 1), (0, -1, 10, 6, 1)], 6, "largest allocation"),
        ([(0, 0, 10, 7, 1), (0, 0, 10, 7, 2)], 7, "largest allocation"),
    ],
)
def test_without_a_header_the_largest_use_bounds_the_machine(
    tmp_path: Path, jobs: list[tuple[int, ...]], size: int, because: str
) -> None:
    lines = [
        job(k + 1, submit, f3=wait, f4=run, f5=size, f11=status)
        for k, (submit, wait, run, size, status) in enumerate(jobs)
    ]
    account = read(tmp_path, "".join(lines)).account
    assert (account["machine_processors"], account["machine_because"]) == (size, because)


def test_a_header_that_contradicts_the_jobs_is_noted(tmp_path: Path) -> None:
    def note(header: str, **options: object) -> str | None:
        workload = read(tmp_path, f"; MaxProcs: {header}\n" + job(f5=7, f8=9), **options)
        stream = stream_swf(tmp_path / "toy.swf", **options)  # type: ignore[arg-type]
        list(stream)
        said = workload.account["machine_note"]
        assert stream.account["machine_note"] == said
        assert (said or "machine") in describe(workload.account)
        return said

    assert note("9") is None
    assert note("8", machine=4) is None
    assert note("8") == (
        "the header's MaxProcs 8 is less than the largest job (9 processors):"
        " if the header is wrong, give the machine's size"
    )
    assert note("1e3") == "the header's MaxProcs '1e3' is not understood as a whole number"


@pytest.mark.parametrize("name", ["base", "pyss", "max"])
def test_fractions_of_processors_are_rounded_up(tmp_path: Path, name: str) -> None:
    text = (
        job(1, f5=2.5, f8=2.5) + job(2, 1, f5="0.2", f8="0.2", f4=0) + job(3, 2, f5=4, f8=4) + job(4, 3, f4=-1, f8=1.5)
    )
    options = {"processors": "max"} if name == "max" else {"filter": name}
    workload = read(tmp_path, text, **options)
    assert workload["processors"].tolist()[:3] == [3, 1, 4]
    assert workload["requested_processors"].tolist()[:2] == [2.5, 0.2]
    rounded = 1 if name == "pyss" else 2  # pyss gives a bad job at least one processor
    assert workload.account["repaired"]["processors rounded up to a whole number"] == rounded
    (block,) = stream_swf(tmp_path / "toy.swf", **options)  # type: ignore[arg-type]
    assert block["processors"].tolist() == workload["processors"].tolist()


def test_recorded_times_span_and_offered_load(tmp_path: Path) -> None:
    workload = read(tmp_path, job(1, 100, f3=5, f4=60) + job(2, 150, f3=-1, f4=50, f12=9))
    assert np.array_equal(workload.recorded_start_s, [105, np.nan], equal_nan=True)
    assert np.array_equal(workload.recorded_end_s, [165, np.nan], equal_nan=True)
    assert workload.users.tolist() == [1, 9]
    assert workload.span_s == 100
    assert workload.offered_load(8) == (4 * 60 + 4 * 50) / (8 * 100)


def test_local_time_is_the_logs(tmp_path: Path) -> None:
    workload = read(tmp_path, HEADER + job(1, 0) + job(2, 3600))
    assert [str(t) for t in workload.local_time()] == ["1996-09-23T14:00:31", "1996-09-23T15:00:31"]
    assert str(workload.local_time(zone="US/Eastern")[0]) == "1996-09-23T08:00:31"
    with pytest.raises(InputError, match="no time zone"):
        workload.local_time(zone="Mars")


def test_local_time_needs_a_start_and_a_zone(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no UnixStartTime"):
        read(tmp_path, job()).local_s()
    with pytest.raises(InputError, match="has no time zone"):
        read(tmp_path, "; UnixStartTime: 1000\n" + job()).local_s()


def test_the_local_time_does_not_depend_on_this_machines_zone(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + job())
    code = f"from thinktime.workload import read_swf; print(read_swf({str(path)!r}).local_time()[0])"
    for zone in ("Asia/Tokyo", "America/New_York"):
        environment = {"TZ": zone, "PYTHONPATH": ":".join(sys.path)}
        out = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert out.stdout.strip() == "1996-09-23T14:00:31"


def test_conditions_remove_and_are_counted(tmp_path: Path) -> None:
    text = "".join(job(k, k, f12=k % 2) for k in range(1, 11))
    workload = read(tmp_path, text, remove=["user=1 and job>3 and job<9", "job = 10"])
    assert workload["job"].tolist() == [1, 2, 3, 4, 6, 8, 9]
    assert workload.account["dropped"] == {"removed: user=1 and job>3 and job<9": 2, "removed: job = 10": 1}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("filter", "bse"),
        ("processors", "some"),
        ("duplicates", "perhaps"),
        ("machine", 0),
        ("remove", "user="),
    ],
)
def test_bad_options_are_named_before_the_file_is_read(option: str, value: object) -> None:
    with pytest.raises(InputError, match=r": |\(got"):
        read_swf("nowhere.swf", **{option: value})  # type: ignore[arg-type]


def test_the_account_in_words(tmp_path: Path) -> None:
    text = HEADER + job(1, 5) + job(2, 4, f5=0) + "1 2 3\n\n" + job(3, 9, f4=200)
    assert describe(read(tmp_path, text).account) == "\n".join(
        [
            "12 lines: 3 jobs, 7 comments, 1 blank, 1 malformed",
            "kept 2 jobs (filter base, processors requested)",
            "dropped 1: no allocated processors",
            "line 10: fewer than 18 fields: 1 2 3",
            "1 lines out of submit order (sorted)",
            "the header says MaxJobs 2",
            "1 users in 0.0 days",
            "machine: 8 processors (MaxProcs)",
            "offered load 0.622",
            "100.0% of the jobs have estimates, 1 ran longer",
            "time zone: Europe/Stockholm (TimeZoneString)",
        ]
    )


def test_reading_does_not_load_heavy_modules(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + job())
    code = (
        "import sys; from thinktime.workload import read_swf, stream_swf;"
        f"read_swf({str(path)!r}); list(stream_swf({str(path)!r}));"
        "print(sorted({'polars', 'matplotlib', 'scipy'} & set(sys.modules)))"
    )
    environment = {"PYTHONPATH": ":".join(sys.path)}
    out = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_the_data_frame_has_nulls(tmp_path: Path) -> None:
    frame = read(tmp_path, job(f3=-1)).frame
    assert frame["wait_s"].null_count() == 1
    assert frame["job"].to_list() == [1]


def test_a_workload_is_shown_on_one_line(tmp_path: Path) -> None:
    assert repr(read(tmp_path, job() + job(2, 1, f12=7))) == "<Workload toy: 2 jobs, 2 users>"


def test_the_columns_cannot_be_changed_in_place(tmp_path: Path) -> None:
    given = {name: np.arange(2.0) for name in (*COLUMNS, "processors", "line")}
    made = Workload(columns=given)
    for workload in (made, read(tmp_path, job()), made.select(np.array([1])), pickle.loads(pickle.dumps(made))):
        for name in workload:
            with pytest.raises(ValueError, match="read-only"):
                workload[name][0] = 3
    assert np.shares_memory(made["run_s"], given["run_s"])
    given["run_s"][0] = 3  # the caller's own array stays the caller's
