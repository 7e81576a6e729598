"""A cluster: groups of nodes with amounts of resources; partitions, queues with limits, pools."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from thinktime.errors import InputError
from thinktime.platforms.cluster_checks import (
    MEMORY,
    checked_unit,
    require_names,
    require_size,
    require_unit,
    require_words,
    units_of_group,
)
from thinktime.platforms.cluster_parts import (
    Group,
    PartError,
    Partition,
    Pool,
    Queue,
    parts,
)
from thinktime.platforms.machine import Machine, without_recorded
from thinktime.spec import Spec, as_spec, is_number, one_of, suggestion

if TYPE_CHECKING:
    import numpy as np

CORE = "core"  # the resource that tasks run on


class Cluster(Spec, kind="platform", name="cluster"):
    """Groups of nodes. Each processor of a job is a unit that takes `unit` and its memory; units may share a node.

    Parameters
    ----------
    groups
        Tables such as `{"name": "g0", "nodes": 120, "core": 4, "mem": 1048576}`.
    unit
        What one processor of the log takes, such as `{"core": 2}`.
    partitions, queues, pools
        Tables with the keys of docs/formats/cluster.md.
    memory
        Where the `mem` of a unit comes from: `requested-or-used`, `requested` or `ignore`.
    speed
        The speed relative to the recorded machine: 2.0 halves every run time.
    estimates
        `recorded` keeps the estimates at any speed; `scaled` divides them by the speed too.
    title
        A name for people.
    """

    opens: ClassVar[tuple[str, ...]] = ("file",)

    groups: Any  # given as tables; held as a tuple of Group, and so below
    unit: Any = ((CORE, 1),)
    partitions: Any = ()
    queues: Any = ()
    pools: Any = ()
    memory: str = "requested-or-used"
    speed: float = 1.0
    estimates: str = "recorded"
    title: str = ""  # for people
    unix_start_s: int | None = None  # AccaSim's start_time: the instant of submit time 0; kept, not used

    def __post_init__(self) -> None:
        for option, kind in (("groups", Group), ("partitions", Partition), ("queues", Queue), ("pools", Pool)):
            object.__setattr__(self, option, parts(kind, getattr(self, option)))
        if not self.groups:
            raise PartError("a cluster needs groups: add one with name, nodes and resources")
        object.__setattr__(self, "unit", checked_unit(self.unit))
        require_words(self)
        require_unit(self.groups, self.unit)
        require_names(self)
        require_size(self)

    @classmethod
    def named_options(cls, given: tuple[Any, ...]) -> str:
        """Return what to write instead of `Cluster("seth")`."""
        if isinstance(given[0], str | Path):
            return f"Cluster takes groups of nodes: write Cluster.from_text({str(given[0])!r}) for a name or a file"
        return super().named_options(given)

    # --- from files and names -------------------------------------------------------------------------------

    @classmethod
    def from_toml(cls, path: str | Path) -> Cluster:
        """Return the cluster of a TOML file (docs/formats/cluster.md)."""
        from thinktime.platforms.cluster_toml import read

        return read(Path(path))

    @classmethod
    def from_json(cls, path: str | Path) -> Cluster:
        """Return the cluster of an AccaSim system configuration."""
        from thinktime.platforms.cluster_json import read

        return read(Path(path))

    @classmethod
    def from_file(cls, path: str | Path) -> Cluster:
        """Return the cluster of a .toml or .json file."""
        ending = Path(path).suffix.lower()
        one_of(f"the ending of {path}", ending, [".toml", ".json"])
        return cls.from_toml(path) if ending == ".toml" else cls.from_json(path)

    @classmethod
    def named(cls, name: str) -> Cluster:
        """Return a configuration of the package: `seth`, `ricc`, `ricc-1024` or `metacentrum`."""
        from thinktime.platforms.configurations import NAMES, configuration

        if name not in NAMES:
            raise InputError(_unknown(str(name), NAMES))
        return configuration(name)

    @classmethod
    def from_text(cls, text: str) -> Cluster:
        """Return the cluster for the command line's text.

        The text is the name of a configuration, a file, or either with options (`seth:memory=ignore`,
        `cluster:file=mine.toml,speed=2`).
        """
        from thinktime.platforms.configurations import NAMES

        name = text.partition(":")[0]
        if not _is_cluster_file(text) and name not in (*NAMES, cls.name):
            raise InputError(_unknown(name, NAMES))
        return as_spec(cls, text, "cluster")

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> Cluster:
        """Return the cluster with these options; `file` reads it from a file first."""
        if "file" not in options and "groups" not in options:
            raise InputError("platform cluster needs its nodes: write cluster:file=FILE, or a name such as seth")
        if "file" not in options:
            return super().from_options(options)
        from thinktime.platforms.cluster_file import found

        given = {key: value for key, value in options.items() if key != "file"}
        return cls.from_file(found(str(options["file"]))).changed(given)

    def changed(self, options: Mapping[str, Any]) -> Cluster:
        """Return a copy with the options that fit on a line: speed, estimates, memory, title."""
        allowed = ("speed", "estimates", "memory", "title")
        for option in options:
            if option not in allowed:
                near = suggestion(option, allowed)
                raise InputError(
                    f"a cluster takes no {option!r} here{near}: give {', '.join(allowed)}, or edit its file"
                )
        return self.replace(**options)

    # --- what it is -----------------------------------------------------------------------------------------

    def canonical(self) -> dict[str, Any]:
        """Return plain data, as in TOML and JSON, without empty parts."""
        tables = {key: [part.to_dict() for part in getattr(self, key)] for key in ("groups", *TABLES)}
        words = {key: getattr(self, key) for key in ("memory", "speed", "estimates", "title", "unix_start_s")}
        every = {"groups": tables["groups"], "unit": dict(self.unit), **tables, **without_recorded(words)}
        return {key: value for key, value in every.items() if value or key in ("speed", "memory")}

    def __hash__(self) -> int:
        return hash(json.dumps(self.canonical(), sort_keys=True))

    def __repr__(self) -> str:
        from thinktime.platforms.configurations import near

        known = near(self)
        if known is not None:
            name, changes = known
            listed = ", ".join(f"{key}={value!r}" for key, value in changes.items())
            return f"Cluster.named({name!r})" + (f".replace({listed})" if changes else "")
        usual = {"unit": {CORE: 1}, "memory": MEMORY[0], "speed": 1.0}
        given = [(key, value) for key, value in self.canonical().items() if value != usual.get(key)]
        return f"Cluster({', '.join(f'{key}={value!r}' for key, value in given)})"

    def _repr_html_(self) -> str:
        """Return a table of the groups of nodes, for notebooks."""
        from thinktime.support.html import table_html

        title = f"{self.text()}: {self.nodes:,} nodes, {self.processors:,} processors, speed {self.speed:g}"
        rows = [(group.name, group.nodes, *map(dict(group.resources).get, self.resources)) for group in self.groups]
        return table_html(title, ("group", "nodes", *self.resources), rows)

    def text(self) -> str:
        """Return the command line's text for a configuration of the package; else the title."""
        from thinktime.platforms.configurations import near

        name, changes = near(self) or (self.title or self.name, {})
        return super().text_with(name, changes)

    @classmethod
    def text_with(cls, name: str, options: Mapping[str, Any]) -> str:
        """Return the text of the cluster with these options: its groups are too long to type."""
        return cls.from_options(dict(options)).text()

    def to_toml(self) -> str:
        """Return the text that `from_toml` reads."""
        from thinktime.platforms.cluster_toml import text_of

        return text_of(self)

    def scaled(self, *, speed: float = 1.0, nodes: float = 1.0, estimates: str | None = None) -> Cluster:
        """Return this cluster with its speed and the nodes of every group multiplied.

        `estimates="scaled"` divides estimates by the speed too; by default they stay as they are.
        """
        for what, factor in (("speed", speed), ("nodes", nodes)):
            if not is_number(factor) or not math.isfinite(factor) or factor <= 0:
                raise InputError(f"{what} is {factor!r}: choose a factor above 0")
        groups = [{**group.to_dict(), "nodes": math.floor(group.nodes * nodes + 1e-9)} for group in self.groups]
        return self.replace(groups=groups, speed=self.speed * speed, estimates=estimates or self.estimates)

    # --- its nodes ------------------------------------------------------------------------------------------

    @property
    def nodes(self) -> int:
        return sum(group.nodes for group in self.groups)

    @property
    def processors(self) -> int:
        """The number of units that all nodes hold."""
        return sum(group.nodes * units_of_group(group, self.unit) for group in self.groups)

    @property
    def node_processors(self) -> list[int]:
        """The number of units that each node holds."""
        return [units_of_group(group, self.unit) for group in self.groups for _ in range(group.nodes)]

    @property
    def resources(self) -> tuple[str, ...]:
        """The resources of a unit, then the others, each in alphabetical order."""
        unit, every = dict(self.unit), {resource for group in self.groups for resource, _ in group.resources}
        return tuple(sorted(every, key=lambda resource: (resource not in unit, resource)))

    @cached_property
    def group_capacity(self) -> np.ndarray:
        """[group, resource]: the amounts of one node of the group."""
        import numpy as np

        rows = [[dict(group.resources).get(resource, 0) for resource in self.resources] for group in self.groups]
        return np.array(rows, dtype=np.int64)

    @cached_property
    def capacity(self) -> np.ndarray:
        """[node, resource], read-only."""
        import numpy as np

        every = np.repeat(self.group_capacity, self.group_nodes, axis=0)
        every.flags.writeable = False
        return every

    @property
    def group_nodes(self) -> list[int]:
        return [group.nodes for group in self.groups]

    @property
    def core_resource(self) -> int:
        """The position of the resource `core`; raise InputError if the nodes have none."""
        if CORE not in self.resources:
            listed = ", ".join(self.resources)
            raise InputError(f"the cluster's nodes have {listed} but tasks run on cores: add a resource named core")
        return self.resources.index(CORE)

    @property
    def group_cores(self) -> list[tuple[str, int]]:
        """The name of each group and the cores of all its nodes, in the order of the nodes."""
        return [(group.name, group.nodes * dict(group.resources).get(CORE, 0)) for group in self.groups]

    @cached_property
    def node_names(self) -> list[str]:
        """`g0-0`, `g0-1`, …: the group and the number in it."""
        return [f"{group.name}-{k}" for group in self.groups for k in range(group.nodes)]


def machine_or_file(text: str) -> Machine | Cluster | None:
    """Return the platform for a number of processors or for a cluster's file; None for any other text."""
    if text.lstrip("-").isdecimal():
        return Machine(processors=int(text))
    return Cluster.from_options({"file": text}) if _is_cluster_file(text) else None


def _is_cluster_file(text: str) -> bool:
    return ":" not in Path(text).name and Path(text).suffix.lower() in (".toml", ".json")


def _unknown(name: str, names: tuple[str, ...]) -> str:
    near = suggestion(name, names)
    return f"no cluster is called {name!r}{near}: choose one of {', '.join(names)}, or give a .toml or .json file"


TABLES = ("partitions", "queues", "pools")
