"""Runs a study on a Slurm or PBS site: batch jobs are Dask workers of a scheduler in this process.

Options that are not given come from Dask's configuration (`~/.config/dask/jobqueue.yaml`), then from `USUAL`. Workers
stop shortly before the time limit of their job; jobs that ended are submitted again as long as the study has runs.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thinktime.errors import InputError
from thinktime.spec import one_of
from thinktime.study.execute import Outcome
from thinktime.study.executors.dask import Tls, Waiting, need, outcomes, quiet
from thinktime.study.study import Task

if TYPE_CHECKING:
    from dask_jobqueue.core import Job, JobQueueCluster
    from distributed import Client

    from thinktime.study.executors.dask_flow import Note

#: name on the command line → command that submits, class of dask_jobqueue
SYSTEMS = {"slurm": ("sbatch", "SLURMCluster"), "pbs": ("qsub", "PBSCluster")}
USUAL: dict[str, Any] = {"cores": 1, "memory": "4GB", "walltime": "00:30:00"}
THREADS = 4  # per process, at most: more would often wait for the interpreter's lock
LEAVE_S = 300  # a worker stops this long before its job's time limit, unless the limit is shorter than twice that


@dataclass(frozen=True, kw_only=True)
class JobQueue:
    """`JobQueue(system="slurm", workers=100, cores=4)(tasks)` yields outcomes as they arrive."""

    system: str
    workers: int = 2  # batch jobs
    cores: int | None = None  # of a job
    memory: str | None = None  # of a job
    walltime: str | None = None  # hours:minutes:seconds
    queue: str | None = None  # Slurm's partition
    account: str | None = None
    logs: str = "thinktime-workers"  # folder of the jobs' output, unless the site's configuration names one
    options: Mapping[str, Any] = field(default_factory=dict)  # further options of dask_jobqueue
    tls: Tls = field(default_factory=Tls)
    note: Note = quiet

    def __post_init__(self) -> None:
        one_of("the queueing system", self.system, SYSTEMS)
        for name, number in (("workers", self.workers), ("cores", self.cores)):
            if number is not None and number < 1:
                raise InputError(f"--{name} must be at least 1 (got {number})")

    def __call__(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        if not (tasks := Waiting(tasks)):
            return
        self._need_commands()
        refused: list[str] = []
        with self._cluster(refused) as cluster, _client_of(cluster) as client:
            self.note(f"asked {self.system} for {self.workers} jobs: the study begins with the first")
            wait_for_worker(client, cluster, self.system, refused, self._keywords()["log_directory"])
            cluster.adapt(minimum_jobs=self.workers, maximum_jobs=self.workers)
            yield from outcomes(client, tasks, self.note)

    def script(self) -> str:
        """Return the job script of a worker, with placeholders for the address of the scheduler and the name."""
        keywords = {name: value for name, value in self._keywords().items() if name != "scheduler_options"}
        security = self.tls.security()
        secure = {"security": security, "protocol": "tls://"} if security else {}
        with _input_errors(self.system), _no_new_folder(Path(keywords["log_directory"])):
            job = self._class().job_cls(scheduler="tcp://SCHEDULER:PORT", name="WORKER", **keywords, **secure)
            return str(job.job_script())

    @contextmanager
    def _cluster(self, refused: list[str]) -> Iterator[JobQueueCluster]:
        with _input_errors(self.system):
            jobs = recording(self._class().job_cls, refused)
            cluster = self._class()(job_cls=jobs, **self._keywords(), security=self.tls.security())
        with cluster:
            cluster.scale(jobs=self.workers)
            yield cluster

    def _class(self) -> Any:
        need("dask_jobqueue")
        with _ctrl_c_kept():
            import dask_jobqueue

        return getattr(dask_jobqueue, SYSTEMS[self.system][1])

    def _keywords(self) -> dict[str, Any]:
        """Return the arguments of dask_jobqueue; `options` take precedence."""
        given = {name: getattr(self, name) or self._configured(name) or usual for name, usual in USUAL.items()}
        given |= {"queue": self.queue, "account": self.account, "processes": _processes(given["cores"])}
        given |= {"worker_extra_args": _lifetime(given["walltime"]), "job_name": "thinktime"}
        logs = self._configured("log-directory") or str(Path(self.logs).absolute())
        return given | {"log_directory": logs} | dict(self.options)

    def _configured(self, name: str) -> Any:
        self._class()  # its import reads the section of jobs in Dask's configuration
        import dask

        return dask.config.get(f"jobqueue.{self.system}.{name}", None)

    def _need_commands(self) -> None:
        command = SYSTEMS[self.system][0]
        if shutil.which(command) is None:
            raise InputError(f"{command} is not on the path: run this on a host that submits {self.system} jobs")


@contextmanager
def _client_of(cluster: JobQueueCluster) -> Iterator[Client]:
    from distributed import Client

    client = Client(cluster, set_as_default=False)
    try:
        yield client
    finally:
        client.close()


@contextmanager
def _ctrl_c_kept() -> Iterator[None]:
    """Restore the handler of Ctrl-C: importing dask_jobqueue makes it end the process silently with code 0."""
    before = signal.getsignal(signal.SIGINT)
    yield
    if signal.getsignal(signal.SIGINT) is not before:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _input_errors(system: str) -> Iterator[None]:
    """Turn errors of dask_jobqueue into InputError."""
    try:
        yield
    except (TypeError, ValueError, OSError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"Invalid options of {system} jobs ({reason}): check the options and --jobqueue") from None


@contextmanager
def _no_new_folder(folder: Path) -> Iterator[None]:
    """Remove the folder of logs that dask_jobqueue makes even for a script that is only shown."""
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    yield
    for each in new:
        if each.exists():
            each.rmdir()


def _processes(cores: int) -> int:
    """Return the number of processes: each has at most four threads, and all have the same number."""
    return next(number for number in range(-(-cores // THREADS), cores + 1) if cores % number == 0)


def _lifetime(walltime: str) -> list[str]:
    """Return options that stop workers before their job ends, not all at once."""
    seconds = _walltime_seconds(walltime)
    if seconds is None or seconds < 2 * LEAVE_S:
        return []
    return ["--lifetime", f"{seconds - LEAVE_S}s", "--lifetime-stagger", f"{LEAVE_S * 4 // 5}s"]


def _walltime_seconds(walltime: str) -> int | None:
    """Return the seconds of hours:minutes:seconds or Slurm's days-hours:minutes:seconds; None for other notations."""
    days, _, rest = walltime.rpartition("-")
    parts = rest.split(":")
    if len(parts) != 3 or not all(part.isdigit() for part in (*parts, days or "0")):
        return None
    hours, minutes, seconds = map(int, parts)
    return ((int(days or 0) * 24 + hours) * 60 + minutes) * 60 + seconds


