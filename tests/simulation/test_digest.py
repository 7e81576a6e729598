"""The digest of a run covers what was simulated, not where the jobs were read."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import thinktime as tt
from thinktime.result.directory import save_load
from thinktime.result.directory.save_load import read_run_file
from thinktime.spec import REGISTRY
from thinktime.traces.content_hash import ContentHash, content_sha256
from thinktime.workload import ColumnType

COLUMNS: dict[str, Any] = {
    "submit_s": [0, 5, 9, 9],
    "run_s": [10, 10, 3, 4],
    "processors": [2, 4, 1, 1],
    "user": [1, 2, 1, 3],
}


def workload(**more):
    return tt.Workload.from_columns(**COLUMNS, **more)


def digest(log, machine=4, scheduler="easy", **rules):
    return tt.simulate(log, machine, scheduler, **rules).digest


def test_the_source_is_no_part_of_the_digest():
    log = workload(name="one")
    other = replace(log, name="two", source={"sha256": "1234", "filter": "base"})
    assert digest(log) == digest(other)
    run = tt.simulate(other, 4, "easy")
    assert run.spec["workload"]["sha256"] == "1234"


@pytest.mark.parametrize("column", ["submit_s", "run_s", "processors", "user"])
def test_every_simulated_column_is_part_of_the_digest(column):
    changed = {**COLUMNS, column: [*COLUMNS[column][:3], COLUMNS[column][3] + 1]}
    assert digest(workload()) != digest(tt.Workload.from_columns(**changed))


def test_a_column_counts_if_a_policy_reads_it():
    one, other = workload(queue=[1, 1, 2, 2]), workload(queue=[1, 2, 2, 2])
    assert digest(one) == digest(other)
    assert digest(one, scheduler="priority:key=queue") != digest(other, scheduler="priority:key=queue")


@pytest.mark.parametrize(
    "rules",
    [
        {"scheduler": 'priority:key=column(queue) == "batch"'},
        {"applications": "per-job:default=(loop:technique=ss,variation=0.5),by=queue,groups=(batch=static)"},
    ],
)
def test_names_of_queues_count_if_a_policy_compares_them(tmp_path, rules):
    log = workload(queue=[1, 1, 1, 2])
    one, other = (
        replace(log, types={"queue": ColumnType("whole", names)}) for names in (("batch", "debug"), ("debug", "batch"))
    )
    assert digest(one) == digest(other)
    assert digest(one, **rules) != digest(other, **rules)
    tt.write(one, tmp_path / "log.csv")
    tt.simulate_stream(tmp_path / "log.csv", 4, directory=tmp_path / "run", **{"scheduler": "easy", **rules})
    assert tt.Result.load(tmp_path / "run").digest == digest(tt.read(tmp_path / "log.csv"), **rules)


class Recorded:
    """Submits at the recorded times."""

    def __init__(self, submit_s):
        self.submit_s = submit_s

    def begin(self):
        return enumerate(self.submit_s)

    def ended(self, job, time_s, status):
        return ()


def test_names_count_if_users_in_python_see_the_workload():
    class ByQueueName(tt.OwnUsers):
        def start(self, workload, seed):
            return Recorded(workload["submit_s"])

    log = workload(queue=[1, 1, 1, 2])
    one, other = (replace(log, types={"queue": ColumnType("whole", names)}) for names in (("a", "b"), ("b", "a")))
    assert digest(one) == digest(other)
    assert digest(one, users=ByQueueName()) != digest(other, users=ByQueueName())


def test_settings_are_part_of_the_digest():
    assert len({digest(workload(), scheduler=name) for name in ("easy", "fcfs", "sjf")}) == 3


def test_attributes_count_by_content_and_not_by_code():
    given = {"colour": ["red", "blue", None, "red"]}
    log = workload(attributes=given)
    codes = np.array([2.0, 1.0, np.nan, 2.0])
    types = {"colour": ColumnType("text", ("blue", "red", "green"))}
    assert digest(log) == digest(replace(log, columns={**log.columns, "colour": codes}, types=types))
    assert digest(log) != digest(workload())
    assert digest(log) != digest(workload(attributes={"colour": ["red", "blue", "red", "red"]}))
    assert digest(log) != digest(workload(attributes={"shade": given["colour"]}))


def test_whole_numbers_and_numbers_are_alike():
    assert digest(workload(attributes={"gpus": [1, 0, 2, None]})) == digest(
        workload(attributes={"gpus": [1.0, 0.0, 2.0, np.nan]})
    )
    assert digest(workload(attributes={"gpus": [1, 0, 1, 1]})) != digest(
        workload(attributes={"gpus": [True, False, True, True]})
    )


@pytest.mark.parametrize(
    "platform", [tt.Machine(processors=64), tt.Cluster(groups=[{"name": "g", "nodes": 16, "core": 4}])]
)
def test_a_streamed_run_has_the_digest_of_the_run_in_memory(tmp_path, platform):
    tt.write_swf(tt.default_workload(jobs=400), tmp_path / "log.swf.gz")
    in_memory = tt.simulate(tt.read_swf(tmp_path / "log.swf.gz"), platform, "easy")
    stream = tt.stream_swf(tmp_path / "log.swf.gz")
    tt.simulate_stream(stream, platform, "easy", tmp_path / "run")
    assert read_run_file(tmp_path / "run")["digest"] == in_memory.digest
    assert tt.Result.load(tmp_path / "run").digest == in_memory.digest


def test_a_run_of_the_first_format_is_read_without_its_digest(tmp_path):
    tt.simulate(workload(), 4, "easy").save(tmp_path / "run")
    path = tmp_path / "run" / "run.json"
    text = path.read_text().replace('"format_version": 2', '"format_version": 1')
    path.write_text(text.replace('"digest": "', '"digest": "0'))
    assert tt.check(tt.Result.load(tmp_path / "run")) == []


def test_cores_of_a_run_of_the_first_format_are_read(tmp_path, monkeypatch):
    run = tt.simulate(workload(), 4, "easy", applications="loop:technique=ss")
    cores: Any = run.report_columns["cores"]
    cores["cores_a_unit"] = cores.pop("cores_per_unit")
    monkeypatch.setattr(save_load, "FORMAT_VERSION", 1)
    run.save(tmp_path / "run")
    monkeypatch.undo()
    again = tt.Result.load(tmp_path / "run")
    assert tt.check(again) == []
    assert again.report_columns["cores"]["cores_per_unit"].tolist() == [1, 1, 1, 1]


def test_the_clock_counts_only_if_users_or_plugins_look_at_it():
    log, users = tt.default_workload(jobs=300), "distribution-based"
    later = replace(log, source={**log.source, "starts": "Tuesday 00:00"})
    assert digest(log, 128) == digest(later, 128)
    assert tt.simulate(log, 128, users=users).spec["clock"] == "Monday 00:00"


def test_blocks_have_the_hash_of_the_whole():
    columns = {"a": np.array([0.0, -0.0, np.nan, 3.0]), "c": np.array([np.nan, 1.0, 2.0, 1.0])}
    types = {"c": ColumnType("text", ("x", "y"))}
    blocks = ContentHash()
    blocks.add({"a": columns["a"][:1]})
    blocks.add({name: values[1:2] for name, values in columns.items()}, {"c": ColumnType("text", ("x",))})
    blocks.add({name: values[2:] for name, values in columns.items()}, types)
    assert blocks.hexdigest() == content_sha256(columns, types)
    assert content_sha256({"a": np.zeros(4), "c": columns["c"]}, types) != content_sha256(columns, types)


class Lists(tt.OwnReader, endings=(".lists",)):
    """A reader of one's own: one column per line."""

    def blocks(self, source):
        lines = dict(line.split(":") for line in source.read_text().splitlines())
        columns = {name: [None if v == "nan" else float(v) for v in text.split()] for name, text in lines.items()}
        for part in (slice(0, 7), slice(7, None)):
            yield {name: values[part] for name, values in columns.items()}


REGISTRY["reader"].pop("lists")  # other tests go through the registry


@pytest.mark.parametrize("ending", ["swf", "swf.gz", "csv", "parquet", "json", "lists"])
def test_the_same_jobs_through_any_format_are_the_same_run(tmp_path, ending):
    log = tt.default_workload(jobs=60)
    path = tmp_path / f"log.{ending}"
    if ending == "lists":
        names = ("job", "submit_s", "run_s", "processors", "user", "wait_s", "requested_time_s")
        path.write_text("".join(f"{name}:{' '.join(map(str, log[name].tolist()))}\n" for name in names))
    else:
        tt.write(log, path)
    tt.write(log, tmp_path / "usual.swf")
    usual = tt.simulate(tt.read(tmp_path / "usual.swf"), 128, "easy")
    other = tt.simulate(tt.read(path, reader=Lists() if ending == "lists" else None), 128, "easy")
    assert other.digest == usual.digest
    assert other.content_digest == usual.content_digest
