"""Policies in Python that the engine has too, for comparison."""

from __future__ import annotations

from typing import Any

import numpy as np

import thinktime as tt
from thinktime.spec import REGISTRY


class EasyInPython(tt.OwnScheduler, name="easy-in-python"):
    """EASY as reference/easy.py has it, on arrays."""

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> list[int]:
        rows, sizes, lengths = queue.row, queue.processors, queue.expected_s
        free, really_free = machine.free, machine.really_free
        heads = int(np.count_nonzero(np.cumsum(sizes) <= free))  # they fit one after the other
        started = list(range(heads))
        if heads == len(rows):
            return rows[:heads]
        taken = int(sizes[:heads].sum())
        shadow, extra = self._promise(now_s, queue, running, started, int(sizes[heads]), really_free - taken)
        free -= taken
        for at in range(heads + 1, len(rows)):
            if sizes[at] > free:
                continue
            if now_s + lengths[at] > shadow:
                if sizes[at] > extra:
                    continue
                extra -= sizes[at]
            free -= sizes[at]
            started.append(at)
        return rows[started]

    @staticmethod
    def _promise(now_s: float, queue: Any, running: Any, started: list[int], need: int, free: int) -> tuple[float, int]:
        """The head's shadow and what is extra then, with those who start now."""
        ends = np.concatenate([running.expected_end_s, now_s + queue.expected_s[started]])
        sizes = np.concatenate([running.processors, queue.processors[started]])
        order = np.argsort(ends, kind="stable")
        ends, after = np.maximum(ends[order], now_s), free + np.cumsum(sizes[order])
        shadow = ends[np.argmax(after >= need)]
        return float(shadow), int(after[np.searchsorted(ends, shadow, side="right") - 1]) - need


class SkipInPython(tt.OwnScheduler, name="skip-in-python"):
    """First come, first served, but any job that fits may pass: FCFS(skip=True)."""

    def schedule(self, now_s: float, queue: Any, running: Any, machine: Any) -> list[int]:
        free, answer = machine.free, []
        for row, size in zip(queue.row.tolist(), queue.processors.tolist(), strict=True):
            if size <= free:
                free -= size
                answer.append(row)
        return answer


def forget(*but: str) -> None:
    """Other tests go through the registry: own schedulers leave it."""
    known = REGISTRY["scheduler"]
    for name in [name for name, cls in known.items() if issubclass(cls, tt.OwnScheduler) and name not in but]:
        del known[name]
