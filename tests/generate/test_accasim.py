"""AccaSim's generator: what it learns from a log, and that its jobs are like the log's by shares, theory and hand."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest

import thinktime as tt
from tests.generate.replications import agrees, digest
from tests.shared_data import log as shared_log
from thinktime.errors import InputError
from thinktime.generate import AccaSim, published_data_sets
from thinktime.generate.accasim_arrivals import Arrivals
from thinktime.generate.accasim_bodies import node_counts
from thinktime.generate.accasim_profile import Sizes, Submissions, local_s, shares_of, submissions_of
from thinktime.generate.fitting import Histogram, Law, best_law
from thinktime.support.random_streams import stream

GFLOPS = 1.667
HOUR_S = 3600


@functools.cache
def log() -> tt.Workload:
    return tt.default_workload(weeks=10)


def cluster() -> tt.Cluster:
    return tt.Cluster(groups=[{"name": "g", "nodes": 32, "core": 4, "mem": 4096}])


@functools.cache
def base(cycle: str) -> AccaSim:
    return AccaSim(cycle=cycle).of(log(), cluster())


@functools.cache
def learnt(cycle: str = "week", **options) -> AccaSim:
    return base(cycle).with_options(**options)


@functools.cache
def made(seed: int) -> tt.Workload:
    return learnt(jobs=3000).workload(seed=seed)


@functools.cache
def many(seed: int) -> tt.Workload:
    return learnt(jobs=25_000).workload(seed=seed)


def requests(spec: AccaSim, seed: int = 1) -> dict[str, np.ndarray]:
    blocks = list(spec.requests(seed=seed))
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


# --- what is learnt ----------------------------------------------------------------------------------------------


def test_shares_of_submissions_by_hand() -> None:
    monday = 4 * 86_400  # 5 January 1970
    shares = shares_of(monday + np.array([0.0, 1799, 1800, 86_400 + 12 * HOUR_S, 27 * 86_400]))
    assert shares["slots"][[0, 1, 24]].tolist() == [0.6, 0.2, 0.2]
    assert shares["hours"][[0, 12]].tolist() == [0.8, 0.2]
    assert shares["weekdays"].tolist() == [0.6, 0.2, 0, 0, 0, 0, 0.2]
    assert shares["months"][[0, 1]].tolist() == [0.8, 0.2]


def test_the_profile_of_a_log() -> None:
    profile = learnt().learnt.profile
    work = log()["run_s"] * log()["processors"] * GFLOPS
    assert profile.work.most == pytest.approx(work.max())
    assert profile.work.most_serial == pytest.approx(work[log()["processors"] == 1].max())
    assert profile.sizes.serial == np.mean(log()["processors"] == 1)
    nodes = np.ceil(log()["processors"][log()["processors"] > 1] / 4)
    assert np.mean(nodes < profile.sizes.median) < 0.5 <= np.mean(nodes <= profile.sizes.median) == profile.sizes.below
    assert profile.submissions.longest_s == np.diff(log()["submit_s"]).max()
    assert profile.submissions.mean_gap_s == pytest.approx(np.diff(log()["submit_s"]).mean())


@pytest.mark.parametrize(
    ("name", "parameters"), [("gamma", (3.0, 0.0, 2.0)), ("expon", (0.0, 5.0)), ("erlang", (4.0, 0.0, 1.0))]
)
def test_a_sample_of_a_law_is_fitted_by_one_as_near(name: str, parameters: tuple[float, ...]) -> None:
    sample = Law(name, parameters, 0.0).draw(stream(1, "sample"), 20_000)
    found = best_law(sample, ("gamma", "expon", "erlang", "beta", "arcsine"))
    true = Law(name, parameters, 0.0)
    again = found.draw(stream(2, "sample"), 20_000)
    assert np.quantile(again, [0.1, 0.5, 0.9]) == pytest.approx(np.quantile(sample, [0.1, 0.5, 0.9]), rel=0.06)
    assert true.name == name
    assert best_law(sample, ("arcsine",)).error > found.error


def test_where_a_histogram_has_something() -> None:
    histogram = Histogram(np.array([0.0, 1, 2, 3]), np.array([0.5, 0.0, 0.5]))
    assert histogram.holds(np.array([-1, 0.5, 1.5, 2.5, 3.5])).tolist() == [False, True, False, True, False]


# --- submissions -------------------------------------------------------------------------------------------------


def plain(together: float = 0.0, scale_s: float = 600.0) -> Submissions:
    """All hours, days and months alike; gaps of exactly so many seconds."""
    law = Law("uniform", (math.log(scale_s), 1e-12), 0.0)
    even = {
        "week": np.ones(336) / 336,
        "slots": np.ones(48) / 48,
        "hours": np.ones(24) / 24,
        "weekdays": np.ones(7) / 7,
        "months": np.ones(12) / 12,
    }
    return Submissions(0.0, scale_s, **even, together=together, law=law, longest_s=90_000.0)


def test_a_day_without_a_cycle_passes_gaps_through() -> None:
    assert np.diff(Arrivals(plain(), 1).take(100)) == pytest.approx(600, abs=1)
    assert np.mean(np.diff(Arrivals(plain(together=0.5), 1).take(4000)) == 0) == pytest.approx(0.5, abs=0.05)


def test_the_cap_falls_to_a_slot_where_shares_lack() -> None:
    """With quotas of very many jobs, hardly any are there: no gap is longer than half an hour; without, all are."""
    log_s = Law("uniform", (math.log(600), math.log(86_400 / 600)), 0.0)
    wide = Submissions(**{**plain().__dict__, "law": log_s})
    capped = np.diff(Arrivals(wide, 1, progress="quota", jobs=10**9).take(500))
    assert 1700 < capped.max() <= 1801
    free = np.diff(Arrivals(wide, 1, progress="quota", jobs=1).take(500))
    assert free.max() > 60_000
    assert 1801 < np.diff(Arrivals(wide, 1, progress="share").take(500)).max() < 90_001


def test_slots_of_no_weight_are_passed() -> None:
    day = np.zeros(48)
    day[20:24] = 0.25
    shares = {"slots": day, "week": np.tile(day, 7) / 7, "hours": day[::2] * 2}
    some = Submissions(**{**plain().__dict__, **shares, "first_s": 36_000.0})
    for cycle in ("day", "week"):
        slot = Arrivals(some, 1, cycle=cycle).take(2000) // 1800 % 48
        assert set(slot) == {20, 21, 22, 23}


@pytest.mark.parametrize(("name", "share"), [("hours", 0.5), ("weekdays", 0.5)])
def test_jobs_come_when_those_of_the_log_come(name: str, share: float) -> None:
    """The distance of the shares from the log's is below a share of that of even shares."""
    wanted = getattr(learnt().learnt.profile.submissions, name)
    first_s = learnt().learnt.profile.submissions.first_s // 86_400 * 86_400

    def distance(shares: np.ndarray) -> float:
        return float(np.abs(shares - wanted).sum() / 2)

    even = distance(np.full(len(wanted), 1 / len(wanted)))
    found = [distance(shares_of(many(seed)["submit_s"] + first_s)[name]) for seed in (1, 2, 3)]
    assert max(found) < share * even


