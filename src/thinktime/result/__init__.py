"""Results of simulations: tables and metrics, the run directory, exports, and checks of invariants."""

from thinktime.result.attempts import ATTEMPT_COLUMNS, Attempts
from thinktime.result.checks.invariants import Violation, check, check_directory
from thinktime.result.columns import DECISION_COLUMNS, JOB_COLUMNS, TIMELINE_COLUMNS
from thinktime.result.directory.parquet_stream import ParquetStream
from thinktime.result.directory.streamed_run import StreamedRun
from thinktime.result.placements import PLACEMENT_COLUMNS, empty_placements
from thinktime.result.result import Result
from thinktime.result.writer import OwnWriter, Writer, write

__all__ = [
    "ATTEMPT_COLUMNS",
    "DECISION_COLUMNS",
    "JOB_COLUMNS",
    "PLACEMENT_COLUMNS",
    "TIMELINE_COLUMNS",
    "Attempts",
    "OwnWriter",
    "ParquetStream",
    "Result",
    "StreamedRun",
    "Violation",
    "Writer",
    "check",
    "check_directory",
    "empty_placements",
    "write",
]
