"""EASY differs between papers and simulators: the same jobs under six variants."""

import thinktime as tt

VARIANTS = {
    "textbook": tt.Easy(),
    "shortest candidates first": tt.Easy(backfill_order="sjf"),
    "no extra nodes": tt.Easy(extra_nodes=False),
    "promise made once": tt.Easy(recompute=False),
    "ties not counted": tt.Easy(count_ties=False),
    "as AccaSim 1.0": tt.Easy(compat="accasim-1.0"),
}

workload = tt.default_workload()
machine = tt.Machine(processors=128)

print(f"{'':26} {'mean wait s':>12} {'max wait s':>12} {'slowdown':>9}")
for name, scheduler in VARIANTS.items():
    found = tt.simulate(workload, machine, scheduler).summary()
    numbers = (found["wait_mean_s"], found["wait_max_s"], found["bounded_slowdown_mean"])
    print(f"{name:26} {numbers[0]:12.1f} {numbers[1]:12.0f} {numbers[2]:9.2f}")
