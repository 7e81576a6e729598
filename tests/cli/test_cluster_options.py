"""Where a study runs, from the command line: one place, its own options, and one sentence for a mistake."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.commands import thinktime

pytestmark = pytest.mark.skipif(find_spec("dask_jobqueue") is None, reason='pip install "thinktime[cluster]"')

STUDY = """
name = "small"
schedulers = ["easy", "fcfs"]
seeds = 3
[[workloads]]
generator = "default"
jobs = 100
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.toml").write_text(STUDY)
    return tmp_path


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--dask", "tcp://a:1", "--slurm"], "--dask and --slurm exclude each other: give one"),
        (["--threads", "2", "--pbs"], "--threads and --pbs exclude each other"),
        (["--workers", "2"], "--workers needs --slurm or --pbs: add it, or remove the option"),
        (["--dask", "tcp://a:1", "--walltime", "1:0:0"], "--walltime needs --slurm or --pbs"),
        (["--show-script"], "--show-script needs --slurm or --pbs"),
        (["--tls-cert", "c.pem"], "--tls-cert needs --dask, --slurm or --pbs"),
        (["--slurm", "--tls-cert", "c.pem"], "No file c.pem: --tls-cert takes a PEM file"),
        (["--slurm", "--jobqueue", "interface"], "--jobqueue must be KEY=VALUE (got 'interface')"),
        (["--slurm", "--workers", "0"], "--workers must be at least 1 (got 0)"),
        (["--dask", "a:1"], "'a:1' is not an address of a Dask scheduler"),
    ],
)
@pytest.mark.parametrize("verb", ["run", "resume"])
def test_mistakes(folder: Path, verb: str, options: list[str], sentence: str) -> None:
    done = thinktime(folder, "study", verb, "small.toml", *options)
    assert done.code == 2
    assert sentence in done.err
    assert len(done.err.splitlines()) == 1


def test_the_script_is_shown_and_nothing_done(folder: Path) -> None:
    options = ["--cores", "2", "--memory", "3GiB", "--queue", "long", "--account", "physics", "--walltime", "02:00:00"]
    more = ["--jobqueue", 'job_script_prologue=["module load python"]', "--jobqueue", "python=python3"]
    done = thinktime(folder, "study", "run", "small.toml", "--slurm", "--show-script", *options, *more)
    wanted = ("--cpus-per-task=2", "--mem=3G", "-p long", "-A physics", "-t 02:00:00")
    assert [f"#SBATCH {each}\n" in done.out for each in wanted] == [True] * len(wanted)
    assert "module load python\npython3 -m distributed.cli.dask_worker" in done.out
    assert (done.code, [path.name for path in folder.iterdir()]) == (0, ["small.toml"])


def test_a_study_on_a_dask_cluster(folder: Path) -> None:
    distributed = pytest.importorskip("distributed")
    file = folder / "scheduler.json"
    with distributed.LocalCluster(processes=False, n_workers=1, protocol="tcp://", dashboard_address=":0") as cluster:
        file.write_text(json.dumps({"address": cluster.scheduler_address}))
        by_file = thinktime(folder, "study", "run", "small.toml", "--dask", "scheduler.json", "--json")
        again = thinktime(folder, "study", "run", "small.toml", "--dask", cluster.scheduler_address, "--json")
    assert (by_file.json["computed"], again.json["computed"], again.json["there"]) == (6, 0, 6)
