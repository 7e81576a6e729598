"""Single values as Slurm writes them: times, durations, memory, resources, ids, states, node lists."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from thinktime.traces.sacct.durations import duration_s, limit_s
from thinktime.traces.sacct.fields import field_of, snake_case
from thinktime.traces.sacct.hostlist import node_names
from thinktime.traces.sacct.job_ids import JobId, TaskList
from thinktime.traces.sacct.quantities import Memory, count, gres_gpus, memory, resources, used_kb
from thinktime.traces.sacct.states import parse_state
from thinktime.traces.sacct.text_columns import numbers_of
from thinktime.traces.sacct.times import Time, parse_time

NOON = 1614858967.0  # 2021-03-04 11:56:07 UTC


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2021-03-04T11:56:07", Time(NOON, True)),
        ("2021-03-04 11:56:07", Time(NOON, True)),
        ("2021-03-04T12:56:07+01:00", Time(NOON)),
        ("2021-03-04T12:56:07+0100", Time(NOON)),
        ("2021-03-04T06:56:07-05", Time(NOON)),
        ("2021-03-04T11:56:07Z", Time(NOON)),
        ("1614858967", Time(NOON)),
        ("1614858967.000", Time(NOON)),
    ],
)
def test_times(text: str, time: Time) -> None:
    assert parse_time(text) == time


@pytest.mark.parametrize("text", ["", "Unknown", "None", "N/A", "0", "4294967294", "1970-01-01T01:00:00"])
def test_times_that_are_not_set(text: str) -> None:
    found = parse_time(text)
    assert found is not None
    assert math.isnan(found.seconds)


@pytest.mark.parametrize(
    "text", ["Tomorr 12:00", "Ystday 13:45", "05/30-10:11:12", "13:45:01", "Mon 10:00", "2021-02-30T10:00:00", "30 May"]
)
def test_relative_times_are_not_understood(text: str) -> None:
    assert parse_time(text) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1-02:00:00", 93600),
        ("10:00", 600),
        ("00:00:24", 24),
        ("37-14:00:00", 3247200),
        ("00:07.925", 7.925),
        ("2-12", 216000),
        ("2-12:30", 217800),
        ("129", 129),
        ("100:00:00", 360000),
    ],
)
def test_durations(text: str, seconds: float) -> None:
    assert duration_s(text) == pytest.approx(seconds)


def test_limits_are_in_minutes() -> None:
    assert limit_s("1440") == 86400
    assert limit_s("1-00:00:00") == 86400
    for word in ("UNLIMITED", "Partition_Limit", "", "INVALID", "4294967295"):
        assert math.isnan(limit_s(word) or 0.0), word
    assert limit_s("a day") is None


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("31000Mn", Memory(31000 * 1024, "node")),
        ("3000Mc", Memory(3000 * 1024, "cpu")),
        ("8G", Memory(8 * 1024**2)),
        ("62.50G", Memory(62.5 * 1024**2)),
        ("16Gn", Memory(16 * 1024**2, "node")),
        ("4000", Memory(4000 * 1024)),
        ("1T", Memory(1024**3)),
        ("2147486648Mn", Memory(3000 * 1024, "cpu")),  # Slurm's flag for "per CPU" left in the number
        ("9223372036854778808Mn", Memory(3000 * 1024, "cpu")),
    ],
)
def test_requested_memory(text: str, amount: Memory) -> None:
    assert memory(text) == amount


def test_all_memory_is_unknown() -> None:
    for text in ("0", "0n", "0Mn", ""):
        found = memory(text)
        assert found is not None
        assert math.isnan(found.kb), text
    assert memory("much") is None


def test_used_memory() -> None:
    assert used_kb("4408K") == 4408
    assert used_kb("0") == 0
    assert used_kb("1.5M") == 1536
    assert used_kb("2048") == 2  # bytes
    assert math.isnan(used_kb("") or 0)


def test_counts() -> None:
    assert count("12") == 12
    assert count("1.50K") == 1536
    assert math.isnan(count("") or 0)
    assert math.isnan(count("4294967294") or 0)
    assert count("many") is None


def test_resources() -> None:
    found = resources("billing=12,cpu=12,energy=18446744073709551614,gres/gpu=2,gres/gpu:a100=2,mem=31000M,node=1")
    assert found == (12, 31000 * 1024, 1, 2, 12)
    typed = resources("cpu=4,gres/gpu:a100=1,gres/gpu:v100=2,mem=1G,node=1")
    assert typed is not None
    assert typed.gpus == 3
    empty = resources("")
    assert empty is not None
    assert math.isnan(empty.cpus)
    assert resources("n0001") is None


def test_gpus_of_older_versions() -> None:
    assert gres_gpus("gpu:2") == 2
    assert gres_gpus("gpu:tesla:4") == 4
    assert gres_gpus("PER_NODE:gpu:1,mps:50") == 1
    assert gres_gpus("gpu") == 1
    assert math.isnan(gres_gpus("craynetwork:1") or 0)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("12", JobId(12)),
        ("1_9", JobId(1, task=9)),
        ("2_[7,10]", JobId(2, tasks="7,10")),
        ("14_[1,4-6]%3", JobId(14, tasks="1,4-6")),
        ("14_[1,4-6%3]", JobId(14, tasks="1,4-6%3")),
        ("34+1", JobId(34, component=1)),
        ("34+0.batch", JobId(34, component=0, step="batch")),
        ("3.extern", JobId(3, step="extern")),
        ("1_9.0", JobId(1, task=9, step="0")),
    ],
)
def test_job_ids(text: str, found: JobId) -> None:
    assert JobId.parse(text) == found


def test_other_texts_are_no_job_ids() -> None:
    for text in ("", "job", "1_x", "+1", "sacct: error", "12 34"):
        assert JobId.parse(text) is None, text


def test_tasks_of_an_array_row() -> None:
    assert list(TaskList.parse("1,4-6%3")) == [1, 4, 5, 6]
    assert list(TaskList.parse("0-15:5")) == [0, 5, 10, 15]
    cut = TaskList.parse("1-3,7,...")
    assert (len(cut), cut.cut) == (4, True)
    assert len(TaskList.parse("0-4294967295")) == 4_000_001  # Slurm's largest array


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("COMPLETED", "COMPLETED"),
        ("CANCELLED by 1010", "CANCELLED"),
        ("CANCELLED+", "CANCELLED"),
        ("OUT_OF_ME+", "OUT_OF_MEMORY"),
        ("CA", "CANCELLED"),
        ("completed", "COMPLETED"),
    ],
)
def test_states(text: str, state: str) -> None:
    found = parse_state(text)
    assert found is not None
    assert found[0] == state


def test_who_cancelled() -> None:
    found = parse_state("CANCELLED by 1010")
    assert found is not None
    assert found[1] == 1010
    assert parse_state("12:30") is None


def test_node_lists() -> None:
    assert node_names("cpn-f13-[01-02],n7") == ["cpn-f13-01", "cpn-f13-02", "n7"]
    assert node_names("n[0001,0009-0011]") == ["n0001", "n0009", "n0010", "n0011"]
    assert node_names("r[1-2]n[3-4]") == ["r1n3", "r1n4", "r2n3", "r2n4"]
    assert node_names("None assigned") == []
    assert node_names("n[0-99999999]") is None


def test_names_of_fields() -> None:
    assert field_of("jobname%40").name == "JobName"
    assert field_of("TRESUsageInMax").attribute == "tres_usage_in_max"
    assert field_of("MyColumn").attribute == "my_column"
    assert snake_case("MaxRSSNode") == "max_rss_node"


def test_clock_times_of_whole_columns_are_exact() -> None:
    texts = [f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}" for second in range(86400)]
    np.testing.assert_array_equal(numbers_of(pl.Series(texts), duration_s), np.arange(86400.0))
