"""Coverage: of 1000 intervals at 95 %, 93 to 97 % contain the mean that queueing theory knows.

The queue is M/M/1 with service rate 1, in which the mean wait is ρ / (1 − ρ). It begins in its steady state, not
empty: an extra job brings as much work at time 0 as an arrival finds there in the long run (none
with probability 1 − ρ, else exponential with rate 1 − ρ). Then every job's wait has the stationary mean, exactly,
and what is tested is the interval and not the warm-up.

Independent runs and pairs come from the engine itself. Larger samples and long runs come from Lindley's
recursion W' = max(0, W + service − gap), as a running minimum over whole arrays; a test sets it beside the engine.
With the seeds fixed, every number here is the same in every run of the tests.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy import stats

import thinktime as tt
from thinktime.statistics import Bounds, batch_means, bootstrap, mser5, paired, t_interval
from thinktime.support.random_streams import stream
from thinktime.workload import COLUMNS

REPLICATIONS, LEVEL = 1000, 0.95
RUNS, JOBS = 10, 4000  # of one replication, of one run
LOAD = 0.5


def mean_wait(load: float, speed: float = 1.0) -> float:
    """ρ / (μ − λ) at service rate μ = speed."""
    return load / speed / (speed - load)


def assert_covers(found: list[bool], low: float = 0.93, high: float = 0.97) -> None:
    coverage = float(np.mean(found))
    print(f"coverage {coverage:.3f} of {len(found)} intervals")
    assert len(found) == REPLICATIONS
    assert low <= coverage <= high, f"{coverage:.3f} of the intervals contain the truth, not {low} to {high}"


# --- the queue, by the engine -------------------------------------------------------------------------------


def steady_work(uniform: np.ndarray, load: float, speed: float) -> np.ndarray:
    """Seconds of work that an arrival finds, at this speed: the inverse of its distribution function."""
    rho = load / speed
    busy = uniform > 1 - rho
    return np.where(busy, -np.log(np.where(busy, 1 - uniform, rho) / rho) / (speed - load), 0.0)


def draws(replication: int, run: int, load: float = LOAD) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A uniform number for the beginning, arrivals, and service times at speed 1."""
    random = stream(replication, "coverage", run)
    return random.random(1), np.cumsum(random.exponential(1 / load, JOBS)), random.exponential(1.0, JOBS)


def engine_wait(replication: int, run: int, speed: float = 1.0) -> float:
    """The mean wait of a run on one processor, first come first served."""
    uniform, arrivals, service = draws(replication, run)
    first = steady_work(uniform, LOAD, speed) * speed  # the machine divides by its speed
    given = {"submit_s": np.append(0.0, arrivals), "run_s": np.append(first, service), "processors": np.ones(JOBS + 1)}
    nothing = np.full(JOBS + 1, np.nan)
    workload = tt.Workload({name: given.get(name, nothing) for name in (*COLUMNS, "processors", "line")})
    machine = tt.Machine(processors=1, speed=speed)
    columns = tt.Simulation(workload, machine, tt.FCFS(), timeline=False).run().result().columns
    return float(np.mean((columns["start_s"] - columns["submit_s"])[1:]))


@cache
def engine_means(speed: float = 1.0) -> np.ndarray:
    """[replication, run]: with another speed, of the same arrivals and service times."""
    return np.array([[engine_wait(k, run, speed) for run in range(RUNS)] for k in range(REPLICATIONS)])


def test_students_interval_of_independent_runs() -> None:
    assert_covers([mean_wait(LOAD) in t_interval(runs, LEVEL) for runs in engine_means()])


def test_the_paired_difference_under_common_random_numbers() -> None:
    """The machine at double speed, on the same draws. The pairs save runs: their difference varies less."""
    truth = mean_wait(LOAD) - mean_wait(LOAD, speed=2.0)
    slow, fast = engine_means(), engine_means(2.0)
    pairs = [paired(a, b, level=LEVEL, resamples=100) for a, b in zip(slow, fast, strict=True)]
    assert_covers([truth in pair.difference for pair in pairs])
    assert np.median([pair.variance_reduction or 0 for pair in pairs]) > 1.2


# --- the queue, by Lindley's recursion ----------------------------------------------------------------------


