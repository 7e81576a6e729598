"""Where the runs of a study are carried out. An executor takes tasks and gives their outcomes, in any order."""

from thinktime.study.executors.local import Local
from thinktime.study.executors.processes import Processes
from thinktime.study.executors.threads import Threads

__all__ = ["Local", "Processes", "Threads"]
