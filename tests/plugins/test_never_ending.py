"""Plugins that act again and again do not keep a simulation going in which no job can start any more."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.plugins.small import cluster, random_workload, workload

FOR_EVER = [("all", 500.0, math.inf)]


class Ticking(tt.OwnPlugin):
    """Acts every minute, and lets no job start after a while."""

    def begin(self, system: Any) -> None:
        system.wake(60.0)

    def act(self, system: Any) -> None:
        system.wake(system.now_s + 60)

    def starting(self, system: Any, job: int) -> bool:
        return bool(system.now_s < 500)


@pytest.mark.parametrize(
    "plugins",
    [
        [tt.Failures(table=FOR_EVER), tt.Power(), tt.Thermal(limit_c=90.0)],
        [tt.Failures(table=FOR_EVER), tt.Power(cap_w={0: 3000, 12: 4000})],
        [tt.Maintenance(windows=FOR_EVER), tt.Failures(mtbf_h=1, mttr_h=0.1)],
    ],
    ids=["thermal", "cap", "failures"],
)
@pytest.mark.parametrize("scheduler", [tt.Easy(), tt.Conservative()], ids=repr)
def test_jobs_that_wait_for_ever_are_unfinished(plugins: list[Any], scheduler: Any) -> None:
    log = random_workload(1)
    result = tt.simulate(log, cluster(4), scheduler, plugins=plugins)
    status = result.jobs["status"].value_counts()
    counts = dict(zip(status["status"].to_list(), status["count"].to_list(), strict=True))
    assert sum(counts.values()) == len(log)
    assert counts["unfinished"] > 0
    assert tt.check(result) == []


def test_a_plugin_of_your_own_that_ticks_and_vetoes() -> None:
    result = tt.simulate(workload([(0, 5, 5, 1), (600, 5, 5, 1)]), cluster(1), tt.Easy(), plugins=[Ticking()])
    assert result.jobs["status"].to_list() == ["completed", "unfinished"]
    assert [found.rule for found in tt.check(result)] == ["no job lost"]


def test_a_limit_is_watched_only_while_nodes_can_get_hot() -> None:
    """Two jobs that are a month apart: the empty month has no instants."""
    month = 30 * 86400.0
    log = workload([(0, 600, 600, 8), (month, 600, 600, 8)])
    plugins = [tt.Power(), tt.Thermal(limit_c=40.0, tau_s=60.0)]
    result = tt.simulate(log, cluster(4), tt.FCFS(), plugins=plugins)
    assert result.statistics["instants"] < 5000
    assert result.jobs["start_s"].to_list() == [0, month]


def test_a_node_that_is_hot_opens_though_nothing_else_happens() -> None:
    """The second job waits for nodes that the first has made too hot, and there is no other job."""
    log = workload([(0, 600, 600, 8), (1, 10, 10, 8)])
    result = tt.simulate(log, cluster(4), tt.FCFS(), plugins=[tt.Power(), tt.Thermal(limit_c=38.0, tau_s=600.0)])
    start = result.jobs["start_s"].to_list()
    assert start[0] == 0
    assert 600 < start[1] < 3600


def test_instants_begin_with_the_first_submission() -> None:
    """Windows long before the first submission are over; a failure before it is drawn as one of then."""
    log = workload([(1000, 50, 50, 2), (1010, 50, 50, 8)])
    windows = [{"from_s": -500, "to_s": -400, "every_days": 0.01, "until_s": 1000}]
    plugins = [
        tt.Maintenance(windows=windows),
        tt.Power(down_w=5),
        tt.Failures(table=[("g-0", 10.0, 1020.0)]),
    ]
    result = tt.simulate(log, cluster(4), tt.FCFS(), plugins=plugins)
    power, nodes = result.report_columns["power"], result.report_columns["node_energy"]
    assert power["time_s"][0] == 1000
    end = float(result.timeline_columns["time_s"].max())
    watts = sum(power[f"{state}_w"] for state in ("off", "boot", "idle", "active", "down"))
    drawn = float(np.sum(watts * np.diff(np.append(power["time_s"], end))))
    assert drawn == pytest.approx(sum(values.sum() for name, values in nodes.items() if name.endswith("_j")))
    assert nodes["down_s"][0] == 20
