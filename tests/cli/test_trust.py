"""Files from strangers: reading one never imports a module and never starts a process."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import thinktime as tt
from tests.cli.commands import thinktime
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
    """It is no simulator, so the trace fails, but it was started."""
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
