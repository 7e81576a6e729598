"""The reference against other simulators on larger logs, job by job: half a minute.

THINKTIME_SLOW=1 adds Curie and the means of HPC2N: five minutes. The engine has all of them in test_peers.py.
"""

from __future__ import annotations

import os

import pytest

from reference import simulate
from tests.reference.loading import (
    as_accasim_reads,
    as_predictsim_reads,
    different,
    normalised,
    read_rows,
    read_schedule,
    read_swf_schedule,
)
from tests.shared_data import log, oracle

HPC2N = "HPC2N-2002-2.2-cln"
slow = pytest.mark.skipif(os.environ.get("THINKTIME_SLOW") != "1", reason="minutes: set THINKTIME_SLOW=1")


@pytest.mark.parametrize(("theirs", "ours"), [("fifo", "fcfs"), ("sjf", "sjf")])
def test_hpc2n_by_accasim(theirs: str, ours: str):
    """The untouched file; 120 nodes of 4 cores, 2 cores a processor: 240 processors; runs are never cut."""
    jobs = as_accasim_reads(read_rows(log(HPC2N)))
    expected = read_schedule(oracle(f"accasim/{HPC2N}-{theirs}.csv.gz"))
    outcomes = simulate(list(jobs.values()), 240, {"name": ours})
    assert different(list(jobs), outcomes, expected) == []


@slow
@pytest.mark.parametrize(
    ("name", "same_instant", "mean_wait_s"),
    [
        ("fcfs", "batch", 16189.149),
        ("sjf", "batch", 8248.108),
        ("easy", "batch", 10800.027),
        ("easy", "each-submit-first", 10806.180),
    ],
)
def test_hpc2n_mean_waits(name: str, same_instant: str, mean_wait_s: float):
    """Normalised like KTHn; the means are printed in the oracle's README."""
    jobs = list(normalised(read_rows(log(HPC2N)), 240).values())
    outcomes = simulate(jobs, 240, {"name": name}, same_instant)
    waits = [outcome.start - outcome.submit for outcome in outcomes]
    assert sum(waits) / len(waits) == pytest.approx(mean_wait_s, abs=0.0005)


@pytest.mark.parametrize(
    ("name", "processors", "theirs"),
    [
        ("CTC-SP2-1996-3.1-cln", 338, "CTC-SP2"),
        pytest.param("CEA-Curie-2011-2.1-cln", 80640, "CEA-curie", marks=slow),
    ],
)
def test_easy_of_the_predictsim_study(name: str, processors: int, theirs: str):
    jobs = as_predictsim_reads(read_rows(log(name)))
    expected = read_swf_schedule(oracle(f"predictsim/predictsim_EASY_{theirs}.swf.gz"))
    outcomes = simulate(list(jobs.values()), processors, {"name": "easy"}, "each-submit-first", "kill")
    assert different(list(jobs), outcomes, expected) == []
