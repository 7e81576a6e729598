"""Our runs in AccaSim's hands: its schedule file byte by byte, and what its plots compute from it.

Needs a Python that has AccaSim 1.1.3 (and matplotlib and scipy, for its plots): $THINKTIME_ACCASIM.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import thinktime as tt
from thinktime.platforms import cluster_json

#: Simulates log.swf on seth.json and leaves AccaSim's files in a folder; then what its plots make of the schedule.
PEER = """
import collections, collections.abc, json, sys
collections.Mapping = collections.abc.Mapping
from accasim.base import allocator_class, scheduler_class
from accasim.base.simulator_class import Simulator
scheduler, allocator = (getattr(module, name) for module, name in
                        zip((scheduler_class, allocator_class), sys.argv[1:3]))
files = {"RESULTS_FOLDER_PATH": ".", "show_statistics": False}
Simulator("log.swf", "seth.json", scheduler(allocator()), **files).start_simulation()
import matplotlib
matplotlib.use("agg")
from accasim.utils.plot_factory import PlotFactory
text = open("sched-log.swf").read()
open("readable", "w").write(text.replace(";NA;", ";0;"))  # it cannot read what it writes
found = {}
for resource in (None, "core"):
    plots = PlotFactory("schedule", config="seth.json", resource=resource)
    plots.set_files(["readable"], ["x"])
    plots.pre_process()
    names = ("slowdowns", "queues", "efficiencies", "used_nodes", "use")
    found[str(resource)] = {name: of[0] for name, of in zip(names, plots.get_preprocessed_schedule_data())}
print(json.dumps(found))
"""
SCHEDULERS = {"FirstInFirstOut": tt.FCFS(), "ShortestJobFirst": tt.SJF(), "LongestJobFirst": tt.LJF()}
ALLOCATORS = {"FirstFit": tt.FirstFit(), "BestFit": tt.BestFit()}


@pytest.fixture(scope="module")
def python() -> str:
    found = os.environ.get("THINKTIME_ACCASIM")
    if not found:
        pytest.skip("no AccaSim: set $THINKTIME_ACCASIM to a Python that has it")
    return found


@pytest.mark.parametrize("allocator", ALLOCATORS)
@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_the_same_schedule_and_the_same_plots(scheduler: str, allocator: str, python: str, tmp_path: Path) -> None:
    """Its requests have memory, because the first job of the log has some; what a whole job has it does not know."""
    seth = tt.Cluster.named("seth")
    tt.write_swf(tt.default_workload(processors=240, jobs=400), tmp_path / "log.swf")
    (tmp_path / "seth.json").write_text(cluster_json.text_of(seth))
    command, environment = [python, "-c", PEER, scheduler, allocator], {**os.environ, "TZ": "UTC"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    theirs = json.loads(done.stdout.splitlines()[-1])
    log = tt.read_swf(tmp_path / "log.swf", filter="accasim")
    rules = {"allocator": ALLOCATORS[allocator], "overrun": "extend-blind"}
    run = tt.simulate(log, seth, SCHEDULERS[scheduler], **rules)  # type: ignore[arg-type]
    run.write_accasim(tmp_path / "ours")
    assert 0 < np.count_nonzero(np.isnan(run.columns["start_s"])) < 200  # more memory than a node has
    ours = [re.sub(r";\d+;(\d+;)$", r";NA;\1", line) for line in lines(tmp_path / "ours")]
    assert sorted(ours) == sorted(lines(tmp_path / "sched-log.swf"))
    assert run.slowdown_box(without_one=True).mean == pytest.approx(np.mean(theirs["None"]["slowdowns"]))
    points = np.isin(run.timeline_columns["time_s"], instants(run))
    assert run.timeline_columns["queued_jobs"][points].tolist() == theirs["None"]["queues"]
    for resource in (None, "core"):
        of = theirs[str(resource)]
        held = run.load_ratio(resource)
        at = np.searchsorted(held.time_s, run.timeline_columns["time_s"][points], side="right") - 1
        assert np.where(at < 0, 0, held.used_nodes[at]) == pytest.approx(of["used_nodes"])
        assert np.where(at < 0, 0, held.use_of_used_nodes[at]) == pytest.approx(of["use"])
        efficiency = run.resource_efficiency(resource)
        known = np.array(of["efficiencies"])  # with zeros at the end, for jobs of no length
        assert np.sort(efficiency[~np.isnan(efficiency)]) == pytest.approx(np.sort(known[known > 0]))


def instants(run: tt.Result) -> np.ndarray:
    """Of the jobs that ran: those which it rejected are not in its schedule."""
    ran = ~np.isnan(run.columns["start_s"])
    return np.concatenate([run.columns[name][ran] for name in ("submit_s", "start_s", "end_s")])


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()
