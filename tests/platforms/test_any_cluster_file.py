"""Whatever a cluster's file holds: a cluster, or one sentence."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import thinktime as tt
from tests.effort import examples
from thinktime.platforms.cluster_toml import options_of

WORDS = """
    name nodes core mem gpu groups partition log_queues log_partitions max_processors max_estimate_s max_running_jobs
    amount per_job executables speed memory unit group queue pool cluster processor
    system_name start_time resources équipe
"""
KEYS = st.sampled_from(WORDS.split())
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-5, 2**70)
    | st.floats()
    | st.sampled_from(["g0", "g1", "", "core", "a b", "requested", "\n"])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=8
)
GROUP = st.dictionaries(st.sampled_from(["name", "nodes", "core", "mem"]), SCALARS, max_size=4) | st.just(
    {"name": "g0", "nodes": 3, "core": 4}
)
FILES = st.fixed_dictionaries(
    {"group": st.lists(GROUP, max_size=2)},
    optional=dict.fromkeys(("cluster", "unit", "partition", "queue", "pool", "other"), VALUES),
)


def answered(make: Any) -> None:
    try:
        cluster = make()
    except tt.InputError:
        return
    assert cluster.processors >= 1
    assert eval(repr(cluster), {"Cluster": tt.Cluster, "nan": float("nan"), "inf": float("inf")}) == cluster
    assert len(cluster.node_names) == cluster.nodes


@examples(200)
@given(FILES)
def test_toml(keys: dict[str, Any]) -> None:
    answered(lambda: tt.Cluster(**options_of(keys)))


@examples(100)
@given(
    st.dictionaries(st.sampled_from(["groups", "resources", "equivalence", "system_name", "start_time"]), VALUES)
    | VALUES
)
def test_json(content: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.json"
        path.write_text(json.dumps(content))
        answered(lambda: tt.Cluster.from_json(path))


@examples(100)
@given(st.text(max_size=60) | st.binary(max_size=60))
def test_any_text(content: str | bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in ("c.toml", "c.json"):
            path = Path(folder) / name
            path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
            answered(lambda path=path: tt.Cluster.from_file(path))
