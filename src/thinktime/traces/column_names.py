"""The names of the columns of a workload, and names that further columns may not have."""

from __future__ import annotations

#: The columns of a workload in SWF's order. Times in seconds, memory in KB per processor.
COLUMNS = (
    "job",
    "submit_s",
    "wait_s",
    "run_s",
    "allocated_processors",
    "cpu_s",
    "used_memory_kb",
    "requested_processors",
    "requested_time_s",
    "requested_memory_kb",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding_job",
    "think_time_s",
)

#: All columns with a meaning here; others are attributes.
STANDARD = (*COLUMNS, "processors", "line")

#: Columns that hold whole numbers: Int64 in the data frame. The others are Float64.
WHOLE = frozenset(STANDARD) - {c for c in COLUMNS if c.endswith("_s")}

#: Columns whose values name something.
NAMES = frozenset({"job", "user", "group", "executable", "queue", "partition", "preceding_job"})

#: Columns of numbers that may have names: texts become numbers, and the names are kept in the types.
NAMED = ("user", "group", "executable", "queue", "partition")

#: Names with a meaning in keys, own schedulers and results.
_ELSEWHERE = frozenset(
    {
        *("row", "submit", "wait", "estimate", "area", "deadline", "now", "value", "column"),
        *("start_s", "end_s", "estimate_s", "expected_s", "expected_end_s", "session", "overhead_s", "nodes"),
        *("recorded_submit_s", "recorded_start_s", "recorded_end_s", "cluster_queue", "inside", "cores"),
    }
)
#: Names that no attribute may have, and beginnings of the names of columns that clusters add to a result.
RESERVED = frozenset(STANDARD) | _ELSEWHERE
RESERVED_BEGINNINGS = ("unit_", "pool_")
