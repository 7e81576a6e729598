"""What a run costs on a Dask cluster beside its simulation: with batches, without, and with a thousand threads.

`python benchmarks/cluster/measure.py` takes about three minutes on two cores. The cluster is local, so that client
and scheduler share a process, as with --slurm; its CPU time is theirs. A thousand threads cannot simulate on two
cores: there a run sleeps instead, and gives the outcome of a real one.
"""

from __future__ import annotations

import json
import pickle
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster

from thinktime.study.execute import execute
from thinktime.study.executors import batches
from thinktime.study.executors.dask import DaskExecutor
from thinktime.study.store import open_store
from thinktime.study.study import Study, Task

RUNS, SLEEPING_RUNS, SLEEP_S = 1000, 10_000, 4.0


def grid(jobs: int, runs: int) -> Study:
    """Runs of one generated workload on machines of many sizes."""
    platforms = [f"machine:processors={128 + k}" for k in range(runs)]
    workload = {"generator": "default", "jobs": jobs, "seed": 1}
    return Study.of(name="cost", workloads=[workload], platforms=platforms, schedulers=["easy"])


@contextmanager
def cluster(workers: int, threads: int) -> Iterator[str]:
    with LocalCluster(n_workers=workers, threads_per_worker=threads, processes=True, dashboard_address=":0") as local:
        yield local.scheduler_address


def print_bytes(study: Study) -> None:
    tasks = study.tasks()
    outcome = execute(tasks[0])
    sent, back = len(pickle.dumps(tasks[:100])) / 100, len(pickle.dumps(outcome))
    print(f"bytes a run: {sent:.0f} to the worker, {back} back, {len(json.dumps(outcome))} in the store")


def print_store(study: Study) -> None:
    outcomes = [dict(execute(task)) for task in study.tasks()[:50]] * 20
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "store", study) as store:
        begin = time.process_time()
        for number, outcome in enumerate(outcomes):
            store.add({**outcome, "run": str(number)})
        print(f"store: {1e3 * (time.process_time() - begin) / len(outcomes):.2f} ms a run")


def print_cost(address: str, tasks: list[Task], what: str) -> None:
    begin, cpu = time.perf_counter(), time.process_time()
    done = sum(1 for _ in DaskExecutor(address=address)(tasks))
    wall, cpu = time.perf_counter() - begin, time.process_time() - cpu
    print(f"{what}: {done / wall:.0f} runs/s, {1e3 * cpu / done:.2f} ms a run of client and scheduler")


def sleep_instead(outcome: dict[str, Any], seconds: float) -> None:
    """On a worker: runs sleep from now on."""
    from thinktime.study.executors import worker

    def sleeping(task: Task) -> dict[str, Any]:
        time.sleep(seconds)
        return {**outcome, "run": task.run, "cell": dict(task.cell), "seconds": seconds}

    worker.execute = sleeping  # type: ignore[assignment]


def print_thousand() -> None:
    tasks = grid(1000, SLEEPING_RUNS).tasks()
    with cluster(8, 125) as address:
        with Client(address, set_as_default=False) as client:
            client.run(sleep_instead, execute(tasks[0]), SLEEP_S)
        print_cost(address, tasks, f"1000 threads, runs that sleep {SLEEP_S:g} s, at most {1000 / SLEEP_S:g} runs/s")


def main() -> None:
    for jobs in (10, 1000):
        study = grid(jobs, RUNS)
        print(f"-- {jobs} jobs a run, {RUNS} runs, two worker processes")
        print_bytes(study)
        print_store(study)
        with cluster(2, 1) as address:
            print_cost(address, study.tasks(), "batches")
            batches.LARGEST = 1
            print_cost(address, study.tasks(), "no batches")
            batches.LARGEST = 500
    print_thousand()


if __name__ == "__main__":
    main()
