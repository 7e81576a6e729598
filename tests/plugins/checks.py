"""What must hold for every run with plugins."""

from __future__ import annotations

import math

import numpy as np
import pytest

import thinktime as tt
from thinktime.result.given_back import held_on_nodes


def no_job_on_a_broken_node(result: tt.Result) -> None:
    """Of all runs, aborted ones too."""
    assert isinstance(result.cluster, tt.Cluster)
    every, start, end, _ = held_on_nodes(result, result.cluster)
    broken = result.report_columns["failures"]
    until = np.where(np.isnan(broken["repaired_s"]), math.inf, broken["repaired_s"])
    for node, begin, over in zip(broken["node"], broken["broken_s"], until, strict=True):
        there = every.node == node
        assert not (there & (start < over) & (end > begin)).any()


STATES = ("off", "boot", "idle", "active", "down")


def assert_balance(result: tt.Result) -> None:
    """Jobs have used what active nodes drew; and the trace holds what the nodes say."""
    nodes, jobs = result.report_columns["node_energy"], result.report_columns["job_energy"]["energy_j"]
    active = float(np.sum(nodes["active_j"]))
    assert float(np.sum(jobs)) == pytest.approx(active, rel=1e-12, abs=1e-6)
    trace = result.report_columns["power"]
    end = max(trace["time_s"][-1], float(np.nanmax(result.timeline_columns["time_s"])))
    lasting = np.diff(np.append(trace["time_s"], end))
    for state in STATES:
        assert float(np.sum(trace[f"{state}_w"] * lasting)) == pytest.approx(
            np.sum(nodes[f"{state}_j"]), rel=1e-9, abs=1e-3
        )