def lindley(work: np.ndarray, gaps: np.ndarray, service: np.ndarray) -> np.ndarray:
    """[run, job]: waits; `work` at time 0, then each job arrives after its gap."""
    brought = np.concatenate([work[:, None], service[:, :-1]], axis=1)
    walk = np.cumsum(brought - gaps, axis=1)
    return walk - np.minimum(np.minimum.accumulate(walk, axis=1), 0.0)


def waits(name: str, runs: int, jobs: int, load: float = LOAD) -> np.ndarray:
    """[run, job] of queues that begin in their steady state."""
    random = stream(1, "coverage", name)
    work = steady_work(random.random(runs), load, 1.0)
    return lindley(work, random.exponential(1 / load, (runs, jobs)), random.exponential(1.0, (runs, jobs)))


def test_the_recursion_is_the_engine() -> None:
    uniform, arrivals, service = draws(3, 4)
    gaps = np.diff(arrivals, prepend=0.0)
    found = lindley(steady_work(uniform, LOAD, 1.0), gaps[None, :], service[None, :])
    assert found.mean() == pytest.approx(engine_wait(3, 4), rel=1e-9)


def test_means_of_short_runs_are_skew() -> None:
    """Of ten runs with 100 jobs each: run means are far from normal, and Student's interval misses more often."""
    found = [mean_wait(LOAD) in t_interval(waits(f"skew {k}", 10, 100).mean(axis=1)) for k in range(REPLICATIONS)]
    assert_covers(found, 0.85, 0.93)


@cache
def lindley_means(runs: int) -> np.ndarray:
    """[replication, run]: mean waits of 1000 jobs."""
    return np.array([waits(f"{runs} runs {k}", runs, 1000).mean(axis=1) for k in range(REPLICATIONS)])


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_the_bootstrap_of_a_hundred_runs(method: str) -> None:
    assert_covers([mean_wait(LOAD) in bootstrap(runs, method=method, resamples=999) for runs in lindley_means(100)])


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("runs", [10, 40])
def test_the_bootstrap_of_few_runs_is_too_narrow(runs: int, method: str) -> None:
    """It takes the sample for the world: its standard error is √((n − 1) / n) of Student's, with 1.96 for t.

    For normal values it therefore covers P(|t| < 1.96 √((n − 1) / n)): 90.4 % with 10 runs, 94.0 % with 40. Skew
    run means cost some more. Comparisons take Student's interval for this reason; the bootstrap's is not widened.
    """
    promised = 1 - 2 * stats.t.sf(1.96 * np.sqrt((runs - 1) / runs), runs - 1)
    found = [mean_wait(LOAD) in bootstrap(of, method=method, resamples=999) for of in lindley_means(runs)]
    assert_covers(found, promised - 0.035, promised + 0.01)


def test_batch_means_of_one_long_run() -> None:
    found = [batch_means(waits(f"long {k}", 1, 50_000)[0], level=LEVEL) for k in range(REPLICATIONS)]
    assert_covers([mean_wait(LOAD) in each.interval for each in found])
    assert np.mean([each.check.passes for each in found]) > 0.97


def test_single_jobs_are_no_sample() -> None:
    """Student's interval over the jobs of a run, as if they were independent, misses most of the time."""
    found = [mean_wait(LOAD) in t_interval(waits(f"long {k}", 1, 50_000)[0]) for k in range(200)]
    assert np.mean(found) < 0.7


def test_a_run_too_short_for_batch_means_is_named() -> None:
    """At load 0.9 neighbouring waits are alike for hundreds of jobs: 2000 jobs are no ten batches."""
    found = [batch_means(waits(f"short {k}", 1, 2000, load=0.9)[0]) for k in range(300)]
    covered = np.array([mean_wait(0.9) in each.interval for each in found])
    named = np.array([not each.check.passes for each in found])
    assert covered.mean() < 0.9
    assert named.mean() > 0.1


def test_weighted_blocks_cover_the_ratio() -> None:
    """Forty weeks with different numbers of jobs; the more jobs, the larger the difference of a week."""
    random = stream(1, "coverage", "weighted")
    found = []
    for _ in range(REPLICATIONS):
        jobs = random.gamma(8.0, 100.0, 40)
        difference = 1 + jobs / 800 + random.normal(0, 1, 40)
        truth = 1 + (800**2 + 8 * 100**2) / 800 / 800  # Σ E w d / Σ E w
        found.append(truth in paired(difference, np.zeros(40), weights=jobs, resamples=100).difference)
    assert_covers(found)


