"""The parts of a cluster: groups of nodes, partitions, queues with limits, pools. Each checks itself.

A part is made from plain keys (a table of a TOML file, a dict in Python); `to_dict` returns them. A `PartError` has the
place of the wrong key, which a reader of files turns into a line.
"""

from __future__ import annotations

import dataclasses
import operator
import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from thinktime.errors import InputError
from thinktime.spec import is_number, suggestion
from thinktime.support.json_types import JsonDict, JsonTable

#: Quantities of one node: sums over the largest cluster stay exact in 64 bits.
MOST_AMOUNT = 2**40
MOST_NODES = 10_000_000
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.+-]*")


class PartError(InputError):
    """An error in the `index`-th table called `table`, at its key `key` if there is one."""

    def __init__(self, message: str, table: str = "", index: int = 0, key: str = "") -> None:
        super().__init__(message)
        self.place: tuple[str | int, ...] = (table, index, *([key] if key else ())) if table else ()


@dataclasses.dataclass(frozen=True, kw_only=True)
class Part:
    """Base of the parts. `table` is its name in TOML."""

    table: ClassVar[str]
    name: str

    @classmethod
    def of(cls, value: object, index: int = 0) -> Self:
        """Return the part of a dict; a part is returned as it is."""
        if isinstance(value, cls):
            return value
        if not isinstance(value, Mapping):
            raise PartError(f"a {cls.table} is {value!r}: give a table, as in {cls._example()}", cls.table, index)
        try:
            return cls._made(dict(value))
        except PartError as mistake:
            key = str(mistake.place[2]) if len(mistake.place) > 2 else ""
            raise PartError(str(mistake), cls.table, index, key) from None

    @classmethod
    def _made(cls, keys: JsonDict) -> Self:
        known = [each.name for each in dataclasses.fields(cls)]
        for key in keys:
            if key not in known:
                near = suggestion(key, known)
                _refuse(cls, key, f"a {cls.table} has no key {key!r}{near}: it takes {', '.join(known)}")
        return cls(**{"name": _part_name(cls, keys), **{key: value for key, value in keys.items() if key != "name"}})

    @classmethod
    def _example(cls) -> str:
        return f'{{ name = "{cls.table[0]}0", … }}'

    def to_dict(self) -> JsonDict:
        """Return the keys that differ from their defaults."""
        given = {each.name: getattr(self, each.name) for each in dataclasses.fields(self)}
        usual = {each.name: each.default for each in dataclasses.fields(self)}
        return {key: _tuple_as_list(value) for key, value in given.items() if value != usual[key]}

    def _require(self, key: str, good: bool, rule: str) -> None:
        if not good:
            value = getattr(self, key)
            _refuse(type(self), key, f"{key} of {self.table} {self.name!r} is {_tuple_as_list(value)!r}: {rule}")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Group(Part):
    """Identical nodes. Every key besides `name` and `nodes` is a resource: the amount of one node."""

    table: ClassVar[str] = "group"
    nodes: int = 0
    resources: tuple[tuple[str, int], ...] = ()

    @classmethod
    def _made(cls, keys: JsonDict) -> Self:
        name = _part_name(cls, keys)
        if "nodes" not in keys:
            near = suggestion("nodes", [key for key in keys if key != "name"])
            _refuse(cls, "name", f"group {name!r} has no key nodes{near}: add nodes = 1 or more")
        resources = [(key, value) for key, value in keys.items() if key not in ("name", "nodes")]
        return cls(name=name, nodes=keys["nodes"], resources=tuple(resources))

    def __post_init__(self) -> None:
        self._require("name", not re.search(r"[\s\[\],]", self.name), "leave out blanks, commas and brackets")
        good = is_whole(self.nodes) and 1 <= self.nodes <= MOST_NODES
        self._require("nodes", good, f"choose a whole number from 1 to {MOST_NODES:,}")
        if not self.resources:
            _refuse(Group, "name", f"group {self.name!r} has nodes without resources: add one, as in core = 4")
        for resource, amount in self.resources:
            require_amount(Group, f"{resource} of group {self.name!r}", resource, amount)
        whole = tuple((resource, operator.index(amount)) for resource, amount in self.resources)
        object.__setattr__(self, "resources", whole)
        object.__setattr__(self, "nodes", operator.index(self.nodes))

    def to_dict(self) -> JsonDict:
        return {"name": self.name, "nodes": self.nodes, **dict(self.resources)}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Partition(Part):
    """The nodes of some groups. A group may be in several partitions."""

    table: ClassVar[str] = "partition"
    groups: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        names = _tuple(self.groups)
        good = names and all(isinstance(each, str) for each in names) and len(set(names)) == len(names)
        self._require("groups", bool(good), 'list the names of its groups, each once, as in ["g0", "g1"]')
        object.__setattr__(self, "groups", names)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Queue(Part):
    """Limits for the jobs whose queue or partition in the log is listed; without lists, for all jobs.

    A job belongs to the first queue that accepts it. `log_queues` and `log_partitions` have numbers of the log's fields
    15 and 16, or names from its header. A job above `max_processors` or `max_estimate_s` is rejected; the running
    limits make jobs wait.
    """

    table: ClassVar[str] = "queue"
    log_queues: tuple[int | str, ...] = ()
    log_partitions: tuple[int | str, ...] = ()
    partition: str | None = None  # of the cluster; None: all nodes
    max_processors: int | None = None
    max_estimate_s: float | None = None
    max_running_processors: int | None = None
    max_running_jobs: int | None = None
    max_running_processors_per_user: int | None = None
    max_running_jobs_per_user: int | None = None

    def __post_init__(self) -> None:
        for key in ("log_queues", "log_partitions"):
            numbers = _tuple(getattr(self, key))
            good = all(isinstance(each, str) or is_whole(each) for each in numbers)
            self._require(key, good, "list numbers of the log's field, or names of its header, as in [1, 2]")
            object.__setattr__(self, key, numbers)
        self._require("partition", self.partition is None or isinstance(self.partition, str), "give its name")
        for key in (*LIMITS, "max_processors"):
            limit = getattr(self, key)
            good = limit is None or (is_whole(limit) and limit >= 1)
            self._require(key, good, "choose a whole number of 1 or more, or leave it out for no limit")
        seconds = self.max_estimate_s
        good = seconds is None or (is_number(seconds) and 0 < seconds < float("inf"))
        self._require("max_estimate_s", good, "choose seconds above 0, or leave it out for no limit")
        object.__setattr__(self, "max_estimate_s", None if seconds is None else float(seconds))

    @property
    def takes_all(self) -> bool:
        return not self.log_queues and not self.log_partitions


