"""Three rules for events that share an instant, and how many starts they move."""

import numpy as np

import thinktime as tt

workload = tt.default_workload(weeks=4)
machine = tt.Machine(processors=128)

runs = {
    rule: tt.simulate(workload, machine, tt.Easy(), same_instant=rule)
    for rule in ("batch", "each-submit-first", "each-end-first")
}
usual = runs["batch"].columns["start_s"]
for rule, run in runs.items():
    moved = np.count_nonzero(run.columns["start_s"] != usual)
    print(f"{rule:18} {moved:5} of {len(run)} starts moved, mean wait {run.summary()['wait_mean_s']:.1f} s")