def weekend(time_s: np.ndarray) -> float:
    return float(shares_of(time_s)["weekdays"][5:].sum())


def test_a_week_of_half_hours_has_the_logs_weekends_and_a_day_has_not() -> None:
    wanted = learnt().learnt.profile.submissions
    midnight_s = wanted.first_s // 86_400 * 86_400
    assert shares_of(wanted.first_s + np.zeros(1))["week"].argmax() == wanted.week.nonzero()[0][0]
    found = {
        cycle: [weekend(learnt(cycle, jobs=25_000).workload(seed=seed)["submit_s"] + midnight_s) for seed in (1, 2, 3)]
        for cycle in ("week", "day")
    }
    assert np.mean(found["week"]) == pytest.approx(wanted.weekdays[5:].sum(), abs=0.03)
    assert np.mean(found["day"]) > wanted.weekdays[5:].sum() + 0.05


#: weekend shares of submissions; the week was chosen on HPC2N
WEEKENDS = {"KTH-SP2-1996-2.1-cln": 0.140, "SDSC-SP2-1998-4.2-cln": 0.201}


@pytest.mark.parametrize("name", WEEKENDS)
def test_weekends_of_logs_that_the_cycle_was_not_chosen_on(name: str) -> None:
    submissions = submissions_of(local_s(tt.read_swf(shared_log(name)), cluster()))
    assert submissions.weekdays[5:].sum() == pytest.approx(WEEKENDS[name], abs=0.0005)
    first_s = submissions.first_s // 86_400 * 86_400
    found = {cycle: weekend(Arrivals(submissions, 1, cycle=cycle).take(40_000) + first_s) for cycle in ("week", "day")}
    assert found["week"] == pytest.approx(WEEKENDS[name], abs=0.02)
    assert found["day"] > WEEKENDS[name] + 0.05


