"""Runs in which a known number of jobs is killed, rejected, left unfinished, and so on."""

from __future__ import annotations

from typing import Any

import numpy as np

import thinktime as tt

KILLED, REJECTED, WITHOUT, OVER = 7, 5, 3, 4


def idle() -> tt.OwnScheduler:
    """A scheduler that starts nothing; its class is registered only while a test runs."""

    class Idle(tt.OwnScheduler):
        def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> list[int]:
            return []

    return Idle()


def workload(jobs: int = 60, **changes: Any) -> tt.Workload:
    """One job a minute that runs for half a minute on one processor and asks for a minute."""
    columns = {
        "submit_s": 60.0 * np.arange(jobs),
        "run_s": np.full(jobs, 30.0),
        "processors": np.ones(jobs),
        "requested_time_s": np.full(jobs, 60.0),
        "user": np.arange(jobs) % 4 + 1.0,
        "wait_s": np.zeros(jobs),
        "allocated_processors": np.ones(jobs),
    }
    return tt.Workload.from_columns(**{**columns, **changes})


def run_longer(count: int) -> dict[str, Any]:
    """The first jobs run twice as long as they asked for."""
    return {"run_s": np.where(np.arange(60) < count, 120.0, 30.0)}


def larger(count: int) -> dict[str, Any]:
    """The first jobs ask for 9 processors."""
    processors = np.where(np.arange(60) < count, 9.0, 1.0)
    return {"processors": processors, "allocated_processors": processors}


def without_estimate(count: int) -> dict[str, Any]:
    return {"requested_time_s": np.where(np.arange(60) < count, np.nan, 60.0)}


MACHINE = tt.Machine(processors=8)


def killed() -> tt.Result:
    return tt.simulate(workload(**run_longer(KILLED)), MACHINE, tt.Easy(), overrun="kill")


def rejected() -> tt.Result:
    return tt.simulate(workload(**larger(REJECTED)), MACHINE, tt.Easy())


def clipped() -> tt.Result:
    return tt.simulate(workload(**larger(REJECTED)), MACHINE, tt.Easy(), oversized="clip")


def over_estimate() -> tt.Result:
    return tt.simulate(workload(**run_longer(OVER)), MACHINE, tt.Easy())


def no_estimate() -> tt.Result:
    return tt.simulate(workload(**without_estimate(WITHOUT)), MACHINE, tt.Easy())


def stopped() -> tt.Result:
    """At 980 s jobs 0 to 16 have been submitted; the last, of 960 s, has not ended, and 43 are still to come."""
    return tt.Simulation(workload(), MACHINE, tt.Easy()).run(until=980).result()


def saturated() -> tt.Result:
    """A job every two hours that runs for three, for twelve weeks."""
    submit = np.arange(0.0, 12 * 604_800.0, 7_200.0)
    run = np.full(len(submit), 10_800.0)
    log = tt.Workload.from_columns(
        submit_s=submit, run_s=run, processors=np.ones(len(submit)), requested_time_s=run, user=np.ones(len(submit))
    )
    return tt.simulate(log, tt.Machine(processors=1), tt.FCFS())


def aborted(jobs: str) -> tt.Result:
    """Four nodes; one breaks at 10 s, when it has a job, and is repaired at 20 s. `jobs`: requeue or lose."""
    cluster = tt.Cluster(groups=[{"name": "g", "nodes": 4, "core": 1}])
    table = [{"nodes": "g-0", "from_s": 10.0, "to_s": 20.0}]
    return tt.simulate(workload(), cluster, tt.Easy(), plugins=[tt.Failures(table=table, jobs=jobs)])


def killed_by_scheduler() -> tt.Result:
    """A scheduler that starts what fits and kills the jobs of user 1 at the next pass."""

    class Kills(tt.OwnScheduler):
        def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
            machine.kill(running.row[running.user == 1], "user 1")
            return queue.row

    return tt.simulate(workload(run_s=np.full(60, 90.0)), MACHINE, Kills(), overrun="extend-blind")


#: kind → a run of it, and how many
RUNS = {
    "killed": (killed, KILLED, 60),
    "rejected": (rejected, REJECTED, 60),
    "clipped": (clipped, REJECTED, 60),
    "over_estimate": (over_estimate, OVER, 60),
    "no_estimate": (no_estimate, WITHOUT, 60),
    "stopped": (stopped, 44, 60),
    "saturated": (saturated, 1, 1),
    "requeued": (lambda: aborted("requeue"), 1, 61),
    "killed_by_scheduler": (killed_by_scheduler, 15, 60),
    "lost": (lambda: aborted("lose"), 1, 60),
}
