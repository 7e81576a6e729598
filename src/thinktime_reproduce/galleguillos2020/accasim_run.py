"""Runs AccaSim once; started as a file by a Python that has AccaSim, which has no thinktime.

    python accasim_run.py LOG CONFIG DISPATCHER FOLDER

LOG is a plain SWF file, CONFIG a system configuration, DISPATCHER is `reject` or a scheduler and an allocator such as
FIFO-FF. The rejecting dispatcher writes no files, as in the paper's script; the others write to FOLDER what AccaSim
writes by default.
"""

import collections
import collections.abc
import sys
from typing import Any

collections.Mapping = collections.abc.Mapping  # type: ignore[attr-defined] # AccaSim is older than Python 3.10

SILENT = ("pprint_output", "scheduling_output", "benchmark_output", "statistics_output")


def main(log: str, config: str, name: str, folder: str) -> None:
    from accasim.base.simulator_class import Simulator  # type: ignore[import-not-found]

    silent = dict.fromkeys(SILENT, False) if name == "reject" else {}
    simulator = Simulator(log, config, dispatcher(name), RESULTS_FOLDER_PATH=folder, show_statistics=False, **silent)
    simulator.start_simulation()


def dispatcher(name: str) -> Any:
    from accasim.base import scheduler_class as schedulers  # type: ignore[import-not-found]
    from accasim.base.allocator_class import BestFit, FirstFit  # type: ignore[import-not-found]

    if name == "reject":
        return schedulers.FirstInFirstOut(FirstFit(), job_check=schedulers.JobVerification.REJECT)
    scheduler, _, allocator = name.partition("-")
    named = {"FIFO": "FirstInFirstOut", "SJF": "ShortestJobFirst", "LJF": "LongestJobFirst", "EBF": "EASYBackfilling"}
    return getattr(schedulers, named[scheduler])({"FF": FirstFit, "BF": BestFit}[allocator]())


if __name__ == "__main__":
    main(*sys.argv[1:])
