"""Pipes, devices and folders in the place of files: one sentence at once, no waiting."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from tests.cli.commands import small_log, thinktime

TASKS = ("run", "small.swf", "--no-figures")
PLACES = {
    "study": ("study", "run", "{}.toml"),
    "cluster": (*TASKS, "--cluster", "{}.toml"),
    "cluster as JSON": (*TASKS, "--cluster", "{}.json"),
    "requests": (*TASKS, "--cluster", "seth", "--requests", "{}.csv"),
    "tasks": (*TASKS, "--applications", "loop:tasks={}.csv"),
    "slowdowns": (*TASKS, "--applications", "loop:slowdowns={}.csv"),
    "windows": (*TASKS, "--cluster", "seth", "--plugin", "maintenance:file={}.csv"),
    "run.json": ("check", "{}"),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("unusual")
    small_log(place / "small.swf", jobs=20)
    for ending in (".toml", ".json", ".csv"):
        os.mkfifo(place / f"pipe{ending}")
        (place / f"zero{ending}").symlink_to("/dev/zero")
        (place / f"folder{ending}").mkdir()
    for name in ("pipe", "zero", "folder"):
        (place / name).mkdir()
    os.mkfifo(place / "pipe" / "run.json")
    (place / "zero" / "run.json").symlink_to("/dev/zero")
    return place


@pytest.mark.parametrize("kind", ["pipe", "zero", "folder"])
@pytest.mark.parametrize("what", PLACES)
def test_only_regular_files_are_read(place: Path, what: str, kind: str) -> None:
    done = thinktime(place, *(word.format(kind) for word in PLACES[what]))
    assert (done.code, done.out) == (2, "")
    assert kind in done.err
    assert "Errno" not in done.err
    assert len(done.err.splitlines()) == 1


def test_a_log_may_come_through_a_pipe(place: Path) -> None:
    os.mkfifo(place / "log.swf")
    writer = threading.Thread(target=(place / "log.swf").write_bytes, args=((place / "small.swf").read_bytes(),))
    writer.start()
    assert "20 of 20 jobs kept" in thinktime(place, "inspect", "log.swf").out
    writer.join()


def test_a_device_is_no_log(place: Path) -> None:
    assert "is a device, not a log" in thinktime(place, "inspect", "/dev/zero").err


def test_one_dirty_line_in_a_study_and_in_a_run(place: Path) -> None:
    text = (place / "small.swf").read_text() + "999 999999999999 0 60 4 -1 -1 4 100 -1 1 3 1 -1 -1 -1 -1 -1\n"
    (place / "dirty.swf").write_text(text)
    (place / "dirty.toml").write_text('name = "d"\nworkloads = [{log = "dirty.swf"}]\nschedulers = ["easy", "fcfs"]\n')
    for command in (["inspect", "dirty.swf"], ["run", "dirty.swf", "--no-figures"], ["study", "run", "dirty.toml"]):
        done = thinktime(place, *command)
        said = " ".join(done.out.split())
        assert done.code == 0
        assert "mplausible: " in said
        assert "--remove 'job=999'" in said
        assert "job 999 (line" in said or "1 of 21 jobs" in said