# --- the batch jobs: whether the site accepted them, and whether it still knows them
#
# dask_jobqueue reports a rejected job to no caller, and does not check jobs that end before their worker connects.
# Without these checks a wrong account or a missing Python would be an endless wait.

#: system → command that lists the jobs whose numbers are added; it prints nothing for those that have ended
LISTED = {
    "slurm": ["squeue", "--noheader", "--format=%i", "--jobs"],
    "pbs": ["qstat"],
}
PAUSE_S = 0.2  # between two looks for a connected worker
ASK_S = 5.0  # between two calls of the queueing system, which may be slow
TIMES = 2  # calls in a row that list no job, before it counts as ended


def recording(job: type[Job], refused: list[str]) -> type[Job]:
    """Return a class of jobs that records why the site rejected one."""
    from distributed.deploy.spec import ProcessInterface

    class Recording(job):
        async def start(self) -> None:
            try:
                await super().start()
            except RuntimeError as error:
                refused.append(_submit_output(str(error)))
                await ProcessInterface.start(self)

    return Recording


def wait_for_worker(client: Client, cluster: JobQueueCluster, system: str, refused: list[str], logs: str) -> None:
    """Wait until the first worker connects; raise InputError if none can."""
    asked, absent = time.monotonic(), 0
    while not client.nthreads():
        ids = [job.job_id for job in cluster.workers.values() if job.job_id]
        if refused and not ids:
            raise InputError(f"{system} rejected the jobs ({refused[-1]}): check them with --show-script")
        if ids and time.monotonic() - asked > ASK_S:
            asked, absent = time.monotonic(), 0 if known(system, ids) else absent + 1
        if absent >= TIMES:
            raise InputError(f"The {system} jobs ended before a worker connected: see their output in {logs}")
        time.sleep(PAUSE_S)


def known(system: str, ids: list[str]) -> bool:
    """Whether at least one of the jobs waits or runs."""
    command = [*LISTED[system], *([",".join(ids)] if system == "slurm" else ids)]
    try:
        done: Any = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return True  # unknown: continue to wait
    return bool(done.stdout.strip())


def _submit_output(message: str) -> str:
    """Return the output of the submitting command in one line."""
    printed = message.partition("stderr:")[2].strip() or message
    return " ".join(printed.split())
