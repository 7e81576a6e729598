"""Results: what a simulation returns, the run directory, exports and the check of every invariant."""

from thinktime.result.attempts import ATTEMPT_COLUMNS, Attempts
from thinktime.result.columns import DECISION_COLUMNS, JOB_COLUMNS, TIMELINE_COLUMNS
from thinktime.result.invariants import Violation, check, check_directory
from thinktime.result.parquet_stream import ParquetStream
from thinktime.result.placements import PLACEMENT_COLUMNS, empty_placements
from thinktime.result.result import Result
from thinktime.result.streamed import StreamedRun

__all__ = [
    "ATTEMPT_COLUMNS",
    "DECISION_COLUMNS",
    "JOB_COLUMNS",
    "PLACEMENT_COLUMNS",
    "TIMELINE_COLUMNS",
    "Attempts",
    "ParquetStream",
    "Result",
    "StreamedRun",
    "Violation",
    "check",
    "check_directory",
    "empty_placements",
]
