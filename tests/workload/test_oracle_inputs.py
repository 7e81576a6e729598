"""What other simulators read from a log, our named filters read too: the same jobs, submits and run times.

The schedules of peers ($THINKTIME_ORACLE) carry each job's submit, start and end; end − start is the run time
that the peer's reader made of the line.
"""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.shared_data import log, oracle
from thinktime.workload import Estimates, Workload, read_swf

KTH = "KTH-SP2-1996-2.1-cln"
NORMALISED: dict[str, Any] = {"filter": "positive", "processors": "requested"}
PYSS = {"filter": "pyss"}
FEEDBACK: dict[str, Any] = {"filter": "runnable", "processors": "allocated"}
ACCASIM = {"filter": "accasim"}

SCHEDULES = [
    ("reference/KTHn-batch-fcfs.csv.gz", KTH, NORMALISED),
    ("reference/KTHn-batch-easy.csv.gz", KTH, NORMALISED),
    ("pyss/KTHn-easysjbf.csv.gz", KTH, NORMALISED),
    ("accasim/KTHn-fifo.csv.gz", KTH, NORMALISED),
    ("cqsim/KTHn-sjf.csv.gz", KTH, NORMALISED),
    (f"pyss/{KTH}-easy.csv.gz", KTH, PYSS),
    ("accasim/HPC2N-2002-2.2-cln-fifo.csv.gz", "HPC2N-2002-2.2-cln", ACCASIM),
]

PREDICTSIM = [
    ("predictsim/predictsim_EASY_KTH-SP2.swf.gz", "KTH-SP2-1996-2"),
    ("predictsim/predictsim_EASY_CTC-SP2.swf.gz", "CTC-SP2-1996-3.1-cln"),
    ("predictsim/predictsim_EASY_CEA-curie.swf.gz", "CEA-Curie-2011-2.1-cln"),
]


@pytest.mark.parametrize(("schedule", "source", "reading"), SCHEDULES, ids=[s[0] for s in SCHEDULES])
def test_jobs_submits_and_run_times_are_the_peers(schedule: str, source: str, reading: dict[str, Any]) -> None:
    theirs = peer_schedule(oracle(schedule))
    ours = by_job(read_swf(log(source), **reading))
    assert ours["job"].tolist() == theirs["job_id"].tolist()
    assert np.array_equal(ours["submit_s"], theirs["submit"])
    assert np.array_equal(ours["run_s"], theirs["end"] - theirs["start"])


def test_feedback_replays_keep_the_jobs_but_move_their_submits() -> None:
    theirs = peer_schedule(oracle("feedback/KTH-fcfs-a60.csv.gz"))
    ours = by_job(read_swf(log(KTH), **FEEDBACK))
    assert ours["job"].tolist() == theirs["job_id"].tolist()
    assert np.array_equal(ours["run_s"], theirs["end"] - theirs["start"])


@pytest.mark.parametrize(("schedule", "source"), PREDICTSIM, ids=[s[1] for s in PREDICTSIM])
def test_predictsim_reads_the_same_jobs(schedule: str, source: str) -> None:
    theirs = by_job(read_swf(oracle(schedule), filter="all"))
    ours = by_job(read_swf(log(source), filter="predictsim"))
    for column in ("job", "run_s", "processors"):
        assert np.array_equal(ours[column], theirs[column]), column
    start = ours["submit_s"] - ours["submit_s"].min()
    assert np.array_equal(start, theirs["submit_s"] - theirs["submit_s"].min())


def test_normalised_estimates_are_at_least_the_run_time() -> None:
    """`KTHn`: estimate = max(field 9, run); no job is larger than the machine, so none is dropped for it."""
    workload = read_swf(log(KTH), **NORMALISED)
    assert len(workload) == 28467
    assert workload["processors"].max() <= 100
    estimates = Estimates.at_least(1.0).of(workload)
    assert np.array_equal(estimates, np.fmax(workload["requested_time_s"], workload["run_s"]))


def test_pyss_estimates_and_processors() -> None:
    """The untouched file: estimate = max(fields 9 and 4, 1), processors = field 5 up to the machine."""
    raw, read = read_swf(log(KTH), filter="all"), read_swf(log(KTH), filter="pyss")
    asked = np.fmax(np.fmax(raw["requested_time_s"], raw["run_s"]), 1.0)
    good = (raw["run_s"] > 0) & (raw["allocated_processors"] > 0)
    assert np.array_equal(Estimates.requested().of(read)[good], asked[good])
    assert np.all(Estimates.requested().of(read)[~good] == 1)
    assert np.array_equal(read["processors"][good], np.minimum(raw["allocated_processors"], 100)[good])
    assert read.account["repaired"]["bad job made a 1-second job"] == np.count_nonzero(~good)


def peer_schedule(path: Path) -> dict[str, np.ndarray]:
    with gzip.open(path, "rt") as file:
        names = next(csv.reader(file))
        return dict(zip(names, np.loadtxt(file, delimiter=",", unpack=True), strict=True))


def by_job(workload: Workload) -> Workload:
    return workload.select(np.argsort(workload["job"], kind="stable"))
