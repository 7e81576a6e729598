"""Files from strangers: reading one never imports a module and never starts a process."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import thinktime as tt
from tests.cli.commands import process, thinktime
from tests.result.forged import forge
from thinktime.errors import InputError
from thinktime.trust import TrustError


@pytest.fixture(scope="module")
def looked_into(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose jobs are loops, so that a trace plays them again."""
    found = tmp_path_factory.mktemp("runs") / "run"
    loops = tt.Loop(technique="gss", variation=0.2)
    tt.simulate(tt.default_workload(jobs=20), tt.Machine(processors=128), tt.Easy(), applications=loops).save(found)
    return found


@pytest.fixture
def strangers(looked_into: Path, tmp_path: Path) -> Path:
    """The same run with a command in it, which leaves a file behind if it is ever started."""
    command = f"sh -c 'touch {tmp_path}/started'"
    shutil.copytree(looked_into, tmp_path / "run")
    forge(tmp_path / "run", lambda run: run["spec"]["applications"].update(name="other-simulator", run=command))
    return tmp_path


@pytest.mark.parametrize("out", ["a.csv", "a.json", "a.png"])
def test_a_trace_does_not_start_the_command_of_a_run(strangers: Path, out: str) -> None:
    assert thinktime(strangers, "check", "run").code == 0
    told = thinktime(strangers, "trace", "run", "--out", out)
    assert told.code == 2
    assert f"would start `sh -c 'touch {strangers}/started'`" in told.err
    assert "--trust" in told.err
    assert not (strangers / "started").exists()
    assert not (strangers / out).exists()


def test_a_trusted_command_is_started(strangers: Path) -> None:
    """It is not a simulator, so the trace fails, but it was started."""
    told = thinktime(strangers, "trace", "run", "--out", "a.csv", "--trust")
    assert (told.code, (strangers / "started").exists()) == (2, True), told.err


def test_python_asks_too(strangers: Path) -> None:
    with pytest.raises(TrustError, match="would start"):
        next(tt.Result.load(strangers / "run").tasks())
    assert not (strangers / "started").exists()
    with pytest.raises(InputError, match="ended with"):
        next(tt.Result.load(strangers / "run", trust=True).tasks())
    assert (strangers / "started").exists()


def test_an_interpreter_in_a_run_is_not_started(strangers: Path) -> None:
    def simgrid(run: dict) -> None:
        run["spec"]["applications"].pop("run")
        run["spec"]["applications"].update(name="simgrid", python=f"{strangers}/python")

    forge(strangers / "run", simgrid)
    (strangers / "python").write_text(f"#!/bin/sh\ntouch {strangers}/started\n")
    (strangers / "python").chmod(0o755)
    told = thinktime(strangers, "trace", "run", "--out", "a.csv")
    assert (told.code, "would start" in told.err, (strangers / "started").exists()) == (2, True, False)


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("machine", {"name": "cluster", "file": "/etc/hostname.toml"}),
        ("applications", {"slowdowns": "/etc/hostname"}),
        ("applications", {"tasks": "/etc/hostname"}),
    ],
)
def test_a_run_that_names_files_is_refused(strangers: Path, part: str, change: dict[str, str]) -> None:
    """Also before the file is looked at: it may be a device without an end."""
    forge(strangers / "run", lambda run: run["spec"]["applications"].update(name="loop"))
    forge(strangers / "run", lambda run: run["spec"]["applications"].pop("run"))
    forge(strangers / "run", lambda run: run["spec"][part].update(change))
    told = thinktime(strangers, "trace", "run", "--out", "a.csv")
    assert (told.code, "names a file" in told.err) == (2, True), told.err


@pytest.mark.parametrize("key", ["@ 4096 dynamic", "native(f) 0123456789abcdef", "@ 4096"])
def test_a_key_in_a_file_is_never_an_address(key: str) -> None:
    from thinktime.spec import from_stored

    with pytest.raises(InputError):
        from_stored("scheduler", {"name": "priority", "key": key})
    with pytest.raises(InputError):
        from_stored("scheduler", {"name": "easy", "order": key, "eligible": key})


# --- studies ------------------------------------------------------------------------------------------------

POLICY = """
import pathlib
import thinktime as tt
pathlib.Path(__file__).with_name("imported").touch()

class Patient(tt.OwnScheduler, name="patient"):
    most: int = 3

    def schedule(self, now_s, queue, running, machine):
        return queue.row[:1] if len(queue.row) and queue.processors[0] <= machine.free else ()
"""
STUDY = """
name = "own"
seeds = 2
workloads = [{ generator = "default", jobs = 20 }]
schedulers = ["fcfs", "strangers_policies:Patient"]
"""
READING = (
    ("study", "status"),
    ("study", "compare"),
    ("study", "export", "--overwrite"),
    ("report", "--no-figures"),
)


