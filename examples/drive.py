"""Drive a simulation step by step: which job is at the head of the queue, and for how long."""

import thinktime as tt

workload = tt.default_workload(weeks=1)
sim = tt.Simulation(workload, tt.Machine(processors=128), tt.Easy())

reigns = []  # (seconds at the head, job)
head, since_s = None, 0.0
while sim.step():
    state = sim.state
    now_first = state.queue[0] if len(state.queue) else None
    if now_first != head:
        if head is not None:
            reigns.append((state.clock_s - since_s, int(workload["job"][head])))
        head, since_s = now_first, state.clock_s

print(f"{len(reigns)} blocked heads in {state.clock_s / 86400:.1f} days")
for held_s, job in sorted(reigns, reverse=True)[:3]:
    print(f"job {job} led the queue for {held_s:.0f} s")
print(f"{sim.result().summary()['completed']} jobs completed")
