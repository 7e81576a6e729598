"""Simulate a log of any length in constant memory."""

import thinktime as tt

tt.write_swf(tt.default_workload(jobs=20_000), "log.swf.gz")  # stands for a log that does not fit into memory
machine = tt.Machine(processors=128)

in_memory = tt.simulate(tt.read_swf("log.swf.gz"), machine, tt.Easy())
print(f"in memory: {len(in_memory)} jobs, mean wait {in_memory.summary()['wait_mean_s']:.3f} s")

summary = tt.simulate_stream(tt.stream_swf("log.swf.gz"), machine, tt.Easy(), "streamed")
print(f"streamed:  {summary['jobs']} jobs, mean wait {summary['wait_mean_s']:.3f} s")

streamed = tt.Result.load("streamed")  # its jobs are in the order of their ends
print("the same schedule:", streamed.jobs.sort("job").equals(in_memory.jobs.sort("job")))
