"""Messages with the loops of jobs for other simulators: the tasks and chunks are those of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from thinktime.applications.application import ApplicationContext
from thinktime.applications.worker_messages import JobMessage

if TYPE_CHECKING:
    from thinktime.applications.loop import Loop

WORD = 2**64  # keys of random streams are counted modulo this


class LoopJobs:
    """Makes the message of a job, with the same tasks and chunks as in the engine."""

    def __init__(
        self, loop: Loop, context: ApplicationContext, node_cores: np.ndarray, network: dict[str, float] | None
    ) -> None:
        """`node_cores` are the cores of each node; they matter only with a network."""
        from thinktime import _engine

        self.loop, self.network = loop, network
        self.plan = {name: _whole_array(value) for name, value in loop.plan(context).items()}
        self._engine, self._tasks = _engine, _engine.Loops(self.plan)
        self._node = np.repeat(np.arange(len(node_cores)), node_cores) if network else None
        self.adaptive = self._technique().adaptive

    def of(self, row: int, each_s: float, start_s: float, cores: np.ndarray) -> JobMessage:
        tasks = np.asarray(self._tasks.tasks(row, len(cores), each_s))
        speeds = self.plan.get("speeds", np.ones(1))
        of_cores = speeds[cores % len(speeds)]
        return JobMessage(
            row=row,
            tasks=tasks,
            speeds=of_cores,
            **(self._chunks(row, each_s, len(tasks), of_cores) if len(tasks) else {}),
            overhead_s=self.loop.overhead_s,
            slowdowns=self._slowdowns(start_s, cores),
            nodes=None if self._node is None else self._node[cores],
            network=self.network,
        )

    def _technique(self) -> Any:
        return self._engine.Technique(self.plan["technique"], self._options())

    def _options(self) -> dict[str, Any]:
        return {name: value for name, value in self.plan.items() if not isinstance(value, np.ndarray)}

    def _chunks(self, row: int, each_s: float, tasks: int, speeds: np.ndarray) -> dict[str, Any]:
        """Return a sequence of chunks, or a technique if the sizes depend on the core that asks."""
        mean_s = each_s / self.loop.tasks_per_core
        facts = {"mean_s": mean_s, "deviation_s": mean_s * float(self.plan["variation"])}
        key = {
            "key_low": int(self.plan["technique_low"]),
            "key_high": (int(self.plan["technique_high"]) + row) % WORD,
        }
        loop: dict[str, Any] = {
            "tasks": tasks,
            "cores": len(speeds),
            "overhead_s": self.loop.overhead_s,
            **facts,
            **key,
        }
        if not self.adaptive:
            return {"chunks": self._engine.chunk_sequence(self.plan["technique"], self._options(), **loop)}
        technique = self._technique()
        technique.begin(speeds=speeds if self.loop.speeds or self.loop.slowdowns else np.zeros(0), **loop)
        return {"technique": technique}

    def _slowdowns(self, start_s: float, cores: np.ndarray) -> list[tuple[int, float, float, float]]:
        """Return the slowdowns that end after the start of the job, in seconds from its start."""
        if "slowed" not in self.plan:
            return []
        first = self.plan["slow_first"]
        begin, until, factor = (self.plan[f"slow_{name}"] for name in ("from_s", "until_s", "factor"))
        known = np.flatnonzero(cores < len(first) - 1)
        return [
            (int(core), begin[k] - start_s, until[k] - start_s, factor[k])
            for core in known
            for k in range(first[cores[core]], first[cores[core] + 1])
            if until[k] > start_s
        ]


def _whole_array(value: Any) -> Any:
    return np.ascontiguousarray(value) if isinstance(value, np.ndarray) else value
