"""Zakay, Feitelson 2013: workload resampling. Tables II to VII and figures 1 to 16, on the logs at hand.

Workloads are described, resampled by users, made longer and busier, and simulated under EASY; the claims are in
`zakay2013_tables` and `zakay2013_performance`, the runs in `zakay2013_runs`.
"""

from __future__ import annotations

from functools import partial

from thinktime.reproduce import zakay2013_performance, zakay2013_tables
from thinktime.reproduce.reproduction import Reproduction
from thinktime.reproduce.zakay2013_figures import draw
from thinktime.reproduce.zakay2013_runs import FULL, Effort, prepare, study
from thinktime.reproduce.zakay2013_values import LOGS

NOTES = (
    "processors: the allocated ones; estimates: the requested times; sessions end after a pause of an hour",
    "EASY lets a candidate start only if it is over by the shadow (no extra processors), as in the authors' next paper",
    "long-term users begin at a random week of the log, not of their own activity as the text says: only so Table VI"
    " comes out (docs/design_decisions.md); temporary users within 4 weeks of the ends are left out, as the text says",
    "Table V: 60 days instead of 4 weeks, counted from time 0 of the log; with them its counts come out",
    "Table III: shares of identical pairs; Table IV: mean similarity of pairs, within 0.03; Table II cannot be what its"
    " caption says",
    "tolerances: Table V, users exactly, jobs 0.1 %; Table VI, 0.5 %; Table VII, 0.06; of resamples in both, two"
    " standard deviations as printed",
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
        claims=[*zakay2013_tables.claims(), *zakay2013_performance.claims()],
        notes=(*NOTES, simulated),
        needs={label: f"needs {' or '.join(files)}" for label, files in LOGS.items()},
        prepare=partial(prepare, effort=effort),
        draw=draw,
    )


ZAKAY2013 = reproduction()
