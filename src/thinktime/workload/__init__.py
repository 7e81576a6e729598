"""Workloads: jobs in memory after a named filter, with missing values instead of −1."""

from thinktime.traces.attributes import ColumnType, TypedColumns, typed_columns
from thinktime.traces.column_names import COLUMNS, STANDARD, WHOLE
from thinktime.workload.estimates import Estimates
from thinktime.workload.load_scaling import LoadScaling
from thinktime.workload.peak_window import Peak, peak
from thinktime.workload.reading.account import describe
from thinktime.workload.reading.filters import FILTERS
from thinktime.workload.reading.job_columns import PROCESSORS
from thinktime.workload.reading.read import read, read_swf
from thinktime.workload.reading.read_sacct import read_sacct
from thinktime.workload.reading.stream import LogStream, stream, stream_swf
from thinktime.workload.scaled_load import scale_load
from thinktime.workload.user_sessions.batches import Batches, batches
from thinktime.workload.user_sessions.graph import SessionGraph, session_graph
from thinktime.workload.user_sessions.groups import UNKNOWN_USER, known_end_s
from thinktime.workload.user_sessions.sessions import DELIMITERS, Sessions, sessions
from thinktime.workload.workload import Workload
from thinktime.workload.writing import write_swf

__all__ = [
    "COLUMNS",
    "DELIMITERS",
    "FILTERS",
    "PROCESSORS",
    "STANDARD",
    "UNKNOWN_USER",
    "WHOLE",
    "Batches",
    "ColumnType",
    "Estimates",
    "LoadScaling",
    "LogStream",
    "Peak",
    "SessionGraph",
    "Sessions",
    "TypedColumns",
    "Workload",
    "batches",
    "describe",
    "known_end_s",
    "peak",
    "read",
    "read_sacct",
    "read_swf",
    "scale_load",
    "session_graph",
    "sessions",
    "stream",
    "stream_swf",
    "typed_columns",
    "write_swf",
]
