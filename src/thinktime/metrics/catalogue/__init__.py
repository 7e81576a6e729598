"""The catalogue of metrics: one row per metric, in the order in which they are printed.

Summaries, selected metrics, running sums, comparisons by block, tables, studies, plots and the reference page read it.
To add a metric, add a row. Metrics of a plugin are in its spec class (`Plugin.metrics`), and are part of the catalogue.

Symbols of the formulas: a = submit, s = start, f = end, d = run time, r = processors of a job; P = processors of the
machine; [t1, t2] = window; q = waiting jobs or processors.
"""

from __future__ import annotations

from thinktime.metrics.catalogue.application_rows import ABORT_ROWS, APPLICATION_ROWS
from thinktime.metrics.catalogue.job_rows import COUNT_ROWS, JOB_ROWS
from thinktime.metrics.catalogue.machine_rows import MACHINE_ROWS, QUEUE_ROWS
from thinktime.metrics.catalogue.user_rows import LATENESS_ROWS, USER_ROWS
from thinktime.metrics.metric import Catalogue

CATALOGUE = Catalogue(
    (
        *COUNT_ROWS,
        *JOB_ROWS,
        *MACHINE_ROWS,
        *QUEUE_ROWS,
        *USER_ROWS,
        *LATENESS_ROWS,
        *APPLICATION_ROWS,
        *ABORT_ROWS,
    )
)
