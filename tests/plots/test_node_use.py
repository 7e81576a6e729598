"""How full nodes are: AccaSim's load ratio and resource efficiency."""

from __future__ import annotations

import numpy as np
import pytest

import thinktime as tt
from tests.plots.samples import row_names
from tests.shared_data import log
from thinktime import plots
from thinktime.errors import InputError

CLUSTER = tt.Cluster(groups=[{"name": "g", "nodes": 2, "core": 4, "mem": 100}], unit={"core": 2})


def run(cluster: tt.Cluster = CLUSTER) -> tt.Result:
    """At 0 a job takes half of node 1 for 30 s; at 10 another takes the rest of it and half of node 2 for 10 s."""
    jobs = tt.Workload.from_columns(
        submit_s=[0, 10], run_s=[30, 10], processors=[1, 2], requested_memory_kb=[25, 25], requested_time_s=[30, 10]
    )
    return tt.simulate(jobs, cluster, "fcfs")


def test_states_are_weighted_by_time_or_by_event() -> None:
    axes = plots.load_ratio(run(), resource="core").axes[0]
    assert shares(axes) == pytest.approx({(0.5, 0.5): 20 / 30, (1.0, 0.75): 10 / 30})
    axes = plots.load_ratio(run(), resource="core", weighting="event").axes[0]
    assert shares(axes) == pytest.approx({(0.0, 0.0): 1 / 4, (0.5, 0.5): 2 / 4, (1.0, 0.75): 1 / 4})


def shares(axes: object) -> dict[tuple[float, float], float]:
    """The filled cells of the heat map: their middle, and their share; rounded to hundredths."""
    (mesh,) = axes.collections  # type: ignore[attr-defined]
    corners = mesh.get_coordinates()
    middle = (corners[:-1, :-1] + corners[1:, 1:]) / 2
    values = np.ma.filled(mesh.get_array(), 0.0)
    rows = [(*middle[place], values[place]) for place in zip(*np.nonzero(values), strict=True)]
    return {(round(float(x), 2), _to_quarter(float(y))): float(share) for x, y, share in rows}


def _to_quarter(use: float) -> float:
    return round(4 * use) / 4


def test_the_mean_is_marked() -> None:
    (line,) = plots.load_ratio(run(), resource="core").axes[0].lines
    assert (line.get_xdata()[0], line.get_ydata()[0]) == pytest.approx((2 / 3, 0.5 * 2 / 3 + 0.75 / 3))


def test_a_panel_for_each_resource_and_run() -> None:
    titles = [axes.get_title(loc="left") for axes in plots.load_ratio(run()).axes]
    assert titles == ["core", "mem", ""]  # the last is the colour scale
    several = plots.load_ratio({"a": run(), "b": run()})
    assert [axes.get_title(loc="left") for axes in several.axes][:4] == ["a, core", "a, mem", "b, core", "b, mem"]
    one = plots.load_ratio([run()] * 4, resource="mem")
    assert len(one.axes) == 5
    assert one.get_size_inches()[0] > one.get_size_inches()[1]


def test_efficiency_is_what_a_job_holds_of_what_it_could_hold() -> None:
    """The first leaves 2 of 4 cores; the second takes these, and 2 of 4 on the other node."""
    assert run().resource_efficiency("core").tolist() == pytest.approx([2 / 4, 4 / (4 + 2)])
    axes = plots.resource_efficiency(run()).axes[0]
    assert row_names(axes) == ["core", "mem"]
    assert row_names(plots.resource_efficiency({"a": run(), "b": run()}, resource="mem").axes[0]) == [
        "a, mem",
        "b, mem",
    ]


def test_counted_machines_have_no_nodes() -> None:
    counted = tt.simulate(tt.default_workload(jobs=50), 128)
    for draw in (plots.load_ratio, plots.resource_efficiency):
        with pytest.raises(InputError, match=r"needs the nodes of jobs: simulate on a tt\.Cluster"):
            draw(counted)
    assert not {"load_ratio", "resource_efficiency"} & set(
        plots.run_figures(counted) | plots.comparison_figures(counted)
    )


def test_wrong_options_name_the_allowed_ones() -> None:
    with pytest.raises(InputError, match=r"weighting.*time.*event"):
        plots.load_ratio(run(), weighting="size")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"resource.*core.*mem"):
        plots.load_ratio(run(), resource="gpu")


def test_seth() -> None:
    jobs = tt.read_swf(log("HPC2N-2002-2.2-cln"))
    done = tt.simulate(jobs.select(np.arange(len(jobs)) < 5000), tt.Cluster.named("seth"), "easy")
    figure = plots.load_ratio(done)
    assert len(figure.axes) == 3
    assert sum(np.ma.filled(figure.axes[0].collections[0].get_array(), 0.0).ravel()) == pytest.approx(1.0)
    assert row_names(plots.resource_efficiency(done).axes[0]) == ["core", "mem"]
