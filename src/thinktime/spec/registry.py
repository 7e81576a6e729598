"""The registry of specs by kind and name, which imports the folder of a kind at its first lookup."""

from __future__ import annotations

import pkgutil
import threading
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from thinktime.errors import InputError
from thinktime.spec.values import suggestion

if TYPE_CHECKING:
    from thinktime.spec.spec import Spec

#: kind → the layer that registers its specs
LAYERS = {
    "scheduler": "schedulers",
    "allocator": "allocators",
    "users": "users",
    "application": "applications",
    "technique": "applications",
    "plugin": "plugins",
    "generator": "generate",
    "estimates": "workload",
    "platform": "platforms",
    "reader": "traces.readers",
    "writer": "result.writers",
}
#: layers in which every module is imported, because each may define a spec
FOLDERS = (
    "schedulers",
    "allocators",
    "users",
    "applications",
    "plugins",
    "generate",
    "traces.readers",
    "result.writers",
)

Names = TypeVar("Names")


class ByKind(dict[str, Names]):
    """A table by kind. Loads the layer of a kind before a lookup, so that the answer never depends on earlier imports.

    A module that looks up its own kind while it is imported sees what is registered so far.
    """

    def __getitem__(self, kind: str) -> Names:
        load_layer(LAYERS.get(kind, ""))
        return super().__getitem__(kind)

    def get(self, kind: str, default: object = None) -> Any:
        load_layer(LAYERS.get(kind, ""))
        return super().get(kind, default)


_loaded: set[str] = set()
_loading = threading.local()  # the layers that this thread is importing


def load_layer(layer: str) -> None:
    """Import a layer, and every module of a policy folder, once."""
    mine: set[str] = _loading.__dict__.setdefault("layers", set())
    if not layer or layer in _loaded or layer in mine:
        return
    mine.add(layer)
    try:
        package = import_module(f"thinktime.{layer}")
        for module in pkgutil.iter_modules(package.__path__) if layer in FOLDERS else ():
            if not module.ispkg:
                import_module(f"thinktime.{layer}.{module.name}")
        _loaded.add(layer)
    finally:
        mine.discard(layer)


def built_in(layer: str) -> dict[str, type[Spec]]:
    """Return class name → class for the specs that a policy folder of thinktime registers."""
    kinds = [kind for kind, of in LAYERS.items() if of == layer and kind != "technique"]
    known = [cls for kind in kinds for cls in REGISTRY.get(kind, {}).values()]
    return {cls.__name__: cls for cls in known if cls.__module__.startswith(f"thinktime.{layer}.")}


#: kind ("scheduler", "users", …) → name on the command line → class
REGISTRY: ByKind[dict[str, type[Spec]]] = ByKind()

#: kind → a name for a whole spec (`seth`, a cluster) → the spec; options after the name change it
SHORTHANDS: ByKind[Mapping[str, Callable[[], Spec]]] = ByKind()

#: kind → reader of a notation that only this kind has (`at_least:2`, `128`, `mine.toml`); None: the common notation
NOTATIONS: ByKind[Callable[[str], Spec | None]] = ByKind()


def lookup(kind: str, name: str) -> type[Spec]:
    """Return the registered class; raise InputError with the closest name."""
    known: dict[str, type[Spec]] = REGISTRY.get(kind, {})
    if name not in known:
        every = sorted([*known, *SHORTHANDS.get(kind, {})])
        what = {"users": "user model", "estimates": "estimate policy"}.get(kind, kind)
        raise InputError(f"no {what} is called {name!r}{suggestion(name, every)}: choose one of {', '.join(every)}")
    return known[name]
