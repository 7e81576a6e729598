"""The job scripts of Slurm and PBS, line by line, and what cannot be a job."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.shared_data import ROOT
from tests.study.grids import generated
from thinktime.errors import InputError
from thinktime.study.executors import jobqueue
from thinktime.study.executors.dask import Tls
from thinktime.study.executors.jobqueue import JobQueue

pytestmark = pytest.mark.skipif(find_spec("dask_jobqueue") is None, reason='pip install "thinktime[cluster]"')


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def script(system: str, **options: Any) -> str:
    return JobQueue(system=system, **options).script()


def test_a_script_for_pbs() -> None:
    text = script("pbs", cores=8, memory="16GiB", walltime="02:00:00", queue="batch", account="physics")
    lines = text.splitlines()
    assert lines[0] == "#!/usr/bin/env bash"
    asked = ["-N thinktime", "-q batch", "-A physics", "-l select=1:ncpus=8:mem=16GB", "-l walltime=02:00:00"]
    assert [line for line in lines if line.startswith("#PBS")][:5] == [f"#PBS {each}" for each in asked]
    assert "-m distributed.cli.dask_worker tcp://SCHEDULER:PORT --name WORKER --nthreads 4" in text
    assert "--nworkers 2 --nanny" in text


def test_a_script_for_slurm(tmp_path: Path) -> None:
    text = script("slurm", cores=2, memory="4GiB", walltime="1-00:00:00", queue="long", account="physics")
    asked = ["-J thinktime", "-p long", "-A physics", "-n 1", "--cpus-per-task=2", "--mem=4G", "-t 1-00:00:00"]
    assert [f"#SBATCH {each}" in text for each in asked] == [True] * len(asked)
    assert f"#SBATCH -o {tmp_path}/thinktime-workers/thinktime-%J.out" in text
    assert "--nthreads 2 " in text


def test_a_script_is_only_shown(tmp_path: Path) -> None:
    script("slurm", logs="store/workers")
    assert list(tmp_path.iterdir()) == []


def test_workers_leave_before_their_job_ends() -> None:
    assert "--lifetime 3300s --lifetime-stagger 240s" in script("slurm", walltime="01:00:00")
    assert "--lifetime" not in script("slurm", walltime="00:05:00")
    assert "--lifetime" not in script("slurm", walltime="60")  # minutes to Slurm: left alone


def test_sites_configure_what_is_theirs() -> None:
    import dask

    with dask.config.set({"jobqueue.slurm.memory": "7GiB", "jobqueue.slurm.queue": "debug"}):
        assert "#SBATCH --mem=7G" in script("slurm")
        assert "#SBATCH -p debug" in script("slurm")
        assert "#SBATCH --mem=3G" in script("slurm", memory="3GiB")


def test_options_of_dask_jobqueue_pass_through() -> None:
    text = script("slurm", options={"job_script_prologue": ["module load python"], "python": "python3.12"})
    assert "module load python\npython3.12 -m distributed.cli.dask_worker" in text


def test_tls_files_reach_the_workers(tmp_path: Path) -> None:
    (tmp_path / "cert.pem").touch()
    text = script("slurm", tls=Tls(ca_file="cert.pem", cert="cert.pem"))
    assert "--protocol tls:// --tls-ca-file cert.pem --tls-cert cert.pem" in text


def test_the_import_of_dask_jobqueue_leaves_ctrl_c_alone() -> None:
    """In a process of its own: here it is imported already."""
    before = "import signal; before = signal.getsignal(signal.SIGINT)"
    asked = "from thinktime.study.executors.jobqueue import JobQueue; JobQueue(system='slurm').script()"
    told = "print(signal.getsignal(signal.SIGINT) is before)"
    code = f"{before}; {asked}; {told}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "True\n", done.stderr


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"system": "lsf"}, "the queueing system is 'lsf'"),
        ({"system": "slurm", "workers": 0}, r"--workers must be at least 1 \(got 0\)"),
        ({"system": "slurm", "cores": -1}, r"--cores must be at least 1 \(got -1\)"),
        ({"system": "slurm", "memory": "much"}, "Invalid options of slurm jobs"),
        ({"system": "slurm", "options": {"quue": "x"}}, "unexpected keyword argument 'quue'"),
    ],
)
def test_what_cannot_be_a_job(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        JobQueue(**options).script()


def test_where_jobs_cannot_be_submitted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="qsub is not on the path: run this on a host that submits pbs jobs"):
        list(JobQueue(system="pbs")(generated(jobs=100, seeds=1)))
    assert list(JobQueue(system="pbs")([])) == []


def test_whether_pbs_still_knows_the_jobs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A qstat of our own, which knows job 7; without a qstat the state is unknown, and waiting goes on."""
    (tmp_path / "qstat").write_text('#!/bin/sh\ncase " $* " in *" 7 "*) echo running;; *) exit 35;; esac\n')
    (tmp_path / "qstat").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert (jobqueue.known("pbs", ["6", "7"]), jobqueue.known("pbs", ["6"])) == (True, False)
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert jobqueue.known("pbs", ["6"])