#: Running limit of a queue → what a job counts (its processors, or 1), and whether the limit is per user.
LIMITS: dict[str, tuple[str, bool]] = {
    "max_running_processors": ("processors", False),
    "max_running_jobs": ("jobs", False),
    "max_running_processors_per_user": ("processors", True),
    "max_running_jobs_per_user": ("jobs", True),
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Pool(Part):
    """A resource of the whole cluster, such as licences: a job takes `per_job` + `per_processor` × its processors.

    With `executables`, only jobs with these numbers in the log's field 14 take it. `requests` can also give the amount
    of every job.
    """

    table: ClassVar[str] = "pool"
    amount: int = 0
    per_job: int = 0
    per_processor: int = 0
    executables: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for key in ("amount", "per_job", "per_processor"):
            value = getattr(self, key)
            least = 1 if key == "amount" else 0
            good = is_whole(value) and least <= value <= MOST_AMOUNT
            self._require(key, good, f"choose a whole number from {least} to 2**40")
        numbers = _tuple(self.executables)
        self._require("executables", all(is_whole(each) for each in numbers), "list numbers of the log's field 14")
        object.__setattr__(self, "executables", numbers)


def parts(kind: type[Any], values: object) -> tuple[Any, ...]:
    """Return all parts of one kind; raise PartError if two have one name."""
    if isinstance(values, Mapping | str) or not isinstance(values, Iterable):
        raise PartError(f"the {kind.table}s are {values!r}: give a list of them")
    made = tuple(kind.of(value, index) for index, value in enumerate(values))
    for index, part in enumerate(made):
        if any(part.name == other.name for other in made[:index]):
            message = f"two {kind.table}s are called {part.name!r}: give each another name"
            raise PartError(message, kind.table, index, "name")
    return made


def require_amount(part: type[Any], what: str, key: str, value: Any, least: int = 0) -> None:
    """Raise PartError for a wrong name or amount of a resource."""
    if not isinstance(key, str) or not _NAME.fullmatch(key):
        _refuse(
            part,
            str(key),
            f"a resource is called {key!r}: use letters, digits, _ and -, as in core or gpu",
        )
    if not is_whole(value) or not least <= value <= MOST_AMOUNT:
        _refuse(part, key, f"{what} is {value!r}: choose a whole number from {least} to 2**40")


def is_whole(value: object) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _refuse(part: type[Any], key: str, message: str) -> None:
    raise PartError(message, getattr(part, "table", ""), 0, key)


def _part_name(part: type[Any], keys: JsonTable) -> str:
    name = keys.get("name")
    if not isinstance(name, str) or not name.strip():
        has = f"has the name {name!r}" if "name" in keys else "has no name"
        _refuse(part, "name", f'a {part.table} {has}: add name = "…"')
    return str(name)


def _tuple(value: object) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _tuple_as_list(value: object) -> Any:
    return list(value) if isinstance(value, tuple) else value
