"""On clusters, too, the engine and the reference agree job by job and node by node."""

from __future__ import annotations

import copy
import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import Job, nodes
from reference.nodes import Cap, Closure, Cluster, Failures
from tests.effort import examples, seeds
from tests.engine.nodes import boots, calendars, clusters, engine_of, failures, on_nodes, placements_of
from tests.engine.workloads import described, jobs, run_engine, schedulers
from thinktime.metrics.status import STATUS_NAMES
from thinktime.schedulers import Scheduler
from thinktime.schedulers.conservative import Conservative
from thinktime.schedulers.easy import Easy
from thinktime.schedulers.fcfs import FCFS


def assert_agreement(workload: list[Job], cluster: Cluster, scheduler: Scheduler, **rules: Any) -> None:
    workload = sorted(workload, key=lambda job: job.submit)
    expected = nodes.simulate(workload, cluster, described(scheduler), **copy.deepcopy(rules))
    run = engine_of(workload, cluster, scheduler, **rules)
    run.run(math.inf, 10**6)
    found = run.jobs()
    placed = placements_of(run, len(workload))
    for row, outcome in enumerate(expected):
        start, end = (None if math.isnan(found[name][row]) else found[name][row] for name in ("start_s", "end_s"))
        told = (start, end, STATUS_NAMES[found["status"][row]], placed[row])
        assert told == (outcome.start, outcome.end, outcome.status, outcome.placement), f"row {row}: {workload[row]}"


def rules() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "overrun": st.sampled_from(["extend", "extend-blind", "kill"]),
            "same_instant": st.sampled_from(["batch", "each-end-first"]),
            "speed": st.sampled_from([0.5, 1.0, 2.0]),
        }
    )


@examples(800)
@given(st.data(), clusters(), jobs(), schedulers(), rules())
def test_every_policy_and_allocator(
    data: st.DataObject, cluster: Cluster, workload: list[Job], scheduler: Scheduler, rules: dict[str, Any]
) -> None:
    assert_agreement(data.draw(on_nodes(cluster, workload)), cluster, scheduler, **rules)


@examples(400)
@given(st.data(), clusters(), jobs(machine=5), st.booleans(), st.booleans(), st.booleans(), rules())
def test_easy_on_nodes(
    data: st.DataObject,
    cluster: Cluster,
    workload: list[Job],
    recompute: bool,
    count_ties: bool,
    extra_nodes: bool,
    rules: dict[str, Any],
) -> None:
    scheduler = Easy(recompute=recompute, count_ties=count_ties, extra_nodes=extra_nodes)
    assert_agreement(data.draw(on_nodes(cluster, workload)), cluster, scheduler, **rules)


@examples(300)
@given(st.data(), clusters(), jobs(machine=5), st.booleans(), rules())
def test_conservative_on_nodes(
    data: st.DataObject, cluster: Cluster, workload: list[Job], compress: bool, rules: dict[str, Any]
) -> None:
    assert_agreement(data.draw(on_nodes(cluster, workload)), cluster, Conservative(compress=compress), **rules)


@examples(400)
@given(st.data(), clusters(), jobs(machine=5), schedulers(), rules())
def test_failures(
    data: st.DataObject, cluster: Cluster, workload: list[Job], scheduler: Scheduler, rules: dict[str, Any]
) -> None:
    broken = data.draw(failures(len(cluster.capacity)))
    assert_agreement(data.draw(on_nodes(cluster, workload)), cluster, scheduler, **rules, failures=broken)


@examples(400)
@given(st.data(), clusters(), jobs(machine=5), schedulers(), rules())
def test_calendars(
    data: st.DataObject, cluster: Cluster, workload: list[Job], scheduler: Scheduler, rules: dict[str, Any]
) -> None:
    cluster = dataclasses.replace(cluster, calendar=data.draw(calendars(len(cluster.capacity))))
    assert_agreement(data.draw(on_nodes(cluster, workload)), cluster, scheduler, **rules)


