"""Which reader opens a file: a given one, an own one by ending, by content, by ending."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

import thinktime as tt
from thinktime.traces.find import find_log, format_ending, log_name, logs_in
from thinktime.traces.reader import reader_of

SWF = "; MaxProcs: 8\n1 0 5 60 4 -1 -1 4 100 -1 1 1 1 -1 -1 -1 -1 -1\n"
CSV = "submit_s,run_s,processors\n0,1,1\n"
BATSIM = '{"nb_res": 4, "jobs": [], "profiles": {}}'
SLURM_JSON = '{"jobs": [{"association": {}, "derived_exit_code": {}, "allocation_nodes": 1}]}'
CONTENTS = {
    "swf": SWF,
    "csv": CSV,
    "batsim": BATSIM,
    "sacct": SLURM_JSON,
}


@pytest.mark.parametrize("ending", ["swf", "csv", "json", "parquet", "dat", "txt", ""])
@pytest.mark.parametrize("name", CONTENTS)
def test_content_decides_before_the_ending(tmp_path: Path, name: str, ending: str) -> None:
    path = tmp_path / f"log.{ending}"
    path.write_text(CONTENTS[name])
    assert reader_of(path).name == name


@pytest.mark.parametrize(("ending", "name"), [("swf", "swf"), ("csv", "csv"), ("json", "batsim"), ("pq", "parquet")])
def test_the_ending_decides_about_content_that_says_nothing(tmp_path: Path, ending: str, name: str) -> None:
    path = tmp_path / f"log.{ending}.gz"
    path.write_text("nothing in particular")
    assert reader_of(path).name == name


def test_an_unknown_file(tmp_path: Path) -> None:
    path = tmp_path / "letter.doc"
    path.write_text("Dear reader")
    with pytest.raises(tt.InputError, match=r"letter.doc is not recognised as a log \(batsim, csv, .*, swf\)"):
        tt.read(path)


def test_an_own_reader_by_its_ending_comes_first(tmp_path: Path) -> None:
    class Mine(tt.OwnReader, name="recognised", endings=(".MINE",)):
        def blocks(self, source: Path) -> Any:
            yield {"submit_s": [3], "run_s": [1], "processors": [1]}

    path = tmp_path / "log.mine.gz"
    path.write_text(CSV)
    assert reader_of(path) == Mine()
    assert reader_of(path, "csv").name == "csv"
    assert tt.read(path)["submit_s"].tolist() == [3]
    assert find_log("log", folders=[tmp_path]) == path
    assert log_name(path) == "log"


def test_a_reader_without_files() -> None:
    class Counted(tt.OwnReader, name="counted", opens_files=False):
        def blocks(self, source: Path) -> Any:
            jobs = int(str(source).partition(":")[2])
            yield {"submit_s": range(jobs), "run_s": [1] * jobs, "processors": [1] * jobs}

    assert len(tt.read("jobs:7", reader="counted")) == 7
    assert sum(len(block["job"]) for block in tt.stream("jobs:7", reader=Counted())) == 7


@pytest.mark.parametrize("bad", [{"endings": ("mine",)}, {"endings": ("",)}, {"name": "csv"}])
def test_mistakes_in_classes(bad: dict[str, Any]) -> None:
    with pytest.raises(tt.InputError, match=r"write it with its dot|reserved for the built-in"):
        type("Bad", (tt.OwnReader,), {}, **bad)


def test_names_in_a_folder_have_any_ending_and_swf_first(tmp_path: Path) -> None:
    for name in ("a.csv", "a.swf.gz", "b.parquet", "c.json.xz", ".hidden.csv", "d.doc"):
        (tmp_path / name).touch()
    assert {name: path.name for name, path in logs_in(tmp_path).items()} == {
        "a": "a.swf.gz",
        "b": "b.parquet",
        "c": "c.json.xz",
    }
    assert find_log("B", folders=[tmp_path]).name == "b.parquet"
    assert format_ending("x/KTH-SP2-1996-2.1-cln.SWF.gz") == ".swf"


@pytest.mark.parametrize(("reader", "content"), [(None, SWF), ("csv", CSV)])
def test_pipes_are_read_once(tmp_path: Path, reader: str | None, content: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(content,))
    writer.start()
    assert len(tt.read(pipe, reader=reader)) == 1
    writer.join()


def test_more_jobs_than_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from thinktime.traces import reader

    monkeypatch.setattr(reader, "memory_bytes", lambda: 1000)
    for ending in ("csv", "parquet", "json"):
        tt.write(tt.default_workload(jobs=50), tmp_path / f"log.{ending}")
        with pytest.raises(tt.InputError, match="has more jobs than fit into the 0 GiB"):
            tt.read(tmp_path / f"log.{ending}")
