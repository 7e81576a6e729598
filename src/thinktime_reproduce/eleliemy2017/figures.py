"""The figures of eleliemy2017: the paper's 3 to 6, then the causes that it leaves open, and a table of all runs."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime import plots
from thinktime.metrics import CoreSeconds
from thinktime.result import Result
from thinktime.result.directory.staging import staged_file
from thinktime.workload import peak
from thinktime_reproduce.eleliemy2017.measured import simulated
from thinktime_reproduce.eleliemy2017.runs import (
    CURIE,
    GRAINS,
    HARDLY,
    HOSTS,
    HOURS,
    METRICS,
    MOST,
    SCHEDULERS,
    TECHNIQUES,
    VARIATIONS,
    VARIED,
    application,
    cells,
    combinations,
    ratios,
    read,
    times,
)
from thinktime_reproduce.reproduction import Findings, Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAPER_WINDOW_S = 133.0  # what Fig. 5 shows
SHOWN = 3  # jobs in it


def draw(findings: Findings, verdicts: Sequence[Verdict], directory: Path, formats: Sequence[str]) -> list[Path]:
    """Every figure, and combinations.csv."""
    found = [
        path for name, figure in _eleliemy_figures(findings) for path in plots.save(figure, directory / name, formats)
    ]
    return [*found, _write_cells_csv(findings, directory / "combinations.csv")]


def _eleliemy_figures(findings: Findings) -> Iterator[tuple[str, Figure]]:
    yield "fig03_parallel_time", plots.parallel_times(_times_by_variation(findings))
    yield "fig04_ratio", plots.ratio_lines(_sensitivity(findings), along="variation of task lengths")
    yield "fig05_cores", _draw_cores_of_three_jobs(findings)
    if len(findings.measured.get("wall", ())) > 1:
        yield "fig06_simulation_time", _simulation_times(findings)
    yield "causes", _causes(findings)
    yield "causes_tasks", _grain(findings)
    yield "cooperation", _cooperation(findings)


# --- the paper's --------------------------------------------------------------------------------------------


def _times_by_variation(findings: Findings) -> dict[str, dict[str, np.ndarray]]:
    return {
        f"{scheduler}-{technique}": {
            f"variation {variation:g}": times(findings, scheduler, technique, variation) for variation in VARIATIONS
        }
        for scheduler, technique in combinations()
    }


def _sensitivity(findings: Findings) -> dict[str, dict[str, dict[float, np.ndarray]]]:
    return {scheduler: _ratios_by_technique(findings, scheduler, VARIATIONS) for scheduler in SCHEDULERS}


def _ratios_by_technique(
    findings: Findings, scheduler: str, along: Sequence[float]
) -> dict[str, dict[float, np.ndarray]]:
    return {
        technique: {variation: ratios(findings, scheduler, technique, variation) for variation in along}
        for technique in TECHNIQUES
    }


def _draw_cores_of_three_jobs(findings: Findings) -> Figure:
    """FCFS and GSS on every core, while three jobs have the machine one after the other."""
    day = peak(read(findings.logs[CURIE]), hours=HOURS).workload
    from_0 = replace(day, columns={**day.columns, "submit_s": day["submit_s"] - day["submit_s"][0]})
    run = simulated(from_0, "gss")
    first_s, last_s = three_jobs(run)
    return plots.core_gantt(run, window=(first_s, last_s), title=f"FCFS-GSS, variation {MOST:g}")


def three_jobs(run: Result) -> tuple[float, float]:
    """Of all windows of the paper's length in which three jobs in a row run from start to end: the one whose jobs have
    most cores, then the longest. Without any, the begin of the run."""
    of = run.columns
    order = np.lexsort((of["end_s"], of["start_s"]))
    order = order[of["end_s"][order] > of["start_s"][order]]
    count = max(len(order) - SHOWN + 1, 0)
    rows = np.array([order[k : k + count] for k in range(SHOWN)])  # [k, i]: the k-th of the three that begin with i
    first_s, last_s, cores = of["start_s"][rows[0]], of["end_s"][rows].max(axis=0), of["processors"][rows].sum(axis=0)
    fits = np.flatnonzero(last_s - first_s <= PAPER_WINDOW_S)
    if not len(fits):
        begin_s = float(np.nanmin(of["start_s"]))
        return begin_s, begin_s + PAPER_WINDOW_S
    best = fits[np.lexsort((first_s[fits] - last_s[fits], -cores[fits]))[0]]
    return float(first_s[best]), float(last_s[best])


def _simulation_times(findings: Findings) -> Figure:
    wall = findings.measured["wall"]
    sizes = {name: np.array([each[name] for each in wall]) for name in ("jobs", "tasks")}
    seconds = np.array([each["cpu_s"] for each in wall])
    return plots.simulation_times(sizes, seconds, title=f"CPU time of FCFS-STATIC, variation {MOST:g}")


# --- what the paper leaves open -----------------------------------------------------------------------------


def _causes(findings: Findings) -> Figure:
    """With equal tasks all techniques are one; with the most variation each has its own."""
    rows: dict[str, CoreSeconds] = {}
    for scheduler in SCHEDULERS:
        rows[f"{scheduler}, equal tasks"] = spent(findings, scheduler, "STATIC", 0.0)
        rows |= {f"{scheduler}-{technique}": spent(findings, scheduler, technique, MOST) for technique in TECHNIQUES}
    return plots.core_second_bars(rows, HOSTS.processors, title=f"Where core-seconds went, variation {MOST:g}")


def spent(findings: Findings, scheduler: str, technique: str, variation: float, **more: Any) -> CoreSeconds:
    """Core-seconds by cause, means of the seeds."""
    of = cells(findings)[scheduler, application(technique, variation, **more)]
    whole = of["makespan_s"] * HOSTS.processors
    return CoreSeconds(*(float((of[f"{cause}_share"] * whole).mean()) for cause in CoreSeconds._fields))


def _grain(findings: Findings) -> Figure:
    """Variation from hardly any on, and ever more tasks a core."""
    by_grain = {
        technique: {float(grain): ratios(findings, "FCFS", technique, MOST, grain=grain) for grain in GRAINS}
        for technique in TECHNIQUES
    }
    panels = {
        "FCFS, one task a core": _ratios_by_technique(findings, "FCFS", (0.0, HARDLY, *VARIED)),
        f"FCFS, variation {MOST:g}": by_grain,
    }
    along = ("variation of task lengths", "tasks a core")
    return plots.ratio_lines(panels, along=along, doubling=(False, True))


def _cooperation(findings: Findings) -> Figure:
    panels: dict[str, dict[str, np.ndarray]] = {
        words: {
            f"{scheduler}-{technique}": gain(findings, scheduler, technique, metric)
            for scheduler, technique in combinations()
        }
        for words, metric in (("Parallel execution time", "makespan_s"), ("Mean wait", "wait_mean_s"))
    }
    return plots.changes(
        panels,
        title=f"Idle cores go back to the batch level at once, variation {MOST:g}",
        words="change against cores held until the job ends",
    )


def gain(findings: Findings, scheduler: str, technique: str, metric: str) -> np.ndarray:
    """With cores given back / with cores held, by seed."""
    of = cells(findings)
    held, given = (of[scheduler, application(technique, MOST, release)][metric] for release in ("end", "idle"))
    return given / held


def _write_cells_csv(findings: Findings, path: Path) -> Path:
    """Every cell: means of the seeds, and the standard deviation of the time between them."""
    with staged_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["scheduler", "application", "seeds", *METRICS, "makespan_sd_s"])
        for (scheduler, name), of in cells(findings).items():
            count = len(of["makespan_s"])
            means = [
                f"{of[metric].mean():.6g}" if "share" in metric else f"{of[metric].mean():.1f}" for metric in METRICS
            ]
            deviation = f"{of['makespan_s'].std(ddof=1):.1f}" if count > 1 else ""
            rows.writerow([scheduler, name, count, *means, deviation])
    return path
