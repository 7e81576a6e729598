"""What plugins add to a summary, from the aborted runs and the plugins' tables; over the whole run."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

Columns = Mapping[str, np.ndarray]


def plugin_metrics(attempts: Columns, reports: Mapping[str, Columns]) -> dict[str, float | int]:
    """By the names of `PLUGIN_METRICS`; what no plugin of the run knows is left out."""
    values: dict[str, float | int] = {}
    if "failures" in reports or len(attempts["row"]):
        values |= _of_attempts(attempts)
    if "failures" in reports:
        values["failures"] = len(reports["failures"]["node"])
    if "node_energy" in reports:
        values |= _of_power(reports["node_energy"], reports["job_energy"], reports["power"])
    if "node_temperatures" in reports:
        values["temperature_max_c"] = float(reports["node_temperatures"]["max_c"].max(initial=-np.inf))
    return values


def _of_attempts(attempts: Columns) -> dict[str, float | int]:
    """Wasted is what aborted runs held processors for, without what a checkpoint saved."""
    wasted = attempts["processors"] * (attempts["end_s"] - attempts["start_s"] - attempts["saved_s"])
    lost = int(np.count_nonzero(attempts["lost"]))
    return {
        "aborted_runs": len(wasted),
        "restarts": len(wasted) - lost,
        "jobs_lost": lost,
        "wasted_processor_s": float(wasted.sum()),
    }


def _of_power(nodes: Columns, jobs: Columns, trace: Columns) -> dict[str, float | int]:
    joules = {name: float(values.sum()) for name, values in nodes.items() if name.endswith("_j")}
    seconds = sum(float(values.sum()) for name, values in nodes.items() if name.endswith("_s")) / len(nodes["node"])
    total = sum(joules.values())
    drawn = sum(values for name, values in trace.items() if name.endswith("_w"))
    return {
        "energy_j": total,
        "job_energy_j": float(jobs["energy_j"].sum()),
        "idle_energy_j": joules["idle_j"],
        "power_mean_w": total / seconds if seconds > 0 else float("nan"),
        "power_max_w": float(np.max(drawn, initial=0.0)),
    }
