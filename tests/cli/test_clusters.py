"""`thinktime run --cluster`, `inspect` of clusters, and their mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

import thinktime as tt
from tests.cli.commands import thinktime

TOML = """\
[[group]]
name = "thin"
nodes = 40
core = 4

[[group]]
name = "fat"
nodes = 2
core = 32
gpu = 4

[[partition]]
name = "big"
groups = ["fat"]

[[queue]]
name = "all"
max_processors = 100

[[pool]]
name = "licence"
amount = 50
per_job = 1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.toml").write_text(TOML)
    (tmp_path / "wrong.toml").write_text(TOML.replace("nodes = 2", "nodes = two"))
    (tmp_path / "unknown.toml").write_text(TOML.replace('groups = ["fat"]', 'groups = ["fatt"]'))
    tt.write_swf(tt.default_workload(processors=128, jobs=300), tmp_path / "small.swf")
    return tmp_path


def test_run_check_inspect(folder: Path) -> None:
    arguments = ("--cluster", "mine.toml", "--allocator", "best-fit:ranking=normalized", "--no-figures", "--csv")
    done = thinktime(folder, "run", "small.swf", *arguments, "--out", "run")
    assert done.code == 0
    assert "42 nodes for 224 processors (--cluster mine.toml)" in done.out
    assert "allocator best-fit:ranking=normalized" in done.out
    assert "placements.parquet" in done.out
    assert "all 16 invariants hold" in thinktime(folder, "check", "run").out
    assert "42 nodes for 224 processors" in thinktime(folder, "inspect", "run").out
    assert (folder / "run" / "jobs.csv").read_text().splitlines()[0].endswith("nodes")
    run = tt.Result.load(folder / "run")
    assert run.cluster == tt.Cluster.from_toml(folder / "mine.toml")
    assert set(run.placements["node"].unique()) <= set(run.cluster.node_names)


def test_json_says_nodes_and_reasons(folder: Path) -> None:
    done = thinktime(folder, "run", "small.swf", "--cluster", "seth:memory=ignore", "--no-figures", "--json").json
    assert done["spec"]["machine"]["groups"] == [{"name": "g0", "nodes": 120, "core": 4, "mem": 1048576}]
    assert (done["spec"]["allocator"], done["spec"]["admission"]) == ({"name": "first-fit"}, "request")
    assert done["statistics"]["rejected"] == {}
    again = thinktime(folder, "run", "small.swf", "--cluster", "seth:memory=ignore", "--no-figures", "--json").json
    assert again["already_there"]


def test_streamed(folder: Path) -> None:
    done = thinktime(folder, "run", "small.swf", "--cluster", "mine.toml", "--stream", "--out", "run")
    assert done.code == 0
    assert "all 16 invariants hold" in thinktime(folder, "check", "run").out


def test_inspect_a_cluster(folder: Path) -> None:
    told = thinktime(folder, "inspect", "mine.toml").out
    for words in (
        "42 with 224 core, 8 gpu",
        "thin-0 to thin-39: 4 core each",
        "fat-0 to fat-1: 32 core, 4 gpu each",
        "224: a processor of the log is 1 core",
        "big: fat",
        "all: max_processors 100",
        "licence: amount 50, per_job 1",
    ):
        assert words in told
    facts = thinktime(folder, "inspect", "metacentrum", "--json").json
    assert (facts["nodes"], facts["processors"], len(facts["groups"])) == (495, 8412, 20)
    accasim = '{"groups": {"g0": {"core": 4}}, "resources": {"g0": 3}}'
    (folder / "acca.json").write_text(accasim)
    assert "g0-0 to g0-2: 4 core each" in thinktime(folder, "inspect", "acca.json").out