@examples(800)
@given(st.data(), clusters(), jobs(most=35, machine=5), st.tuples(*[st.booleans()] * 3), rules())
def test_easy_beside_calendars(
    data: st.DataObject, cluster: Cluster, workload: list[Job], flags: tuple[bool, ...], rules: dict[str, Any]
) -> None:
    """Closures that overlap, follow each other, begin and end with jobs; some are reservations."""
    scheduler = Easy(recompute=flags[0], count_ties=flags[1], extra_nodes=flags[2])
    cluster = dataclasses.replace(cluster, calendar=data.draw(calendars(len(cluster.capacity), most=8)))
    assert_agreement(data.draw(on_nodes(cluster, workload)), cluster, scheduler, **rules)


@examples(800)
@given(st.data(), clusters(), jobs(most=25, machine=5), schedulers(), rules(), st.booleans())
def test_boots_count_against_the_calendar(
    data: st.DataObject,
    cluster: Cluster,
    workload: list[Job],
    scheduler: Scheduler,
    rules: dict[str, Any],
    broken: bool,
) -> None:
    """Nodes that were switched off, closures, and perhaps failures."""
    count = len(cluster.capacity)
    cluster = dataclasses.replace(cluster, calendar=data.draw(calendars(count, most=6)))
    rules |= {
        "same_instant": "batch",
        "boots": data.draw(boots(count)),
        "failures": data.draw(failures(count)) if broken else None,
    }
    assert_agreement(data.draw(on_nodes(cluster, workload)), cluster, scheduler, **rules)


@st.composite
def caps(draw: st.DrawFn) -> Cap:
    begins = [0.0, *sorted(draw(st.sets(st.integers(1, 19).map(float), min_size=1, max_size=3)))]
    return Cap(0, begins, draw(st.lists(st.integers(1, 8), min_size=len(begins), max_size=len(begins))), 20.0)


@examples(800)
@given(st.data(), clusters(), jobs(most=25, machine=5), schedulers(), rules(), caps(), st.booleans())
def test_a_cap_that_changes(
    data: st.DataObject, cluster: Cluster, workload: list[Job], scheduler: Scheduler, rules: dict[str, Any], cap: Cap,
    closed: bool,
) -> None:  # fmt: skip
    """Promises know its levels to come; jobs that it never holds are left out. Conservative plans with the highest."""
    if isinstance(scheduler, Conservative):
        return
    calendar = data.draw(calendars(len(cluster.capacity))) if closed else []
    cluster = dataclasses.replace(cluster, pools=[max(cap.levels), *cluster.pools[1:]], calendar=calendar)
    rules |= {"same_instant": "batch", "cap": cap}
    some = []
    for job in data.draw(on_nodes(cluster, workload)):
        share = data.draw(st.integers(0, 8))
        length = max(job.estimate, job.run / rules["speed"]) if rules["overrun"] == "extend" else job.estimate
        if cap.ever_holds(share, length):
            others = tuple(use for use in job.pools if use[0] != cap.pool)
            some.append(dataclasses.replace(job, pools=((cap.pool, share), *others)))
    assert_agreement(some, cluster, scheduler, **rules)


@examples(300)
@given(jobs(), st.integers(1, 8), st.booleans(), schedulers(), rules())
def test_nodes_of_one_core_are_a_counted_machine(
    workload: list[Job], processors: int, one_node: bool, scheduler: Scheduler, rules: dict[str, Any]
) -> None:
    """Except under conservative backfilling, which books nodes; and where a promise is kept, not made anew."""
    if isinstance(scheduler, Conservative) or not getattr(scheduler, "recompute", True):
        return
    workload = sorted(workload, key=lambda job: job.submit)
    cluster = Cluster([[processors]] if one_node else [[1]] * processors)
    run = engine_of([Job(**{**vars(job), "unit": (1,)}) for job in workload], cluster, scheduler, **rules)
    run.run(math.inf, 10**6)
    counted = run_engine(workload, processors, scheduler, **rules)
    assert [str(x) for x in run.jobs()["start_s"]] == [str(x) for x in counted.columns["start_s"]]


