"""Executors run the tasks of a study: here, in other processes, or on a cluster. Outcomes come in any order."""

from thinktime.study.executors.local import Local
from thinktime.study.executors.processes import Processes
from thinktime.study.executors.threads import Threads

__all__ = ["Local", "Processes", "Threads"]