def test_amounts_by_job_from_a_table(folder: Path) -> None:
    """Jobs that are not in the table take none, and lines of jobs that are not in the log are passed over."""
    run = ("run", "small.swf", "--cluster", "mine.toml", "--no-figures")
    workload = tt.read_swf(folder / "small.swf")
    one, other = workload["job"][workload["processors"] == 1][:2].astype(int).tolist()
    (folder / "gpu.csv").write_text(f"job,gpu,licence\n{other},1,3\n{one},4,1\n999999,1,1\n")
    assert thinktime(folder, *run, "--requests", "gpu.csv", "--out", "out").code == 0
    jobs = tt.Result.load(folder / "out").jobs.sort("job")
    taken = jobs.filter(jobs["unit_gpu"] > 0).select("job", "unit_gpu", "pool_licence")
    assert taken.rows() == [(one, 4, 1), (other, 1, 3)]
    assert jobs["pool_licence"].sum() == 4
    assert "all 16 invariants hold" in thinktime(folder, "check", "out").out
    assert thinktime(folder, *run[:-1], "--requests", "gpu.csv", "--stream", "--out", "streamed").code == 0
    assert tt.Result.load(folder / "streamed").jobs.sort("job")["start_s"].equals(jobs["start_s"])
    jobs.select("job", gpu="unit_gpu").write_parquet(folder / "gpu.parquet")
    assert thinktime(folder, *run, "--requests", "gpu.parquet", "--out", "other").code == 0
    assert tt.Result.load(folder / "other").jobs.sort("job")["unit_gpu"].equals(jobs["unit_gpu"])


TABLES = {
    "nothing.csv": ("job\n1\n", "has the columns job: give job, and core, gpu, licence, watts as needed"),
    "other.csv": ("job,gpus\n1,1\n", "has a column 'gpus' (did you mean 'gpu'?), which the cluster does not have"),
    "twice.csv": ("job,gpu\n1,1\n1,2\n", "has job 1 twice"),
    "words.csv": ("job,gpu\n1,many\n", "the column gpu of words.csv holds String, not numbers"),
    "broken.csv": ("job,gpu\n1,1.5\n", "job 1 requests 1.5 of gpu: give a whole number from 0 to 2^40"),
    "holes.csv": ("job,gpu\n1,\n2,1\n", "job 1 requests nan of gpu"),
    "below.csv": ("job,gpu\n1,-1\n", "job 1 requests -1 of gpu"),
    "empty.csv": ("", "as a table ("),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_that_are_wrong(folder: Path, name: str) -> None:
    text, sentence = TABLES[name]
    (folder / name).write_text(text)
    done = thinktime(folder, "run", "small.swf", "--cluster", "mine.toml", "--requests", name)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err


MISTAKES = {
    "run small.swf --requests gpu.csv": "needs a cluster: add one, for example --cluster seth",
    "run small.swf --cluster seth --requests no.csv": "as a table (",
    "run small.swf --cluster seth --requests no.csv --stream": "as a table (",
    "run small.swf --cluster seht": "did you mean 'seth'?",
    "run small.swf --cluster nosuch.toml": "Cannot read nosuch.toml",
    "run small.swf --cluster wrong.toml": "wrong.toml is not valid TOML",
    "run small.swf --cluster unknown.toml": "unknown.toml line 14: partition 'big' names the group 'fatt'",
    "run small.swf --cluster seth --processors 10": "exclude each other",
    "run small.swf --cluster seth --speed 0": "speed is 0",
    "run small.swf --cluster seth:memory=all": "choose one of requested-or-used, requested, ignore",
    "run small.swf --cluster machine": "no cluster is called 'machine'",
    "run small.swf --cluster seth --allocator best": "did you mean 'best-fit'?",
    "run small.swf --cluster seth --allocator best-fit:ranking=norm": "choose one of raw, normalized",
    "run small.swf --cluster seth --admission never": "choose one of request, total, none",
    "run small.swf --cluster seth --same-instant each-submit-first": "choose batch or each-end-first",
    "run small.swf --allocator first-fit": "needs a cluster: add one, for example --cluster seth",
    "run small.swf --admission none": "needs a cluster: add one, for example --cluster seth",
    "inspect seth --figures": "there are no figures of clusters",
    "inspect unknown.toml": "line 14",
}


@pytest.mark.parametrize("arguments", MISTAKES)
def test_mistakes(folder: Path, arguments: str) -> None:
    done = thinktime(folder, *arguments.split())
    assert (done.code, done.out) == (2, "")
    assert MISTAKES[arguments] in done.err
    assert done.err.count("\n") == 1
