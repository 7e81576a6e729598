"""A study on a real Slurm of one machine, which tests/slurm/start starts: the outcomes of threads."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.shared_data import ROOT
from tests.study.grids import LOG, comparable, on_threads, tasks, write_log
from thinktime.errors import InputError
from thinktime.study.executors.jobqueue import JobQueue

SCRIPTS = ROOT / "tests" / "slurm"
FOLDERS = os.environ["PATH"] + ":/usr/sbin:/sbin"
MISSING = [name for name in ("munged", "slurmctld", "slurmd", "sbatch") if not shutil.which(name, path=FOLDERS)]

pytestmark = [
    pytest.mark.skipif(find_spec("dask_jobqueue") is None, reason='pip install "thinktime[cluster]"'),
    pytest.mark.skipif(bool(MISSING), reason=f"{' '.join(MISSING)} missing: apt-get install slurm-wlm munge"),
    pytest.mark.skipif(os.getuid() != 0, reason="slurmd must be started as root"),
]


@pytest.fixture(scope="module")
def slurm() -> Iterator[Path]:
    """Its configuration. The folder holds sockets, whose paths must be short."""
    with tempfile.TemporaryDirectory(prefix="slurm-") as folder:
        begun = subprocess.run([SCRIPTS / "start", folder], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert begun.returncode == 0, begun.stderr
        try:
            yield Path(folder) / "slurm.conf"
        finally:
            subprocess.run([SCRIPTS / "stop", folder], check=True)


@pytest.fixture
def site(slurm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the site; workers find this very package and these tests."""
    import thinktime

    paths = [str(Path(thinktime.__file__).parents[1]), str(ROOT)]
    monkeypatch.setenv("SLURM_CONF", str(slurm))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def queue(**options: Any) -> JobQueue:
    here = {"scheduler_options": {"host": "127.0.0.1", "dashboard_address": ":0"}}
    return JobQueue(system="slurm", workers=2, memory="1GiB", walltime="00:10:00", options=here, **options)


def squeue(*options: str) -> list[str]:
    return subprocess.run(["squeue", "--noheader", *options], check=True, capture_output=True, text=True).stdout.split()


def test_the_outcomes_are_those_of_threads(site: Path) -> None:
    write_log(site)
    grid = tasks([{"log": str(site / LOG)}, {"generator": "default", "jobs": 200}], seeds=10)
    names, outcomes = set(), []
    for outcome in queue(queue="main")(grid):
        names |= set(squeue("--format=%j"))  # jobs of this study are on the machine
        outcomes.append(outcome)
    assert names == {"thinktime"}
    assert comparable(outcomes) == on_threads(grid)
    assert squeue("--states=PENDING,RUNNING") == []
    assert {path.suffix for path in (site / "thinktime-workers").iterdir()} == {".out", ".err"}


def test_jobs_that_slurm_refuses_are_reported(site: Path) -> None:
    with pytest.raises(InputError, match=r"slurm rejected the jobs .*nosuch"):
        list(queue(queue="nosuch")(tasks([{"generator": "default", "jobs": 100}])))


def test_jobs_that_end_at_once_are_reported(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thinktime.study.executors.jobqueue.ASK_S", 0.5)
    broken = JobQueue(system="slurm", workers=1, memory="1GiB", options={"python": "/no/python"})
    with pytest.raises(InputError, match=r"ended before a worker connected: see their output in .*thinktime-workers"):
        list(broken(tasks([{"generator": "default", "jobs": 100}])))
    assert "/no/python" in "".join(path.read_text() for path in (site / "thinktime-workers").glob("*.err"))
