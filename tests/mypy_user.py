"""A user's script, checked with `mypy --strict` by `make lint`: public names have types, not Any."""

from __future__ import annotations

from typing import assert_type

import numpy as np
import polars as pl
from matplotlib.figure import Figure

import thinktime as tt

log = tt.read_swf("KTH-SP2-1996-2.1-cln", filter="base", remove="user=3")
assert_type(log, tt.Workload)
assert_type(log["run_s"], np.ndarray)
assert_type(log.frame, pl.DataFrame)

machine = tt.Machine(processors=100)
run = tt.simulate(log, machine.scaled(speed=0.5), tt.Easy(order="sjf"), users="adjusted", plugins=["power"])
assert_type(run, tt.Result)
assert_type(tt.simulate("KTH-SP2-1996-2.1-cln", scheduler="easy"), tt.Result)
assert_type(run.jobs, pl.DataFrame)
assert_type(run.summary(warmup_s=3600.0), tt.Summary)
assert_type(run.summary()["wait_mean_s"], float | int | None)
assert_type(run.lateness().mean_s, float)
assert_type(run.lateness(by="user").user, np.ndarray)
assert_type(run.plot(), Figure)
assert_type(run.fairness(tt.fair_starts(log, machine)), dict[str, float | int])
assert_type(tt.recorded(log, 100), tt.Result)

sim = tt.Simulation(log, 100, "fcfs")
assert_type(sim.step(), bool)
assert_type(sim.run(until=1e6).state.queue, np.ndarray)
assert_type(sim.result(), tt.Result)

assert_type(tt.peak(log, hours=24).workload, tt.Workload)
assert_type(tt.Workload.from_columns(submit_s=[0, 1], run_s=[1, 1], processors=[1, 1]), tt.Workload)
assert_type([violation.rule for violation in tt.check(run)], list[str])

# mypy reports values that are not allowed: without the report, each `ignore` would be unused.
tt.simulate(log, overrun="kill", oversized="clip", same_instant="each-end-first", admission="total")
tt.simulate(log, overrun="kil")  # type: ignore[arg-type]
tt.simulate(log, same_instant="each")  # type: ignore[arg-type]
tt.Simulation(log, oversized="drop")  # type: ignore[arg-type]
tt.read_swf("KTH-SP2-1996-2.1-cln", processors="field 8")  # type: ignore[arg-type]
tt.compare([run, run], by="month")  # type: ignore[arg-type]
tt.peak(log, hours=24, by="jobs")  # type: ignore[arg-type]
run.gantt(colour="users")  # type: ignore[arg-type]
tt.plots.gantt(run, axis="hours")  # type: ignore[arg-type]
