"""Simulate a generated workload under EASY and print the main metrics."""

import thinktime as tt

workload = tt.default_workload(seed=1, weeks=2)  # generated, so no log is needed
machine = tt.Machine(processors=128)
run = tt.simulate(workload, machine, tt.Easy())

summary = run.summary()
print(f"{len(run)} jobs under {tt.Easy()} on {machine}")
for name in ("wait_mean_s", "wait_max_s", "bounded_slowdown_mean", "utilisation", "makespan_days"):
    print(f"  {name:22} {summary[name]:12.4f}")

print("the three longest waits:")
waits = run.jobs.with_columns(wait_s=run.jobs["start_s"] - run.jobs["submit_s"])
for row in waits.sort("wait_s", descending=True).head(3).iter_rows(named=True):
    print(f"  job {row['job']}: {row['processors']} processors, waited {row['wait_s']:.0f} s")

print("violated invariants:", tt.check(run))
