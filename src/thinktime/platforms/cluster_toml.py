"""A cluster as a TOML file: [cluster], [unit], and any number of [[group]], [[partition]], [[queue]], [[pool]].

See docs/formats/cluster.md.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from thinktime.errors import InputError
from thinktime.platforms.cluster import Cluster
from thinktime.platforms.cluster_file import cluster_text, with_place
from thinktime.platforms.cluster_parts import PartError
from thinktime.spec import suggestion
from thinktime.support.files import parse_toml
from thinktime.support.json_types import JsonDict, JsonTable

#: Table of the file → option of Cluster
LISTS = {"group": "groups", "partition": "partitions", "queue": "queues", "pool": "pools"}
#: Key of [cluster] → option of Cluster
WORDS = {"name": "title", **{key: key for key in ("speed", "estimates", "memory", "unix_start_s")}}


def read(path: Path) -> Cluster:
    """Return the cluster of a file; an error names the file and the line."""
    text = cluster_text(path)
    try:
        keys = parse_toml(text)
    except ValueError as error:
        raise InputError(f"{path} is not valid TOML ({error}): see docs/formats/cluster.md for an example") from None
    try:
        return Cluster(**options_of(keys))
    except InputError as error:
        raise with_place(error, path, text) from None


def options_of(keys: JsonTable) -> JsonDict:
    """The options of Cluster from the file's tables."""
    known = ("cluster", "unit", *LISTS)
    for key in keys:
        if key not in known:
            raise PartError(f"a cluster has no table {key!r}{suggestion(key, known)}: use {', '.join(known)}", key)
    if "group" not in keys:
        raise PartError("the cluster has no nodes: add a [[group]] with name, nodes and resources, as in core = 4")
    lists = {LISTS[key]: _list(key, keys[key]) for key in LISTS if key in keys}
    unit = {"unit": _toml_table("unit", keys["unit"])} if "unit" in keys else {}
    return {**_cluster_words(keys.get("cluster", {})), **unit, **lists}


def _cluster_words(table: Any) -> JsonDict:
    for key in _toml_table("cluster", table):
        if key not in WORDS:
            near = suggestion(key, WORDS)
            message = f"[cluster] has no key {key!r}{near}: it takes {', '.join(WORDS)}"
            raise PartError(message, "cluster", 0, key)
    return {WORDS[key]: value for key, value in table.items()}


def _toml_table(key: str, value: object) -> JsonTable:
    if not isinstance(value, Mapping):
        raise PartError(f"{key} is {value!r}: write it as a table, under [{key}]", key)
    return value


def _list(key: str, value: object) -> list[Any]:
    if not isinstance(value, list):
        raise PartError(f"{key} is one table: write [[{key}]] with two brackets, once for each", key)
    return value


def text_of(cluster: Cluster) -> str:
    """The file of a cluster; reading it gives the same cluster."""
    data = cluster.canonical()
    words = {key: data[option] for key, option in WORDS.items() if option in data}
    blocks = [_block("[cluster]", words), _block("[unit]", data["unit"])]
    for table, option in LISTS.items():
        blocks += [_block(f"[[{table}]]", part) for part in data.get(option, [])]
    return "\n".join(blocks)


def _block(header: str, keys: JsonTable) -> str:
    return "".join([f"{header}\n", *(f"{_toml_key(key)} = {_toml_value(value)}\n" for key, value in keys.items())])


def _toml_key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else json.dumps(key)


def _toml_value(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_toml_value(each) for each in value)}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
