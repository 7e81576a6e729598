"""Is EASY better than FCFS, and how sure is the answer? Bootstrap confidence intervals."""

import thinktime as tt

log = tt.default_workload(seed=1, weeks=16, users=30, load=0.5)
found = tt.bootstrap(log, tt.Machine(processors=128), [tt.Easy(), tt.FCFS()], resamples=100, seed=1)

print(f"{found.resamples} resamples of {len(log)} jobs")
for scheduler in found.schedulers:
    wait = found.interval("wait_mean_s", scheduler, method="percentile")
    print(f"  {scheduler} waits {wait.estimate:6.0f} s in the log,", end=" ")
    print(f"{wait.low:6.0f} to {wait.high:6.0f} s in 95 % of resamples")

difference = found.differences("easy", "fcfs").filter(measure="wait_mean_s").to_dicts()[0]
print(f"  easy − fcfs: {difference['percentile_low']:.0f} to {difference['percentile_high']:.0f} s")
print(f"  easy waits less in {difference['a_below_b']:.0%} of resamples")
