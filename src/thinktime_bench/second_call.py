"""Time `tt.simulate` from its second call on, and the engine alone, in a fresh process.

    python -m thinktime_bench.second_call LOG REPEATS

Print JSON: seconds of the first call, of the best later call and of the engine at its best (wall clock), and what was
simulated.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

import numpy as np

import thinktime as tt
from thinktime.simulation.requests import requests_of
from thinktime.simulation.settings import Settings
from thinktime_bench.engine import run_engine


def main(log: str, repeats: int) -> None:
    workload, scheduler = tt.read_swf(log), tt.Easy()
    machine = tt.Machine(processors=workload.machine_processors or 1)
    settings = Settings(machine=machine, scheduler=scheduler)
    requests = requests_of(workload, settings)

    def simulate() -> object:
        return tt.simulate(workload, machine, scheduler)

    first_s = _wall_seconds(simulate)
    times = [(_wall_seconds(lambda: run_engine(settings, requests)), _wall_seconds(simulate)) for _ in range(repeats)]
    engine_s, simulate_s = (min(column) for column in zip(*times, strict=True))
    run = tt.simulate(workload, machine, scheduler)
    found = {"first_s": first_s, "engine_s": engine_s, "simulate_s": simulate_s, "jobs": len(run)}
    wait_s = run.columns["start_s"] - run.columns["submit_s"]
    found |= {"events": int(run.statistics["events"]), "mean_wait_s": float(np.nanmean(wait_s))}
    print(json.dumps(found))


def _wall_seconds(call: Callable[[], object]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
