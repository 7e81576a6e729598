"""Bad input: exit code 2, nothing on stdout, one sentence on stderr that names what is wrong."""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from tests.cli.commands import process, small_log, thinktime, wait_for_temporary
from thinktime.cli import main
from thinktime.cli.error_messages import OUR_MISTAKE, sentence_and_code

#: arguments → words that the sentence must have
MISTAKES = {
    "run nosuch.swf": "nosuch.swf",
    "run folder/nosuch.swf": "does not exist",
    "run KTH-SP2-1996-2": "thinktime logs get KTH-SP2-1996-2",
    "run .": "is a folder",
    "run picture.png": "picture.png is not recognised as a log",
    "run empty.swf": "is empty",
    "run small.swf --scheduler eazy": "did you mean 'easy'?",
    "run small.swf --scheduler easy:oder=sjf": "did you mean 'order'?",
    "run small.swf --scheduler easy:order=foo": "'foo'",
    "run small.swf --schedular easy": "did you mean --scheduler?",
    "run small.swf --users ridig": "did you mean 'rigid'?",
    "run small.swf --users session-replay:treshold_min=5": "did you mean 'threshold_min'?",
    "run small.swf --users session-replay:threshold_min=-5": "choose a number of 0 or more",
    "run small.swf --users fluid --stream": "users fluid repeat the sessions of the whole log",
    "run small.swf --estimates perfekt": "did you mean 'perfect'?",
    "run small.swf --overrun stop": "extend-blind",
    "run small.swf --oversized drop": "reject, clip, error",
    "run small.swf --same-instant once": "batch",
    "run small.swf --filter bsae": "did you mean 'base'?",
    "run small.swf --processor-field alocated": "did you mean 'allocated'?",
    "run small.swf --remove usr=3": "did you mean 'user'?",
    "run small.swf --processors many": "--processors must be",
    "run small.swf --processors 0": "processors must be a whole number",
    "run small.swf --speed fast": "--speed must be",
    "run small.swf --speed 0": "speed is 0.0",
    "run small.swf --seed x": "--seed must be",
    "run small.swf --warmup 7x": "--warmup must be",
    "run small.swf --warmup 1000d": "choose smaller cuts",
    "run small.swf --window 7d": "BEGIN:END",
    "run small.swf --window 2d:1d": "ends before it begins",
    "run small.swf --window 1d: --warmup 1d": "--window",
    "run small.swf --until soon": "--until must be",
    "run small.swf --tau 0": "tau_s must be above 0 seconds",
    "run small.swf --formats gif": "png, pdf, svg",
    "run small.swf --out small.swf/run": "is a file",
    "run small.swf --out there": "there already exists",
    "run headless.swf": "--processors",
    "run headless.swf --stream": "--processors",
    "run small.swf --processors 2 --oversized error": "--oversized=reject",
    "run small.swf --stream --csv": "--csv",
    "run small.swf --stream --warmup 1d": "--window",
    "run default --stream --filter all": "do not apply to the generated workload default",
    "run default --filter strict": "--filter",
    "run": "missing argument 'LOG'",
    "run small.swf another.swf": "unexpected extra argument",
    "rum": "did you mean 'run'?",
    "inspect nosuch": "inspect also takes a run directory, a cluster (seth,",
    "inspect there": "run.json",
    "inspect small.swf --formats gif": "png, pdf, svg",
    "check nosuch": "nosuch",
    "check there": "run.json",
    "bench --logs nosuch": "nosuch",
    "demo --seed x": "--seed must be",
    "demo --out small.swf": "is a file",
    "logs path nosuch": "nosuch",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mistakes")
    small_log(folder / "small.swf")
    small_log(folder / "headless.swf", header=False)
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    (folder / "empty.swf").touch()
    (folder / "there").mkdir()
    return folder


@pytest.mark.parametrize(("arguments", "words"), MISTAKES.items())
def test_a_mistake_is_one_message(place: Path, arguments: str, words: str) -> None:
    before = sorted(place.rglob("*"))
    outcome = thinktime(place, *arguments.split())
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("thinktime: ")
    assert outcome.err.count("\n") == 1
    assert words in outcome.err
    assert sorted(place.rglob("*")) == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full to fill")
def test_a_full_disk_is_one_message(place: Path) -> None:
    with open("/dev/full", "w") as full:
        run = process(place, "inspect", "small.swf", stdout=full, stderr=subprocess.PIPE, text=True)
        _, said = run.communicate(timeout=60)
    assert run.returncode == 2
    assert said.count("\n") == 1
    assert os.strerror(errno.ENOSPC) in said


def test_a_reader_that_goes_away_is_no_error(place: Path) -> None:
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with process(place, "inspect", "small.swf", "--json", **streams) as run:
        run.stdout.close()
        assert run.stderr.read() == b""
        assert run.wait(60) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_interruption_is_one_message(place: Path) -> None:
    small_log(place / "large.swf", jobs=300_000)
    run = process(place, "run", "large.swf", "--out", "interrupted", stderr=subprocess.PIPE, text=True)
    wait_for_temporary(place, "interrupted", run)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=60)
    assert (run.returncode, said.count("\n")) == (130, 1)
    assert said.startswith("thinktime: interrupted")
    assert not list(place.glob("*interrupted*"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_a_run_that_is_asked_to_end_leaves_nothing(place: Path) -> None:
    small_log(place / "large.swf", jobs=300_000)
    run = process(place, "run", "large.swf", "--out", "ended", stderr=subprocess.PIPE, text=True)
    wait_for_temporary(place, "ended", run)
    run.send_signal(signal.SIGTERM)
    _, said = run.communicate(timeout=60)
    assert (run.returncode, said) == (143, "")
    assert not [*place.glob("*ended*"), *place.glob(".ended*")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_streaming_a_pipe_is_refused(place: Path) -> None:
    os.mkfifo(place / "pipe.swf")
    outcome = thinktime(place, "run", "pipe.swf", "--stream", "--processors", 4)
    assert outcome.code == 2
    assert outcome.err == ("thinktime: --stream needs a regular file, because it reads the log twice (got pipe.swf)\n")
    (place / "pipe.swf").unlink()


def test_a_stream_that_cannot_write_every_letter(place: Path) -> None:
    def ascii_only() -> io.TextIOWrapper:
        return io.TextIOWrapper(io.BytesIO(), encoding="ascii")

    with mock.patch.multiple(sys, stdout=ascii_only(), stderr=ascii_only()), pytest.raises(SystemExit) as ended:
        main(["inspect", "größe"])
    assert ended.value.code == 2


def test_closed_streams_are_no_error(place: Path) -> None:
    with mock.patch.multiple(sys, stdout=None, stderr=None), pytest.raises(SystemExit) as ended:
        main(["inspect", str(place / "small.swf")])
    assert not ended.value.code


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize("options", [[], ["--stream"]])
def test_a_name_that_is_no_text(tmp_path: Path, options: list[str]) -> None:
    log = small_log(tmp_path / "small.swf")
    log.rename(tmp_path / "small\udcff.swf")
    run = process(tmp_path, "run", "small\udcff.swf", "--no-figures", "--out", "out", *options, stderr=subprocess.PIPE)
    _, said = run.communicate(timeout=60)
    assert (run.returncode, said) == (0, b"")
    assert thinktime(tmp_path, "check", "out").code == 0


def test_our_own_mistakes_keep_their_traceback(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = ZeroDivisionError("by \x1b[31mzero")
    with mock.patch("thinktime.cli.log_argument.read", side_effect=error), pytest.raises(SystemExit) as ended:
        main(["inspect", str(place / "small.swf")])
    said = capsys.readouterr().err
    assert ended.value.code == OUR_MISTAKE == 70
    assert "Traceback (most recent call last)" in said
    assert "unexpected error (ZeroDivisionError: by \\x1b[31mzero)" in said
    assert "\x1b" not in said


@pytest.mark.parametrize("arguments", [["--help"], ["study", "run", "--help"], ["nosuch"]])
def test_a_closed_pipe_ends_quietly(tmp_path: Path, arguments: list[str]) -> None:
    out, into = os.pipe()
    os.close(out)
    with process(tmp_path, *arguments, stdout=into, stderr=into) as run:
        os.close(into)
        assert run.wait(60) == 0


@pytest.mark.parametrize(
    ("command", "advice"),
    [("run", "--stream"), ("sessions", "--threshold"), ("study", "--threads 1"), ("", "fewer jobs")],
)
def test_too_little_memory_brings_advice_for_the_command(command: str, advice: str) -> None:
    sentence, code = sentence_and_code(MemoryError(), command)
    assert code == 2
    assert sentence.startswith("not enough memory: ")
    assert advice in sentence
    assert ("--stream" in sentence) == (command == "run")


def test_the_command_is_the_one_that_was_asked_for(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with mock.patch("thinktime.cli.log_argument.read", side_effect=MemoryError), pytest.raises(SystemExit) as ended:
        main(["sessions", str(place / "small.swf")])
    assert ended.value.code == 2
    assert "use a larger --threshold" in capsys.readouterr().err
