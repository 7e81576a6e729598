"""Logs of reproductions are found in whatever version and packing they are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from thinktime.errors import InputError
from thinktime_reproduce import REPRODUCTIONS
from thinktime_reproduce.logs import find_logs, versions
from thinktime_reproduce.zakay2013.values import LOGS

ZAKAY2013 = REPRODUCTIONS["zakay2013"]


def found(folder: Path, *files: str) -> dict[str, str]:
    for name in files:
        (folder / name).touch()
    return {label: path.name for label, path in find_logs(ZAKAY2013, folder).items()}


@pytest.mark.parametrize("label", LOGS)
@pytest.mark.parametrize("ending", ["", ".gz"])
def test_every_named_version_is_found_packed_or_not(label: str, ending: str, tmp_path: Path) -> None:
    for name in LOGS[label]:
        folder = tmp_path / name
        folder.mkdir()
        assert found(folder, f"{name}{ending}")[label] == f"{name}{ending}"


@pytest.mark.parametrize(
    ("label", "file"),
    [
        ("LANL-CM5", "LANL-CM5-1994-5.1-cln.swf.xz"),
        ("SDSC-Par", "SDSC-Par-1995-4.1-cln.swf"),
        ("SDSC-BLUE", "SDSC-BLUE-2000-4.1-cln.swf.gz"),
        ("OSC-cluster", "OSC-Clust-2000-2.1-cln.swf.gz"),
        ("ANL-Intrepid", "ANL-Intrepid-2009-2.swf"),
        ("PIK-IPLEX", "pik-iplex-2009-1.swf.gz"),
        ("KTH-SP2", "KTH-SP2-1996-3.1-cln.swf"),
        ("SDSC-SP2 uncleaned", "SDSC-SP2-1998-5.swf"),
    ],
)
def test_versions_that_were_not_named_are_found(label: str, file: str, tmp_path: Path) -> None:
    assert found(tmp_path, file) == {label: file}


def test_the_papers_version_comes_first_then_named_ones_then_the_latest(tmp_path: Path) -> None:
    blue = [f"SDSC-BLUE-2000-{version}-cln.swf" for version in ("4.1", "5.10", "5.9", "4.2", "3.1")]
    assert found(tmp_path, *blue[:3])["SDSC-BLUE"] == blue[1]
    assert found(tmp_path, blue[3])["SDSC-BLUE"] == blue[3]
    assert found(tmp_path, f"{blue[4]}.gz")["SDSC-BLUE"] == f"{blue[4]}.gz"
    assert found(tmp_path, blue[4])["SDSC-BLUE"] == blue[4]


def test_another_year_and_an_uncleaned_log_are_other_logs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has none of the logs of zakay2013"):
        found(tmp_path, "SDSC-Par-1996-3.1-cln.swf", "SDSC-BLUE-2000-4.swf", "notes.txt")
    assert found(tmp_path, "LANL-CM5-1994-4.swf") == {"LANL-CM5 uncleaned": "LANL-CM5-1994-4.swf"}


def test_another_version_than_the_papers_is_named() -> None:
    logs = {"SDSC-BLUE": Path("SDSC-BLUE-2000-4.2-cln.swf.gz"), "CEA-Curie": Path("CEA-Curie-2011-2.1-cln.swf")}
    assert versions(ZAKAY2013, logs) == {"SDSC-BLUE": "SDSC-BLUE-2000-4.2-cln, paper SDSC-BLUE-2000-3.1-cln"}
