"""The dimensions of a study's grid, and how an entry of each is written.

An entry is a spec (`"easy:order=sjf"`, or a table with its name and options) and the name that tables and figures
show. A new dimension needs a row in `SPECS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

from thinktime import spec
from thinktime.errors import InputError
from thinktime.spec import Spec
from thinktime.support.json_types import JsonTable

if TYPE_CHECKING:
    from thinktime.plugins import Plugin


class Dimension(NamedTuple):
    """One row of `SPECS`."""

    key: str  # in the study's file
    name: str  # in tables, and the argument of `simulate` where it is one
    kind: str  # of the specs in the registry
    default: str


#: The dimensions that are specs, in the order of the grid; workloads precede them, rules and seeds follow.
SPECS = (
    Dimension("platforms", "platform", "platform", "log"),
    Dimension("schedulers", "scheduler", "scheduler", "easy"),
    Dimension("allocators", "allocator", "allocator", ""),
    Dimension("users", "users", "users", "rigid"),
    Dimension("applications", "applications", "application", "fixed"),
    Dimension("estimates", "estimates", "estimates", "requested"),
)

#: All dimensions, by their name in a cell of the grid.
NAMES = ("workload", *(each.name for each in SPECS), "rules", "seed")


class Entry(NamedTuple):
    """One value of a dimension."""

    name: str  # what tables show
    spec: JsonTable  # JSON-able; everything that affects the run


def entry(dimension: Dimension, value: object) -> Entry:
    """Return the entry of a text (`"easy:order=sjf"`), a spec, or a table with `spec` and optionally `name`."""
    if isinstance(value, Mapping):
        return _from_table(dimension, value)
    found = _spec(dimension, value)
    return Entry(found.text(), found.to_dict())


def defaults(dimension: Dimension) -> list[Entry]:
    """Return the entries of a dimension that a study does not mention."""
    return [entry(dimension, dimension.default)] if dimension.default else []


def _from_table(dimension: Dimension, table: JsonTable) -> Entry:
    for key in table:
        if key not in ("name", "spec"):
            near = spec.suggestion(key, ("name", "spec"))
            raise InputError(f"unknown key {key!r} in a table of {dimension.key}{near}: use spec and name")
    if "spec" not in table:
        raise InputError(f'a table of {dimension.key} has no spec: write {{ name = "…", spec = "…" }}')
    found = _spec(dimension, table["spec"])
    name = table.get("name", found.text())
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"name in a table of {dimension.key} must be a text (got {name!r})")
    return Entry(name, found.to_dict())


def _spec(dimension: Dimension, value: object) -> Spec:
    if isinstance(value, Mapping):
        return spec.from_dict(dimension.kind, dict(value))
    return spec.as_spec(dimension.kind, value, dimension.key)


def plugins_of(values: Sequence[Any]) -> list[Plugin]:
    """Return the specs of texts, tables and specs; raise InputError if they do not go together."""
    from thinktime.plugins.plugin import Plugin, require_compatible

    specs = [spec.from_dict("plugin", dict(each)) if isinstance(each, Mapping) else each for each in values]
    found = [spec.as_spec(Plugin, each) for each in specs]
    require_compatible(found)
    return found


def cell_matches(where: JsonTable, names: JsonTable) -> bool:
    """Whether a cell of the grid meets a condition: dimension → name, pattern with *, or a list of them."""
    return all(name_matches(names.get(key), wanted) for key, wanted in where.items())


def name_matches(name: object, wanted: object) -> bool:
    """Whether the name equals, or fits the pattern of, one of those wanted."""
    patterns = wanted if isinstance(wanted, list | tuple) else [wanted]
    return any(str(name) == str(pattern) or fnmatchcase(str(name), str(pattern)) for pattern in patterns)
