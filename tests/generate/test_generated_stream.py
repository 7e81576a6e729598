"""A generator as a stream: the same jobs, account and digest as in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import thinktime as tt
from thinktime.errors import InputError
from thinktime.generate import Lublin

GENERATORS = ("default", "default:jobs=3000", "lublin:jobs=40000", "lublin:jobs=2000,estimates=tsafrir")


@pytest.mark.parametrize("text", GENERATORS)
def test_same_run_as_in_memory(text: str, tmp_path: Path) -> None:
    whole = tt.simulate(text, None, "easy")
    summary = tt.simulate_stream(text, None, "easy", tmp_path / "run")
    streamed = tt.Result.load(tmp_path / "run")
    assert streamed.digest == whole.digest
    assert streamed.account == pytest.approx(whole.account)
    assert streamed.spec["workload"] == {**whole.spec["workload"], "streamed": True}
    assert summary["wait_median_s"] == whole.summary()["wait_median_s"]


def test_a_stream_has_the_jobs_of_the_workload() -> None:
    generator = Lublin(jobs=20_000)
    stream, workload = generator.stream(seed=2), generator.workload(seed=2)
    found = np.concatenate([block["submit_s"] for block in stream])
    assert np.array_equal(found, workload["submit_s"])
    assert stream.machine_size() == workload.machine_size()
    assert repr(stream) == "<LogStream of lublin: 20,000 jobs generated>"
    with pytest.raises(InputError, match="have already been generated: open another stream"):
        next(iter(stream))


def test_a_scaled_generator(tmp_path: Path) -> None:
    generator = Lublin(jobs=2000)
    whole = tt.simulate(tt.scale_load(generator.workload(), 1.5), None, "easy")
    tt.simulate_stream(tt.scale_load(generator.stream(), 1.5), None, "easy", tmp_path / "run")
    streamed = tt.Result.load(tmp_path / "run")
    assert streamed.digest == whole.digest
    assert streamed.spec["workload"]["generator"] == "lublin"
