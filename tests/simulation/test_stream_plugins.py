"""Plugins, decisions, requests and early releases of cores in streams: the same run as in memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.effort import examples
from tests.schedulers.own_policies import SkipInPython
from tests.simulation.streamed import assert_streamed_alike, blocks
from thinktime.plugins import Context
from thinktime.schedulers import Scheduler
from thinktime.spec import REGISTRY

CLUSTER = tt.Cluster(groups=[{"name": "g", "nodes": 8, "core": 4}])
LOG = tt.Workload(tt.default_workload(jobs=150, seed=3).columns)  # blocks have no header


class Recorder:
    """Vetoes starts beside many jobs; records users of the jobs that start, and aborts some."""

    def __init__(self, context: Context) -> None:
        self.jobs, self.rows, self.users = context.workload, list[int](), list[float]()

    def starting(self, system: Any, job: int) -> bool:
        return len(system.running) < 6

    def started(self, system: Any, job: int) -> None:
        self.rows.append(job)
        self.users.append(float(self.jobs["user"][job]))

    def submitted(self, system: Any, job: int) -> None:
        if job % 10 == 0 and len(system.running):
            system.abort(int(system.running[-1]), lost=job % 20 == 0)

    def report(self) -> dict[str, Any]:
        return {"job_row": self.rows, "user": self.users, "word": ["started"] * len(self.rows)}


class Recording(tt.OwnPlugin):
    def start(self, context: Context) -> Recorder:
        return Recorder(context)


class Closing(tt.OwnPlugin):
    """No job starts after a while."""

    def starting(self, system: Any, job: int) -> bool:
        return bool(system.now_s < LOG["submit_s"][100])


PLUGINS: dict[str, list[Any]] = {
    "power": [tt.Power(off_after_s=300, spread=0.3)],
    "capped": [tt.Power(cap_w=1800)],
    "capped by the hour": [tt.Power(cap_w={6: 1700, 20: 2200}), tt.Thermal(limit_c=40)],
    "requeue": [tt.Failures(mtbf_h=100)],
    "lose": ["power", tt.Failures(mtbf_h=60, jobs="lose")],
    "checkpoint": [tt.Failures(mtbf_h=60, jobs="checkpoint", checkpoint_h=0.5, restart_s=60)],
    "closed": [
        tt.Maintenance(windows=[{"from_s": 2e4, "to_s": 4e4, "every_days": 1, "until_s": 1e6}]),
        tt.Reservations(windows=[{"nodes": [0, 1, 2, 3], "from_s": 5e4, "to_s": 3e5, "users": [1, 2]}]),
    ],
    "own": [Recording()],
}
SCHEDULERS: list[Scheduler] = [tt.FCFS(), tt.SJF(skip=True), tt.Easy(), tt.Conservative(), tt.Easy(order="sjf")]

pytestmark = pytest.mark.filterwarnings("ignore::thinktime.errors.OutcomeWarning")


@pytest.mark.parametrize("plugins", PLUGINS.values(), ids=PLUGINS)
@given(st.integers(1, 60), st.sampled_from(SCHEDULERS), st.integers(0, 3))
@examples(8)
def test_plugins_in_blocks_of_any_size(plugins: list[Any], rows: int, scheduler: Scheduler, seed: int) -> None:
    assert_streamed_alike(LOG, CLUSTER, scheduler, rows, plugins=plugins, seed=seed)


@pytest.mark.parametrize("rule", ["batch", "each-end-first"])
@pytest.mark.parametrize("plugins", PLUGINS.values(), ids=PLUGINS)
def test_rules_of_one_instant(plugins: list[Any], rule: str) -> None:
    assert_streamed_alike(LOG, CLUSTER, "easy", 7, plugins=plugins, same_instant=rule)


@pytest.mark.parametrize("plugins", [[], ["power", tt.Failures(mtbf_h=60)], PLUGINS["checkpoint"]], ids=str)
@given(st.integers(1, 60), st.sampled_from(["idle", "end"]), st.sampled_from(["easy", "fcfs"]))
@examples(8)
def test_early_releases_of_cores(plugins: list[Any], rows: int, release: str, scheduler: str) -> None:
    applications = f"loop:technique=gss,release={release}"
    assert_streamed_alike(LOG, CLUSTER, scheduler, rows, plugins=plugins, applications=applications)


class Preemptive(tt.OwnScheduler):
    """In the order of the queue; a small job may suspend a large one, and long waits are refused."""

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        late = now_s - queue.submit_s > 4 * 3600
        machine.reject(queue.row[late], "waited too long")
        rows, sizes = queue.row[~late], queue.processors[~late]
        if len(rows) and sizes[0] > machine.free and len(running):
            largest = running.processors.argmax()
            if running.processors[largest] >= 2 * sizes[0] and now_s - running.start_s[largest] > 600:
                row = running.row[largest]
                machine.requeue(row, "preempted", saved_s=machine.worked_s(row), restart_s=60)
        return rows[np.cumsum(sizes) <= machine.free]


@pytest.mark.parametrize("rows", [1, 20, 200])
def test_jobs_that_a_scheduler_in_python_requeues(rows: int) -> None:
    whole, _ = assert_streamed_alike(LOG, 24, Preemptive(), rows)
    assert len(whole.attempts)


@pytest.mark.parametrize("rows", [1, 20, 200])
def test_a_scheduler_in_python_that_only_starts_jobs(rows: int) -> None:
    """No run is aborted, so no job has an overhead, and neither run has the column."""
    whole, streamed = assert_streamed_alike(LOG, 64, SkipInPython(), rows)
    assert "overhead_s" not in whole.columns
    assert "overhead_s" not in streamed.columns


def test_early_releases_on_a_counted_machine() -> None:
    assert_streamed_alike(LOG, 64, "easy", 20, applications="loop:technique=static,release=idle")


def test_watts_as_an_array() -> None:
    watts = np.random.default_rng(2).uniform(10, 90, len(LOG)).round()
    whole, _ = assert_streamed_alike(LOG, CLUSTER, "easy", 20, plugins=["power"], requests={"watts": watts})
    assert whole.summary()["job_energy_j"] != tt.simulate(LOG, CLUSTER, plugins=["power"]).summary()["job_energy_j"]


def test_watts_of_some_jobs_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "watts.csv").write_text("job,watts\n" + "".join(f"{job},{job % 40}\n" for job in range(1, 100)))
    given: dict[str, Any] = {"plugins": ["power"], "requests": str(tmp_path / "watts.csv")}
    whole, _ = assert_streamed_alike(LOG, CLUSTER, "easy", 20, **given)
    watts = np.where(LOG["job"] < 100, LOG["job"] % 40, 50.0)  # 50: of a processor
    equal = tt.simulate(LOG, CLUSTER, "easy", plugins=["power"], requests={"watts": watts})
    assert np.array_equal(
        whole.report_columns["job_energy"]["energy_j"], equal.report_columns["job_energy"]["energy_j"]
    )


def test_watts_in_a_column() -> None:
    columns = {**LOG.columns, "draw": LOG["job"] % 40}
    whole, _ = assert_streamed_alike(
        tt.Workload(columns), CLUSTER, "easy", 20, plugins=["power"], requests={"watts": "draw"}
    )
    assert whole.summary()["job_energy_j"] > 0


def test_requests_as_arrays() -> None:
    gpus = tt.Cluster(groups=[{"name": "g", "nodes": 8, "core": 4, "gpu": 2}])
    amounts = {"gpu": np.arange(len(LOG)) % 2}
    assert_streamed_alike(LOG, gpus, "easy", 20, requests=amounts)
    for count, said in ((100, "but the stream has more jobs"), (200, "200 amounts of gpu for 150 jobs")):
        with pytest.raises(tt.InputError, match=said):
            tt.simulate_stream(blocks(LOG, 60), gpus, "easy", "run", requests={"gpu": np.zeros(count)})


def test_decisions_of_every_pass(tmp_path: Path) -> None:
    tt.simulate_stream(blocks(LOG, 20), 64, "easy", tmp_path / "run", decisions=True)
    streamed, whole = tt.Result.load(tmp_path / "run"), tt.simulate(LOG, 64, "easy", decisions=True)
    for name in ("time_s", "queued_jobs"):
        assert np.array_equal(streamed.decisions_columns[name], whole.decisions_columns[name])
    assert len(streamed.decisions) == streamed.statistics["passes"]


def test_jobs_that_never_end_are_listed(tmp_path: Path) -> None:
    _, streamed = assert_streamed_alike(LOG, CLUSTER, "easy", 20, plugins=[Closing(), "power"])
    assert 0 < streamed.summary()["unfinished"] < len(LOG)
    with pytest.warns(tt.OutcomeWarning, match="never ended"):
        tt.simulate_stream(blocks(LOG, 20), CLUSTER, "easy", tmp_path / "run", plugins=[Closing()])


class ReadsAll(tt.OwnPlugin):
    how: str = "sum"

    def start(self, context: Context) -> Any:
        column = context.workload["run_s"]
        {"sum": lambda: np.sum(column), "len": lambda: len(context.workload), "slice": lambda: column[:5]}[self.how]()
        return self

    def started(self, system: Any, job: int) -> None: ...


#: plugins → words of the error
REFUSED: list[tuple[Any, str]] = [
    (ReadsAll(), "reads a whole column"),
    (ReadsAll(how="slice"), "reads a whole column"),
    (ReadsAll(how="len"), "number of jobs, which a stream does not know"),
    (tt.Maintenance(windows=[{"from_s": 0, "to_s": 9, "every_days": 1}]), "give until_s"),
]


@pytest.mark.parametrize(("plugin", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_a_stream_cannot_know(plugin: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(tt.InputError, match=said):
        tt.simulate_stream(blocks(LOG, 20), CLUSTER, "easy", tmp_path / "run", plugins=[plugin])
    assert list(tmp_path.iterdir()) == []


def test_a_spread_of_power_needs_ascending_job_numbers(tmp_path: Path) -> None:
    columns = {**LOG.columns, "job": LOG["job"][::-1].copy()}
    with pytest.raises(tt.InputError, match="numbers of this stream do not ascend"):
        tt.simulate_stream([columns], CLUSTER, "easy", tmp_path / "run", plugins=[tt.Power(spread=0.1)])


def test_the_command_line(tmp_path: Path) -> None:
    tt.write_swf(LOG, tmp_path / "log.swf")
    (tmp_path / "cluster.json").write_text('{"groups": {"g": {"core": 4}}, "resources": {"g": 8}}')
    asked = ["run", "log.swf", "--cluster", "cluster.json", "--plugin", "power", "--plugin", "failures:mtbf_h=60"]
    command = [sys.executable, "-m", "thinktime", *asked, "--no-figures", "--decisions", "--out"]
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    for more in (["whole"], ["streamed", "--stream"]):
        subprocess.run([*command, *more], cwd=tmp_path, check=True, capture_output=True, env=environment)
    files = [{path.name for path in (tmp_path / name).iterdir()} for name in ("whole", "streamed")]
    assert files[0] == files[1]
    tables = [pl.read_parquet(tmp_path / name / "report_job_energy.parquet") for name in ("whole", "streamed")]
    assert tables[0].sort("job").equals(tables[1].sort("job"))


class Refusing(tt.OwnScheduler, when_empty=True):
    """Requeue the first job at 6 s and, after the end of the other one, at 20 s; reject it at 24 s."""

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        if now_s < 24:
            machine.wake(20 if now_s < 20 else 24)
        if now_s in (6, 20):
            machine.requeue(running.row, "again")
        if now_s == 24:
            machine.reject(queue.row, "enough")
        return () if now_s >= 20 else queue.row


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("applications", ["fixed", "loop:technique=ss,release=idle"])
def test_a_job_that_is_clipped_requeued_and_rejected(rows: int, applications: str) -> None:
    log = tt.Workload.from_columns(submit_s=[0, 6], run_s=[50, 1], processors=[6, 1])
    cluster = tt.Cluster(groups=[{"name": "g", "nodes": 1, "core": 5}])
    rules = {"oversized": "clip", "applications": applications}
    whole, _ = assert_streamed_alike(log, cluster, Refusing(), rows, **rules)
    assert whole.jobs["status"].to_list() == ["rejected", "completed"]
    assert whole.columns["processors"].tolist() == [5, 1]
    assert whole.attempts["end_s"].to_list() == [6, 20]
    assert whole.summary()["utilisation"] == (5 * 6 + 1) / (5 * 7)  # until the last end of a job
    assert whole.report_columns.get("cores", {"row": np.ones(1)})["row"].tolist() == [1]
    assert tt.check(whole) == []


for policy in (Preemptive, Refusing):  # other tests go through all schedulers that are registered
    REGISTRY["scheduler"].pop(policy.name)
