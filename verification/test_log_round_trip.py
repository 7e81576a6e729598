"""Every number of every real log is written back as it stands there, and archive lines byte for byte."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.shared_data import log
from thinktime.workload import read_swf, write_swf

NAMES = [
    *("KTH-SP2-1996-2.1-cln", "KTH-SP2-1996-2", "CTC-SP2-1996-3.1-cln", "HPC2N-2002-2.2-cln"),
    *("CEA-Curie-2011-2.1-cln", "RICC-2010-2", "UniLu-Gaia-2014-1", "NASA-iPSC-1993-3"),
]
OTHER_WIDTHS = {"UniLu-Gaia-2014-1"}  # single blanks between the fields


def job_lines(content: bytes) -> list[bytes]:
    return [line for line in content.splitlines() if not line.startswith(b";")]


@pytest.mark.parametrize("filter", ["all", "base"])
@pytest.mark.parametrize("name", NAMES)
def test_round_trip(tmp_path: Path, name: str, filter: str) -> None:
    workload = read_swf(log(name), filter=filter)
    write_swf(workload, tmp_path / "out.swf")
    source = job_lines(gzip.decompress(log(name).read_bytes()))
    before = header_length(gzip.decompress(log(name).read_bytes()))
    kept = [source[int(line) - before - 1] for line in workload["line"]]
    written = job_lines((tmp_path / "out.swf").read_bytes())
    if name in OTHER_WIDTHS:
        assert [line.split() for line in written] == [line.split() for line in kept]
    else:
        assert written == kept


def header_length(content: bytes) -> int:
    return sum(1 for line in content.splitlines() if line.startswith(b";"))
