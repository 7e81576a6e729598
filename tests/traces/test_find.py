"""One finder for logs: paths, names, beginnings of names, several folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from thinktime.errors import InputError
from thinktime.traces import find_log
from thinktime.traces.find import logs_in

KTH, HPC2N = "KTH-SP2-1996-2.1-cln", "HPC2N-2002-2.2-cln"


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two folders of logs, $THINKTIME_LOGS and the cache, and an empty current folder."""
    monkeypatch.setenv("THINKTIME_LOGS", str(tmp_path / "named"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for folder, names in (("named", [f"{KTH}.swf.gz", "mine.txt"]), ("thinktime/logs", [f"{HPC2N}.swf", f"{KTH}.swf"])):
        (tmp_path / folder).mkdir(parents=True)
        for name in names:
            (tmp_path / folder / name).touch()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


@pytest.mark.parametrize(
    "text", [KTH, KTH.lower(), f"{KTH}.swf.gz", f"{KTH}.swf.xz", "KTH-SP2-1996-2.1", "kth", "KTH-SP2-1996-2.1-cln.SWF"]
)
def test_a_name_in_the_named_folder(text: str, folders: Path) -> None:
    assert find_log(text) == folders / "named" / f"{KTH}.swf.gz"


def test_the_cache_is_searched_too_after_the_named_folder(folders: Path) -> None:
    assert find_log("hpc2n") == folders / "thinktime" / "logs" / f"{HPC2N}.swf"
    assert find_log("mine.txt") == folders / "named" / "mine.txt"


def test_a_path_is_taken_first(folders: Path) -> None:
    Path(KTH).touch()
    assert find_log(KTH) == Path(KTH)
    assert find_log(f"../here/{KTH}") == Path(f"../here/{KTH}")
    assert find_log(KTH, base=folders / "here") == folders / "here" / KTH


def test_a_complete_name_never_gives_another_version() -> None:
    with pytest.raises(InputError, match=r"named KTH-SP2-1996-2\. Run `thinktime logs get KTH-SP2-1996-2`, or set"):
        find_log("KTH-SP2-1996-2")


def test_several_names_begin_so(folders: Path) -> None:
    (folders / "named" / "KTH-SP2-1996-2.swf").touch()
    with pytest.raises(InputError, match="'KTH' matches several logs: choose one of KTH-SP2-1996-2, KTH"):
        find_log("KTH")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "CTC",
            "named CTC. Run `thinktime logs get CTC-SP2-1996-3.1-cln`, or set THINKTIME_LOGS.",
        ),
        (
            "KHT-SP2-1996-2.1-cln",
            "(did you mean 'KTH-SP2-1996-2.1-cln'?). Run `thinktime logs list`, or set THINKTIME_LOGS.",
        ),
        ("nowhere/x.swf", "nowhere/x.swf does not exist: check the path"),
        ("nul\0byte", "No file or downloaded log named"),
    ],
)
def test_what_is_missing(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        find_log(text)
    assert message in str(error.value)


def test_logs_of_folders(folders: Path) -> None:
    assert logs_in(folders / "named", folders / "thinktime" / "logs") == {
        HPC2N: folders / "thinktime" / "logs" / f"{HPC2N}.swf",
        KTH: folders / "named" / f"{KTH}.swf.gz",
    }