def test_a_promise_of_nodes_is_kept_where_counts_would_break_it() -> None:
    """Two nodes of 4 cores. Three cores run on each, one until 10, one until 30; the head wants 4 cores of one node.

    By counting, 2 cores are free and the head's 4 are there at 10, with 1 to spare; a job of 1 core and 100 s might
    start. On the first node it would push the head to 30; on the second it does no harm.
    """
    workload = [
        Job(submit=0, run=10, estimate=10, processors=1, unit=(3,)),
        Job(submit=0, run=30, estimate=30, processors=1, unit=(3,)),
        Job(submit=1, run=5, estimate=5, processors=1, unit=(4,)),
        Job(submit=1, run=100, estimate=100, processors=1, unit=(1,)),
    ]
    cluster = Cluster([[4], [4]])
    run = engine_of(workload, cluster, Easy())
    run.run(math.inf, 10**6)
    assert run.jobs()["start_s"].tolist() == [0, 0, 10, 1]
    assert placements_of(run, 4) == [((0, 1),), ((1, 1),), ((0, 1),), ((1, 1),)]
    assert_agreement(workload, cluster, Easy())


def test_fragments_do_not_add_up() -> None:
    """Two cores are free on each of two nodes, but a processor of four cores needs one node."""
    workload = [
        Job(submit=0, run=10, estimate=10, processors=2, unit=(2,)),
        Job(submit=0, run=20, estimate=20, processors=2, unit=(3,)),
        Job(submit=1, run=1, estimate=1, processors=1, unit=(4,)),
    ]
    cluster = Cluster([[4], [4]], allocator={"name": "worst-fit"})
    run = engine_of(workload, cluster, FCFS())
    run.run(math.inf, 10**6)
    assert run.jobs()["start_s"].tolist() == [0, 10, 30]


ALLOCATIONS = [
    {"name": "first-fit"},
    {"name": "best-fit", "ranking": "raw"},
    {"name": "best-fit", "ranking": "normalized"},
    {"name": "worst-fit"},
    {"name": "contiguous"},
    {"name": "random", "seed_low": 1, "seed_high": 2},
]


