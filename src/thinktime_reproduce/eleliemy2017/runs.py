"""The runs of eleliemy2017: which they are, and what claims and figures take from them.

Besides the paper's twelve combinations and five variations there are runs for what it leaves open: with cores given
back as they fall idle, with more tasks a core, and with a variation so small that only the number of tasks differs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.platforms import Cluster
from thinktime.study import Study
from thinktime.workload import Workload, peak, read_swf
from thinktime_reproduce.reproduction import Findings

CURIE = "Curie"
LOGS = {CURIE: "CEA-Curie-2011-2.1-cln.swf"}
FILTER = "alea"  # the paper's batch level is Alea: it takes allocated processors, and estimates no shorter than the run
HOURS = 24

SCHEDULERS = {"FCFS": "fcfs", "EDF": "edf", "SJF": "sjf"}
TECHNIQUES = {"STATIC": "static", "SS": "ss", "GSS": "gss", "FAC": "fac"}
VARIATIONS = (0.0, 0.1, 0.15, 0.2, 0.25)
VARIED, MOST = VARIATIONS[1:], VARIATIONS[-1]
HARDLY = 0.001  # tasks of nearly equal length, whose number is yet drawn
GRAINS = (1, 2, 4, 8, 16)  # tasks a core
SEEDS = 10
FEWER = 5  # seeds of runs with many tasks
METRICS = ("makespan_s", "wait_mean_s", "tasks_share", "overhead_share", "imbalance_share", "waiting_share",
           "unneeded_share")  # fmt: skip

HOSTS = Cluster(groups=[{"name": "host", "nodes": 4, "core": 64}], memory="ignore", title="4 hosts of 64 cores")

Cells = dict[tuple[str, str], dict[str, np.ndarray]]  # (scheduler, application) → metric → value by seed


def application(technique: str, variation: float, release: str = "end", grain: int = 1) -> str:
    """The name of an entry: `GSS 0.25`, `GSS 0.25 idle`, `GSS 0.25 x4`."""
    return f"{technique} {variation:g}" + (" idle" if release == "idle" else "") + (f" x{grain}" if grain > 1 else "")


def _entry(technique: str, variation: float, release: str = "end", grain: int = 1) -> dict[str, str]:
    options = f"technique={TECHNIQUES[technique]},variation={variation:g},release={release},tasks_per_core={grain}"
    return {"name": application(technique, variation, release, grain), "spec": f"loop:{options}"}


def _of_all() -> Iterator[dict[str, str]]:
    """For every scheduler: the paper's, and the same with cores given back."""
    for technique in TECHNIQUES:
        yield from (_entry(technique, variation) for variation in VARIED)
        yield _entry(technique, MOST, "idle")


def _finer() -> Iterator[dict[str, str]]:
    for technique in TECHNIQUES:
        yield from (_entry(technique, MOST, grain=grain) for grain in GRAINS[1:])


def study(label: str, log: Path) -> Study:
    ideal = [_entry(technique, 0.0) for technique in TECHNIQUES]
    hardly = [_entry(technique, HARDLY) for technique in TECHNIQUES]
    parts = [ideal, list(_of_all()), hardly, list(_finer())]
    names = [[entry["name"] for entry in part] for part in parts]
    return Study.of(
        name="eleliemy2017",
        question="What do decisions inside jobs do to the batch, and what would the two levels gain together?",
        workloads=[{"name": label, "log": str(log), "filter": FILTER, "remove": outside(read(log))}],
        platforms=[{"name": "4x64", "spec": HOSTS}],
        schedulers=[{"name": name, "spec": spec} for name, spec in SCHEDULERS.items()],
        applications=[entry for part in parts for entry in part],
        rules=[{"name": "clipped", "oversized": "clip"}],
        seeds=SEEDS,
        only=[
            {"applications": names[0], "seed": 1},  # equal tasks: nothing is drawn
            {"applications": names[1]},
            {"scheduler": "FCFS", "applications": names[2]},
            {"scheduler": "FCFS", "applications": names[3], "seed": list(range(1, FEWER + 1))},
        ],
    )


def read(log: Path) -> Workload:
    return read_swf(log, filter=FILTER)


def outside(workload: Workload) -> list[str]:
    """What is removed so that the most intensive day remains."""
    window = peak(workload, hours=HOURS)
    return [f"submit<{window.from_s!r} or submit>={window.until_s!r}"]


# --- what came out ------------------------------------------------------------------------------------------


def cells(findings: Findings) -> Cells:
    """Read once."""
    if "cells" not in findings.kept:
        findings.kept["cells"] = _collected(findings)
    found: Cells = findings.kept["cells"]
    return found


def _collected(findings: Findings) -> Cells:
    outcomes = findings.stores[CURIE].outcomes
    found: dict[tuple[str, str], list[list[float]]] = {}
    for task in findings.studies[CURIE].tasks():
        summary = (outcomes.get(task.run) or {}).get("summary") or {}
        values = [_float_or_nan(summary.get(name)) for name in METRICS]
        found.setdefault((task.cell["scheduler"], task.cell["applications"]), []).append(values)
    return {cell: dict(zip(METRICS, np.array(rows).T, strict=True)) for cell, rows in found.items()}


def _float_or_nan(value: Any) -> float:
    return float("nan") if value is None else float(value)


def times(findings: Findings, scheduler: str, technique: str, variation: float, **more: Any) -> np.ndarray:
    """T_par, from the first arrival to the last end, by seed."""
    return cells(findings)[scheduler, application(technique, variation, **more)]["makespan_s"]


def time_s(findings: Findings, scheduler: str, technique: str, variation: float, **more: Any) -> float:
    """The mean of the seeds."""
    return float(times(findings, scheduler, technique, variation, **more).mean())


def ratios(findings: Findings, scheduler: str, technique: str, variation: float, **more: Any) -> np.ndarray:
    """How many times the ideal time, by seed."""
    return times(findings, scheduler, technique, variation, **more) / time_s(findings, scheduler, technique, 0.0)


def combinations() -> Iterator[tuple[str, str]]:
    for scheduler in SCHEDULERS:
        for technique in TECHNIQUES:
            yield scheduler, technique
