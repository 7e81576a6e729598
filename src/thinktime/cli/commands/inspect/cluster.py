"""The facts about a cluster: nodes, resources per processor of a log, partitions, queues and pools."""

from __future__ import annotations

from pathlib import Path

from thinktime.cli import printing
from thinktime.support.json_types import JsonDict


def is_cluster(subject: str) -> bool:
    """Return whether the subject is a cluster file or the name of a built-in cluster, unless a file has that name."""
    from thinktime.platforms.configurations import NAMES

    path = Path(subject.partition(":")[0])
    if path.suffix.lower() == ".json":
        return not _is_log(path)
    return path.suffix.lower() == ".toml" or (str(path) in NAMES and not path.exists())


def _is_log(path: Path) -> bool:
    """Return whether a JSON file has the jobs of a workload."""
    from thinktime.traces.reader import HEAD_BYTES, is_regular
    from thinktime.traces.readers.batsim import BatsimReader
    from thinktime.traces.unpack import read_blocks

    return is_regular(path) and BatsimReader.recognises(next(read_blocks(path, HEAD_BYTES), b""))


def facts_of_cluster(subject: str) -> JsonDict:
    from thinktime.platforms import Cluster

    cluster = Cluster.from_text(subject)
    totals = dict(zip(cluster.resources, cluster.capacity.sum(axis=0).tolist(), strict=True))
    sizes = {"nodes": cluster.nodes, "processors": cluster.processors, "resources": totals}
    return {"cluster": subject, **sizes, **cluster.canonical()}


def print_cluster(facts: JsonDict) -> None:
    printing.heading(facts["cluster"] + (f": {facts['title']}" if facts.get("title") else ""))
    totals = ", ".join(f"{amount:,} {name}" for name, amount in facts["resources"].items())
    printing.row("nodes", f"{facts['nodes']:,} with {totals}")
    printing.row("groups", *(_group(group) for group in facts["groups"]))
    unit = ", ".join(f"{amount:,} {name}" for name, amount in facts["unit"].items())
    printing.row("processors", f"{facts['processors']:,}: a processor of the log is {unit}{_memory(facts)}")
    for table, line in (("partitions", _partition), ("queues", _keys), ("pools", _keys)):
        if table in facts:
            printing.row(table, *(line(part) for part in facts[table]))
    if facts["speed"] != 1:
        printing.row("speed", f"{facts['speed']:g}")


def _group(group: JsonDict) -> str:
    amounts = ", ".join(f"{amount:,} {name}" for name, amount in group.items() if name not in ("name", "nodes"))
    names = f"{group['name']}-0" + (f" to {group['name']}-{group['nodes'] - 1}" if group["nodes"] > 1 else "")
    return f"{names}: {amounts} each"


def _memory(facts: JsonDict) -> str:
    return f", and its memory (policy {facts['memory']})" if "mem" in facts["resources"] else ""


def _partition(part: JsonDict) -> str:
    return f"{part['name']}: {', '.join(part['groups'])}"


def _keys(part: JsonDict) -> str:
    given = [f"{key} {_value_text(value)}" for key, value in part.items() if key != "name"]
    return f"{part['name']}: {', '.join(given) if given else 'no limits'}"


def _value_text(value: object) -> str:
    return (
        " ".join(map(str, value))
        if isinstance(value, list)
        else f"{value:,g}"
        if isinstance(value, float)
        else str(value)
    )
