"""Runs a study on a Slurm or PBS site: batch jobs become Dask workers of a scheduler that lives in this process.

What is not given is taken from Dask's configuration (`~/.config/dask/jobqueue.yaml`), where sites keep what is
theirs, and from `USUAL` otherwise. Workers leave shortly before their job's time is over; jobs that have ended are
submitted again as long as the study has runs.
"""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thinktime.errors import InputError
from thinktime.spec import one_of
from thinktime.study.execute import Outcome
from thinktime.study.executors.dask import Tls, Waiting, need, outcomes, quiet
from thinktime.study.executors.jobs import recording, wait_for_worker
from thinktime.study.study import Task

if TYPE_CHECKING:
    from dask_jobqueue.core import JobQueueCluster
    from distributed import Client

    from thinktime.study.executors.flow import Note

#: name on the command line → command that submits, class of dask_jobqueue
SYSTEMS = {"slurm": ("sbatch", "SLURMCluster"), "pbs": ("qsub", "PBSCluster")}
USUAL: dict[str, Any] = {"cores": 1, "memory": "4GB", "walltime": "00:30:00"}
THREADS = 4  # in a process, at most: more would wait for the interpreter's lock too often
LEAVE_S = 300  # before the end of the job's time a worker hands over; jobs shorter than twice that end as they end


@dataclass(frozen=True, kw_only=True)
class JobQueue:
    """`JobQueue(system="slurm", workers=100, cores=4)(tasks)` gives the outcomes as they come."""

    system: str
    workers: int = 2  # batch jobs
    cores: int | None = None  # of a job
    memory: str | None = None  # of a job
    walltime: str | None = None  # hours:minutes:seconds
    queue: str | None = None  # Slurm's partition
    account: str | None = None
    logs: str = "thinktime-workers"  # folder of the jobs' output, unless the site's configuration names one
    options: Mapping[str, Any] = field(default_factory=dict)  # whatever else dask_jobqueue takes
    tls: Tls = field(default_factory=Tls)
    note: Note = quiet

    def __post_init__(self) -> None:
        one_of("the queueing system", self.system, SYSTEMS)
        for name, number in (("workers", self.workers), ("cores", self.cores)):
            if number is not None and number < 1:
                raise InputError(f"--{name} is {number}: choose 1 or more")

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
        """The job script of a worker, as it would be submitted, but for the scheduler's address and its name."""
        keywords = {name: value for name, value in self._keywords().items() if name != "scheduler_options"}
        security = self.tls.security()
        secure = {"security": security, "protocol": "tls://"} if security else {}
        with _sentences(self.system), _no_new_folder(Path(keywords["log_directory"])):
            job = self._class().job_cls(scheduler="tcp://SCHEDULER:PORT", name="WORKER", **keywords, **secure)
            return str(job.job_script())

    @contextmanager
    def _cluster(self, refused: list[str]) -> Iterator[JobQueueCluster]:
        with _sentences(self.system):
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
        """What dask_jobqueue is given; `options` have the last word."""
        given = {name: getattr(self, name) or self._configured(name) or usual for name, usual in USUAL.items()}
        given |= {"queue": self.queue, "account": self.account, "processes": _processes(given["cores"])}
        given |= {"worker_extra_args": _lifetime(given["walltime"]), "job_name": "thinktime"}
        logs = self._configured("log-directory") or str(Path(self.logs).absolute())
        return given | {"log_directory": logs} | dict(self.options)

    def _configured(self, name: str) -> Any:
        self._class()  # its import reads what Dask's configuration says of jobs
        import dask

        return dask.config.get(f"jobqueue.{self.system}.{name}", None)

    def _need_commands(self) -> None:
        command = SYSTEMS[self.system][0]
        if shutil.which(command) is None:
            raise InputError(f"{command} is not on the path: run this where {self.system} jobs are submitted")


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
    """The import of dask_jobqueue makes Ctrl-C end the process without a word and with code 0: not with us."""
    before = signal.getsignal(signal.SIGINT)
    yield
    if signal.getsignal(signal.SIGINT) is not before:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _sentences(system: str) -> Iterator[None]:
    """dask_jobqueue's own complaints, in one sentence."""
    try:
        yield
    except (TypeError, ValueError, OSError) as error:
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"the {system} jobs cannot be described ({said}): check the options and --jobqueue") from None


@contextmanager
def _no_new_folder(folder: Path) -> Iterator[None]:
    """dask_jobqueue makes the folder of the logs even for a script that is only shown."""
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    yield
    for each in new:
        if each.exists():
            each.rmdir()


def _processes(cores: int) -> int:
    """So that each has at most four threads, and all the same number."""
    return next(number for number in range(-(-cores // THREADS), cores + 1) if cores % number == 0)


def _lifetime(walltime: str) -> list[str]:
    """Workers leave before their job ends, not all at once, and hand over what they have."""
    seconds = _seconds(walltime)
    if seconds is None or seconds < 2 * LEAVE_S:
        return []
    return ["--lifetime", f"{seconds - LEAVE_S}s", "--lifetime-stagger", f"{LEAVE_S * 4 // 5}s"]


def _seconds(walltime: str) -> int | None:
    """Of hours:minutes:seconds, of Slurm's days-hours:minutes:seconds; None for other ways to say it."""
    days, _, rest = walltime.rpartition("-")
    parts = rest.split(":")
    if len(parts) != 3 or not all(part.isdigit() for part in (*parts, days or "0")):
        return None
    hours, minutes, seconds = map(int, parts)
    return ((int(days or 0) * 24 + hours) * 60 + minutes) * 60 + seconds
