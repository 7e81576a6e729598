"""The specs of application levels outside the engine, and the search for a Python that has SimGrid."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from thinktime.applications import ApplicationContext, simgrid
from thinktime.applications.simgrid import VARIABLE, simgrid_python
from thinktime.spec import from_dict, parse


@pytest.mark.parametrize(
    "spec",
    [
        tt.SimGrid(),
        tt.SimGrid(technique="tap:alpha=1.5", variation=0.2, network="mesh", cores_per_node=64, python="python3"),
        tt.OtherSimulator(run="python3 mine.py --fast", workers=3, speeds=(1.0, 0.5), latency_ns=20.0),
    ],
)
def test_a_spec_reads_back_as_itself(spec: Any) -> None:
    assert from_dict("application", spec.to_dict()) == spec
    assert eval(repr(spec), {"SimGrid": tt.SimGrid, "OtherSimulator": tt.OtherSimulator}) == spec


def test_on_the_command_line() -> None:
    found = parse("application", "simgrid:technique=gss,variation=0.2,network=mesh,cores_per_node=64")
    assert found == tt.SimGrid(technique="gss", variation=0.2, network="mesh", cores_per_node=64)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"network": "ring"}, "network of simgrid is 'ring': choose one of none, mesh"),
        ({"workers": 0}, "workers of simgrid is 0: choose a whole number from 1 to 1024"),
        ({"workers": 1.5}, "workers of simgrid is 1.5"),
        ({"timeout_s": 0}, "timeout_s of simgrid is 0: choose a number of 0.001 or more"),
        ({"latency_ns": float("nan")}, "latency_ns of simgrid is nan"),
        ({"bandwidth_gbps": -1}, "bandwidth_gbps of simgrid is -1"),
        ({"service_ns": "fast"}, "service_ns of simgrid is 'fast'"),
        ({"message_bytes": None}, "message_bytes of simgrid is None"),
        ({"cores_per_node": True}, "cores_per_node of simgrid is True"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], why: str) -> None:
    with pytest.raises(tt.InputError, match=why):
        tt.SimGrid(**options)


def test_another_simulator_needs_a_command() -> None:
    with pytest.raises(tt.InputError, match="run of other-simulator is ' ': give the command"):
        tt.OtherSimulator(run=" ")


def test_messages_need_nodes() -> None:
    log = tt.Workload.from_columns(job=[1], submit_s=[0.0], run_s=[10.0], processors=[4])
    with pytest.raises(tt.InputError, match="all 8 cores are on one node, where messages take no time"):
        tt.simulate(log, tt.Machine(processors=8), tt.FCFS(), applications=tt.SimGrid(network="mesh", python="true"))


@pytest.mark.parametrize(
    ("cores_per_node", "expected"), [(None, [3, 5]), (4, [4, 4]), (3, [3, 3, 2]), (8, [8]), (100, [8])]
)
def test_cores_on_nodes(cores_per_node: int | None, expected: list[int]) -> None:
    context = ApplicationContext(None, 1.0, 8, 0, np.array([3, 5]))
    assert tt.SimGrid(cores_per_node=cores_per_node)._node_cores(context).tolist() == expected


# --- interpreters -------------------------------------------------------------------------------------------


def test_a_named_interpreter_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, sys.executable)
    assert simgrid_python() == sys.executable
    assert simgrid_python("true").endswith("/true")


def test_one_that_is_not_there() -> None:
    with pytest.raises(tt.InputError, match="No interpreter no-such-python: name a Python that has"):
        simgrid_python("no-such-python")


def test_the_first_that_has_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(simgrid, "_candidates", lambda: ["/bin/false", str(tmp_path / "none"), "/bin/true"])
    assert simgrid_python() == "/bin/true"


def test_no_interpreter_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(simgrid, "_candidates", lambda: ["/bin/false"])
    with pytest.raises(tt.InputError, match=r"no Python here has the module simgrid \(looked at /bin/false\): install"):
        simgrid_python()
