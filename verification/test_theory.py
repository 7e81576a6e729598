"""Queueing theory: what must come out where a formula is known.

Serial jobs on a machine of c processors are a queue with c servers. Each mean comes from independent
replications, whose spread gives sigma; theory must lie within five sigma, and a formula that is wrong in a
usual way must not. Little's law needs no randomness: it holds exactly on every run.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import thinktime as tt
from tests.shared_data import log
from thinktime.schedulers import Scheduler
from thinktime.simulation.settings import SameInstant
from thinktime.spec import REGISTRY
from thinktime.support.random_streams import stream
from thinktime.workload import COLUMNS

REPLICATIONS, JOBS, WARM_UP = 30, 120_000, 5_000
SIGMAS = 5.0

Draw = Callable[[np.random.Generator, int], np.ndarray]  # service times


class Found(NamedTuple):
    """A mean over replications and the standard error of it."""

    mean: float
    sigma: float

    def agrees(self, theory: float) -> bool:
        return abs(self.mean - theory) < SIGMAS * self.sigma


def serial(submit_s: np.ndarray, run_s: np.ndarray) -> tt.Workload:
    nothing = np.full(len(run_s), np.nan)
    given = {"submit_s": submit_s, "run_s": run_s, "processors": np.ones(len(run_s))}
    return tt.Workload({name: given.get(name, nothing) for name in (*COLUMNS, "processors", "line")})


def queue(name: str, replication: int, rate: float, service: Draw) -> tt.Workload:
    """Poisson arrivals at this rate, independent service times; a named stream for each."""
    gaps = stream(replication, name, "arrivals").exponential(1 / rate, JOBS)
    return serial(np.cumsum(gaps), service(stream(replication, name, "service"), JOBS))


def waits(workload: tt.Workload, servers: int, scheduler: Scheduler) -> np.ndarray:
    machine = tt.Machine(processors=servers)
    columns = tt.simulate(workload, machine, scheduler, timeline=False).columns
    return (columns["start_s"] - columns["submit_s"])[WARM_UP:]


def measured(
    name: str,
    rate: float,
    service: Draw,
    servers: int = 1,
    scheduler: Scheduler | None = None,
    of: Callable[[np.ndarray], float] = np.mean,
) -> Found:
    """A statistic of the waits, by default their mean."""
    policy = scheduler or tt.FCFS()
    values = [of(waits(queue(name, k, rate, service), servers, policy)) for k in range(REPLICATIONS)]
    return Found(float(np.mean(values)), float(np.std(values, ddof=1) / math.sqrt(REPLICATIONS)))


def assert_theory(found: Found, right: float, wrong: float) -> None:
    """The right formula agrees, a wrong one does not; nor would the right one if it were 10 % off."""
    assert found.agrees(right), f"{found} is no {right}"
    assert not found.agrees(wrong), f"{found} cannot tell {right} from {wrong}"
    assert not found.agrees(0.9 * right)
    assert not found.agrees(1.1 * right)


# --- service times with mean 1 ------------------------------------------------------------------------------


def exponential(random: np.random.Generator, n: int) -> np.ndarray:
    return random.exponential(1.0, n)


def constant(random: np.random.Generator, n: int) -> np.ndarray:
    return np.ones(n)


def uniform(random: np.random.Generator, n: int) -> np.ndarray:
    return random.uniform(0.0, 2.0, n)


def two_kinds(random: np.random.Generator, n: int) -> np.ndarray:
    """Three in four take 1/3 on average, one in four takes 3."""
    return random.exponential(np.where(random.random(n) < 0.75, 1 / 3, 3.0))


#: service → its second moment
SECOND_MOMENT: dict[Draw, float] = {
    exponential: 2.0,
    constant: 1.0,
    uniform: 4 / 3,
    two_kinds: 2 * (0.75 / 9 + 0.25 * 9),
}


# --- one server ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("load", [0.3, 0.5, 0.7])
def test_mm1_mean_wait(load: float) -> None:
    """W = ρ / (μ − λ). The response time would be 1 / (μ − λ)."""
    assert_theory(measured("mm1", load, exponential), load / (1 - load), 1 / (1 - load))


def test_mm1_share_that_does_not_wait() -> None:
    """Poisson arrivals see time averages: 1 − ρ find the machine idle."""
    found = measured("mm1", 0.7, exponential, of=lambda wait: float(np.mean(wait == 0)))
    assert_theory(found, 0.3, 0.3 * 1.05)


def test_mm1_tail_of_the_waits() -> None:
    """P(W > t) = ρ e^{−(μ − λ) t}."""
    found = measured("mm1", 0.7, exponential, of=lambda wait: float(np.mean(wait > 3)))
    assert_theory(found, 0.7 * math.exp(-0.9), math.exp(-0.9))


@pytest.mark.parametrize("service", list(SECOND_MOMENT), ids=lambda service: service.__name__)
def test_mg1_mean_wait(service: Draw) -> None:
    """Pollaczek and Khinchine: W = λ E[S²] / (2 (1 − ρ)). The square of the mean is not the second moment."""
    load = 0.6
    right = load * SECOND_MOMENT[service] / (2 * (1 - load))
    wrong = load * (2.0 if service is constant else 1.0) / (2 * (1 - load))
    assert_theory(measured("mg1", load, service), right, wrong)


def by_length(load: float, shortest_first: bool) -> float:
    """Phipps 1956, M/M/1: length x waits W0 / (1 − ρ(x))², where ρ(x) is the load of those served first."""
    width = 1e-4
    x = np.arange(width / 2, 60.0, width)  # middles of small steps
    density = np.exp(-x)
    shorter = load * (1 - (1 + x) * density)
    first = shorter if shortest_first else load - shorter
    return float(np.sum(load / (1 - first) ** 2 * density) * width)


@pytest.mark.parametrize("scheduler", [tt.SJF(), tt.Easy(order="sjf")], ids=repr)
def test_mm1_shortest_job_first(scheduler: Scheduler) -> None:
    assert_theory(measured("mm1", 0.7, exponential, scheduler=scheduler), by_length(0.7, True), 0.7 / 0.3)


def test_mm1_longest_job_first() -> None:
    assert_theory(measured("mm1", 0.6, exponential, scheduler=tt.LJF()), by_length(0.6, False), 0.6 / 0.4)


# --- c servers ----------------------------------------------------------------------------------------------


def erlang_c(servers: int, load: float) -> float:
    """The probability to wait; `load` in erlangs."""
    terms = np.cumprod(np.concatenate([[1.0], load / np.arange(1, servers + 1)]))
    waiting = terms[-1] * servers / (servers - load)
    return float(waiting / (terms[:-1].sum() + waiting))


@pytest.mark.parametrize(("servers", "load"), [(2, 1.4), (5, 4.0), (16, 14.0)])
def test_mmc_mean_wait(servers: int, load: float) -> None:
    """W = C(c, a) / (c μ − λ). One server more in C is wrong."""
    right, wrong = erlang_c(servers, load) / (servers - load), erlang_c(servers + 1, load) / (servers - load)
    assert_theory(measured("mmc", load, exponential, servers), right, wrong)


def test_mmc_share_that_waits() -> None:
    found = measured("mmc", 4.0, exponential, 5, of=lambda wait: float(np.mean(wait > 0)))
    assert_theory(found, erlang_c(5, 4.0), 0.8)


def test_erlang_c_of_one_server_is_its_load() -> None:
    assert erlang_c(1, 0.4) == pytest.approx(0.4)
    assert erlang_c(2, 1.0) == pytest.approx(1 / 3)


# --- Little's law -------------------------------------------------------------------------------------------

RULES = ("batch", "each-submit-first", "each-end-first")
SCHEDULERS = [cls() for cls in REGISTRY["scheduler"].values()]


def integral(found: tt.Result, column: str) -> float:
    """∫ value dt; after the last row nothing happens any more."""
    of = found.timeline_columns
    return float(np.sum(of[column][:-1] * np.diff(of["time_s"])))


def assert_littles_law(found: tt.Result, rel: float) -> None:
    of = {name: values[found.columns["status"] < 2] for name, values in found.columns.items()}
    wait, run, size = of["start_s"] - of["submit_s"], of["end_s"] - of["start_s"], of["processors"]
    expected = {
        "queued_jobs": wait,
        "queued_processors": size * wait,
        "running_jobs": run,
        "used_processors": size * run,
    }
    for column, values in expected.items():
        assert integral(found, column) == pytest.approx(float(values.sum()), rel=rel), column


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("scheduler", SCHEDULERS, ids=repr)
def test_littles_law_is_exact(scheduler: Any, rule: SameInstant) -> None:
    """Whole seconds: both sides are whole numbers below 2^53, so they are equal, not near."""
    workload = tt.default_workload(seed=3, weeks=2)
    assert_littles_law(tt.simulate(workload, tt.Machine(processors=96), scheduler, same_instant=rule), rel=0.0)


@pytest.mark.parametrize("scheduler", SCHEDULERS, ids=repr)
def test_littles_law_on_kth(scheduler: Any) -> None:
    workload = tt.read_swf(log("KTH-SP2-1996-2.1-cln"))
    assert_littles_law(tt.simulate(workload, tt.Machine(processors=100), scheduler), rel=0.0)


def test_littles_law_with_fractions_of_seconds() -> None:
    workload = queue("little", 1, 4.0, exponential)
    assert_littles_law(tt.simulate(workload, tt.Machine(processors=5), tt.FCFS()), rel=1e-9)
