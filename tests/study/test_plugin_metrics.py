"""What plugins count is compared too: in studies, in reports, and between runs of one log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from tests.cli.commands import thinktime
from tests.plugins.small import cluster, random_workload, workload
from thinktime.errors import InputError
from thinktime.metrics import CATALOGUE
from thinktime.study import Study

POWER = {"name": "power", "plugins": ["power:idle_w=100,processor_w=50"]}
BOTH = {"name": "both", "plugins": ["power:idle_w=100,processor_w=50", "failures:mtbf_h=300,mttr_h=2"]}


OF_PLUGINS = [name for name, row in CATALOGUE.items() if row.runs.plugin and row.over_time]


def study(**keys: Any) -> Study:
    usual: dict[str, Any] = {
        "name": "energy",
        "workloads": ["default:jobs=300"],
        "platforms": ["seth"],
        "schedulers": ["fcfs", "easy"],
        "seeds": 4,
        "metrics": ["energy_j", "power_mean_w"],
        "rules": [POWER],
    }
    return Study.of(**{**usual, **keys})


def test_energy_is_compared(tmp_path: Path) -> None:
    done = study().run(tmp_path / "store")
    comparison = done.compare()
    values = done.table["energy_j"].to_numpy().reshape(2, 4)
    assert comparison["energy_j"]["easy"].difference == pytest.approx((values[1] - values[0]).mean())
    assert "energy_j" in comparison.table()["metric"].to_list()
    assert "energy of all nodes" in str(comparison)


def test_lost_work_is_compared(tmp_path: Path) -> None:
    metrics = ["wasted_processor_s", "broken_node_h", "failures", "restarts", "jobs_lost", "aborted_runs", "energy_j"]
    comparison = study(rules=[BOTH], metrics=metrics).run(tmp_path / "store").compare()
    assert set(comparison.only.metrics) == set(metrics)


def test_the_command_and_the_report(tmp_path: Path) -> None:
    text = """
name = "energy"
workloads = ["default:jobs=300"]
platforms = ["seth"]
schedulers = ["fcfs", "easy"]
seeds = 3
metrics = ["wait_mean_s", "energy_j"]
[[rules]]
name = "power"
plugins = ["power:idle_w=100,processor_w=50"]
[[rules]]
name = "none"
"""
    (tmp_path / "study.toml").write_text(text)
    assert thinktime(tmp_path, "study", "run", "study.toml").code == 0
    done = thinktime(tmp_path, "study", "compare", "study.toml", "--metric", "energy_j")
    assert done.code == 0
    assert "energy_j is not compared (none): no run of any configuration has a value of energy_j" in done.out
    assert thinktime(tmp_path, "report", "study.toml").code == 0
    assert "energy of all nodes [J]" in (tmp_path / "study.study" / "report.html").read_text()
    refused = thinktime(tmp_path, "study", "compare", "study.toml", "--metric", "failures")
    assert (refused.code, refused.out) == (2, "")
    assert "needs the plugin failures, which no rules of the study have" in refused.err


def test_without_the_plugin_the_study_is_refused() -> None:
    with pytest.raises(InputError, match="'temperature_max_c' needs the plugin thermal, which no rules"):
        study(metrics=["temperature_max_c"])
    with pytest.raises(InputError, match="unknown metric 'energy'"):
        study(metrics=["energy"])


def test_a_baseline_without_the_value(tmp_path: Path) -> None:
    both = {"schedulers": ["fcfs", "easy"], "baseline": {"scheduler": "fcfs", "rules": "none"}}
    mixed = study(rules=[{"name": "none"}, POWER], **both)
    with pytest.raises(InputError, match="the baseline fcfs, none has no value of energy_j, which the plugin power"):
        mixed.run(tmp_path / "store").compare("energy_j")
    one = study(rules=[POWER, {"name": "none"}], schedulers=["fcfs"])
    with pytest.raises(InputError, match=r"only power has a value of energy_j.* \(none: none\)"):
        one.run(tmp_path / "other").compare("energy_j")


def test_weeks_of_one_log(tmp_path: Path) -> None:
    tt.write_swf(tt.default_workload(weeks=11), tmp_path / "log.swf")
    kept = study(workloads=[str(tmp_path / "log.swf")], keep="jobs", metrics=["energy_j", "wait_mean_s"], seeds=1)
    done = kept.run(tmp_path / "store")
    assert done.compare()["energy_j"].table.kind == "week"
    assert done.compare("power_max_w")["power_max_w"]["easy"].verdict == "single"


def runs() -> list[tt.Result]:
    plugins = [tt.Power(idle_w=91.5, processor_w=17.25), tt.Failures(mtbf_h=0.6, mttr_h=0.1, restarts=3)]
    log = random_workload(3, jobs=300)
    return [tt.simulate(log, cluster(4), scheduler, plugins=plugins) for scheduler in (tt.FCFS(), tt.Easy())]


def test_blocks_of_runs_come_to_the_span() -> None:
    """What the blocks come to together is what the power trace and the events say of the whole span."""
    found = tt.compare(runs(), metric=OF_PLUGINS)
    for column, run in enumerate(runs()):
        first, last = run.columns["recorded_submit_s"][[0, -1]]
        trace = run.report_columns["power"]
        watts = sum(values for name, values in trace.items() if name.endswith("_w"))
        ends = np.append(trace["time_s"][1:], np.inf)
        lasted = np.clip(np.minimum(ends, last) - np.maximum(trace["time_s"], first), 0, None)
        energy = found["energy_j"].table
        assert energy.estimate(column) == pytest.approx(float((watts * lasted).sum()))
        aborted = run.attempts_made.columns
        inside = (aborted["end_s"] >= first) & (aborted["end_s"] < last)
        assert found["aborted_runs"].table.estimate(column) == pytest.approx(inside.sum())
        assert found["restarts"].table.estimate(column) == pytest.approx((inside & (aborted["lost"] == 0)).sum())
        failures = run.report_columns["failures"]
        repaired = np.nan_to_num(failures["repaired_s"], nan=np.inf)
        broken = np.clip(np.minimum(repaired, last) - np.maximum(failures["broken_s"], first), 0, None).sum() / 3600
        assert found["broken_node_h"].table.estimate(column) == pytest.approx(broken)
        power = found["power_mean_w"].table
        assert power.estimate(column) == pytest.approx(energy.estimate(column) / (last - first))
        assert "energy_j is counted from the first to the last submission." in energy.notes


def test_a_run_without_the_plugin_is_named() -> None:
    log = workload([(k, 5, 5, 1) for k in range(40)])
    bare = tt.simulate(log, cluster(), tt.FCFS())
    with_power = tt.simulate(log, cluster(), tt.Easy(), plugins=[tt.Power()])
    with pytest.raises(InputError, match="fcfs has no value of energy_j, which the plugin power measures: simulate it"):
        tt.compare([with_power, bare], metric="energy_j")
    with pytest.raises(InputError, match="has no value by block of a run"):
        tt.compare([with_power, with_power], metric="power_max_w")
    with pytest.raises(InputError, match="has no value by user"):
        tt.compare([with_power, with_power], metric="energy_j", by="user")
