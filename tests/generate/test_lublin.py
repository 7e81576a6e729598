"""Lublin and Feitelson's model: its shares and means, by theory, over independent seeds; streams; mistakes."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pytest

import thinktime as tt
from tests.generate.replications import agrees, digest, sigmas
from thinktime.errors import InputError
from thinktime.generate import Lublin
from thinktime.generate.lublin_constants import BATCH, INTERACTIVE, KINDS, TYPELESS
from thinktime.generate.lublin_expectations import mean_area, mean_gap_s, mean_run_s, natural_load, size_shares
from thinktime.generate.lublin_jobs import day_of
from thinktime.workload.workload import Workload

QUEUES = {"interactive": 0.0, "batch": 1.0}
CONSTANTS = {"interactive": INTERACTIVE, "batch": BATCH, "typeless": TYPELESS}


@functools.cache
def made(types: str, seed: int, processors: int = 128) -> Workload:
    return Lublin(jobs=4000, types=types, processors=processors).workload(seed=seed)


@pytest.mark.parametrize("types", ["batch", "interactive", "typeless"])
def test_serial_share_and_powers_of_two(types: str) -> None:
    kind = CONSTANTS[types]
    shares = size_shares(kind, 128)
    powers = 2 ** np.arange(8)
    assert agrees(lambda seed: np.mean(made(types, seed)["processors"] == 1), kind.serial)
    assert agrees(lambda seed: np.mean(np.isin(made(types, seed)["processors"], powers)), shares[powers].sum())
    assert agrees(lambda seed: made(types, seed)["processors"].mean(), float(shares @ np.arange(129)))


@pytest.mark.parametrize("types", ["batch", "interactive", "typeless"])
@pytest.mark.parametrize("processors", [1, 2, 5, 100, 128, 1000])
def test_shares_of_sizes_add_up_and_stay_inside_the_machine(types: str, processors: int) -> None:
    shares = size_shares(CONSTANTS[types], processors)
    assert shares.sum() == pytest.approx(1.0)
    sizes = made(types, 1, processors)["processors"]
    assert set(np.unique(sizes).astype(int)) <= set(np.flatnonzero(shares > 0))


@pytest.mark.parametrize("types", ["batch", "interactive", "typeless"])
def test_means_by_theory(types: str) -> None:
    kind = CONSTANTS[types]
    assert agrees(lambda seed: made(types, seed)["submit_s"][-1] / 4000, mean_gap_s(kind))
    assert agrees(
        lambda seed: np.mean(made(types, seed)["run_s"] * made(types, seed)["processors"]), mean_area(kind, 128)
    )
    serial = float(mean_run_s(kind, np.array([1.0]))[0])
    assert agrees(lambda seed: made(types, seed)["run_s"][made(types, seed)["processors"] == 1].mean(), serial)


@pytest.mark.parametrize("types", ["batch", "interactive", "typeless"])
def test_the_day_is_that_of_the_weights(types: str) -> None:
    """Seen from outside, jobs crowd in the heavy slots: each half hour has the share of its weight."""
    weights = day_of(CONSTANTS[types]).weights / 48

    def share(seed: int, slots: range) -> float:
        slot = made(types, seed)["submit_s"] // 1800 % 48
        return float(np.isin(slot, slots).mean())

    for slots in (range(6, 12), range(20, 28), range(40, 48)):
        assert agrees(lambda seed, slots=slots: share(seed, slots), weights[list(slots)].sum())  # type: ignore[misc]
    assert sigmas((share(seed, range(20, 28)) for seed in range(1, 26)), 8 / 48) > 5  # no day without a cycle


def test_both_kinds_come_in_streams_of_their_own() -> None:
    both = Lublin(jobs=20_000).workload(seed=3)
    for name, queue in QUEUES.items():
        alone = Lublin(jobs=20_000, types=name).workload(seed=3)
        rows = both.select(both["queue"] == queue)
        assert len(rows) > 1000
        for column in ("submit_s", "run_s", "processors"):
            assert np.array_equal(rows[column], alone[column][: len(rows)])
    assert np.all(np.diff(both["submit_s"]) >= 0)
    same = np.diff(both["submit_s"]) == 0
    assert np.all(np.diff(both["queue"])[same] >= 0)  # interactive jobs first


@pytest.mark.parametrize("load", [0.4, 1.1])
def test_the_load_is_met_on_average(load: float) -> None:
    def offered(seed: int) -> float:
        workload = Lublin(jobs=4000, processors=256, load=load).workload(seed=seed)
        return float(workload["run_s"] @ workload["processors"] / (256 * workload["submit_s"][-1]))

    assert agrees(offered, load)


def test_another_load_keeps_the_jobs() -> None:
    one, two = (Lublin(jobs=500, types="batch", load=load).workload() for load in (0.5, 1.0))
    assert np.array_equal(one["run_s"], two["run_s"])
    assert one["submit_s"][-1] == pytest.approx(2 * two["submit_s"][-1], rel=0.02)
    assert 0.2 < natural_load(KINDS["both"], 128) < 0.7


def test_the_same_seed_gives_the_same_bytes_whatever_the_blocks(tmp_path: Path) -> None:
    spec = Lublin(jobs=30_000, estimates="tsafrir")
    whole = digest(list(spec.blocks(seed=5)))
    for rows in (1000, 7777, 100_000):
        blocks = list(spec.blocks(seed=5, rows=rows))
        assert [len(block["job"]) for block in blocks[:-1]] == [rows] * (len(blocks) - 1)
        assert digest(blocks) == whole
    assert digest([spec.workload(seed=5).columns]) == whole
    assert digest([spec.workload(seed=6).columns]) != whole
    for name in ("a.swf", "b.swf"):
        spec.write_swf(tmp_path / name, seed=5)
    assert (tmp_path / "a.swf").read_bytes() == (tmp_path / "b.swf").read_bytes()


def test_fewer_jobs_are_the_first_jobs() -> None:
    few, many = (Lublin(jobs=jobs).workload() for jobs in (10, 20_000))
    assert digest([few.columns]) == digest([many.select(np.arange(10)).columns])


def test_written_and_read_again(tmp_path: Path) -> None:
    spec = Lublin(jobs=3000, estimates="tsafrir")
    heard: list[int] = []
    assert spec.write_swf(tmp_path / "lublin.swf.gz", seed=2, progress=heard.append) == 3000
    read, workload = tt.read_swf(tmp_path / "lublin.swf.gz"), spec.workload(seed=2)
    assert heard == [3000]
    assert read.machine_processors == 128
    assert read.header.integer("MaxJobs") == 3000
    for name in ("submit_s", "run_s", "processors", "requested_time_s", "queue", "status"):
        assert np.array_equal(read[name], workload[name])
    assert str(read.local_time()[0]) == str(workload.local_time()[0])
    assert str(workload.local_time()[0]).startswith("2000-01-03T")


def test_nothing_half_written(tmp_path: Path) -> None:
    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Lublin(jobs=200_000).write_swf(tmp_path / "x.swf.gz", progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_it_is_a_spec() -> None:
    spec = tt.Lublin(jobs=500, processors=64, load=0.5)
    assert repr(spec) == "Lublin(jobs=500, processors=64, load=0.5)"
    assert spec.text() == "lublin:jobs=500,processors=64,load=0.5"
    assert tt.simulate(spec.workload(), tt.Machine(processors=64), tt.Easy()).summary()["jobs"] == 500


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"jobs": 0}, "jobs must be a whole number of at least 1 (got 0)"),
        ({"jobs": 10**10}, "jobs must be a whole number of at most 1,000,000,000 (got 10000000000)"),
        ({"jobs": 1.5}, "jobs must be a whole number of at least 1 (got 1.5)"),
        ({"processors": True}, "processors must be a whole number of at least 1 (got True)"),
        ({"types": "bach"}, "types is 'bach' (did you mean 'batch'?): choose one of both, batch"),
        ({"load": 0}, "load must be a number between 0.01 and 10, 1 fills the machine (got 0)"),
        ({"load": "high"}, "load must be a number between 0.01 and 10, 1 fills the machine (got 'high')"),
        ({"estimates": "tsafir"}, "estimates is 'tsafir' (did you mean 'tsafrir'?): choose one of none, tsafrir"),
        ({"max_estimate_h": 24}, 'max_estimate_h needs estimates="tsafrir" (got max_estimate_h 24)'),
        (
            {"estimates": "tsafrir", "max_estimate_h": 0.5},
            "max_estimate_h must be a number between 1.0 and 100000.0 (got 0.5)",
        ),
    ],
)
def test_mistakes_are_named(options, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        Lublin(**options)
    assert str(error.value).startswith(sentence)


def test_a_seed_is_checked() -> None:
    with pytest.raises(InputError, match="seed is -1"):
        Lublin().workload(seed=-1)
    with pytest.raises(InputError, match=r"rows must be a whole number of at least 1 \(got 0\)"):
        Lublin().blocks(rows=0)


def test_a_stream_of_a_billion_jobs_begins_at_once_and_holds_little() -> None:
    import tracemalloc

    tracemalloc.start()
    blocks = Lublin(jobs=10**9, load=0.8).blocks(rows=20_000)
    for k, block in zip(range(20), blocks, strict=False):
        assert block["job"][0] == 20_000 * k + 1
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    one_block = 20 * 8 * 20_000  # columns of float64
    assert peak < 8 * one_block + 40 * 10**6
