"""SimGrid as the application level."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from thinktime.applications.elsewhere import PlayedElsewhere
from thinktime.applications.interpreters import simgrid_python

WORKER = Path(__file__).parent / "workers" / "simgrid_worker.py"


class SimGrid(PlayedElsewhere, name="simgrid"):
    """The loops of `loop`, played by SimGrid 3.32 or 4.1 in processes of their own.

    `python` is an interpreter with the module `simgrid`; without it, the first that has it of ours, `python3` on the
    path and `/usr/bin/python3`. There is a worker for each CPU, or `workers`; one that says nothing for `timeout_s` has
    failed. With the network `none` cores get chunks at once, as in `loop`. With `mesh` they ask a master on the node
    of the job's first core by messages of `message_bytes`, over lines between nodes of `bandwidth_gbps` and
    `latency_ns` (the paper's 50 Gb/s and 500 ns); the master answers one at a time, each after `service_ns`. Nodes are
    the cluster's, or have `cores_per_node`.

    Casanova, Giersch, Legrand, Quinson and Suter, "Versatile, scalable, and accurate simulation of distributed
    applications and platforms", 2014.
    """

    python: str | None = None

    @property
    def starts(self) -> str:
        return f"`{self.python or 'python3'} {WORKER.name}`"

    @classmethod
    def own_command(cls, spec: Mapping[str, Any]) -> str:
        """Nothing, unless it names an interpreter: the worker is thinktime's."""
        return f"`{spec['python']} {WORKER.name}`" if spec.get("python") else ""

    def command(self) -> list[str]:
        return [simgrid_python(self.python), str(WORKER)]
