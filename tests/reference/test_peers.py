"""The reference against the schedules of other simulators, job by job, on the KTH log (100 processors).

`verification/test_reference_peers.py` has the larger logs.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from reference import Job, simulate
from tests.reference.loading import (
    as_predictsim_reads,
    as_pyss_reads,
    different,
    normalised,
    read_cases,
    read_rows,
    read_schedule,
    read_swf_schedule,
)
from tests.shared_data import log, oracle

MACHINE = 100
BATCH, SUBMIT_FIRST, END_FIRST = "batch", "each-submit-first", "each-end-first"


@cache
def kth_normalised() -> dict[int, Job]:
    return normalised(read_rows(log("KTH-SP2-1996-2.1-cln")), MACHINE)


@pytest.mark.parametrize(
    ("scheduler", "same_instant", "peers"),
    [
        ({"name": "fcfs"}, BATCH, ["reference/KTHn-batch-fcfs", "accasim/KTHn-fifo"]),
        ({"name": "sjf"}, BATCH, ["reference/KTHn-batch-sjf", "accasim/KTHn-sjf"]),
        ({"name": "easy"}, BATCH, ["reference/KTHn-batch-easy"]),
        ({"name": "easy", "compat": "accasim-1.0"}, BATCH, ["accasim/KTHn-easy"]),
        ({"name": "fcfs"}, SUBMIT_FIRST, ["pyss/KTHn-fcfs"]),
        ({"name": "easy"}, SUBMIT_FIRST, ["pyss/KTHn-easy"]),
        ({"name": "easy", "backfill_order": "estimate"}, SUBMIT_FIRST, ["pyss/KTHn-easysjbf"]),
        ({"name": "conservative"}, SUBMIT_FIRST, ["pyss/KTHn-cons", "reference/KTHn-cons-pyss"]),
        ({"name": "sjf"}, END_FIRST, ["cqsim/KTHn-sjf"]),
    ],
    ids=str,
)
def test_kth_normalised(scheduler: dict[str, Any], same_instant: str, peers: list[str]):
    jobs = kth_normalised()
    outcomes = simulate(list(jobs.values()), MACHINE, scheduler, same_instant)
    for peer in peers:
        expected = read_schedule(oracle(f"{peer}.csv.gz"))
        assert different(list(jobs), outcomes, expected) == [], peer


def test_kth_as_pyss_reads_it():
    jobs = as_pyss_reads(read_rows(log("KTH-SP2-1996-2.1-cln")), MACHINE)
    expected = read_schedule(oracle("pyss/KTH-SP2-1996-2.1-cln-easy.csv.gz"))
    outcomes = simulate(list(jobs.values()), MACHINE, {"name": "easy"}, SUBMIT_FIRST)
    assert different(list(jobs), outcomes, expected) == []


def test_kth_of_the_predictsim_study():
    jobs = as_predictsim_reads(read_rows(log("KTH-SP2-1996-2")))
    expected = read_swf_schedule(oracle("predictsim/predictsim_EASY_KTH-SP2.swf.gz"))
    outcomes = simulate(list(jobs.values()), MACHINE, {"name": "easy"}, SUBMIT_FIRST, "kill")
    assert different(list(jobs), outcomes, expected) == []


NAMES = {"fcfs": "fcfs", "easy": "easy", "cons": "conservative"}


@pytest.mark.parametrize("same_instant", [BATCH, SUBMIT_FIRST, END_FIRST])
def test_hand_made_cases_of_pyss(same_instant: str):
    """126 small cases with the expected end of every job; all of them hold under all three rules."""
    cases = read_cases(oracle("pyss-tests/cases.json"))
    assert len(cases) == 126
    for case in cases:
        jobs = [Job(job["submit"], job["run"], job["procs"], job["estimate"]) for job in case["jobs"]]
        outcomes = simulate(jobs, case["num_procs"], {"name": NAMES[case["policy"]]}, same_instant)
        ends = [outcome.end for outcome in outcomes]
        assert ends == [job["expected_finish"] for job in case["jobs"]], (case["policy"], case["source"])
