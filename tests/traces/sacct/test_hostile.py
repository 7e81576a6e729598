"""Any bytes are a workload whose account adds up, or an InputError."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.effort import examples, seeds
from tests.traces.sacct.sacct_text import job, text_of
from thinktime.traces.sacct.durations import duration_s, limit_s
from thinktime.traces.sacct.fields import FIELDS
from thinktime.traces.sacct.text_columns import numbers_of, times_of
from thinktime.traces.sacct.times import parse_time

SEED = text_of(
    [
        job(1) | {"SubmitLine": "sbatch a.sh", "Cluster": "c", "Eligible": "Unknown"},
        job(2, JobID="2_[1-3]", State="CANCELLED by 0", Start="None", ElapsedRaw="0", NodeList="None assigned"),
        job(3, JobID="3+0", Submit="2026-10-25T02:58:27", Start="2026-10-25T02:58:28", End="2026-10-25T02:00:27"),
        job(3, JobID="3.batch"),
        job(4, ReqMem="31000Mn", TimelimitRaw="UNLIMITED", AllocTRES="cpu=4,gres/gpu:a=1,energy=18446744073709551614"),
    ]
).encode()


def attempt(path: Path, content: bytes, reader: str = "sacct:zone=Europe/Berlin") -> tt.Workload | None:
    path.write_bytes(content)
    try:
        log = tt.read(path, reader=reader, filter="all")
    except tt.InputError:
        return None
    of = log.account
    assert of["lines"] == sum(of[key] for key in ("comment_lines", "blank_lines", "malformed_lines", "job_lines"))
    assert of["kept"] == len(log) == of["job_lines"] - sum(of["dropped"].values())
    assert of["lines"] == len(content.replace(b"\r\n", b"\n").split(b"\n")) - content.endswith(b"\n")
    return log


def mutated(content: bytes, draw: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(draw.randrange(1, 12)):
        at = draw.randrange(len(data) + 1)
        match draw.randrange(5):
            case 0:
                data[at:at] = draw.choice(
                    [b"|", b"\n", b"\r\n", b"\x00", b"\xff", b'"', b"9" * 30, b"\x1f", b",", b"\xc3"]
                )
            case 1:
                del data[at : at + draw.randrange(1, 40)]
            case 2:
                other = draw.randrange(len(data) + 1)
                data[at:at] = data[other : other + draw.randrange(1, 200)]
            case 3 if at < len(data):
                data[at] = draw.randrange(256)
            case _:
                data = data[:at] if draw.random() < 0.1 else data
    return bytes(data)


@pytest.mark.parametrize("seed", seeds(400))
def test_damaged_files(tmp_path: Path, seed: int) -> None:
    attempt(tmp_path / "sacct.txt", mutated(SEED, random.Random(seed)))


@examples(300, shared_fixture=True)
@given(st.binary(max_size=400))
def test_any_bytes_after_a_header(tmp_path: Path, content: bytes) -> None:
    attempt(tmp_path / "sacct.txt", b"JobID|Submit|Start|End|NCPUS|State|JobName\n" + content)


names = st.sampled_from([field.name for field in FIELDS.values()])
value = st.one_of(st.text(max_size=8), st.sampled_from(["1", "12_3", "1700000000", "CD", "1-00:00:00", "Unknown", ""]))


@examples(300, shared_fixture=True)
@given(
    st.lists(names, max_size=12, unique=True),
    st.lists(st.lists(value, min_size=3, max_size=18), max_size=6),
    st.sampled_from(["|", ",", "\x1f", "@@"]),
)
def test_any_fields_and_values(tmp_path: Path, more: list[str], rows: list[list[str]], delimiter: str) -> None:
    header = ["JobID", "Submit", "Elapsed", "NCPUS", *(name for name in more if name not in ("JobID", "Submit"))]
    text = delimiter.join(header) + "\n" + "".join(delimiter.join(row) + "\n" for row in rows)
    attempt(tmp_path / "sacct.txt", text.encode("utf-8", "surrogatepass"), "sacct")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"JobID|",
        b"JobID|Submit|Start|End|NCPUS\n",
        b"JobID|Submit|Elapsed|NCPUS\n" + b"x" * 5_000_000,
        b"JobID|Submit|Elapsed|NCPUS\n" + b"|" * 100_000 + b"\n",
        b"JobID|Submit|Elapsed|NCPUS\n" + b"1_[" + b"9" * 100_000 + b"]|1700000000|0|1\n",
        b'{"jobs": [',
        b'{"jobs": [{"association": 1}]}',
        b'{"jobs": [{"association": {}, "job_id": 1, "time": {"submission": {"set": true, "number": 1700000000}}}]}',
        b'{"jobs": 3, "association": 1}',
        b'{"jobs": [{"association": {}, "job_id": 7, "het": {"job_id": 1e300, "job_offset": 0}}]}',
        b"[" * 100_000,
    ],
)
def test_extreme_files(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "sacct.txt"
    path.write_bytes(content)
    with pytest.raises(tt.InputError):
        tt.read(path, reader="sacct")


def test_json_of_newer_versions(tmp_path: Path) -> None:
    """Numbers may be objects, states lists."""

    def number(value: int) -> dict[str, object]:
        return {"set": True, "infinite": False, "number": value}

    record = {
        "job_id": 12,
        "association": {"user": "ann", "cluster": "c"},
        "user": "ann",
        "name": "x",
        "array": {"job_id": 10, "task_id": number(2)},
        "time": {"submission": 1700000000, "eligible": 1700000000, "start": 1700000060, "end": 1700000660}
        | {"elapsed": 600, "limit": {"set": False, "infinite": True, "number": 0}, "suspended": 0},
        "state": {"current": ["COMPLETED"], "reason": "None"},
        "required": {"CPUs": 4, "memory_per_cpu": number(100)},
        "tres": {"allocated": [{"type": "cpu", "name": "", "count": 4}, {"type": "gres", "name": "gpu", "count": 2}]},
        "exit_code": {"status": ["SIGNALED"], "return_code": number(0), "signal": {"id": number(9), "name": "KILL"}},
        "priority": number(77),
        "steps": [
            {"step": {"id": "12.batch", "name": "batch"}, "tasks": {"count": 1}, "tres": {"requested": {"total": []}}}
        ],
    }
    path = tmp_path / "dump.json"
    path.write_text(json.dumps({"jobs": [record], "meta": {}}))
    log = tt.read(path)
    assert (log["job"][0], log.texts("job_id")[0], log["run_s"][0], log["processors"][0]) == (12, "10_2", 600, 4)
    assert (log["gpus"][0], log["priority"][0], log.texts("exit_code")[0]) == (2, 77, "0:9")
    assert np.isnan(log["requested_time_s"][0])


@given(
    st.lists(st.sampled_from(["00:00:24", "1-02:00:00", "24:00:00", "77", "", "UNLIMITED", "x", "00:07.5"]), min_size=1)
)
def test_columns_read_together_are_as_one_by_one(texts: list[str]) -> None:
    for parse in (duration_s, limit_s):
        expected = [np.nan if (value := parse(text)) is None else value for text in texts]
        np.testing.assert_array_equal(numbers_of(pl.Series(texts), parse), expected)


@given(
    st.lists(
        st.sampled_from(
            [
                *("2024-05-01T10:00:00", "1714557600", "Unknown", "", "2024-05-01T10:00:00+02:00", "x"),
                *("2024-02-30T00:00:00", "1714557600.5", "0", "99999999999", "2024-05-01 10:00", "20240501100000"),
            ]
        ),
        min_size=1,
    )
)
def test_times_read_together_are_as_one_by_one(texts: list[str]) -> None:
    seconds, local, bad = times_of(pl.Series(texts))
    for k, text in enumerate(texts):
        time = parse_time(text)
        assert bad[k] == (time is None)
        if time is not None and not np.isnan(time.seconds):
            assert (seconds[k], local[k]) == time
        else:
            assert np.isnan(seconds[k])
