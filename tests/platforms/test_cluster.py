"""Clusters as specs: they print as themselves, survive TOML and JSON, and say what is wrong with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import thinktime as tt
from thinktime import spec
from thinktime.platforms import Cluster
from thinktime.platforms.cluster_json import text_of as accasim_text
from thinktime.platforms.configurations import NAMES
from thinktime.result.canonical_json import digest_of

THIN = {"name": "thin", "nodes": 3, "core": 4, "mem": 1000}
FAT = {"name": "fat", "nodes": 2, "core": 16, "mem": 9000, "gpu": 2}
WHOLE: dict[str, Any] = {
    "groups": [THIN, FAT],
    "unit": {"core": 2},
    "partitions": [{"name": "p", "groups": ["fat"]}, {"name": "all", "groups": ["thin", "fat"]}],
    "queues": [
        {"name": "short", "log_queues": [1, "batch"], "max_estimate_s": 3600.0, "max_running_jobs_per_user": 2},
        {"name": "rest", "partition": "p", "max_processors": 8},
    ],
    "pools": [{"name": "licence", "amount": 5, "per_job": 1, "executables": [7]}],
    "memory": "requested",
    "speed": 2.0,
    "title": "Test",
    "unix_start_s": 12,
}


@pytest.fixture
def cluster() -> Cluster:
    return Cluster(**WHOLE)


def test_nodes_units_and_names(cluster: Cluster) -> None:
    assert (cluster.nodes, cluster.processors, cluster.resources) == (5, 3 * 2 + 2 * 8, ("core", "gpu", "mem"))
    assert cluster.capacity.tolist() == [[4, 0, 1000]] * 3 + [[16, 2, 9000]] * 2
    assert cluster.node_names == ["thin-0", "thin-1", "thin-2", "fat-0", "fat-1"]
    with pytest.raises(ValueError, match="read-only"):
        cluster.capacity[0, 0] = 1


def test_units_a_node_are_the_least_over_resources() -> None:
    cluster = Cluster(groups=[{"name": "a", "nodes": 1, "core": 9, "gpu": 3}], unit={"core": 2, "gpu": 1})
    assert cluster.processors == 3


def test_it_prints_as_itself(cluster: Cluster) -> None:
    assert eval(repr(cluster)) == cluster
    assert repr(Cluster(groups=[{"name": "a", "nodes": 1, "core": 1}])) == (
        "Cluster(groups=[{'name': 'a', 'nodes': 1, 'core': 1}])"
    )


@pytest.mark.parametrize("name", NAMES)
def test_configurations_print_and_parse_by_their_names(name: str) -> None:
    cluster = tt.Cluster.named(name)
    assert repr(cluster) == f"Cluster.named({name!r})"
    assert cluster.text() == name
    assert spec.parse("platform", name) == cluster
    faster = cluster.scaled(speed=2).replace(memory="ignore")
    assert eval(repr(faster)) == faster != cluster
    assert faster.text() == f"{name}:memory=ignore,speed=2" or spec.parse("platform", faster.text()) == faster


def test_the_configurations_of_the_paper() -> None:
    sizes = {name: (tt.Cluster.named(name).nodes, tt.Cluster.named(name).processors) for name in NAMES}
    assert sizes == {
        "seth": (120, 240),
        "ricc": (1048, 8384),
        "ricc-1024": (1024, 8192),
        "metacentrum": (495, 8412),
    }
    assert tt.Cluster.named("seth").capacity[0].tolist() == [4, 1048576]
    assert len(tt.Cluster.named("metacentrum").groups) == 20


def test_round_trips(cluster: Cluster, tmp_path: Any) -> None:
    (tmp_path / "c.toml").write_text(cluster.to_toml())
    assert tt.Cluster.from_toml(tmp_path / "c.toml") == cluster
    again = spec.from_dict("platform", cluster.to_dict())
    assert again == cluster
    assert hash(again) == hash(cluster)
    assert digest_of(again.to_dict()) == digest_of(cluster.to_dict())
    assert cluster.replace(speed=1.0) != cluster


def test_the_order_of_resources_makes_no_difference() -> None:
    one = Cluster(groups=[{"name": "a", "nodes": 1, "core": 1, "mem": 2}])
    other = Cluster(groups=[{"name": "a", "nodes": 1, "mem": 2, "core": 1}])
    assert one == other
    assert one.resources == other.resources
    assert np.array_equal(one.capacity, other.capacity)


def test_accasims_file_and_back(tmp_path: Any) -> None:
    seth = tt.Cluster.named("seth")
    (tmp_path / "seth.json").write_text(accasim_text(seth))
    assert tt.Cluster.from_json(tmp_path / "seth.json") == seth


def test_scaled(cluster: Cluster) -> None:
    twice = cluster.scaled(nodes=2, speed=0.5)
    assert (twice.nodes, twice.speed) == (10, 1.0)
    with pytest.raises(tt.InputError, match="nodes is 0: choose a factor above 0"):
        cluster.scaled(nodes=0)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"groups": []}, "a cluster needs groups"),
    ({"groups": {"g0": 3}}, "the groups are {'g0': 3}: give a list"),
    ({"groups": [THIN, THIN]}, "two groups are called 'thin': give each another name"),
    ({"groups": [{"name": "a", "core": 4}]}, "group 'a' has no key nodes: add nodes"),
    ({"groups": [{"name": "a", "nodes": 0, "core": 4}]}, "nodes of group 'a' is 0: choose a whole number from 1"),
    ({"groups": [{"name": "a", "nodes": True, "core": 4}]}, "nodes of group 'a' is True"),
    ({"groups": [{"name": "a b", "nodes": 1, "core": 4}]}, "name of group 'a b' is 'a b': leave out blanks"),
    ({"groups": [{"name": "a", "nodes": 2}]}, "group 'a' has nodes without resources"),
    ({"groups": [{"name": "a", "nodes": 2, "core": -4}]}, "core of group 'a' is -4: choose a whole number from 0"),
    ({"groups": [{"name": "a", "nodes": 2, "core": 1.5}]}, "core of group 'a' is 1.5"),
    ({"groups": [{"name": "a", "nodes": 2, "mem": 4}]}, "a node of group 'a' has no core but a unit"),
    ({"groups": [{"nodes": 2, "core": 4}]}, "a group has no name"),
    ({"groups": ["seth"]}, "a group is 'seth'"),
    ({"unit": {"core": 8}}, "a node of group 'thin' has 4 core but a unit, one processor of the log, needs 8"),
    ({"unit": {}}, "the unit is empty"),
    ({"unit": {"core": 0}}, "core of the unit is 0: choose a whole number from 1"),
    ({"partitions": [{"name": "p", "groups": ["fatt"]}], "queues": []}, r"names the group 'fatt' \(did you mean 'fat'"),
    ({"partitions": [{"name": "p", "groups": []}], "queues": []}, "groups of partition 'p' is \\[\\]"),
    ({"queues": [{"name": "q", "partition": "x"}]}, "queue 'q' names the partition 'x', which is not there"),
    ({"queues": [{"name": "q"}, {"name": "r"}]}, "queue 'q' takes every job, so the queues after it get none"),
    ({"queues": [{"name": "q", "max_procesors": 3}]}, r"has no key 'max_procesors' \(did you mean 'max_processors'"),
    ({"queues": [{"name": "q", "max_processors": 0}]}, "max_processors of queue 'q' is 0"),
    ({"queues": [{"name": "q", "max_estimate_s": -1}]}, "max_estimate_s of queue 'q' is -1: choose seconds above 0"),
    ({"queues": [{"name": "q", "log_queues": [1.5]}]}, "log_queues of queue 'q' is"),
    ({"pools": [{"name": "mem", "amount": 3}]}, "pool 'mem' has the name of a resource"),
    ({"pools": [{"name": "x", "amount": 0}]}, "amount of pool 'x' is 0: choose a whole number from 1"),
    ({"memory": "used"}, "memory is 'used'.*: choose one of requested-or-used, requested, ignore"),
    ({"speed": 0}, "speed is 0: choose a number above 0"),
]


@pytest.mark.parametrize(("changes", "sentence"), WRONG, ids=[sentence[:40] for _, sentence in WRONG])
def test_mistakes_are_one_message(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(tt.InputError, match=sentence):
        Cluster(**{**WHOLE, **changes})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("seht", "no platform is called 'seht' \\(did you mean 'seth'\\?\\)"),
        ("cluster", "needs its nodes: write cluster:file=FILE, or a name such as seth"),
        ("seth:nodes=3", "a cluster takes no 'nodes' here: give speed, estimates, memory, title, or edit its file"),
        ("cluster:file=none.toml", "Cannot read none.toml"),
        ("cluster:file=none.yaml", "the ending of none.yaml is '.yaml'"),
    ],
)
def test_texts_that_are_no_cluster(text: str, sentence: str) -> None:
    with pytest.raises(tt.InputError, match=sentence):
        spec.parse("platform", text)


def test_no_configuration_of_this_name() -> None:
    with pytest.raises(tt.InputError, match=r"no cluster is called 'set'.*choose one of seth, ricc"):
        tt.Cluster.named("set")