def test_jobs_come_as_fast_as_those_of_the_log() -> None:
    wanted = np.diff(log()["submit_s"]).mean()
    found = [np.diff(made(seed)["submit_s"]).mean() for seed in range(1, 9)]
    assert np.mean(found) == pytest.approx(wanted, rel=0.35)


def test_a_log_in_one_second_is_refused() -> None:
    with pytest.raises(InputError, match="all jobs of the log are submitted in one second"):
        submissions_of(np.zeros(2000))


# --- jobs --------------------------------------------------------------------------------------------------------


def test_serial_share_and_nodes_by_theory() -> None:
    profile = learnt(jobs=3000).learnt.profile
    sizes = profile.sizes

    def serial(seed: int) -> float:
        body = requests(learnt(jobs=3000), seed)
        possible = body["gflop"] <= profile.work.most_serial
        return float(np.mean((body["nodes"] * body["core"])[possible] == 1))

    assert agrees(serial, sizes.serial)

    def small(seed: int) -> float:
        first, second = stream(seed, "nodes").random((2, 3000))
        return float(np.mean(node_counts(first, second, sizes, 32) <= sizes.median))

    grid = (np.arange(2000) + 0.5) / 2000
    upper = float(np.mean(node_counts(np.ones(2000), grid, Sizes(0.0, sizes.median, 0.5), 32) <= sizes.median))
    assert agrees(small, sizes.below + (1 - sizes.below) * upper)


def test_work_is_like_the_logs() -> None:
    work = log()["run_s"] * log()["processors"] * GFLOPS
    wanted = np.quantile(np.log(work), [0.1, 0.5, 0.9])
    found = np.mean(
        [np.quantile(np.log(requests(learnt(jobs=3000), s)["gflop"]), [0.1, 0.5, 0.9]) for s in (1, 2, 3)], 0
    )
    assert np.abs(found - wanted).max() < 0.5  # of a range of 12
    gflop = requests(learnt(jobs=3000))["gflop"]
    assert work.min() <= gflop.min() <= gflop.max() <= 1.2 * work.max()


def test_durations_are_work_over_what_is_asked_for() -> None:
    body, jobs = requests(learnt(jobs=3000)), made(1)
    speed = body["nodes"] * body["core"] * GFLOPS
    assert np.array_equal(jobs["run_s"], np.maximum(np.rint(body["gflop"] / speed), 1))
    assert np.array_equal(jobs["processors"], body["nodes"] * body["core"])
    assert np.all(jobs["requested_memory_kb"] * body["core"] <= 4096)
    parallel_on_one = (body["nodes"] == 1) & (body["core"] > 1)
    assert parallel_on_one.any()
    assert body["core"].max() == 4


def test_faster_cores_shorten_jobs_and_leave_the_work() -> None:
    fast = learnt(jobs=3000, core_speed=4.0)
    assert np.array_equal(requests(fast)["gflop"], requests(learnt(jobs=3000))["gflop"])
    long = made(1)["run_s"] > 100
    assert fast.workload()["run_s"][long] == pytest.approx(made(1)["run_s"][long] / 4, abs=1)
    assert np.array_equal(fast.workload()["submit_s"], made(1)["submit_s"])


