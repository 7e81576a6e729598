"""Results: what a simulation returns, the run directory, exports and the check of every invariant."""

from thinktime.result.columns import JOB_COLUMNS, TIMELINE_COLUMNS
from thinktime.result.result import Result

__all__ = ["JOB_COLUMNS", "TIMELINE_COLUMNS", "Result"]
