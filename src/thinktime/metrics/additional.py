"""What plugins add to a summary, from the aborted runs and the plugins' tables; over the whole run."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

HOUR_S = 3600.0
Columns = Mapping[str, np.ndarray]
Values = dict[str, float | int]


def plugin_metrics(attempts: Columns, reports: Mapping[str, Columns], span_s: tuple[float, float]) -> Values:
    """By the names of `PLUGIN_METRICS`; what no plugin of the run knows is left out. The run was in `span_s`."""
    values: Values = {}
    if "failures" in reports or len(attempts["row"]):
        values |= _of_attempts(attempts)
    if "failures" in reports:
        values["failures"] = len(reports["failures"]["node"])
        values["broken_node_h"] = broken_node_s(reports["failures"], *span_s) / HOUR_S
    if "node_energy" in reports:
        values |= _of_power(reports["node_energy"], reports["job_energy"], reports["power"])
    if "node_temperatures" in reports:
        values["temperature_max_c"] = float(reports["node_temperatures"]["max_c"].max(initial=-np.inf))
    return values


def broken_node_s(failures: Columns, t1: float, t2: float) -> float:
    """Seconds from t1 to t2 in which nodes were broken, of all nodes together; one that stays so is until t2."""
    repaired_s = np.where(np.isnan(failures["repaired_s"]), np.inf, failures["repaired_s"])
    return float(np.maximum(np.minimum(repaired_s, t2) - np.maximum(failures["broken_s"], t1), 0.0).sum())


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
