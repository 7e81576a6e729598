"""Zakay, Feitelson 2013: workload resampling. Tables I to VII and figures 1 to 16, on the logs at hand.

Workloads are described, resampled by users, made longer and busier, and simulated under EASY; the claims are in
`tables`, `resemblance` and `performance`, the runs in `runs`, and readings of
the paper, tolerances and reasons in `rules`.
"""

from __future__ import annotations

from functools import partial

from thinktime_reproduce.reproduction import Reproduction
from thinktime_reproduce.zakay2013 import performance, resemblance, tables
from thinktime_reproduce.zakay2013.figures import draw
from thinktime_reproduce.zakay2013.runs import FULL, Effort, prepare, study
from thinktime_reproduce.zakay2013.values import LOGS

PARTS = (tables, resemblance, performance)
NOTES = (
    "processors: the allocated ones; estimates: the requested times; sessions end after a pause of an hour",
    "jobs without an estimate are left out of Tables II to IV and VI and Figs. 1 and 2; all other tables have all jobs",
    "rules below the tables are readings that were chosen because they fit; rows say whether on this log",
    "temporary users within 4 weeks of the ends are left out of resamples, as the text says",
    "figures that the paper draws of logs which few have are judged and drawn of KTH-SP2 (and CTC-SP2) too",
)


def reproduction(effort: Effort = FULL) -> Reproduction:
    """With another effort than the paper's: for a quick look, and for tests."""
    simulated = (
        f"{effort.simulated:,} resamples are simulated, fewer of a log with more than"
        f" {effort.most_jobs / effort.simulated:,.0f} jobs, so that they have {effort.most_jobs:,.0f} together, but"
        f" {effort.least:,} at least; slowdowns are bounded, at 10 s"
    )
    return Reproduction(
        name="zakay2013",
        paper="N. Zakay, D. G. Feitelson. Workload Resampling for Performance Evaluation of Parallel Job Schedulers."
        " Concurrency and Computation: Practice and Experience, 2014 (first ICPE 2013)",
        logs=LOGS,
        study=study,
        claims=[each for part in PARTS for each in part.claims()],
        notes=(*NOTES, simulated),
        needs={label: f"needs {' or '.join(files)}" for label, files in LOGS.items()},
        prepare=partial(prepare, effort=effort),
        draw=draw,
    )


ZAKAY2013 = reproduction()
