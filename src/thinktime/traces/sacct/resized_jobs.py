"""Jobs that changed their size while they ran: Slurm closes the record as RESIZING and opens another one.

Each part is a job of its own size, so that the work is exact. A later part follows the one before without a wait.
"""

from __future__ import annotations

import numpy as np

from thinktime.traces.sacct.job_blocks import cluster_hash
from thinktime.traces.sacct.job_table import JobTable
from thinktime.traces.sacct.seen_records import record_hash


def separate_parts(table: JobTable) -> JobTable:
    """Return the table with later parts submitted when they start; some versions of Slurm repeat the submission."""
    parts = table.numbers["resized"] > 0
    if not parts.any():
        return table
    start, jobs = table.numbers["start"], record_hash(table.numbers["job"], cluster_hash(table))
    rows = np.lexsort((start, jobs))
    before, after = rows[:-1], rows[1:]
    later = after[parts[before] & (jobs[before] == jobs[after])]
    numbers = dict(table.numbers)
    for name in ("submit", "eligible"):
        numbers[name] = numbers[name].copy()
        numbers[name][later] = start[later]
    return JobTable(numbers, table.texts)
