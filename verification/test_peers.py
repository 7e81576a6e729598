"""The engine against every schedule of other simulators ($THINKTIME_ORACLE), job by job: the public surface.

Each peer is one named reading of a log, one scheduler and the rules that the oracle's README gives for it.
The schedules of users who react are compared in test_feedback.py.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.shared_data import ORACLE, log, oracle
from thinktime.simulation.settings import SameInstant
from thinktime.traces.column_names import COLUMNS
from verification.peers import assert_same, schedule_csv

KTH, HPC2N = "KTH-SP2-1996-2.1-cln", "HPC2N-2002-2.2-cln"
KTH_RAW, CTC, CEA = "KTH-SP2-1996-2", "CTC-SP2-1996-3.1-cln", "CEA-Curie-2011-2.1-cln"
MACHINES = {KTH: 100, KTH_RAW: 100, HPC2N: 240, CTC: 338, CEA: 80640}

#: `KTHn` of the oracle: requested processors, run time > 0, estimate = max(requested time, run time)
NORMALISED: dict[str, Any] = {"filter": "positive", "processors": "requested"}
AT_LEAST_THE_RUN: dict[str, Any] = {"estimates": tt.Estimates.at_least(1.0)}
PYSS_RULE: dict[str, Any] = {"same_instant": "each-submit-first"}
CQSIM_RULE: dict[str, Any] = {"same_instant": "each-end-first"}

EASY, ACCASIM = tt.Easy(), tt.Easy(compat="accasim-1.0")
SJBF = tt.Easy(backfill_order="sjf")

#: Schedules on KTHn: file, scheduler, rule.
ON_KTHN = [
    ("reference/KTHn-batch-fcfs", tt.FCFS(), {}),
    ("reference/KTHn-batch-sjf", tt.SJF(), {}),
    ("reference/KTHn-batch-easy", EASY, {}),
    ("reference/KTHn-cons-pyss", tt.Conservative(), PYSS_RULE),
    ("pyss/KTHn-fcfs", tt.FCFS(), PYSS_RULE),
    ("pyss/KTHn-easy", EASY, PYSS_RULE),
    ("pyss/KTHn-easysjbf", SJBF, PYSS_RULE),
    ("pyss/KTHn-cons", tt.Conservative(), PYSS_RULE),
    ("accasim/KTHn-fifo", tt.FCFS(), {}),
    ("accasim/KTHn-sjf", tt.SJF(), {}),
    ("accasim/KTHn-easy", ACCASIM, {}),
    ("cqsim/KTHn-sjf", tt.SJF(), CQSIM_RULE),
]


@cache
def read(source: str, **reading: Any) -> tt.Workload:
    return tt.read_swf(log(source), **reading)


def run(source: str, reading: dict[str, Any], scheduler: Any, rules: dict[str, Any]) -> tt.Result:
    return tt.simulate(read(source, **reading), tt.Machine(processors=MACHINES[source]), scheduler, **rules)


@pytest.mark.parametrize(("name", "scheduler", "rule"), ON_KTHN, ids=[name for name, *_ in ON_KTHN])
def test_kth_normalised(name: str, scheduler: Any, rule: dict[str, Any]) -> None:
    found = run(KTH, NORMALISED, scheduler, AT_LEAST_THE_RUN | rule)
    theirs = schedule_csv(oracle(f"{name}.csv.gz"))
    assert len(theirs["job"]) == 28467
    assert_same(found, theirs)


@pytest.mark.parametrize(("name", "scheduler"), [("fifo", tt.FCFS()), ("sjf", tt.SJF()), ("easy", ACCASIM)])
@pytest.mark.parametrize("nodes", [100, 25])
def test_kth_normalised_on_nodes(name: str, scheduler: Any, nodes: int) -> None:
    """A hundred processors are as many nodes of one core, or a quarter as many of four: the schedule is the same."""
    cluster = tt.Cluster(groups=[{"name": "n", "nodes": nodes, "core": 100 // nodes}])
    found = tt.simulate(read(KTH, **NORMALISED), cluster, scheduler, **AT_LEAST_THE_RUN)
    assert_same(found, schedule_csv(oracle(f"accasim/KTHn-{name}.csv.gz")))


def test_kth_as_pyss_reads_the_untouched_file() -> None:
    found = run(KTH, {"filter": "pyss"}, EASY, PYSS_RULE)
    assert_same(found, schedule_csv(oracle(f"pyss/{KTH}-easy.csv.gz")))


@pytest.mark.parametrize(("name", "scheduler"), [("fifo", tt.FCFS()), ("sjf", tt.SJF())])
def test_hpc2n_by_accasim(name: str, scheduler: Any) -> None:
    found = run(HPC2N, {"filter": "accasim"}, scheduler, {})
    assert_same(found, schedule_csv(oracle(f"accasim/{HPC2N}-{name}.csv.gz")))


#: log, peer's file, mean wait s, mean bounded slowdown (10 s), as printed in the oracle's README
PREDICTSIM = [
    (KTH_RAW, "KTH-SP2", 6836.872, 92.5765),
    (CTC, "CTC-SP2", 14272.595, 49.5713),
    (CEA, "CEA-curie", 6369.102, 202.1332),
]


@pytest.mark.parametrize(("source", "name", "wait_s", "slowdown"), PREDICTSIM, ids=[row[1] for row in PREDICTSIM])
def test_easy_of_the_predictsim_study(source: str, name: str, wait_s: float, slowdown: float) -> None:
    """Their SWF has the simulated wait in field 3 and counts submits from the first job."""
    found = run(source, {"filter": "predictsim"}, EASY, PYSS_RULE)
    theirs = tt.read_swf(oracle(f"predictsim/predictsim_EASY_{name}.swf.gz"), filter="all")
    order = np.argsort(theirs["job"], kind="stable")
    shift = found.columns["submit_s"].min() - theirs["submit_s"].min()
    start, run_s = (theirs.recorded_start_s + shift)[order], theirs["run_s"][order]
    assert_same(found, {"job": theirs["job"][order], "start_s": start, "end_s": start + run_s})
    assert_means(found, wait_s, slowdown)


def test_kills_are_what_the_predictsim_reading_cuts() -> None:
    """The jobs uncut, but killed at their estimate: the same schedule."""
    reading = {"filter": "predictsim"}
    uncut = read(KTH_RAW, filter="positive", processors="requested")
    uncut = uncut.select(uncut["requested_time_s"] > 0)
    found = tt.simulate(uncut, tt.Machine(processors=100), EASY, overrun="kill", **PYSS_RULE)
    expected = run(KTH_RAW, reading, EASY, PYSS_RULE)
    assert_same(found, {name: expected.columns[name] for name in ("job", "submit_s", "start_s", "end_s")})
    cut = read(KTH_RAW, **reading).account["repaired"]["run time cut at the request"]
    assert np.count_nonzero(found.columns["status"] == 1) == cut > 0


def test_no_schedule_is_left_out() -> None:
    """Every schedule that these peers computed is compared above."""
    peers = ("accasim", "cqsim", "predictsim", "pyss", "pyss-tests", "reference")
    here = {path.relative_to(ORACLE).as_posix() for peer in peers for path in oracle(peer).glob("*")}
    compared = {f"pyss/{KTH}-easy.csv.gz", "pyss-tests/cases.json"} | {f"{row[0]}.csv.gz" for row in ON_KTHN}
    compared |= {f"accasim/{HPC2N}-{name}.csv.gz" for name in ("fifo", "sjf")}
    compared |= {f"predictsim/predictsim_EASY_{row[1]}.swf.gz" for row in PREDICTSIM}
    assert here == compared


def assert_means(found: tt.Result, wait_s: float, slowdown: float | None = None) -> None:
    """To the printed digit: three decimals of the wait, four of the bounded slowdown."""
    summary = found.summary(quantiles=False)
    assert f"{summary['wait_mean_s']:.3f}" == f"{wait_s:.3f}"
    if slowdown is not None:
        assert f"{summary['bounded_slowdown_mean']:.4f}" == f"{slowdown:.4f}"


@pytest.mark.parametrize(
    ("scheduler", "rule", "wait_s", "slowdown"),
    [
        (tt.FCFS(), {}, 389861.059, 7510.7852),
        (tt.SJF(), {}, 13656.135, 126.5330),
        (EASY, {}, 6804.974, 90.7559),
        (EASY, PYSS_RULE, 6804.721, 90.7248),
        (SJBF, PYSS_RULE, 5936.978, 69.5588),
        (tt.Conservative(), PYSS_RULE, 7295.102, 88.0262),
    ],
    ids=str,
)
def test_printed_means_of_kth(scheduler: Any, rule: dict[str, Any], wait_s: float, slowdown: float) -> None:
    assert_means(run(KTH, NORMALISED, scheduler, AT_LEAST_THE_RUN | rule), wait_s, slowdown)


@pytest.mark.parametrize(
    ("scheduler", "rule", "wait_s"),
    [
        (tt.FCFS(), {}, 16189.149),
        (tt.SJF(), {}, 8248.108),
        (EASY, {}, 10800.027),
        (EASY, PYSS_RULE, 10806.180),
    ],
    ids=str,
)
def test_printed_means_of_hpc2n(scheduler: Any, rule: dict[str, Any], wait_s: float) -> None:
    assert_means(run(HPC2N, NORMALISED, scheduler, AT_LEAST_THE_RUN | rule), wait_s)


# --- pyss's hand-made cases ---------------------------------------------------------------------------------

POLICIES = {"fcfs": tt.FCFS(), "easy": EASY, "cons": tt.Conservative()}
RULES = ("batch", "each-submit-first", "each-end-first")


#: our column → theirs
NAMES = {"submit_s": "submit", "run_s": "run", "processors": "procs", "requested_time_s": "estimate"}


def workload_of(case: dict[str, Any]) -> tt.Workload:
    jobs = case["jobs"]
    columns = {name: np.full(len(jobs), np.nan) for name in (*COLUMNS, "processors", "line")}
    for name, key in NAMES.items():
        columns[name] = np.array([float(job[key]) for job in jobs])
    return tt.Workload(columns).select(np.argsort(columns["submit_s"], kind="stable"))


@pytest.mark.parametrize("rule", RULES)
def test_hand_made_cases_of_pyss(rule: SameInstant) -> None:
    """126 small cases with the expected end of every job. The README promises the conservative ones under
    pyss's rule only; they hold under all three."""
    cases = json.loads(oracle("pyss-tests/cases.json").read_text())
    assert len(cases) == 126
    for case in cases:
        workload, machine = workload_of(case), tt.Machine(processors=case["num_procs"])
        found = tt.simulate(workload, machine, POLICIES[case["policy"]], same_instant=rule)
        expected = [job["expected_finish"] for job in sorted(case["jobs"], key=lambda job: job["submit"])]
        assert found.columns["end_s"].tolist() == expected, case["source"]
