"""Batch schedulers and self-scheduling techniques: makespan, waits, and why cores were idle."""

import thinktime as tt

workload = tt.default_workload(weeks=2)
machine = tt.Machine(processors=256)

print(f"{'':16} {'days':>6} {'wait h':>7} {'tasks':>7} {'imbalance':>10} {'waiting':>8} {'unneeded':>9}")
for scheduler in (tt.FCFS(), tt.SJF(), tt.Easy()):
    for technique in ("static", "ss", "gss", "fac"):
        loop = tt.Loop(technique=technique, variation=0.25)
        found = tt.simulate(workload, machine, scheduler, applications=loop).summary()
        shares = [found[f"{cause}_share"] for cause in ("tasks", "imbalance", "waiting", "unneeded")]
        print(
            f"{scheduler.name + ' ' + technique:16} {found['makespan_days']:6.2f} {found['wait_mean_s'] / 3600:7.2f}"
            f" {shares[0]:7.1%} {shares[1]:10.1%} {shares[2]:8.1%} {shares[3]:9.1%}"
        )
