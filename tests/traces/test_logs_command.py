"""`thinktime logs list|get|path` with a folder and a server of our own."""

from __future__ import annotations

import hashlib
import http.server
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.shared_data import LOGS
from thinktime.cli.commands.logs import app
from thinktime.errors import InputError
from thinktime.traces.catalogue import ARCHIVE, CATALOGUE
from thinktime.traces.download import sha256_of
from thinktime.traces.find import catalogue_entry, logs_folder

NAME = "LANL-O2K-1999-2"  # a log whose sum is not known beforehand
CONTENT = b"not really a log"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    root = tmp_path_factory.mktemp("archive")
    for folder, name in (("l_lanl_o2k", NAME), ("l_kth_sp2", "KTH-SP2-1996-2")):
        (root / folder).mkdir()
        (root / folder / f"{name}.swf.gz").write_bytes(CONTENT)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root))) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_address[1]}/", root
        running.shutdown()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("THINKTIME_LOGS", str(tmp_path / "logs"))
    monkeypatch.delenv("THINKTIME_LOGS_URL", raising=False)
    return tmp_path / "logs"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_get_then_path_then_get_again(archive: tuple[str, Path], folder: Path) -> None:
    assert run("get", NAME, "--url", archive[0]).exit_code == 0
    path = folder / f"{NAME}.swf.gz"
    assert path.read_bytes() == CONTENT
    assert run("path", NAME).stdout.strip() == str(path)
    (archive[1] / "l_lanl_o2k" / path.name).unlink()
    again = json.loads(run("get", NAME, "--json", "--url", archive[0]).stdout)
    expected = {
        "name": NAME,
        "path": str(path),
        "sha256": hashlib.sha256(CONTENT).hexdigest(),
        "downloaded": False,
    }
    assert again == expected


def test_an_unknown_sum_is_recorded_and_then_holds(archive: tuple[str, Path], folder: Path) -> None:
    first = run("get", NAME, "--url", archive[0])
    recorded = folder / f"{NAME}.swf.gz.sha256"
    assert recorded.read_text() == f"{hashlib.sha256(CONTENT).hexdigest()}  {NAME}.swf.gz\n"
    assert "recorded sha256" in first.stderr
    (folder / f"{NAME}.swf.gz").unlink()
    (archive[1] / "l_lanl_o2k" / f"{NAME}.swf.gz").write_bytes(b"changed")
    assert isinstance(run("get", NAME, "--url", archive[0]).exception, InputError)


def test_a_known_sum_must_agree(archive: tuple[str, Path], folder: Path) -> None:
    result = run("get", "KTH-SP2-1996-2", "--url", archive[0])
    assert isinstance(result.exception, InputError)
    assert "is expected" in str(result.exception)
    assert list(folder.iterdir()) == []


def test_the_address_may_come_from_the_environment(
    archive: tuple[str, Path], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THINKTIME_LOGS_URL", archive[0])
    assert run("get", NAME).exit_code == 0
    assert catalogue_entry(NAME).url("https://mirror/file.swf.gz") == "https://mirror/file.swf.gz"


def test_path_of_a_log_that_is_not_here() -> None:
    result = run("path", "KTH-SP2-1996-2.1-cln")
    assert "thinktime logs get KTH-SP2-1996-2.1-cln" in str(result.exception)


def test_list_for_people_and_machines(folder: Path) -> None:
    folder.mkdir()
    (folder / "RICC-2010-2.swf.gz").touch()
    rows = {row["name"]: row for row in json.loads(run("list", "--json").stdout)}
    assert len(rows) == len(CATALOGUE)
    assert rows["RICC-2010-2"]["here"]
    assert rows["KTH-SP2-1996-2.1-cln"]["url"] == f"{ARCHIVE}l_kth_sp2/KTH-SP2-1996-2.1-cln.swf.gz"
    lines = run("list").stdout.splitlines()
    assert "RICC-2010-2                        8,192   447,794    176  yes" in lines
    assert lines[-1] == f"folder: {folder}"


@pytest.mark.parametrize("text", ["kth-sp2-1996-2.1-cln", "KTH-SP2-1996-2.1", "x/KTH-SP2-1996-2.1-cln.swf.gz"])
def test_names_in_any_case_or_shortened(text: str) -> None:
    assert catalogue_entry(text).name == "KTH-SP2-1996-2.1-cln"


@pytest.mark.parametrize(("text", "message"), [("KTH", "matches several logs"), ("KTH-SP3-1996-2", "did you mean")])
def test_unclear_names(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        catalogue_entry(text)


def test_the_folder_of_logs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("THINKTIME_LOGS")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert logs_folder() == tmp_path / "thinktime" / "logs"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert logs_folder() == tmp_path / ".cache" / "thinktime" / "logs"


def test_known_sums_are_those_of_the_files() -> None:
    here = [entry for entry in CATALOGUE if entry.sha256 and (LOGS / entry.file).exists()]
    if not here:
        pytest.skip(f"no log is in {LOGS}: set $THINKTIME_LOGS to the folder that has them")
    assert [entry.name for entry in here if sha256_of(LOGS / entry.file) != entry.sha256] == []


def test_the_catalogue_does_not_wait_for_numpy() -> None:
    code = "import sys, thinktime.cli.commands.logs; print({'numpy', 'http.client'} & set(sys.modules))"
    environment = {"PYTHONPATH": ":".join(sys.path)}
    out = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "set()"
