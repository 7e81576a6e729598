"""Files of clusters: what is wrong is told with the file and, in TOML, the line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import thinktime as tt
from thinktime import spec
from thinktime.platforms.cluster_file import paths_from

GOOD = """\
[cluster]
name = "Test"
speed = 1.5

[unit]
core = 2

[[group]]
name = "g0"
nodes = 10
core = 4

[[group]]
name = "g1"
nodes = 2
core = 8
gpu = 2

[[partition]]
name = "accelerated"
groups = ["g1"]

[[queue]]
name = "gpu"
log_queues = 3
partition = "accelerated"
"""


def read(tmp_path: Path, text: str) -> tt.Cluster:
    (tmp_path / "c.toml").write_text(text, encoding="utf-8")
    return tt.Cluster.from_toml(tmp_path / "c.toml")


def test_a_file_as_people_write_it(tmp_path: Path) -> None:
    cluster = read(tmp_path, GOOD)
    assert (cluster.title, cluster.speed, cluster.nodes, cluster.processors) == ("Test", 1.5, 12, 28)
    assert cluster.queues[0].log_queues == (3,)
    assert cluster.text() == "Test"
    assert read(tmp_path, "\ufeff" + cluster.to_toml()) == cluster


WRONG = [
    ("core = 2", "core = ", "c.toml is not valid TOML \\(Invalid value \\(at line 6"),
    ("speed = 1.5", "sped = 1.5", r"c.toml line 3: \[cluster\] has no key 'sped' \(did you mean 'speed'"),
    ("speed = 1.5", "speed = -1", "c.toml line 3: speed is -1"),
    ("nodes = 2", "nodes = -2", "c.toml line 15: nodes of group 'g1' is -2"),
    ('name = "g1"', 'name = "g0"', "c.toml line 14: two groups are called 'g0'"),
    ("core = 8", 'core = "eight"', "c.toml line 16: core of group 'g1' is 'eight'"),
    ("core = 8", "cores = 8", "c.toml line 13: a node of group 'g1' has no core"),
    ('["g1"]', '["g2"]', "c.toml line 21: partition 'accelerated' names the group 'g2'"),
    (
        'partition = "acc',
        'partition = "ac',
        "c.toml line 26: queue 'gpu' names the partition 'accelerated'|'acelerated'",
    ),
    ("[[queue]]", "[[quee]]", r"c.toml line 23: a cluster has no table 'quee' \(did you mean 'queue'"),
    ("[[queue]]", "[queue]", r"c.toml line 23: queue is one table: write \[\[queue\]\]"),
    ("[unit]\ncore = 2", "unit = 2", "unit is 2|has no key 'unit'"),
]


@pytest.mark.parametrize(("old", "new", "sentence"), WRONG, ids=[new for _, new, _ in WRONG])
def test_mistakes_have_file_and_line(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(tt.InputError, match=sentence) as told:
        read(tmp_path, GOOD.replace(old, new))
    assert "\n" not in str(told.value)


def test_a_file_without_nodes(tmp_path: Path) -> None:
    with pytest.raises(tt.InputError, match=r"c.toml: the cluster has no nodes: add a \[\[group\]\]"):
        read(tmp_path, '[cluster]\nname = "x"\n')


def test_no_file_and_no_text(tmp_path: Path) -> None:
    with pytest.raises(tt.InputError, match="Cannot read"):
        tt.Cluster.from_toml(tmp_path)
    (tmp_path / "c.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(tt.InputError, match="not UTF-8"):
        tt.Cluster.from_toml(tmp_path / "c.toml")


# --- AccaSim ------------------------------------------------------------------------------------------------

ACCASIM: dict[str, Any] = {
    "system_name": "Seth - HPC2N",
    "start_time": 1027839845,
    "equivalence": {"processor": {"core": 2}},
    "groups": {"g0": {"core": 4, "mem": 1048576}, "g1": {"core": 2, "mem": 5}},
    "resources": {"g0": 120, "g1": 3},
}


def read_json(tmp_path: Path, content: Any) -> tt.Cluster:
    text = content if isinstance(content, str) else json.dumps(content)
    (tmp_path / "c.json").write_text(text, encoding="utf-8")
    return tt.Cluster.from_json(tmp_path / "c.json")


def test_accasims_configuration(tmp_path: Path) -> None:
    cluster = read_json(tmp_path, {**ACCASIM, "something_else": 1})
    assert (cluster.nodes, cluster.processors, cluster.title) == (123, 243, "Seth - HPC2N")
    assert (cluster.unit, cluster.unix_start_s) == ((("core", 2),), 1027839845)


def test_without_equivalence_a_processor_is_a_core(tmp_path: Path) -> None:
    content = {key: ACCASIM[key] for key in ("groups", "resources")}
    assert read_json(tmp_path, content).processors == 486


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"groups": {}}, "groups is {}: write"),
        ({"resources": {"g0": 1}}, "group 'g1' has no number of nodes: add it to resources"),
        ({"resources": {"g0": 1, "g1": 1, "g2": 1}}, "resources has nodes of the unknown group 'g2'"),
        ({"resources": {"g0": 1, "g1": -1}}, "nodes of group 'g1' is -1"),
        ({"groups": {"g0": 4, "g1": {"core": 2}}}, "group 'g0' is 4: give the resources of one of its nodes"),
        ({"equivalence": 2}, "equivalence is 2"),
        ({"equivalence": {"processor": {"gpu": 1}}}, "a node of group 'g0' has no gpu"),
        ({"start_time": "now"}, "unix_start_s is 'now'"),
    ],
)
def test_mistakes_in_json(tmp_path: Path, changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(tt.InputError, match=f"c.json: {sentence}"):
        read_json(tmp_path, {**ACCASIM, **changes})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "c.json is not valid JSON"),
        ("[]", "c.json: groups is missing"),
        ('{"groups": {"a": {"core": 1}, "a": {"core": 2}}}', "c.json: the key 'a' occurs twice"),
    ],
)
def test_files_that_are_no_configuration(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(tt.InputError, match=sentence):
        read_json(tmp_path, text)


def test_a_file_by_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "c.toml").write_text(GOOD)
    with paths_from(tmp_path):
        found = spec.parse("platform", "cluster:file=c.toml,speed=3")
    assert found == tt.Cluster.from_toml(tmp_path / "c.toml").replace(speed=3.0)
    with pytest.raises(tt.InputError, match="Cannot read"):
        spec.parse("platform", "cluster:file=c.toml")
