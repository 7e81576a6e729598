"""Runs AccaSim with its rejecting dispatcher; started as a file by a Python that has AccaSim, which has no thinktime.

    python accasim_rejects.py LOG CONFIG FOLDER

LOG is a plain SWF file, CONFIG a system configuration; AccaSim writes into FOLDER what it writes by default.
"""

import collections
import collections.abc
import sys

collections.Mapping = collections.abc.Mapping  # type: ignore[attr-defined] # AccaSim is older than Python 3.10


def main(log: str, config: str, folder: str) -> None:
    from accasim.base.allocator_class import FirstFit  # type: ignore[import-not-found]
    from accasim.base.scheduler_class import FirstInFirstOut, JobVerification  # type: ignore[import-not-found]
    from accasim.base.simulator_class import Simulator  # type: ignore[import-not-found]

    rejecting = FirstInFirstOut(FirstFit(), job_check=JobVerification.REJECT)
    Simulator(log, config, rejecting, RESULTS_FOLDER_PATH=folder, show_statistics=False).start_simulation()


if __name__ == "__main__":
    main(*sys.argv[1:])