def test_accelerators_on_a_quarter_of_the_nodes() -> None:
    spec = learnt(jobs=3000, gpu_share=0.25)
    assert [(group.name, group.nodes) for group in spec.system.groups] == [("g-gpu", 8), ("g", 24)]
    body = requests(spec)
    serial = body["nodes"] * body["core"] == 1
    assert set(body["gpu"]) == {0, 1, 2}
    assert np.all(body["gpu"][serial | (body["nodes"] > 8)] == 0)
    speed = body["nodes"] * (body["core"] * GFLOPS + body["gpu"] * 933)
    assert np.array_equal(spec.workload()["run_s"], np.maximum(np.rint(body["gflop"] / speed), 1))


def test_no_job_asks_for_more_than_its_nodes_have() -> None:
    mixed = tt.Cluster(groups=[{"name": "a", "nodes": 2, "core": 64, "gpu": 4}, {"name": "b", "nodes": 30, "core": 4}])
    spec = AccaSim(jobs=3000).of(log(), cluster(), target=mixed)
    body = requests(spec)
    wide = body["nodes"] > 2
    assert body["core"][wide].max() == 4
    assert body["gpu"][wide].max() == 0
    assert body["core"][~wide].max() > 4
    assert body["gpu"][~wide].max() == 4
    assert tt.simulate(spec.workload(), spec.system, tt.FCFS()).statistics["rejected"] == {}


def test_twice_the_nodes() -> None:
    spec = learnt(jobs=3000, nodes=2.0)
    assert spec.system.nodes == 64
    assert spec.machine_processors == 256
    assert requests(spec)["nodes"].max() > 32


def test_limits() -> None:
    body = requests(learnt(jobs=3000, limits="core:2-3+mem:100-200"))
    assert set(body["core"]) == {1, 2, 3}  # serial jobs have one
    assert body["mem"].min() >= 100
    assert body["mem"].max() <= 200


def test_jobs_run_on_the_system() -> None:
    spec = learnt(jobs=2000, estimates="tsafrir")
    jobs = spec.workload()
    run = tt.simulate(jobs, spec.system, tt.Easy())
    assert run.summary()["jobs"] == 2000
    assert run.statistics["rejected"] == {}
    assert np.all(jobs["requested_time_s"] >= jobs["run_s"])


# --- machinery ---------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_bytes_whatever_the_blocks() -> None:
    spec = learnt(jobs=20_000)
    whole = digest(list(spec.blocks(seed=2)))
    assert digest(list(spec.blocks(seed=2, rows=999))) == whole
    assert digest([spec.workload(seed=2).columns]) == whole
    assert digest([spec.workload(seed=3).columns]) != whole


