"""Named filters and processor policies on hand-made jobs: who stays, who is changed, and the reasons."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.traces.lines import job, write
from thinktime.workload import FILTERS, PROCESSORS, Workload, read_swf
from thinktime.workload.reading.job_columns import ProcessorField

#: job number → what is odd about it
ODD = (
    job(1)
    + job(2, f4=0)
    + job(3, f4=-1)
    + job(4, f5=-1)
    + job(5, f5=0, f8=-1)
    + job(6, f9=-1)
    + job(7, f4=150)
    + job(8, f5=6)
    + job(9, f8=-1)
)


def read(folder: Path, name: str, text: str = ODD, **options: str) -> Workload:
    return read_swf(write(folder, "; MaxProcs: 5\n" + text), filter=name, **options)  # type: ignore[arg-type]


KEPT = {
    "base": [1, 2, 6, 7, 8, 9],
    "strict": [1, 7, 8, 9],
    "runnable": [1, 2, 4, 6, 7, 8, 9],
    "positive": [1, 4, 6, 7, 8, 9],
    "all": [1, 2, 3, 4, 5, 6, 7, 8, 9],
    "accasim": [1, 2, 4, 6, 7, 8, 9],
    "alea": [1, 2, 6, 7, 8, 9],
    "batsim": [1, 6, 7, 8, 9],
    "predictsim": [1, 4, 7, 8, 9],
    "pyss": [1, 2, 3, 4, 5, 6, 7, 8, 9],
    "rlsched": [1, 3, 4, 6, 7, 8, 9],
}


def test_every_filter_is_tried_here() -> None:
    assert set(KEPT) == set(FILTERS)


@pytest.mark.parametrize("name", KEPT)
def test_who_is_kept(tmp_path: Path, name: str) -> None:
    workload = read(tmp_path, name)
    assert workload["job"].tolist() == KEPT[name]
    assert sum(workload.account["dropped"].values()) == 9 - len(KEPT[name])


@pytest.mark.parametrize("name", sorted(set(KEPT) - {"all"}))
def test_what_is_kept_can_be_simulated(tmp_path: Path, name: str) -> None:
    workload = read(tmp_path, name)
    for column, least in (("submit_s", 0), ("run_s", 0), ("processors", 1)):
        assert np.all(workload[column] >= least), column


def test_base_gives_reasons(tmp_path: Path) -> None:
    account = read(tmp_path, "base").account
    assert account["dropped"] == {"run time unknown or negative": 1, "no allocated processors": 2}
    assert account["repaired"] == {}


def test_pyss_repairs(tmp_path: Path) -> None:
    workload = read(tmp_path, "pyss")
    assert workload["run_s"].tolist() == [60, 1, 1, 1, 1, 1, 100, 60, 60]
    assert workload["requested_time_s"].tolist() == [100, 1, 1, 1, 1, 60, 150, 100, 100]
    assert workload["processors"].tolist() == [4, 4, 4, 1, 1, 4, 4, 5, 4]
    assert workload.account["repaired"] == {
        "bad job made a 1-second job": 4,
        "run time cut at the request": 2,
        "estimate raised to the run time": 2,
        "processors capped at the machine": 1,
    }


def test_batsim_repairs_and_shifts(tmp_path: Path) -> None:
    workload = read(tmp_path, "batsim", job(1, 30, f4="60.5") + job(2, 40, f4=7))
    assert workload["submit_s"].tolist() == [0, 10]
    assert workload["run_s"].tolist() == [61, 8]
    assert workload["requested_time_s"].tolist() == [121, 100]
    assert workload.source["time_shift_s"] == 30
    assert workload.account["repaired"]["submit time counted from the first job"] == 2


def test_alea_fills_estimates_by_log(tmp_path: Path) -> None:
    text = "; MaxProcs: 5\n" + job(1, f9=-1) + job(2, f4=150) + job(3, f5=6)
    kth = read_swf(write(tmp_path, text, "KTH-SP2-1996-2.swf"), filter="alea")
    toy = read_swf(write(tmp_path, text), filter="alea")
    assert kth["requested_time_s"].tolist() == [14400, 150, 100]
    assert toy["requested_time_s"].tolist() == [60, 150, 100]
    assert toy["processors"].tolist() == [4, 4, 5]


def test_rlsched_repairs(tmp_path: Path) -> None:
    workload = read(tmp_path, "rlsched", job(1, f4=-1) + job(2, f9=-1, f5=9, f8=2))
    assert workload["run_s"].tolist() == [10, 60]
    assert workload["requested_time_s"].tolist() == [100, 60]
    assert workload["processors"].tolist() == [4, 9]


def test_predictsim_cuts_at_the_request(tmp_path: Path) -> None:
    assert read(tmp_path, "predictsim", job(f4=150))["run_s"].tolist() == [100]


POLICIES = {"requested": [8, 5, 8, 8], "allocated": [5, 5, 8, 9], "max": [8, 5, 8, 9]}


@pytest.mark.parametrize("policy", PROCESSORS)
def test_processor_policies(tmp_path: Path, policy: ProcessorField) -> None:
    text = job(f5=5, f8=8) + job(2, f5=5, f8=-1) + job(3, f5=-1, f8=8) + job(4, f5=9, f8=8)
    workload = read_swf(write(tmp_path, text), filter="runnable", processors=policy)
    assert workload["processors"].tolist() == POLICIES[policy]


def test_no_processors_at_all_is_missing(tmp_path: Path) -> None:
    workload = read_swf(write(tmp_path, job(f5=0, f8=-1)), filter="all")
    assert np.isnan(workload["processors"]).all()
