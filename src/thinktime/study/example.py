"""The study that `thinktime study init` writes: it runs as it is, on the package's own workload."""

from __future__ import annotations

EXAMPLE = """\
# A study: a grid of runs. `thinktime study run FILE` carries out what its store does not have yet,
# `thinktime study compare FILE` says what follows, `thinktime report FILE` writes a page.
# Every key but name, workloads and schedulers may be left out.

name = "backfilling"
question = "Does it pay to backfill, and does the order of the candidates matter?"

seeds = 10                # ten replications, seeds 1 to 10; or a list: [1, 2, 3]
baseline = "fcfs"         # what the other configurations are compared with
# keep = "jobs"           # every job of every run is kept, not the summary alone
# decisions = true        # measure how long the scheduler takes to decide
metrics = ["wait_mean_s", "bounded_slowdown_mean", "utilisation"]

# One run for every workload, platform, scheduler, … and seed. An entry is a text, as on the command line, or a
# table with a name of its own.
schedulers = [
    "fcfs",
    "easy",
    { name = "easy-sjbf", spec = "easy:backfill_order=sjf" },
    "conservative",
]
platforms = ["log"]       # the machine of the workload; also "machine:processors=256", "log:processors_factor=2"
users = ["rigid"]         # every job at its recorded time
estimates = ["requested"] # or "perfect", "at_least:2"

# The package's own workload; each seed makes another one.
[[workloads]]
generator = "default"
weeks = 4
load = 0.8

# A log: a path from the folder of this file, or the name of a log in the folder of logs. Logs draw nothing at
# random, so they are run once for each configuration, whatever the seeds.
# [[workloads]]
# log = "KTH-SP2-1996-2.1-cln.swf.gz"
# name = "kth"
# filter = "base"

[summary]
warmup_s = 604800         # the first week is left out of all metrics

# Cells that are not wanted: names, or patterns with *.
# [[skip]]
# scheduler = "conservative"
# workload = "kth"
"""