def test_it_is_a_spec_and_says_where_it_comes_from() -> None:
    spec = AccaSim(performance={"core": 2}, limits={"core": (1, 4)}, nodes=2)
    assert spec.text() == "accasim:performance=core:2.0,limits=core:1-4,nodes=2"
    assert spec == tt.AccaSim(performance="core:2", limits="core:1-4", nodes=2.0)
    assert len({spec, AccaSim(performance="core:2.0", limits="core:1-4", nodes=2.0)}) == 1
    source = made(1).source
    assert source["from"] == {"log": "default", "seed": 1}
    assert set(source["laws"]) == {"gaps", "work"}
    assert str(made(1).local_time()[0])[:10] == "2000-01-03"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"jobs": 0}, "jobs must be a whole number of at least 1 (got 0)"),
        (
            {"performance": "gpu:933"},
            "performance must give the GFLOP/s of a core, for example core:1.667 (got 'gpu:933')",
        ),
        ({"performance": "core"}, "performance must be RESOURCE:VALUE, several joined by + (got 'core')"),
        ({"performance": "core:fast"}, "performance of core must be a number (got 'fast')"),
        (
            {"performance": {"core": -1}},
            "performance of core must be a number between 1e-06 and 1000000000.0 (got -1.0)",
        ),
        ({"limits": "core:4"}, "limits of core must be a minimum and a maximum, for example core:1-4 (got '4')"),
        ({"limits": "core:4-1"}, "limits of core must be a minimum and a maximum, for example core:1-4 (got '4-1')"),
        ({"limits": 4}, "limits must be RESOURCE:VALUE, several joined by + (got 4)"),
        ({"core_speed": 0}, "core_speed must be a number between 0.001 and 1000.0 (got 0)"),
        ({"nodes": "2"}, "nodes must be a number between 0.001 and 1000.0 (got '2')"),
        ({"gpu_share": 1.5}, "gpu_share must be a number between 0.0 and 1.0 (got 1.5)"),
        ({"gpus": 0}, "gpus must be a whole number of at least 1 (got 0)"),
        ({"gpu_gflops": None}, "gpu_gflops must be a number between 0.001 and 1000000000.0 (got None)"),
        ({"work": "ln"}, "work is 'ln': choose one of log, linear"),
        ({"progress": "shares"}, "progress is 'shares' (did you mean 'share'?): choose one of share, quota"),
        ({"cycle": "weak"}, "cycle is 'weak' (did you mean 'week'?): choose one of day, week"),
        ({"estimates": "all"}, "estimates is 'all': choose one of none, tsafrir"),
    ],
)
def test_mistakes_are_named(options, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        AccaSim(**options)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ("gpu:0-2", "limits must name resources of the nodes: core, mem (got 'gpu')"),
        ("core:0-4", "the minimum of cores must be at least 1 (got 0)"),
        ("core:0-0", "the maximum of cores must be at least 1 (got 0)"),
    ],
)
def test_limits_that_no_job_can_keep(limits: str, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        AccaSim(limits=limits).of(log(), cluster())
    assert str(error.value) == sentence


def test_other_jobs_without_learning_again() -> None:
    again = learnt(jobs=3000).with_options(jobs=100, nodes=2.0)
    anew = AccaSim(jobs=100, nodes=2.0).of(log(), cluster())
    assert digest([again.workload().columns]) == digest([anew.workload().columns])
    with pytest.raises(InputError, match=r"work needs the log again: use AccaSim\(work=…\)\.of\(log, cluster\)"):
        again.with_options(work="linear")


def test_the_published_data_sets() -> None:
    made = published_data_sets(log(), cluster(), share=0.001)
    assert {name: spec.jobs for name, spec in made.items()} == {
        "gen-50k": 50,
        "gen-100k": 100,
        "gen-200k": 200,
        "gen-500k": 500,
    }
    assert made["gen-100k"].system.nodes == 64
    assert made["gen-500k"].text() == "accasim:jobs=500,core_speed=1.5,gpu_share=0.5"


def test_what_it_learns_from_is_checked() -> None:
    with pytest.raises(InputError, match=r"a log to learn from needs at least 1,000 jobs \(default has 50\)"):
        AccaSim().of(tt.default_workload(jobs=50), cluster())
    with pytest.raises(InputError, match="accasim needs a log to learn from"):
        AccaSim().workload()
    with pytest.raises(InputError, match="cluster must be a Cluster"):
        AccaSim().of(log(), tt.Machine(processors=128))


def test_seth() -> None:
    """The published system on its real log: shares of hours and weekdays overlap, the work does too."""
    seth = tt.read_swf(shared_log("HPC2N-2002-2.2-cln"))
    spec = AccaSim(jobs=60_000).of(seth, tt.Cluster.named("seth"))
    wanted, jobs = spec.learnt.profile.submissions, spec.workload()
    shares = shares_of(jobs["submit_s"] + wanted.first_s // 86_400 * 86_400)
    assert np.abs(shares["hours"] - wanted.hours).sum() / 2 < 0.08
    assert np.abs(shares["weekdays"] - wanted.weekdays).sum() / 2 < 0.12
    work = np.log(seth["run_s"] * seth["processors"] * 2 * GFLOPS)
    found = np.log(requests(spec)["gflop"])
    quantiles = [0.05, 0.25, 0.5, 0.75, 0.95]
    assert np.abs(np.quantile(found, quantiles) - np.quantile(work, quantiles)).max() < 1.0  # of a range of 16
