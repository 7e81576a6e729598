"""Energy as the reference computes it from the schedule, aborted runs included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from reference.nodes.power import Run, energy
from tests.effort import examples
from tests.plugins.small import SCHEDULERS, cluster, random_workload
from thinktime.result.placements import by_node


def runs_of(result: tt.Result) -> list[Run]:
    """Last runs, and those after which a job waited again."""
    last, again = by_node(result.placement_columns), result.attempts_made.requeued()
    before = by_node(again.spans)
    found = []
    for row in range(len(result)):
        mine = last.row == row
        nodes = list(zip(last.node[mine].tolist(), last.units[mine].tolist(), strict=True))
        found.append(Run(row, float(result.columns["start_s"][row]), float(result.columns["end_s"][row]), nodes))
    for attempt in range(len(again)):
        mine = before.row == attempt
        nodes = list(zip(before.node[mine].tolist(), before.units[mine].tolist(), strict=True))
        of = again.columns
        found.append(Run(int(of["row"][attempt]), float(of["start_s"][attempt]), float(of["end_s"][attempt]), nodes))
    return found


@examples(40)
@given(
    st.integers(0, 10**6),
    st.sampled_from(SCHEDULERS),
    st.sampled_from([0.0, 0.5]),
    st.sampled_from(["requeue", "lose"]),
)
def test_energy_as_the_reference(seed: int, scheduler: tt.Easy, broken: float, jobs: str) -> None:
    """A broken node draws nothing here, so idle energy is compared without failures only."""
    plugins: list[tt.Plugin] = [tt.Power(idle_w=91.5, active_w=99.25, processor_w=17.125, down_w=0)]
    if broken:
        plugins.append(tt.Failures(mtbf_h=broken, mttr_h=0.05, jobs=jobs, restarts=3))
    log = random_workload(seed, jobs=25)
    result = tt.simulate(log, cluster(4), scheduler, plugins=plugins)
    end = float(result.timeline_columns["time_s"].max())
    expected = energy(runs_of(result), len(log), 4, float(log["submit_s"][0]), end, 91.5, 99.25, 17.125)
    nodes = result.report_columns["node_energy"]
    assert result.report_columns["job_energy"]["energy_j"] == pytest.approx(np.array(expected.by_job), rel=1e-9)
    assert nodes["active_j"] == pytest.approx(np.array(expected.active), rel=1e-9)
    if not broken:
        assert nodes["idle_j"] == pytest.approx(np.array(expected.idle), rel=1e-9)
