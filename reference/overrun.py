"""What happens when a job runs longer than its estimate, and how long the scheduler expects a job to run.

    overrun        the job runs                 the scheduler expects it to take
    kill           min(run, estimate)           estimate
    extend         run                          max(estimate, run): the overrun is known beforehand
    extend-blind   run                          estimate; when that has passed: "it ends now", again and again

`run` is the time on this machine: the recorded run time divided by the machine's speed. Estimates are what the user
wrote, whatever the speed (`recorded`); or they are divided by the speed too (`scaled`).
"""

from __future__ import annotations

from reference.job import Job, Task

RULES = ("kill", "extend", "extend-blind")


def make_task(
    index: int, job: Job, submit: float, machine: int, speed: float, overrun: str, estimates: str = "recorded"
) -> Task:
    """The job as this machine will run it. A job larger than the machine is clipped to the machine."""
    run = job.run / speed
    estimate = job.estimate / speed if estimates == "scaled" else float(job.estimate)
    killed = overrun == "kill" and run > estimate
    return Task(
        index=index,
        submit=float(submit),
        processors=min(job.processors, machine),
        estimate=estimate,
        duration=estimate if killed else run,
        expected_length=max(estimate, run) if overrun == "extend" else estimate,
        killed=killed,
        user=job.user,
        attributes=job.attributes,
        unit=job.unit,
        pools=job.pools,
        owner=job.owner,
    )


def seen_end(task: Task, now: float) -> float:
    """When the scheduler believes a running job will end: never in the past.

    Only under extend-blind can the expected end lie in the past while the job still runs.
    """
    return max(now, task.expected_end)
