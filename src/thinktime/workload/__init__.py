"""Workloads: jobs in memory after a named filter, with missing values instead of −1."""

from thinktime.workload.account import describe
from thinktime.workload.batches import Batches, batches
from thinktime.workload.busiest import Peak, peak
from thinktime.workload.estimates import Estimates
from thinktime.workload.filters import FILTERS
from thinktime.workload.groups import UNKNOWN_USER, known_end_s
from thinktime.workload.processors import PROCESSORS
from thinktime.workload.read import read_swf
from thinktime.workload.session_graph import SessionGraph, session_graph
from thinktime.workload.sessions import DELIMITERS, Sessions, sessions
from thinktime.workload.stream import SwfStream, stream_swf
from thinktime.workload.workload import COLUMNS, WHOLE, Workload
from thinktime.workload.write import write_swf

__all__ = [
    "COLUMNS",
    "DELIMITERS",
    "FILTERS",
    "PROCESSORS",
    "UNKNOWN_USER",
    "WHOLE",
    "Batches",
    "Estimates",
    "Peak",
    "SessionGraph",
    "Sessions",
    "SwfStream",
    "Workload",
    "batches",
    "describe",
    "known_end_s",
    "peak",
    "read_swf",
    "session_graph",
    "sessions",
    "stream_swf",
    "write_swf",
]