def test_mser_5_takes_the_bias_of_a_bad_beginning() -> None:
    """A queue that begins with 200 s of work: the cut brings the mean nearer to the truth than no cut."""
    plain, cut = [], []
    for k in range(200):
        random = stream(k, "coverage", "bad beginning")
        of = lindley(np.array([200.0]), random.exponential(1 / LOAD, (1, 4000)), random.exponential(1.0, (1, 4000)))[0]
        plain.append(of.mean())
        cut.append(mser5(of).of(of).mean())
    assert np.mean(plain) > mean_wait(LOAD) + 3
    assert abs(np.mean(cut) - mean_wait(LOAD)) < 0.1


def test_no_difference_is_rarely_shown() -> None:
    """Three configurations that differ by chance only, in fifteen runs: at most one comparison in twenty errs."""
    from thinktime.study.comparison.compare import compare_table

    random, wrong = stream(1, "coverage", "no difference"), 0
    for _ in range(200):
        values = random.exponential(10.0, 15) + random.normal(0, 1, (3, 15))
        found = compare_table({name: dict(enumerate(of)) for name, of in zip("abc", values.tolist(), strict=True)})
        wrong += any(contrast.verdict in ("lower", "higher") for contrast in found["value"].contrasts)
    assert wrong <= 0.05 * 200 + 2 * np.sqrt(0.05 * 0.95 * 200)


# --- quantities with bounds ---------------------------------------------------------------------------------

SKEW_REPLICATIONS = 2000

#: values → how they are drawn, their mean, their bounds
SKEW = {
    "exponential": (lambda random, size: random.exponential(1.0, size), 1.0, Bounds(0.0)),
    "log-normal, σ = 1": (lambda random, size: random.lognormal(-0.5, 1.0, size), 1.0, Bounds(0.0)),
    "beta, mean 0.9": (lambda random, size: random.beta(9.0, 1.0, size), 0.9, Bounds(0.0, 1.0)),
    "beta, mean 0.5, U-shaped": (lambda random, size: random.beta(0.6, 0.6, size), 0.5, Bounds(0.0, 1.0)),
}


def coverages(name: str, n: int) -> tuple[float, float]:
    """Of Student's interval, without and with the bounds; with them no end is outside."""
    draw, truth, bounds = SKEW[name]
    samples = draw(stream(n, "coverage", name), (SKEW_REPLICATIONS, n))
    inside = [t_interval(each, LEVEL, bounds) for each in samples]
    assert all(bounds.least <= each.low <= each.estimate <= each.high <= bounds.most for each in inside)
    plain = float(np.mean([truth in t_interval(each, LEVEL) for each in samples]))
    found = float(np.mean([truth in each for each in inside]))
    print(f"| {name} | {n} | {100 * plain:.1f} % | {100 * found:.1f} % |")
    return plain, found


@pytest.mark.parametrize("n", [5, 10, 20])
@pytest.mark.parametrize("name", list(SKEW))
def test_bounds_bring_intervals_of_skew_values_nearer_to_their_level(name: str, n: int) -> None:
    """The log-normal stays hard: its mean is carried by rare values that a small sample does not have."""
    plain, found = coverages(name, n)
    assert found >= plain - 0.01
    assert (0.85 if "log-normal" in name else 0.92) <= found <= 0.98


@pytest.mark.parametrize("n", [5, 10, 20])
def test_relative_differences_cover_and_stay_above_minus_one(n: int) -> None:
    """Waits of two configurations that share what makes a block hard; the truth is −25 %."""
    random, relative, difference = stream(n, "coverage", "relative"), [], []
    for _ in range(REPLICATIONS):
        common = random.exponential(1.0, n)
        a, b = common + random.exponential(0.5, n), common + random.exponential(1.0, n)
        pair = paired(a, b, level=LEVEL, resamples=100, bounds=Bounds(0.0))
        assert pair.relative is not None
        assert pair.relative.low > -1
        relative.append(-0.25 in pair.relative)
        difference.append(-0.5 in pair.difference)
    assert_covers(relative, 0.92, 0.97)
    assert_covers(difference, 0.92, 0.97)
