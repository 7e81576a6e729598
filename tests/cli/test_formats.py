"""Every command that takes or writes a log does so in each format, and with an own reader."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import thinktime as tt
from tests.cli.commands import thinktime

FORMATS = ("swf.gz", "csv", "csv.gz", "parquet", "json")
OWN = """\
import polars as pl
import thinktime as tt


class Table(tt.OwnReader, name="cli-table"):
    def blocks(self, source):
        for part in pl.read_csv(source, comment_prefix="#").iter_slices(50):
            yield part.select("job", "submit_s", "run_s", "processors", "user", "requested_time_s")

    def header(self, source):
        return {"MaxProcs": 128}
"""
POOLS = ("--long-term-weeks", "1", "--edge-weeks", "0")
COMMANDS = {
    "run": ("run", "{log}", "--no-figures", "--out", "run"),
    "run --stream": ("run", "{log}", "--stream", "--out", "run"),
    "inspect": ("inspect", "{log}"),
    "inspect --peak": ("inspect", "{log}", "--peak", "1d"),
    "sessions": ("sessions", "{log}", "--threshold", "20m"),
    "resample": ("resample", "{log}", "--weeks", "2", "--out", "new.csv", *POOLS),
    "bootstrap": ("bootstrap", "{log}", "--resamples", "2", "--weeks", "2", *POOLS),
}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("formats")
    workload = tt.default_workload(weeks=3)
    for ending in FORMATS:
        tt.write(workload, folder / f"log.{ending}")
    (folder / "own_table.py").write_text(OWN)
    return folder


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("ending", [*FORMATS, "own reader"])
def test_commands_read_every_format(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, name: str
) -> None:
    monkeypatch.syspath_prepend(str(logs))
    monkeypatch.delitem(sys.modules, "own_table", raising=False)
    log = logs / ("log.csv" if ending == "own reader" else f"log.{ending}")
    reader = ("--reader", "own_table:Table") if ending == "own reader" else ()
    done = thinktime(tmp_path, *(word.format(log=log) for word in COMMANDS[name]), *reader)
    assert (done.code, done.err) == (0, "")


def test_the_same_run_from_each_format(logs: Path, tmp_path: Path) -> None:
    digests = set()
    for ending in FORMATS:
        for stream in ((), ("--stream",)):
            out = f"{ending}-{len(stream)}"
            done = thinktime(tmp_path, "run", logs / f"log.{ending}", *stream, "--out", out, "--json")
            assert done.code == 0, done.err
            digests.add(tt.Result.load(tmp_path / out).digest)
    assert len(digests) == 1


@pytest.mark.parametrize("ending", FORMATS)
def test_run_reads_what_generate_resample_and_inspect_write(tmp_path: Path, ending: str) -> None:
    made, again, window, copy = (f"{name}.{ending}" for name in ("made", "again", "window", "copy"))
    for command in (
        ("generate", "default:weeks=3", "--out", made),
        ("resample", made, "--weeks", "2", *POOLS, "--out", again),
        ("inspect", made, "--peak", "1d", "--out", window),
        ("inspect", made, "--out", copy),
        *(("run", log, "--no-figures", "--out", f"run-{log}") for log in (made, again, window, copy)),
    ):
        done = thinktime(tmp_path, *command)
        assert (done.code, done.err) == (0, ""), command
    first, second = (tt.Result.load(tmp_path / f"run-{log}") for log in (made, copy))
    assert first.digest == second.digest
    assert first.digest == tt.simulate(tt.default_workload(weeks=3), None, "easy").digest


def test_accasim_learns_from_parquet(tmp_path: Path) -> None:
    workload = tt.default_workload(weeks=3)
    tt.write(workload, tmp_path / "log.parquet")
    flags = ("--log", "log.parquet", "--cluster", "seth", "--out", "new.json")
    done = thinktime(tmp_path, "generate", "accasim:jobs=200", *flags)
    assert (done.code, done.err) == (0, "")
    assert len(tt.read(tmp_path / "new.json")) == 200


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "log.csv", "--reader", "nothing"), "no reader is called 'nothing'"),
        (("run", "log.csv", "--reader", "csv:x=1"), "reader csv has no option 'x'"),
        (("run", "log.csv", "--reader", "parquet"), "log.csv is not a Parquet file"),
        (("run", "log.csv", "--reader", "no_such:Reader"), "no module no_such can be imported"),
        (("run", "log.doc"), "log.doc is not recognised as a log"),
        (("run", "default", "--reader", "csv"), "--reader, --filter"),
        (("inspect", "log.csv", "--out", "log.csv"), "log.csv"),
        (("generate", "default:jobs=5", "--out", "x.csv.zip"), "--out: 'x.csv.zip' ends in .zip"),
    ],
)
def test_mistakes(logs: Path, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    (tmp_path / "log.csv").write_bytes((logs / "log.csv").read_bytes())
    (tmp_path / "log.doc").write_text("Dear reader,\nthis is a letter.\n")
    done = thinktime(tmp_path, *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_the_next_step_names_the_reader(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("t;run_s;processors\n0;1;1\n1;x;1\n")
    done = thinktime(tmp_path, "run", "log.csv", "--reader", "csv:submit_s=t", "--processors", 4, "--no-figures")
    assert "thinktime inspect log.csv --reader csv:submit_s=t --malformed" in done.out
    shown = thinktime(tmp_path, "inspect", "log.csv", "--reader", "csv:submit_s=t")
    assert "csv" in shown.out
    assert "2 fields" not in shown.out


def test_the_account_of_a_run_names_the_reader(logs: Path, tmp_path: Path) -> None:
    for flags in ((), ("--stream",)):
        out = f"run{len(flags)}"
        assert thinktime(tmp_path, "run", logs / "log.csv", "--out", out, *flags).code == 0
        saved = tt.Result.load(tmp_path / out)
        assert saved.account["reader"]["name"] == "csv"
        assert saved.spec["workload"]["reader"]["name"] == "csv"
