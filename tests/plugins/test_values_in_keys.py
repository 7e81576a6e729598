"""Keys that look at what plugins publish: the engine and the reference agree, and unpublished values are refused."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference import Job, nodes
from reference.nodes.power import drawn_w
from tests.effort import examples
from tests.engine.workloads import AsWritten, _operations, described, jobs, workload_of
from tests.plugins.small import cluster, workload
from thinktime.errors import InputError
from thinktime.schedulers.key_text import read_key
from thinktime.schedulers.keys import Key, number, published_values
from thinktime.spec import parse

k = tt.key
WATTS = {"idle_w": 50, "active_w": 80, "processor_w": 10}
NODES, CORES = 3, 2


class Counting(tt.OwnPlugin, name="counting", publishes=("queued", "never")):
    """Publishes how many wait; and, after the heads have started, something else, which is not for this pass."""

    def before_pass(self, system: Any) -> None:
        system.publish("queued", len(system.queue))

    def started(self, system: Any, job: int) -> None:
        system.publish("queued", -job)


def published(sim: Any) -> dict[str, float]:
    milliwatts = [1000 * WATTS[name] for name in ("idle_w", "active_w", "processor_w")]
    drawn = drawn_w([task.placement for task in sim.running], NODES, *milliwatts)
    return {"power_w": drawn * 0.001, "queued": float(len(sim.queue)), "never": math.nan}


def keys_of_values() -> st.SearchStrategy[Key]:
    names = st.sampled_from(["power_w", "queued", "never"]).map(k.value)
    leaves = st.one_of(names, st.sampled_from(["wait", "estimate", "processors"]).map(Key))
    return st.recursive(st.one_of(leaves, st.integers(-9, 300).map(number)), _operations, max_leaves=6)


def run(jobs: list[Job], scheduler: tt.Scheduler, **rules: Any) -> tt.Result:
    plugins = [tt.Power(**WATTS), Counting()]
    return tt.simulate(
        workload_of(jobs), cluster(NODES, CORES), scheduler, plugins=plugins, estimates=AsWritten(), **rules
    )


@examples(300)
@given(jobs(machine=6), keys_of_values(), keys_of_values(), st.booleans(), st.sampled_from(["batch", "each-end-first"]))
def test_any_key_of_values_agrees_with_the_reference(
    found: list[Job], key: Key, other: Key, easy: bool, same_instant: str
) -> None:
    found = sorted((job for job in found if job.processors <= NODES * CORES), key=lambda job: job.submit)
    on_nodes = [Job(job.submit, job.run, job.processors, job.estimate, job.user, unit=(1,)) for job in found]
    scheduler = tt.Easy(order=key, backfill_order=other) if easy else tt.Priority(key=key, skip=True, eligible=other)
    result = run(found, scheduler, same_instant=same_instant)
    machine = nodes.Cluster([[CORES]] * NODES)
    expected = nodes.simulate(on_nodes, machine, described(scheduler), same_instant=same_instant, publish=published)
    starts = [None if math.isnan(start) else start for start in result.columns["start_s"].tolist()]
    assert starts == [outcome.start for outcome in expected]


def test_by_hand() -> None:
    """Two wait while a node is full. It draws 100 W then, and 50 W when idle: short jobs go first at 50 W only."""
    log = workload([(0, 10, 10, 2), (1, 9, 9, 2), (2, 3, 3, 2)])
    shortest_if_cool = tt.Priority(key=k.where(k.power_w < 60, k.estimate, k.submit))
    longest_if_cool = tt.Priority(key=k.where(k.power_w < 60, -k.estimate, -k.submit))
    cool = tt.simulate(log, cluster(1), shortest_if_cool, plugins=[tt.Power(**WATTS)])
    other = tt.simulate(log, cluster(1), longest_if_cool, plugins=[tt.Power(**WATTS)])
    assert cool.columns["start_s"].tolist() == [0, 13, 10]
    assert other.columns["start_s"].tolist() == [0, 10, 19]


def test_who_may_start_below_a_draw() -> None:
    """A budget as a condition: no job is considered while 140 W are drawn when a pass begins; then all are."""
    log = workload([(0, 10, 10, 1), (1, 10, 10, 1), (2, 1, 1, 1)])
    for scheduler in (tt.Easy(eligible=k.power_w < 140), tt.Priority(key="fcfs", skip=True, eligible=k.power_w < 140)):
        result = tt.simulate(log, cluster(2, 1), scheduler, plugins=[tt.Power(idle_w=50, active_w=80, processor_w=20)])
        assert result.columns["start_s"].tolist() == [0, 10, 10]


def test_temperatures_and_broken_nodes_and_budgets() -> None:
    log = workload([(0, 10, 10, 2), (1, 9, 9, 2), (2, 3, 3, 2)])
    plugins = [tt.Power(**WATTS, cap_w=10**6), tt.Thermal(), tt.Failures(mtbf_h=1e6)]
    key = k.hottest_c + k.broken_nodes + k.power_budget_w - k.estimate
    result = tt.simulate(log, cluster(1), tt.Priority(key=key), plugins=plugins)
    assert result.columns["start_s"].tolist() == [0, 10, 19]


@pytest.mark.parametrize("name", published_values())
def test_unpublished_values_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"uses the value '{name}', which no plugin of this run publishes: add"):
        tt.simulate(workload([(0, 1, 1, 1)]), cluster(), tt.Priority(key=getattr(k, name) * k.wait))


def test_a_value_of_ones_own_must_be_declared() -> None:
    class Silent(tt.OwnPlugin, name="silent"):
        def before_pass(self, system: Any) -> None:
            system.publish("price", 1)

    log = workload([(0, 1, 1, 1)])
    for scheduler in (tt.Easy(eligible=k.value("price") < 2), tt.Easy(backfill_order=-k.value("price"))):
        with pytest.raises(InputError, match=r"uses the value 'price', which .* publishes=\(\"price\",\)"):
            tt.simulate(log, cluster(), scheduler, plugins=[Silent()])
    with pytest.raises(InputError, match="did you mean 'queued'"):
        tt.simulate(log, cluster(), tt.Priority(key=k.value("queue") + 0), plugins=[Counting()])
    with pytest.raises(InputError, match="publishes 'a b': use names"):

        class Blank(tt.OwnPlugin, name="blank", publishes=("a b",)):
            pass


def test_on_a_counted_machine_the_sentence_is_the_same() -> None:
    with pytest.raises(InputError, match="uses the value 'power_w', which no plugin"):
        tt.simulate(workload([(0, 1, 1, 1)]), tt.Machine(processors=2), tt.Priority(key="power_w * wait"))


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (k.power_w / 1000, "power_w / 1000"),
        (k.value("power_w"), "power_w"),
        (k.where(k.value("price") > 3, k.area, 0), "where(value(price) > 3, area, 0)"),
        (-k.value("price") * k.hottest_c, "-value(price) * hottest_c"),
    ],
)
def test_the_text_reads_back(expression: Key, text: str) -> None:
    assert repr(expression) == text
    assert repr(read_key(text)) == text
    assert parse("scheduler", f"priority:key={text}") == tt.Priority(key=expression)


@pytest.mark.parametrize("text", ["value()", "value(2)", "value('price')", "value(a, b)", "value(price=1)", "wattage"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"is invalid: |choose one of"):
        read_key(text)


def test_a_name_that_cannot_be_typed_is_refused() -> None:
    with pytest.raises(InputError, match="as a published value in a key"):
        k.value("two words")
