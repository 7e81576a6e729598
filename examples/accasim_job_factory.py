"""Jobs with attributes and requests of your own: what AccaSim's run-example.py does with a job factory."""

import thinktime as tt

JOBS = """\
job,submit_s,run_s,requested_time_s,processors,requested_memory_kb,user,project,gpus
1,0,3600,7200,4,200000,7,climate,0
2,60,1800,3600,2,400000,8,genome,1
3,120,5400,7200,8,100000,7,climate,0
4,180,600,900,1,800000,9,genome,4
5,240,7200,7200,4,200000,8,climate,1
"""
with open("jobs.csv", "w") as file:
    file.write(JOBS)

log = tt.read("jobs.csv")
print(log.attributes, log.texts("project").tolist())

cluster = tt.Cluster(groups=[{"name": "g", "nodes": 3, "core": 4, "mem": 1_000_000, "gpu": 4}], unit={"core": 1})
genome_first = tt.Priority(key=tt.key["project"] != "genome")
run = tt.simulate(log, cluster, genome_first, requests={"gpu": "gpus"})
print(run.jobs.select("job", "project", "gpus", "start_s", "nodes"))
