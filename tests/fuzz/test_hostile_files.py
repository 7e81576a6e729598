"""Study files, cluster files and headers with hostile values: an object or an InputError, never anything else."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import examples
from tests.fuzz.hostile import changed, mutated, texts
from tests.shared_data import ROOT
from tests.traces.lines import job
from thinktime.cli.commands.inspect.log import facts_of_log
from thinktime.errors import InputError
from thinktime.platforms import Cluster
from thinktime.result.canonical_json import jsonable
from thinktime.study.study_file import EXAMPLE, from_keys, read
from thinktime.traces.header import KNOWN_KEYS
from thinktime.workload import describe, read_swf, write_swf

FULL_STUDY = """
name = "all keys"
question = "?"
seeds = [1, 2]
baseline = { scheduler = "easy" }
keep = "jobs"
metrics = ["wait_mean_s"]
schedulers = ["easy", { name = "x", spec = "easy:order=sjf" }]
platforms = ["machine:processors=64"]
users = ["rigid", "session-replay:threshold_min=30"]
estimates = ["perfect"]
[[workloads]]
generator = "lublin"
jobs = 100
[[rules]]
name = "kill"
overrun = "kill"
[summary]
warmup_s = 10
tau_s = 60
[[skip]]
scheduler = "x"
"""
STUDIES = [EXAMPLE, FULL_STUDY]
CLUSTER_PAGE = (ROOT / "docs" / "formats" / "cluster.md").read_text(encoding="utf-8")
CLUSTERS = re.findall(r"```toml\n(.*?)```", CLUSTER_PAGE, flags=re.S)[:1]
ACCASIM = {
    "system_name": "Seth", "start_time": 1027839845, "equivalence": {"processor": {"core": 2}},
    "groups": {"g0": {"core": 4, "mem": 1048576}}, "resources": {"g0": 120},
}  # fmt: skip


def in_file(text: str, ending: str, make: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"any{ending}"
        path.write_text(text, encoding="utf-8", errors="replace")
        with contextlib.suppress(InputError):
            return make(path)
    return None


@pytest.mark.parametrize("text", STUDIES)
def test_the_studies_are_good_before_they_are_changed(text: str) -> None:
    assert in_file(text, ".toml", read)


@pytest.mark.parametrize("text", CLUSTERS)
def test_the_clusters_are_good_before_they_are_changed(text: str) -> None:
    assert in_file(text, ".toml", Cluster.from_toml)
    assert in_file(json.dumps(ACCASIM), ".json", Cluster.from_json)


@examples(150)
@given(changed([tomllib.loads(text) for text in STUDIES]))
def test_values_of_studies(keys: Any) -> None:
    if not isinstance(keys, dict):
        return
    with contextlib.suppress(InputError):
        study = from_keys({str(key): value for key, value in keys.items()}, Path.cwd())
        assert json.dumps(jsonable(study.to_dict()))


@examples(80)
@given(mutated(STUDIES))
def test_texts_of_studies(text: str) -> None:
    in_file(text, ".toml", read)


@examples(150)
@given(mutated(CLUSTERS))
def test_texts_of_clusters(text: str) -> None:
    in_file(text, ".toml", Cluster.from_toml)


@examples(200)
@given(changed([ACCASIM]))
def test_values_of_json_clusters(content: Any) -> None:
    in_file(json.dumps(content, default=str), ".json", Cluster.from_json)


headers = st.dictionaries(st.sampled_from(KNOWN_KEYS), texts | st.integers().map(str), min_size=1, max_size=6)


@examples(200)
@given(headers)
def test_fields_of_headers(fields: dict[str, str]) -> None:
    header = "".join(f"; {key}: {' '.join(value.split())}\n" for key, value in fields.items())
    in_file(header + job() + job(2, 60), ".swf", _look_at)


def _look_at(path: Path) -> None:
    workload = read_swf(path)
    assert describe(workload.account)
    assert json.dumps(jsonable(facts_of_log(workload)))
    write_swf(workload, path.with_name("again.swf"))
    if workload.unix_start_s is not None and workload.header and workload.header.time_zone():
        assert len(workload.local_time()) == 2
