"""AccaSim's system configuration, in JSON.

    {"system_name": "Seth", "start_time": 1027839845, "equivalence": {"processor": {"core": 2}},
     "groups": {"g0": {"core": 4, "mem": 1048576}}, "resources": {"g0": 120}}

`groups` has the resources of one node of each group, `resources` the number of nodes; `equivalence` says what one
processor of the log is. Other keys are for AccaSim's own parts and are passed over, as AccaSim does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from thinktime.errors import InputError
from thinktime.platforms.cluster import Cluster
from thinktime.platforms.cluster_file import cluster_text, with_place
from thinktime.support.files import parse_json
from thinktime.support.json_types import JsonDict, JsonTable

EXAMPLE = 'write {"groups": {"g0": {"core": 4}}, "resources": {"g0": 120}}'


def read(path: Path) -> Cluster:
    """The cluster of the file, with its groups in the order of `groups`."""
    text = cluster_text(path)
    try:
        content = parse_json(text, _without_repetition)
    except InputError as error:
        raise with_place(error, path) from None
    except ValueError as error:
        raise InputError(f"{path} is not valid JSON ({error}): {EXAMPLE}") from None
    try:
        return Cluster(**options_of(content))
    except InputError as error:
        raise with_place(error, path) from None


def _without_repetition(pairs: list[tuple[str, Any]]) -> JsonDict:
    """JSON's reader would keep the last of two groups of one name."""
    found: JsonDict = {}
    for key, value in pairs:
        if key in found:
            raise InputError(f"the key {key!r} occurs twice in one object: give it once")
        found[key] = value
    return found


def options_of(content: Any) -> JsonDict:
    """The options of Cluster."""
    groups, nodes = (_object(content, key) for key in ("groups", "resources"))
    for name in groups:
        if name not in nodes:
            raise InputError(f'group {name!r} has no number of nodes: add it to resources, as in "{name}": 1')
    for name in nodes:
        if name not in groups:
            raise InputError(f"resources has nodes of the unknown group {name!r}: add it to groups")
    equivalence = content.get("equivalence", {})
    unit = equivalence.get("processor") if isinstance(equivalence, Mapping) else None
    if (unit is not None and not isinstance(unit, Mapping)) or not isinstance(equivalence, Mapping):
        raise InputError(f'equivalence is {equivalence!r}: write {{"processor": {{"core": 2}}}}, or leave it out')
    return {
        "groups": [{"name": name, "nodes": nodes[name], **_resources(name, groups[name])} for name in groups],
        **({"unit": unit} if unit is not None else {}),
        "title": content.get("system_name", ""),
        "unix_start_s": content.get("start_time"),
    }


def _object(content: object, key: str) -> JsonTable:
    found = content.get(key) if isinstance(content, Mapping) else None
    if not isinstance(found, Mapping) or not found:
        has = "is missing" if found is None else f"is {found!r}"
        raise InputError(f"{key} {has}: {EXAMPLE}")
    return found


def _resources(name: str, value: object) -> JsonTable:
    if not isinstance(value, Mapping):
        raise InputError(f'group {name!r} is {value!r}: give the resources of one of its nodes, as in {{"core": 4}}')
    for key in ("name", "nodes"):
        if key in value:
            raise InputError(f"group {name!r} has the resource {key!r}: call it otherwise")
    return value


def text_of(cluster: Cluster) -> str:
    """The same nodes for AccaSim, which knows no partitions, queues and pools."""
    start = {} if cluster.unix_start_s is None else {"start_time": cluster.unix_start_s}
    content = {
        "system_name": cluster.title or cluster.name,
        **start,
        "equivalence": {"processor": dict(cluster.unit)},
        "groups": {group.name: dict(group.resources) for group in cluster.groups},
        "resources": {group.name: group.nodes for group in cluster.groups},
    }
    return json.dumps(content, indent=1) + "\n"
