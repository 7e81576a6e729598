"""EASY under a cap that changes: the head's reservation respects future caps, and no job takes it."""

from __future__ import annotations

import numpy as np

import thinktime as tt
from tests.plugins.small import cluster, workload

HOUR = 3600.0


def test_a_large_head_is_not_passed_for_ever() -> None:
    """4 nodes of 2 cores; at night (from 20 to 8) jobs may draw 80 W, by day 40, at 10 W a processor. The head wants 8
    processors for 10 h, so it fits at 20 h only. Jobs of 4 processors and 6 h come all the time: by the cap of the
    moment they may start at 18 h, and again and again; beside the promise of 20 h they may not."""
    power = tt.Power(idle_w=0, processor_w=10, cap_w={0: 80, 8: 40, 20: 80})
    small = [(8 * HOUR + k * 3 * HOUR, 6 * HOUR, 6 * HOUR, 4) for k in range(60)]
    jobs = workload([(8 * HOUR + 60, 10 * HOUR, 10 * HOUR, 8), *small])
    result = tt.simulate(jobs, cluster(4), tt.Easy(), plugins=[power])
    assert tt.check(result) == []
    head = int(np.flatnonzero(result.columns["processors"] == 8)[0])
    assert result.columns["start_s"][head] == 20 * HOUR
    small_starts = result.columns["start_s"][result.columns["processors"] == 4]
    assert not ((small_starts > 14 * HOUR) & (small_starts < 30 * HOUR)).any()


def test_what_is_over_by_the_promise_passes() -> None:
    """As above: 5 h from 14 h on are over by 20 h."""
    power = tt.Power(idle_w=0, processor_w=10, cap_w={0: 80, 8: 40, 20: 80})
    rows = [
        (9 * HOUR, 10 * HOUR, 10 * HOUR, 8),
        (14 * HOUR, 5 * HOUR, 5 * HOUR, 4),
        (14.5 * HOUR, 7 * HOUR, 7 * HOUR, 4),
    ]
    result = tt.simulate(workload(rows), cluster(4), tt.Easy(), plugins=[power])
    assert (result.columns["start_s"] / HOUR).tolist() == [20, 14, 30]
