"""Commands with hostile names and options: exit code 0 or 2, one sentence, and no control character on any stream."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.cli.commands import small_log, thinktime
from tests.effort import examples
from tests.fuzz.hostile import TEXTS, texts

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
NAMES = ["$x^^$.swf", "[red]a[].swf", "a\x1b[31mb\n.swf", "\udcff\udcfe.swf", "-h .swf"]

#: command → its options that take a text
OPTIONS = {
    "run": (
        *("--scheduler", "--users", "--estimates", "--processors", "--speed", "--until", "--seed", "--filter"),
        *("--processor-field", "--remove", "--overrun", "--oversized", "--same-instant", "--window", "--warmup"),
        *("--tau", "--formats", "--cluster", "--plugin", "--requests", "--applications", "--allocator", "--admission"),
    ),
    "inspect": ("--peak", "--by", "--at", "--filter", "--remove", "--formats"),
    "sessions": ("--threshold", "--delimiter", "--user"),
    "resample": ("--weeks", "--load", "--seed", "--long-term-weeks", "--edge-weeks", "--start", "--shake"),
}
asked = st.sampled_from([(command, option) for command, options in OPTIONS.items() for option in options])


def ends_well(folder: Path, *arguments: str) -> None:
    done = thinktime(folder, *arguments)
    assert done.code in (0, 2), (arguments, done.err)
    assert not CONTROL.search(done.out + done.err), arguments
    if done.code == 2:
        assert len(done.err.strip().splitlines()) == 1, done.err
        assert done.out == ""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("hostile")
    small_log(place / "small.swf", jobs=30)
    return place


@pytest.mark.parametrize("name", NAMES)
def test_names_of_logs(place: Path, name: str) -> None:
    (place / name).write_bytes((place / "small.swf").read_bytes())
    figures = ["--figures", "--out", "figures"] if name in NAMES[:2] else []
    done = thinktime(place, "inspect", *figures, "--", name)
    assert (done.code, done.err) == (0, "")
    assert not CONTROL.search(done.out)


@pytest.mark.parametrize("name", NAMES)
def test_names_of_runs_and_their_results(place: Path, name: str) -> None:
    (place / name).write_bytes((place / "small.swf").read_bytes())
    with tempfile.TemporaryDirectory(dir=place) as out:
        shown = name.encode("utf-8", "replace").decode("utf-8")
        run = str(Path(out) / f"run {shown}")
        done = thinktime(place, "run", "--no-figures", "--swf", "--csv", "--batsim", "--out", run, "--", name)
        assert (done.code, done.err) == (0, "")
        for arguments in (["check", "--", run], ["inspect", "--json", "--", run], ["inspect", "--", run]):
            assert thinktime(place, *arguments).code == 0, arguments
            ends_well(place, *arguments)


@pytest.mark.parametrize("command", [["run", "small.swf", "--out"], ["check"]])
def test_results_have_names_in_utf8(place: Path, command: list[str]) -> None:
    (place / "folder\udcff").mkdir(exist_ok=True)
    done = thinktime(place, *command, "folder\udcff/run")
    assert done.code == 2
    assert "is not UTF-8" in done.err


@pytest.mark.parametrize("name", NAMES)
def test_names_in_studies(place: Path, name: str) -> None:
    (place / name).write_bytes((place / "small.swf").read_bytes())
    shown = name.encode("utf-8", "replace").decode("utf-8")
    log = "small.swf" if shown != name else name
    quoted = "".join(f"\\U{ord(letter):08x}" for letter in log)
    text = f'name = "{quoted}"\nquestion = "{quoted}"\nschedulers = ["easy", {{name = "{quoted}", spec = "fcfs"}}]\n'
    (place / "s.toml").write_text(f'{text}workloads = [{{log = "{quoted}"}}]\n', encoding="utf-8")
    with tempfile.TemporaryDirectory(dir=place) as out:
        store = str(Path(out) / f"store {shown}")
        assert thinktime(place, "study", "run", "s.toml", "--store", store).code == 0
        for command in (["study", "status"], ["study", "compare"], ["report", "--no-figures"]):
            ends_well(place, *command, "s.toml", "--store", store)


@examples(60)
@given(asked=asked, value=texts)
def test_values_of_options(asked: tuple[str, str], value: str) -> None:
    assume("\0" not in value)
    command, option = asked
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        small_log(place / "small.swf", jobs=30)
        ends_well(place, command, "small.swf", *(["--no-figures"] if command == "run" else []), f"{option}={value}")


@examples(40)
@given(st.lists(st.sampled_from(TEXTS) | st.sampled_from(["run", "inspect", "study", "--json", "--help"]), max_size=4))
def test_words_at_random(words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ends_well(Path(folder), *words)
