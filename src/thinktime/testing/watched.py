"""Watch a policy in Python: its arguments must be unchanged after its answer."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from thinktime.allocators import OwnAllocator
from thinktime.schedulers import OwnScheduler

SHOWN = {
    "queue": ("row", "submit_s", "estimate_s", "expected_s", "processors"),
    "running": ("row", "start_s", "expected_end_s", "processors"),
}


class ChangedError(AssertionError):
    """The policy has written into its arguments, or answered differently."""


def watched(policy: Any) -> Any:
    """Return the policy, watched; policies of the engine are returned as they are."""
    if not isinstance(policy, OwnScheduler | OwnAllocator):
        return policy
    watch = _WatchedScheduler if isinstance(policy, OwnScheduler) else _WatchedAllocator
    seen = copy.copy(policy)
    object.__setattr__(seen, "start", lambda *arguments: watch(policy.start(*arguments)))
    return seen


class _WatchedScheduler:
    def __init__(self, policy: Any) -> None:
        self.policy = policy
        for hook in ("submitted", "ended"):
            if hasattr(policy, hook):
                setattr(self, hook, getattr(policy, hook))

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> Any:
        parts = {"queue": queue, "running": running}
        shown = {f"{part}.{name}": getattr(parts[part], name) for part, names in SHOWN.items() for name in names}
        before = {name: array.copy() for name, array in shown.items()}
        answer = self.policy.schedule(now_s, queue, running, machine)
        _require_unchanged(shown, before)
        return answer


class _WatchedAllocator:
    def __init__(self, policy: Any) -> None:
        self.policy = policy

    def place(self, job: Any, units: int, nodes: Any) -> Any:
        shown = {"job.unit": job.unit, **{f"nodes.{name}": array for name, array in nodes._asdict().items()}}
        before = {name: array.copy() for name, array in shown.items()}
        answer = self.policy.place(job, units, nodes)
        _require_unchanged(shown, before)
        again = self.policy.place(job, units, nodes)
        if repr(answer) != repr(again):
            raise ChangedError("answers differently to the same question: decide by the arguments alone")
        return answer


def _require_unchanged(shown: dict[str, np.ndarray], before: dict[str, np.ndarray]) -> None:
    for name, array in shown.items():
        if not np.array_equal(array, before[name], equal_nan=True):
            raise ChangedError(f"writes into {name}, which is the engine's: work on a copy")
