"""The batch jobs that a study asked for: whether the site took them, and whether it still knows them.

dask_jobqueue reports a refused job nowhere that a caller could see, and never asks what became of one that ended
before its worker called: without this, a wrong account or a missing Python would be an endless wait.
"""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING, Any

from thinktime.errors import InputError

if TYPE_CHECKING:
    from dask_jobqueue.core import Job, JobQueueCluster
    from distributed import Client

#: system → command that lists the jobs whose numbers are added; it prints nothing for those that have ended
LISTED = {
    "slurm": ["squeue", "--noheader", "--format=%i", "--jobs"],
    "pbs": ["qstat"],
}
PAUSE_S = 0.2  # between two looks at who called
ASK_S = 5.0  # between two questions to the queueing system, which may be slow
TIMES = 2  # questions in a row without a job, until it is believed


def recording(job: type[Job], refused: list[str]) -> type[Job]:
    """The class of jobs, which also writes down why the site refused one."""
    from distributed.deploy.spec import ProcessInterface

    class Recording(job):
        async def start(self) -> None:
            try:
                await super().start()
            except RuntimeError as error:
                refused.append(_said(str(error)))
                await ProcessInterface.start(self)

    return Recording


def wait_for_worker(client: Client, cluster: JobQueueCluster, system: str, refused: list[str], logs: str) -> None:
    """Until the first worker calls, however long the queue; an InputError once none can."""
    asked, absent = time.monotonic(), 0
    while not client.nthreads():
        ids = [job.job_id for job in cluster.workers.values() if job.job_id]
        if refused and not ids:
            raise InputError(f"{system} refuses the jobs ({refused[-1]}): check them with --show-script")
        if ids and time.monotonic() - asked > ASK_S:
            asked, absent = time.monotonic(), 0 if known(system, ids) else absent + 1
        if absent >= TIMES:
            raise InputError(f"the {system} jobs ended before a worker called: see their output in {logs}")
        time.sleep(PAUSE_S)


def known(system: str, ids: list[str]) -> bool:
    """Whether at least one of the jobs waits or runs."""
    command = [*LISTED[system], *([",".join(ids)] if system == "slurm" else ids)]
    try:
        done: Any = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return True  # nobody knows: go on waiting
    return bool(done.stdout.strip())


def _said(message: str) -> str:
    """What the submitting command printed, in one line."""
    said = message.partition("stderr:")[2].strip() or message
    return " ".join(said.split())
