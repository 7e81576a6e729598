"""The user's own classes and commands that running a study would import or start.

A store keeps the name, options, hash and module of such a class: enough to read outcomes without it. Running needs the
class itself, so a study that was read from a file must be trusted first (`trusted`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from thinktime import trust
from thinktime.errors import InputError
from thinktime.spec import REGISTRY, class_in_module, from_stored, lookup
from thinktime.spec.own import OwnSpec
from thinktime.study.dimensions import SPECS, Entry
from thinktime.study.sources import readers_of
from thinktime.support.json_types import JsonDict, JsonTable

if TYPE_CHECKING:
    from thinktime.study.study import Study

Grid = Mapping[str, Sequence[Entry]]
Own = Mapping[str, JsonTable]  # `kind name` → module, class, random


def specs_in(grid: Mapping[str, Sequence[Entry]]) -> Iterator[tuple[str, JsonTable]]:
    """Yield kind and table of every spec of the grid, plugins and readers included."""
    for dimension in SPECS:
        yield from ((dimension.kind, each.spec) for each in grid.get(dimension.name, ()))
    for rules in grid.get("rules", ()):
        yield from (("plugin", plugin) for plugin in rules.spec.get("plugins", ()))
    for workload in grid.get("workload", ()):
        yield from (("reader", reader) for reader in readers_of(workload.spec))


def own_classes(grid: Grid, known: Own) -> dict[str, JsonDict]:
    """Describe the user's own classes in the grid; `known` has those that this process has not imported."""
    found: dict[str, JsonDict] = {}
    for kind, spec in specs_in(grid):
        key, cls = _kind_and_name(kind, spec), REGISTRY.get(kind, {}).get(str(spec.get("name")))
        if isinstance(cls, type) and issubclass(cls, OwnSpec):
            random = getattr(cls, "random", False) is not False
            found[key] = {"module": cls.__module__, "class": cls.__qualname__, "random": random}
        elif key in known:
            found[key] = dict(known[key])
    return found


def is_random_spec(kind: str, spec: JsonTable, own: Own) -> bool:
    """Return whether a spec draws random numbers; the user's own class is not needed."""
    if _kind_and_name(kind, spec) in own:
        return bool(own[_kind_and_name(kind, spec)]["random"])
    cls = lookup(kind, str(spec.get("name")))
    asked = from_stored(kind, dict(spec)) if kind == "plugin" and not issubclass(cls, OwnSpec) else cls
    return getattr(asked, "random", False) is not False and bool(getattr(asked, "random", False))


def untrusted_code(study: Study) -> list[str]:
    """Return what running the study would import or start because the study names it."""
    missing = {key: each for key, each in study.own.items() if not _imported(key)}
    modules = [f"import {each['module']}:{each['class']} as {key}" for key, each in missing.items()]
    return [*modules, *dict.fromkeys(f"start {command}" for command in _commands(study))]


def import_own_classes(study: Study) -> None:
    """Import the user's own classes of the study; raise TrustError if there are any and the study is not trusted."""
    wanted = untrusted_code(study)
    if wanted and not study.trusted:
        raise trust.refusal(" and ".join(wanted))
    for key, each in study.own.items():
        if not _imported(key):
            class_in_module(key.partition(" ")[0], str(each["module"]), str(each["class"]))


def checked_own_classes(own: Any) -> Own:
    """Return the table of own classes in a study.json; raise InputError if it is damaged."""
    good = isinstance(own, Mapping) and all(
        isinstance(each, Mapping) and all(isinstance(each.get(name), str) for name in ("module", "class"))
        for each in own.values()
    )
    if not good:
        raise InputError("its table of own classes is damaged: run the study's file again with this store")
    return {key: {**each, "random": bool(each.get("random"))} for key, each in own.items()}


def _commands(study: Study) -> Iterator[str]:
    for kind, spec in specs_in(study.grid):
        cls = REGISTRY.get(kind, {}).get(str(spec.get("name")))
        command = getattr(cls, "own_command", lambda spec: "")(spec)
        if command:
            yield command


def _imported(key: str) -> bool:
    kind, _, name = key.partition(" ")
    return name in REGISTRY.get(kind, {})


def _kind_and_name(kind: str, spec: JsonTable) -> str:
    return f"{kind} {spec.get('name')}"
