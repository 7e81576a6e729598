"""Nothing prints a dump of arrays or an address."""

from __future__ import annotations

import re
from typing import Any

import pytest

import thinktime as tt
from thinktime.workload import batches, session_graph, sessions

LOG = tt.default_workload(jobs=150)
RUN = tt.simulate(LOG, 128)
NODES = tt.simulate(LOG, tt.Cluster(groups=[{"name": "n", "nodes": 128, "core": 1}]), plugins=["power"])
LOOP = tt.simulate(LOG, applications="loop")
SHOWN: dict[str, Any] = {
    "workload": LOG,
    "sessions": sessions(LOG),
    "batches": batches(LOG),
    "graph": session_graph(sessions(LOG)),
    "peak": tt.peak(LOG, hours=1),
    "result": RUN,
    "summary": RUN.summary(),
    "lateness": RUN.lateness(),
    "lateness by user": RUN.lateness(by="user"),
    "saturation": RUN.saturation(),
    "window": RUN.long_windows([3600.0], 0.0)[0],
    "cycle": RUN.cycle_distance(LOG),
    "box": RUN.slowdown_box(),
    "attempts": NODES.attempts_made,
    "load ratio": NODES.load_ratio(),
    "core seconds": LOOP.core_seconds(),
    "simulation": tt.Simulation(LOG, 128),
    "state": tt.Simulation(LOG, 128).run(until=5000).state,
}


@pytest.mark.parametrize("what", SHOWN)
def test_texts_are_short(what: str) -> None:
    text = repr(SHOWN[what])
    assert len(text) < 500
    assert "\n" not in text
    assert not re.search(r"array\(| at 0x", text)


@pytest.mark.parametrize("what", SHOWN)
def test_notebooks_show_a_table(what: str) -> None:
    html = SHOWN[what]._repr_html_()
    assert html.count("<table>") == html.count("</table>") == 1
    assert not re.search(r"array\(| at 0x", html)
