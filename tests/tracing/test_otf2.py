"""OTF2 archives, as otf2-print of the OTF2 project reads them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import thinktime as tt
from tests.tracing.samples import HOSTS, random, small, tasks_of, tool, trace
from thinktime.tracing import otf2_archive

pytest.importorskip("_otf2", reason="the package otf2 is not installed")
EVENT = re.compile(r'(ENTER|LEAVE)\s+(\d+)\s+(\d+)\s+Region: "job (\d+)"')


def events(folder: Path) -> list[tuple[str, int, int, int]]:
    """(kind, location, time, job) in the order of the file."""
    lines = tool("otf2-print", folder / "traces.otf2")
    return [(m[1], int(m[2]), int(m[3]), int(m[4])) for m in map(EVENT.match, lines) if m]


def tasks(found: list[tuple[str, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """(location, begin, end, job); what is left must be what was entered last."""
    stacks: dict[int, list[tuple[int, int]]] = {}
    done = []
    for kind, location, time, job in found:
        stack = stacks.setdefault(location, [])
        if kind == "ENTER":
            stack.append((time, job))
        else:
            begin, entered = stack.pop()
            assert entered == job
            done.append((location, begin, time, job))
    assert not any(stacks.values())
    return sorted(done)


@pytest.mark.parametrize("blocks", [small(), random(1), random(2)])
def test_enter_and_leave_of_every_task(tmp_path: Path, blocks: list) -> None:
    written = otf2_archive.write_otf2(trace(blocks), tmp_path / "a.otf2")
    found = events(tmp_path / "a.otf2")
    assert written == len(found) == 2 * len(tasks_of(blocks))
    assert tasks(found) == sorted(task[:4] for task in tasks_of(blocks))


def test_the_system_tree(tmp_path: Path) -> None:
    otf2_archive.write_otf2(trace(small()), tmp_path / "a.otf2")
    told = "\n".join(tool("otf2-print", "-G", tmp_path / "a.otf2" / "traces.otf2"))
    assert 'Name: "made up" <1>, Class: "cluster"' in told
    assert re.search(r'Name: "thin-0" <\d+>, Class: "host" <\d+>, Parent: "cluster::made up"', told)
    assert len(re.findall(r"\nLOCATION_GROUP ", told)) == len(HOSTS)
    assert len(re.findall(r"\nLOCATION  ", told)) == 8, "a core without tasks has a location too"
    assert re.findall(r'\nREGION +\d+ +Name: "(job \d+)"', told) == ["job 7", "job 9"]
    assert "Ticks per Seconds: 1000000000, Global Offset: 1000000000, Length: 8500000000" in told


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_cores_that_share_a_location(tmp_path: Path, seed: int) -> None:
    """Stacks stay stacks, and every job has the core-seconds that it had."""
    blocks = random(seed)
    otf2_archive.write_otf2(trace(blocks), tmp_path / "a.otf2", group_cores=2)
    found = tasks(events(tmp_path / "a.otf2"))
    assert {location for location, *_ in found} <= set(range(5)), "3 and 5 cores are 2 and 3 locations"
    assert by_job((job, end - begin) for _, begin, end, job in found) == by_job(
        (job, end - begin) for _, begin, end, job, _ in tasks_of(blocks)
    )


def by_job(lengths) -> dict[int, int]:
    sums: dict[int, int] = {}
    for job, length in lengths:
        sums[job] = sums.get(job, 0) + length
    return {job: length for job, length in sums.items() if length}


def test_markers(tmp_path: Path) -> None:
    otf2_archive.write_otf2(trace(small()), tmp_path / "a.otf2", markers=True)
    told = [line for line in tool("otf2-marker", tmp_path / "a.otf2" / "traces.otf2") if line.startswith("MARKER ")]
    assert sorted(re.findall(r'Time: (\d+),.*Text: "(.*)"', "\n".join(told))) == [
        ("0", "job 7 submitted"),
        ("1000000000", "job 7 started"),
        ("1000000000", "job 9 submitted"),
        ("2000000000", "job 9 started"),
    ]


def test_all_or_nothing(tmp_path: Path) -> None:
    """A failure on the way leaves no archive, and an archive is never written over."""

    def breaks():
        yield small()[0]
        raise RuntimeError("on the way")

    made = trace(small())
    with pytest.raises(RuntimeError):
        otf2_archive.write_otf2(type(made)(breaks(), made.hosts, made.jobs), tmp_path / "a.otf2")
    assert list(tmp_path.iterdir()) == []
    otf2_archive.write_otf2(trace(small()), tmp_path / "a.otf2")
    with pytest.raises(
        tt.InputError,
        match="an archive is not overwritten",
    ):
        otf2_archive.write_otf2(trace(small()), tmp_path / "a.otf2")


def test_without_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "_otf2", None)
    with pytest.raises(tt.InputError, match=r"pip install 'thinktime\[otf2\]'"):
        otf2_archive.write_otf2(trace(small()), tmp_path / "a.otf2")
