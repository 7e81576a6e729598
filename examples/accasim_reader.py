"""A reader of your own: AccaSim's schedule files as logs, like AccaSim's experimentation/schedule_parser.py."""

import re
from pathlib import Path

import numpy as np

import thinktime as tt

LINE = re.compile(
    r"(?P<job>\d+);(?P<user>\d+);(?P<submit>.+)__(?P<node>\d+).+__(?P<start>.+);(?P<end>.+);(?P<units>\d+);\d+;.+;"
    r"(?P<estimate>\d+);\n"
)


class Schedule(tt.OwnReader, endings=(".sched",)):
    def header(self, source):
        return {"MaxProcs": 240}

    def blocks(self, source):
        jobs = [match.groupdict() for match in LINE.finditer(Path(source).read_text())]
        times = np.array([[job[key] for job in jobs] for key in ("submit", "start", "end")], dtype="datetime64[s]")
        submit_s, start_s, end_s = times.astype(float)
        names = {"processors": "units", "requested_time_s": "estimate", "first_node": "node", "user": "user"}
        columns = {name: [int(job[key]) for job in jobs] for name, key in names.items()}
        yield {**columns, "submit_s": submit_s, "wait_s": start_s - submit_s, "run_s": end_s - start_s}


seth = tt.Cluster.named("seth").replace(memory="ignore")
tt.simulate(tt.default_workload(jobs=500), seth, "fcfs").write_accasim("fifo.sched")

log = tt.read("fifo.sched")
print(log, log.attributes)
print(f"recorded mean wait {log['wait_s'].mean():.0f} s, with EASY {tt.simulate(log).summary()['wait_mean_s']:.0f} s")
