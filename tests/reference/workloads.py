"""Short ways to write hand-made workloads and their schedules in the tests of the reference."""

from __future__ import annotations

from typing import Any

from reference import Job, simulate


def job(submit: float, processors: int, run: float, estimate: float | None = None) -> Job:
    """Estimates are exact unless given."""
    return Job(submit, run, processors, run if estimate is None else estimate)


def schedule(jobs: list[Job], processors: int, name: str, **options: Any) -> list[tuple[float, float]]:
    """(start, end) of every job. Options of `simulate` and of the scheduler may be mixed."""
    general = ("same_instant", "overrun", "speed", "oversized", "users")
    scheduler = {"name": name} | {key: value for key, value in options.items() if key not in general}
    outcomes = simulate(jobs, processors, scheduler, **{key: value for key, value in options.items() if key in general})
    return [(outcome.start, outcome.end) for outcome in outcomes]


def starts(jobs: list[Job], processors: int, name: str, **options: Any) -> list[float]:
    return [start for start, _ in schedule(jobs, processors, name, **options)]
