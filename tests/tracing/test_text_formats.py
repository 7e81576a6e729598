"""Perfetto's JSON, Paje, CSV and Parquet: every task comes back, by independent parsers."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import thinktime as tt
from tests.tracing.samples import HOSTS, block, random, small, tasks_of, tool, trace
from thinktime.tracing import paje, perfetto, tables

BLOCKS = [small(), random(1), random(2)]


def nanoseconds(text: str, digits: int) -> int:
    """Of a decimal number with so many digits, without rounding."""
    whole, _, part = text.partition(".")
    assert len(part) == digits
    return int(whole + part)


@pytest.mark.parametrize("blocks", BLOCKS)
def test_perfetto(tmp_path: Path, blocks: list) -> None:
    """The rules of the trace event format: complete events with ts and dur, names as metadata."""
    assert perfetto.write_perfetto(trace(blocks), tmp_path / "a.json") == len(tasks_of(blocks))
    read = json.loads((tmp_path / "a.json").read_text(), parse_float=lambda text: nanoseconds(text, 3))
    every = read["traceEvents"]
    threads = {e["tid"]: (e["pid"], e["args"]["name"]) for e in every if e["name"] == "thread_name"}
    hosts = {e["pid"]: e["args"]["name"] for e in every if e["name"] == "process_name"}
    assert hosts == {k + 1: host.name for k, host in enumerate(HOSTS)}
    assert list(threads.values()) == [(1, f"core {k}") for k in range(3)] + [(2, f"core {k}") for k in range(5)]
    assert not set(threads) & set(hosts), "a thread with the number of a process would be its main thread"
    done = [e for e in every if e["ph"] == "X"]
    assert all(threads[e["tid"]][0] == e["pid"] for e in done)
    core = {thread: k for k, thread in enumerate(threads)}
    found = [(core[e["tid"]], e["ts"], e["ts"] + e["dur"], int(e["name"][4:]), e["args"]["task"]) for e in done]
    assert sorted(found) == tasks_of(blocks)


def test_perfetto_packed_and_marked(tmp_path: Path) -> None:
    perfetto.write_perfetto(trace(small()), tmp_path / "a.json.gz", markers=True)
    read = json.loads(gzip.decompress((tmp_path / "a.json.gz").read_bytes()))
    assert read["otherData"] == {"trace": "made up", "run": "none"}
    marks = [(e["ts"], e["name"]) for e in read["traceEvents"] if e["ph"] == "i"]
    assert marks == [(0, "job 7 submitted"), (1e6, "job 9 submitted"), (1e6, "job 7 started"), (2e6, "job 9 started")]
    before = (tmp_path / "a.json.gz").read_bytes()
    perfetto.write_perfetto(trace(small()), tmp_path / "a.json.gz", markers=True)
    assert (tmp_path / "a.json.gz").read_bytes() == before, "the same bytes every time"


@pytest.mark.parametrize("blocks", BLOCKS)
def test_paje(tmp_path: Path, blocks: list) -> None:
    """As pj_dump of PajeNG reads it, to its six decimals."""
    assert paje.write_paje(trace(blocks), tmp_path / "a.paje") == len(tasks_of(blocks))
    lines = [line.split(", ") for line in tool("pj_dump", "-u", tmp_path / "a.paje")]
    states = sorted((row[1], float(row[3]), float(row[4]), row[7], int(row[8])) for row in lines if row[0] == "State")
    names = [f"{host.name}:{k}".replace('"', "'") for host in HOSTS for k in range(host.cores)]
    wanted = [(names[c], round(b / 1e9, 6), round(e / 1e9, 6), f"job {j}", t) for c, b, e, j, t in tasks_of(blocks)]
    for one, other in zip(states, sorted(wanted), strict=True):
        assert (one[0], *one[3:]) == (other[0], *other[3:])
        assert one[1:3] == pytest.approx(other[1:3], abs=2e-6)
    containers = [row[6] for row in lines if row[0] == "Container"]
    assert set(names) <= set(containers)


def test_paje_is_in_the_order_of_time(tmp_path: Path) -> None:
    paje.write_paje(trace(random(3)), tmp_path / "a.paje")
    lines = [line.split() for line in (tmp_path / "a.paje").read_text().splitlines() if line[0] in "3456"]
    times = [float(line[1]) for line in lines]
    assert times == sorted(times)


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.parquet"])
def test_tables(tmp_path: Path, name: str) -> None:
    blocks = random(4)
    write = tables.write_parquet if name == "a.parquet" else tables.write_csv
    assert write(trace(blocks), tmp_path / name) == len(tasks_of(blocks))
    read = pl.read_parquet(tmp_path / name) if name == "a.parquet" else pl.read_csv(tmp_path / name)
    assert tuple(read.columns) == tables.COLUMNS
    for column in ("job", "task", "chunk", "core", "start_s", "end_s"):
        assert np.array_equal(read[column].to_numpy(), np.concatenate([each[column] for each in blocks]))
    assert read["host"].to_list() == [HOSTS[int(core > 2)].name for core in read["core"]]


def test_parquet_of_many_hosts(tmp_path: Path) -> None:
    """More names than a byte can count."""
    hosts = tuple(type(HOSTS[0])(f"n{k}", k, 1) for k in range(1000))
    blocks = [block([(1, 0, k, k, k, 0, 1) for k in range(1000)])]
    tables.write_parquet(trace(blocks, hosts), tmp_path / "a.parquet")
    assert pl.read_parquet(tmp_path / "a.parquet")["host"].to_list() == [host.name for host in hosts]


@pytest.mark.parametrize("write", [perfetto.write_perfetto, paje.write_paje, tables.write_csv, tables.write_parquet])
def test_all_or_nothing(tmp_path: Path, write) -> None:
    def breaks():
        yield small()[0]
        raise RuntimeError("on the way")

    made = trace(small())
    with pytest.raises(RuntimeError):
        write(type(made)(breaks(), made.hosts, made.jobs), tmp_path / "a.out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("write", [perfetto.write_perfetto, paje.write_paje])
def test_times_before_zero_are_refused(tmp_path: Path, write) -> None:
    with pytest.raises(tt.InputError, match="before 0"):
        write(trace([block([(1, 0, 0, 0, 0, -5, 5)])]), tmp_path / "a.out")
