"""Workloads: jobs in memory after a named filter, with missing values instead of −1."""

from thinktime.workload.account import describe
from thinktime.workload.estimates import Estimates
from thinktime.workload.filters import FILTERS
from thinktime.workload.processors import PROCESSORS
from thinktime.workload.read import read_swf
from thinktime.workload.stream import SwfStream, stream_swf
from thinktime.workload.workload import COLUMNS, WHOLE, Workload
from thinktime.workload.write import write_swf

__all__ = [
    "COLUMNS",
    "FILTERS",
    "PROCESSORS",
    "WHOLE",
    "Estimates",
    "SwfStream",
    "Workload",
    "describe",
    "read_swf",
    "stream_swf",
    "write_swf",
]