def in_process(folder: Path, *arguments: object) -> tuple[int, str]:
    """As a process of its own, in which nothing of the test is imported."""
    done = process(folder, *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = done.communicate(timeout=60)
    return done.returncode, out + err


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study with a scheduler in a module beside it, carried out."""
    folder = tmp_path_factory.mktemp("study")
    (folder / "strangers_policies.py").write_text(POLICY)
    (folder / "own.toml").write_text(STUDY)
    code, told = in_process(folder, "study", "run", "own.toml")
    assert (code, (folder / "imported").exists()) == (0, True), told
    (folder / "imported").unlink()
    return folder


@pytest.mark.parametrize("given", ["own.toml", "own.study"])
@pytest.mark.parametrize("command", READING, ids=lambda command: command[0] + command[1])
def test_looking_at_a_study_imports_nothing(studied: Path, given: str, command: tuple[str, ...]) -> None:
    words = 2 if command[0] == "study" else 1
    told = thinktime(studied, *command[:words], given, *command[words:])
    assert (told.code, (studied / "imported").exists()) == (0, False), told.err


def test_a_store_shows_classes_that_it_does_not_import(studied: Path) -> None:
    assert thinktime(studied, "study", "status", "own.study", "--json").json["done"] == 4
    assert "patient" in thinktime(studied, "study", "compare", "own.study").out


def test_a_file_that_was_not_run_asks(studied: Path) -> None:
    (studied / "other.toml").write_text(STUDY.replace("seeds = 2", "seeds = 3"))
    told = thinktime(studied, "study", "status", "other.toml", "--store", "own.study")
    assert told.code == 2
    assert "would import the module strangers_policies for strangers_policies:Patient" in told.err
    assert not (studied / "imported").exists()
    code, words = in_process(studied, "study", "status", "other.toml", "--store", "own.study", "--trust")
    assert (code, (studied / "imported").exists()) == (0, True), words
    (studied / "imported").unlink()


def test_a_store_asks_before_it_is_resumed(studied: Path, tmp_path: Path) -> None:
    """Also one in which a stranger has written that it is trusted."""
    shutil.copytree(studied, tmp_path / "copy")
    store = tmp_path / "copy" / "own.study"
    for journal in (store / "journal").iterdir():
        journal.unlink()
    content = json.loads((store / "study.json").read_text())
    content["study"]["trusted"] = True
    (store / "study.json").write_text(json.dumps(content))
    told = thinktime(tmp_path / "copy", "study", "resume", "own.study")
    assert (told.code, "would import strangers_policies:Patient as scheduler patient" in told.err) == (2, True), (
        told.err
    )
    assert not (tmp_path / "copy" / "imported").exists()
    code, said = in_process(tmp_path / "copy", "study", "resume", "own.study", "--trust")
    assert (code, (tmp_path / "copy" / "imported").exists()) == (0, True), said


def test_a_store_with_a_command_asks(tmp_path: Path) -> None:
    text = STUDY.replace(', "strangers_policies:Patient"', "")
    (tmp_path / "a.toml").write_text(f'{text}applications = ["other-simulator:run=touch {tmp_path}/started"]\n')
    thinktime(tmp_path, "study", "run", "a.toml")
    assert (tmp_path / "started").exists()
    (tmp_path / "started").unlink()
    told = thinktime(tmp_path, "study", "resume", "a.study")
    assert (told.code, f"would start `touch {tmp_path}/started`" in told.err) == (2, True), told.err
    assert thinktime(tmp_path, "study", "status", "a.toml").code == 0
    assert not (tmp_path / "started").exists()
    thinktime(tmp_path, "study", "resume", "a.study", "--trust")
    assert (tmp_path / "started").exists()


def test_python_reads_a_study_without_importing(studied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from thinktime.study import Study, study_of

    monkeypatch.chdir(studied)
    with pytest.raises(TrustError, match="would import"):
        Study.read("own.toml")
    read = study_of(Path("own.study"))
    assert len(read.tasks()) == 4
    with pytest.raises(TrustError, match="would import"):
        read.run(studied / "own.study")
    assert not (studied / "imported").exists()


@pytest.mark.parametrize("module", ["polars", "numpy", "rich", "json"])
def test_modules_of_the_current_folder_are_not_taken_for_others(looked_into: Path, tmp_path: Path, module: str) -> None:
    (tmp_path / f"{module}.py").write_text(f"open({str(tmp_path / 'imported')!r}, 'w')\n")
    code, told = in_process(tmp_path, "check", looked_into)
    assert (code, (tmp_path / "imported").exists()) == (0, False), told
