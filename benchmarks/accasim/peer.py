"""Runs AccaSim 1.1.3 once; started by compare.py inside the environment that AccaSim is installed in.

    python peer.py LOG CONFIG DISPATCHER FOLDER

LOG is a plain SWF file, CONFIG a system configuration, DISPATCHER fifo, easy or reject. AccaSim writes its
schedule and statistics into FOLDER, as it does by default. One JSON object on the last line of standard output
says how many jobs it had and how long its simulation took by the wall clock, without its imports.
"""

import collections
import collections.abc
import json
import sys
import time
from typing import Any

collections.Mapping = collections.abc.Mapping  # type: ignore[attr-defined] # AccaSim is older than Python 3.10


def dispatcher(name: str) -> Any:
    from accasim.base.allocator_class import FirstFit
    from accasim.base.scheduler_class import EASYBackfilling, FirstInFirstOut, JobVerification

    if name == "reject":
        return FirstInFirstOut(FirstFit(), job_check=JobVerification.REJECT)
    return {"fifo": FirstInFirstOut, "easy": EASYBackfilling}[name](FirstFit())


def main(log: str, config: str, name: str, folder: str) -> None:
    from accasim.base.simulator_class import Simulator

    begin = time.perf_counter()
    simulator = Simulator(log, config, dispatcher(name), RESULTS_FOLDER_PATH=folder, show_statistics=False)
    simulator.start_simulation()
    seconds = time.perf_counter() - begin
    print(json.dumps({"simulation_s": seconds, "jobs": simulator.loaded_jobs, "rejected": simulator.rejected_jobs}))


main(*sys.argv[1:])
