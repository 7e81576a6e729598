"""Reject: no job ever joins the queue. It measures the cost of everything but scheduling."""

from __future__ import annotations

from reference.job import Task
from reference.policy import Policy


class Reject(Policy):
    schedulers = ("reject",)

    def accepts(self, task: Task) -> bool:
        return False
