"""stream_swf gives what read_swf gives, block by block, and refuses what needs the whole log."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.shared_data import log
from tests.traces.lines import HEADER, job, write
from thinktime.errors import InputError
from thinktime.workload import FILTERS, describe, read_swf, stream_swf

LOG = HEADER + "".join(job(k, 3 * k, f4=k % 7 - 1, f5=k % 5, f9=-1 if k % 11 == 0 else 50) for k in range(1, 400))


@pytest.mark.parametrize("name", FILTERS)
def test_blocks_are_the_workload(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, LOG)
    whole, stream = read_swf(path, filter=name), stream_swf(path, filter=name, block_bytes=700)
    blocks = list(stream)
    assert len(blocks) > 10
    for column in whole:
        joined = np.concatenate([block[column] for block in blocks])
        assert np.array_equal(joined, whole[column], equal_nan=True), column


def test_the_account_runs_along(tmp_path: Path) -> None:
    path = write(tmp_path, LOG + "bad line\n\n; late comment\n" + job(500, 2000))
    whole, stream = read_swf(path).account, stream_swf(path, block_bytes=700)
    blocks = sum(1 for _ in stream)
    assert blocks > 10
    shared = set(stream.account) & set(whole)
    assert {key: stream.account[key] for key in shared} == {key: whole[key] for key in shared}
    assert describe(stream.account).startswith("410 lines: 400 jobs")
    assert {"lines", "kept", "dropped", "malformed", "sha256", "machine_processors"} <= shared


def test_disorder_inside_a_block_is_sorted_and_between_blocks_refused(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + job(1, 50) + job(2, 20) + job(3, 60))
    (block,) = stream_swf(path)
    assert block["job"].tolist() == [2, 1, 3]
    far = write(tmp_path, HEADER + "".join(job(k, k) for k in range(1, 50)) + job(99, 7), "far.swf")
    with pytest.raises(InputError, match=r"line 57 of far was submitted at 7 s.*leave out --stream, or use tt.read"):
        list(stream_swf(far, block_bytes=400))


def test_dropped_jobs_may_be_out_of_order(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + "".join(job(k, k) for k in range(1, 50)) + job(99, -1, f4=-1) + job(100, 99))
    stream = stream_swf(path, block_bytes=400)
    assert sum(len(block["line"]) for block in stream) == 50
    assert (stream.account["unsorted"], stream.account["negative_submit"]) == (1, 1)


def test_bursts(tmp_path: Path) -> None:
    text = job(1, f11=1) + job(1, f11=2) + job(1, f11=3)
    double = stream_swf(write(tmp_path, "; Preemption: Double\n" + text))
    assert [block["status"].tolist() for block in double] == [[1]]
    no = stream_swf(write(tmp_path, "; Preemption: No\n" + text))
    assert sum(len(block["line"]) for block in no) == 3
    assert no.account["statuses_2_to_4_left_alone"] == 2
    with pytest.raises(InputError, match=r"line 3 of toy is a burst.*leave out --stream, or use tt.read"):
        list(stream_swf(write(tmp_path, "; Preemption: Yes\n" + text)))


@pytest.mark.parametrize("header", ["", "; Preemption: perhaps\n"])
@pytest.mark.parametrize("block_bytes", [1, 40, 10_000])
def test_bursts_that_the_header_does_not_explain_are_refused(tmp_path: Path, header: str, block_bytes: int) -> None:
    text = header + job(1, f11=1) + "no job\n" + job(1, f11=2) + job(1, f11=3) + job(2, 9)
    line = text.splitlines().index(job(1, f11=3).strip()) + 1
    with pytest.raises(InputError, match=rf"line {line} of toy is a burst \(status 3\).*leave out --stream, or use"):
        list(stream_swf(write(tmp_path, text), block_bytes=block_bytes))


@pytest.mark.parametrize("block_bytes", [1, 40, 10_000])
def test_lone_exit_codes_stream_as_they_read(tmp_path: Path, block_bytes: int) -> None:
    text = job(1, 1, f11=2) + job(2, 2, f11=2) + job(3, 3, f11=4) + job(3, 4, f11=2) + job(-1, 5, f11=2)
    path = write(tmp_path, text + job(-1, 6, f11=3))
    blocks = list(stream_swf(path, block_bytes=block_bytes))
    assert np.concatenate([block["status"] for block in blocks]).tolist() == read_swf(path)["status"].tolist()


def test_what_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not an SWF log"):
        list(stream_swf(write(tmp_path, "a,b,c\n")))
    with pytest.raises(InputError, match="does not exist"):
        list(stream_swf(tmp_path / "nowhere"))


def test_a_real_log_streams_as_it_reads() -> None:
    path = log("HPC2N-2002-2.2-cln")
    whole, blocks = read_swf(path), list(stream_swf(path))
    assert max(len(block["line"]) for block in blocks) < len(whole) / 10
    assert np.array_equal(np.concatenate([block["run_s"] for block in blocks]), whole["run_s"])


def test_a_filter_that_caps_needs_the_size_of_the_machine(tmp_path: Path) -> None:
    """The whole log would tell the largest allocation; a stream has not seen it yet."""
    log = tmp_path / "headless.swf"
    log.write_text("1 0 -1 10 4 -1 -1 4 20 -1 1 1 -1 -1 -1 -1 -1 -1\n")
    with pytest.raises(InputError, match="does not say how large the machine is"):
        list(stream_swf(log, filter="alea", processors="requested"))
    (jobs,) = stream_swf(log, filter="alea", processors="requested", machine=2)
    assert jobs["processors"].tolist() == [2]
