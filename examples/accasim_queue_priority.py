"""A dispatcher that uses an attribute of jobs: AccaSim's extra/dispatching_methods/prb_scheduler.py."""

import numpy as np

import thinktime as tt

EXPECTED_WAIT_S = {"short": 600, "long": 28800}  # by queue; 1800 for others


class PRB(tt.OwnScheduler, columns=("queue_name",)):
    """The longest wait relative to the expected one first, then the smallest request; skip jobs that do not fit."""

    def schedule(self, now_s, queue, running, machine):
        expected_s = np.array([EXPECTED_WAIT_S.get(name, 1800) for name in queue.queue_name])
        relative_wait = (now_s - queue.submit_s + 1) / expected_s
        free, chosen = machine.free, []
        for k in np.lexsort((queue.estimate_s * queue.processors, -relative_wait)):
            if queue.processors[k] <= free:
                free -= queue.processors[k]
                chosen.append(queue.row[k])
        return chosen


jobs = tt.default_workload(weeks=2)
asked_s = jobs["requested_time_s"]
log = tt.Workload.from_columns(
    **{name: jobs[name] for name in ("submit_s", "run_s", "processors", "requested_time_s")},
    attributes={"queue_name": np.select([asked_s <= 3600, asked_s > 14400], ["short", "long"], "medium")},
)

for scheduler in (tt.FCFS(skip=True), PRB()):
    run = tt.simulate(log, 128, scheduler)
    wait_h = (run.columns["start_s"] - run.columns["submit_s"]) / 3600
    means = {name: wait_h[log.texts("queue_name") == name].mean() for name in ("short", "medium", "long")}
    print(scheduler.name, ", ".join(f"{name} {mean:.2f} h" for name, mean in means.items()))