@pytest.mark.parametrize("allocator", ALLOCATIONS, ids=lambda allocator: "-".join(map(str, allocator.values())))
@pytest.mark.parametrize("scheduler", [FCFS(skip=True), Easy()], ids=repr)
@pytest.mark.parametrize(("count", "length"), [(70, 60), (1100, 16)])
def test_many_nodes(allocator: dict[str, Any], scheduler: Scheduler, count: int, length: int) -> None:
    """So many that whole blocks, and groups of blocks, are passed over; and freed again."""
    random = np.random.default_rng(7)
    cluster = Cluster([[4, int(memory)] for memory in random.integers(2, 9, count)], allocator=allocator)
    assert_agreement(drawn(random, length, count // 2), cluster, scheduler)


@pytest.mark.parametrize("allocator", ALLOCATIONS, ids=lambda allocator: "-".join(map(str, allocator.values())))
@pytest.mark.parametrize("whole", [False, True])
def test_easy_where_many_wait_for_a_calendar(allocator: dict[str, Any], whole: bool) -> None:
    """All nodes are closed again and again, or parts of them: jobs wait that fit but would run into it."""
    random = np.random.default_rng(11)
    count = 12
    calendar = []
    for start in range(20, 400, 40):
        first = 0 if whole else int(random.integers(0, count))
        nodes = count if whole else int(random.integers(1, count - first + 1))
        calendar.append(Closure(first, nodes, start, start + 9))
    cluster = Cluster([[4, 6]] * count, allocator=allocator, calendar=calendar)
    assert_agreement(drawn(random, 90, count), cluster, Easy())


def drawn(random: np.random.Generator, length: int, most: int) -> list[Job]:
    kinds = [(1, 1), (2, 3), (4, 1), (1, 8)]
    return [
        Job(
            submit=int(random.integers(0, 60)),
            run=int(random.integers(1, 40)),
            processors=int(random.integers(1, most)),
            estimate=int(random.integers(1, 50)),
            unit=kinds[random.integers(0, len(kinds))],
        )
        for _ in range(length)
    ]


def test_a_job_of_no_length_that_starts_late_moves_no_job_forward() -> None:
    """Without compression a promise stays what it was, also if a job without length has missed its slot."""
    cluster = Cluster([[2, 7, 4], [2, 7, 4]], allocator={"name": "random", "seed_low": 300, "seed_high": 7})
    rows = [
        (0, 0, 0, 1, (0, 1, 1)),
        (0, 0, 50, 1, (2, 0, 4)),
        (0, 10, 10, 3, (0, 2, 2)),
        (5, 5, 0, 1, (2, 0, 4)),
        (5, 0, 0, 5, (0, 1, 1)),
        (5, 5, 5, 1, (0, 2, 2)),
        (5, 7, 7, 1, (2, 0, 4)),
    ]
    workload = [
        Job(submit=submit, run=run, estimate=estimate, processors=processors, unit=unit)
        for submit, run, estimate, processors, unit in rows
    ]
    assert_agreement(workload, cluster, Conservative(compress=False), overrun="kill")


def test_the_calendar_changes_at_the_instant_of_an_end() -> None:
    """With a pass for each event, the end comes first; then the calendar, of which AccaSim's head hears."""
    closures = [Closure(1, 2, 20.0, 25.0, 1), Closure(3, 1, 10.0, 15.0, 2)]
    cluster = Cluster([[1]] * 5, calendar=closures)
    workload = [
        Job(submit=5, run=10, estimate=10, processors=5, unit=(1,), owner=1),
        Job(submit=10, run=10, estimate=15, processors=1, unit=(1,)),
    ]
    assert_agreement(workload, cluster, Easy(compat="accasim-1.0"), same_instant="each-end-first")


def test_a_promise_whose_time_has_passed_asks_for_the_pools_of_the_head() -> None:
    """The kept shadow has passed, the first job has overrun it and holds what the head needs: no job may pass."""
    cluster = Cluster([[7, 7], [1, 1]], pools=[4, 5])
    workload = [
        Job(submit=1, run=2, estimate=2, processors=1, unit=(0, 1), pools=((0, 3), (1, 3))),
        Job(submit=1, run=0, estimate=0, processors=1, unit=(0, 1), pools=((1, 3),)),
        Job(submit=4, run=3, estimate=3, processors=1, unit=(1, 1)),
    ]
    assert_agreement(workload, cluster, Easy(recompute=False), overrun="extend-blind", speed=0.5)


@pytest.mark.parametrize("seed", seeds(25))
@pytest.mark.parametrize("scheduler", [FCFS(skip=True), Easy()], ids=["fcfs", "easy"])
def test_runs_on_a_large_machine(scheduler: Scheduler, seed: int) -> None:
    """Found by their sums, not by walking: who meets a closure, here of a node without anything, has to walk."""
    random = np.random.default_rng(seed)
    size = 8192 + int(random.integers(0, 100))
    capacity = random.integers(1, 4, (size, 2)) * (random.random((size, 1)) > 0.002)
    capacity[-1] = 0
    cluster = Cluster(capacity.tolist(), allocator={"name": "contiguous"})
    walked = dataclasses.replace(cluster, calendar=[Closure(size - 1, 1, 0.0, 1e9, 1)])
    workload = on_long_runs(random, 300)
    table = sorted((float(random.integers(0, 60)), int(random.integers(0, size)), 80.0) for _ in range(40))
    found = [
        placements_after_all(engine_of(workload, each, scheduler, failures=Failures(table, True, 0.0, 0.0)), workload)
        for each in (cluster, walked)
    ]
    assert found[0] == found[1]
    assert sum(map(bool, found[0])) > 200


def on_long_runs(random: np.random.Generator, count: int) -> list[Job]:
    units = [(1, 1), (1, 0), (2, 1), (0, 1)]
    drawn = zip(random.integers(1, 30, count), random.uniform(0, 10, count), random.integers(0, 4, count), strict=True)
    return [
        Job(submit=i // 3, run=float(run), estimate=float(run), processors=int(2**size), unit=units[kind])
        for i, (run, size, kind) in enumerate(drawn)
    ]


def placements_after_all(run: Any, workload: list[Job]) -> list[Any]:
    run.run(math.inf, 10**6)
    return placements_of(run, len(workload))
