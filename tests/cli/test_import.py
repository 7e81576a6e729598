"""`thinktime import sacct`: a log, an account, and commands that work."""

from __future__ import annotations

from pathlib import Path

import pytest

import thinktime as tt
from tests.cli.commands import thinktime
from tests.cli.next_steps import printed_commands, typed
from tests.traces.sacct.sacct_text import job, text_of

NEVER = {"Start": "None", "ElapsedRaw": "0", "NodeList": "None assigned", "AllocTRES": "", "State": "CANCELLED by 0"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files of two windows, which overlap."""
    (tmp_path / "one.txt").write_text(text_of([job(k) for k in range(1, 9)] + [job(9, **NEVER)]))
    (tmp_path / "two.txt").write_text(text_of([job(k) for k in range(8, 15)]))
    return tmp_path


@pytest.mark.parametrize("name", ["log.parquet", "log.csv", "log.swf.gz", "log.json"])
def test_a_log_of_two_files(folder: Path, name: str) -> None:
    done = thinktime(folder, "import", "sacct", "one.txt", "two.txt", "--out", name)
    assert (done.code, done.err) == (0, "")
    assert "1 dropped: record seen before" in done.out
    assert "1 dropped: never started" in done.out
    assert "at least 56 processors (largest simultaneous use)" in done.out
    log = tt.read(folder / name)
    assert len(log) == 14
    assert (log.account["machine_processors"], log.account["machine_because"]) == (56, "largest simultaneous use")
    assert log["processors"].tolist() == [4] * 14


def test_inspect_repeats_the_lower_bound(folder: Path) -> None:
    thinktime(folder, "import", "sacct", "one.txt", "two.txt", "--out", "log.swf")
    said = thinktime(folder, "inspect", "log.swf").out
    assert "at least 56 processors (largest simultaneous use)" in said
    assert "an offered load of at most " in said


@pytest.mark.parametrize("name", ["log.parquet", "my log.csv", "log.swf.gz"])
def test_the_printed_commands_work(folder: Path, name: str) -> None:
    done = thinktime(folder, "import", "sacct", "one.txt", "two.txt", "--out", name)
    commands = printed_commands(done)
    assert [command.split()[1] for command in commands] == ["inspect", "run"]
    for command in commands:
        assert typed(folder, command, thinktime).code == 0, command


def test_the_size_of_the_machine_is_kept(folder: Path) -> None:
    thinktime(folder, "import", "sacct", "one.txt", "--processors", "128", "--out", "log.parquet")
    assert tt.read(folder / "log.parquet").machine_size()[0] == 128


def test_json(folder: Path) -> None:
    done = thinktime(folder, "import", "sacct", "one.txt", "--out", "log.parquet", "--json")
    found = done.json
    assert (found["jobs"], found["users"], found["anonymous"]) == (8, 1, False)
    assert found["account"]["dropped"] == {"never started": 1}
    assert "node_list" in found["attributes"]
    assert len(found["next"]) == 2


@pytest.mark.parametrize("salt", [[], ["--salt", "a long secret"], ["--salt-file", "salt"]])
def test_an_anonymous_log(folder: Path, salt: list[str]) -> None:
    (folder / "salt").write_text("another secret\n")
    done = thinktime(folder, "import", "sacct", "one.txt", "--out", "log.csv", "--anonymise", "--shift-jobs", *salt)
    assert done.code == 0
    text = (folder / "log.csv").read_text() + done.out
    for secret in ("ann", "bio", "a job", "n01", "one.txt", "a long secret", "another secret"):
        assert secret not in text.replace("anonymous", ""), secret
    assert ("not kept" in done.out) == (not salt)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["one.txt", "--out", "log.doc"], "log.doc"),
        (["one.txt", "--out", "one.txt"], "one.txt"),
        (["none.txt", "--out", "log.csv"], "none.txt"),
        (["one.txt", "--out", "log.csv", "--zone", "Nowhere"], "no time zone is called 'Nowhere'"),
        (["one.txt", "--out", "log.csv", "--wait-from", "start"], "choose one of submit, eligible"),
        (["one.txt", "--out", "log.csv", "--salt", "12345678"], "--anonymise"),
        (["one.txt", "--out", "log.csv", "--anonymise", "--salt", "short"], "at least 8 bytes"),
        (["one.txt", "--out", "log.csv", "--anonymise", "--salt", "12345678", "--salt-file", "x"], "exclude"),
        (["one.txt", "--out", "log.csv", "--anonymise", "--salt-file", "none"], "Cannot read the salt"),
        (["one.txt"], "--out"),
        (["--out", "log.csv"], "FILE"),
    ],
)
def test_bad_input_is_refused_and_writes_nothing(folder: Path, arguments: list[str], message: str) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = thinktime(folder, "import", "sacct", *arguments)
    assert done.code == 2
    assert message in " ".join((done.out + done.err).split())
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_an_existing_file_is_replaced_only_when_asked(folder: Path) -> None:
    arguments = ["import", "sacct", "one.txt", "--out", "log.csv"]
    assert [thinktime(folder, *arguments).code for _ in range(2)] == [0, 2]
    assert thinktime(folder, *arguments, "--overwrite").code == 0


def test_the_command_for_the_cluster_can_be_copied(folder: Path) -> None:
    done = thinktime(folder, "import", "sacct-command")
    assert done.out.count("\n") == 1
    assert done.out.startswith("SLURM_TIME_FORMAT=%s sacct ")
    assert thinktime(folder, "import", "sacct-command", "--json").json == {"command": done.out.strip()}
    guide = Path(__file__).parents[2] / "docs" / "guides" / "slurm_logs.md"
    assert "".join(guide.read_text().replace("\\\n", "").split()).count("".join(done.out.split())) == 1


def test_the_help_prints_a_command_for_the_cluster(folder: Path) -> None:
    done = thinktime(folder, "import", "sacct", "--help")
    assert done.code == 0
    words = "".join(done.out.split())
    assert "SLURM_TIME_FORMAT=%ssacct--allusers" in words
    assert "Example: thinktime import sacct" in " ".join(done.out.split())


@pytest.mark.parametrize("name", ["log.parquet", "log.csv", "log.swf", "log.json"])
def test_the_lower_bound_of_the_machine_survives_and_is_not_simulated_with(folder: Path, name: str) -> None:
    thinktime(folder, "import", "sacct", "one.txt", "two.txt", "--out", name)
    assert "56 processors (largest simultaneous use)" in thinktime(folder, "inspect", name).out
    for options, said in (((), "56 processors were in use at once"), (("--stream",), "does not say how many")):
        done = thinktime(folder, "run", name, *options, "--out", "run")
        assert done.code == 2
        assert said in done.err
    assert not (folder / "run").exists()
