"""Makes the user's own policies in Python available where runs are executed.

A task names a policy, whose class is in a module. Another process knows the class once it has imported that module. It
cannot import what is defined in the program itself (`__main__`), inside a function, or compiled there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thinktime.errors import InputError
from thinktime.spec import REGISTRY, Spec
from thinktime.study.dimensions import SPECS
from thinktime.study.sources import readers_of
from thinktime.study.study import Task

if TYPE_CHECKING:
    from distributed import Client


def only_here(task: Task) -> bool:
    """Whether the task has a policy of the running program, which other processes do not have."""
    return any(True for _ in own_classes(task)) or any(True for _ in compiled(task))


def own_classes(task: Task) -> Iterator[type[Spec]]:
    """Yield the classes of the task's policies that are not part of thinktime."""
    for kind, spec in _specs(task):
        cls = REGISTRY.get(kind, {}).get(str(spec.get("name")))
        if cls is not None and cls.__module__.partition(".")[0] != "thinktime":
            yield cls


def compiled(task: Task) -> Iterator[str]:
    """Yield the compiled functions that the task refers to."""
    for _, spec in _specs(task):
        yield from (value for value in spec.values() if isinstance(value, str) and value.startswith("native("))


def _specs(task: Task) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for each in (each for each in SPECS if each.name in task.spec):
        yield each.kind, task.spec[each.name]
        yield from _inner_specs(each.kind, task.spec[each.name])
    yield from (("plugin", plugin) for plugin in task.spec.get("rules", {}).get("plugins", ()))
    yield from (("reader", reader) for reader in readers_of(task.spec.get("workload", {})))


def _inner_specs(kind: str, spec: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the specs inside a spec: techniques, and models of single jobs."""
    for option, value in spec.items():
        if isinstance(value, Mapping):
            yield "technique" if option == "technique" else kind, value
            yield from _inner_specs(kind, value)


def modules_of(tasks: Iterable[Task]) -> tuple[str, ...]:
    """Return the modules that workers must import; raise InputError for what workers cannot have."""
    found: dict[str, None] = {}
    for task in tasks:
        for text in compiled(task):
            raise InputError(
                f"{text} is compiled in this program, which workers do not have: compose the key from tt.key, or run"
                " the study here"
            )
        for cls in own_classes(task):
            found[_module(cls)] = None
    return tuple(found)


def _module(cls: type[Spec]) -> str:
    where = "this program" if cls.__module__ == "__main__" else "a function" if "<locals>" in cls.__qualname__ else ""
    if where:
        raise InputError(
            f"{cls.kind} {cls.name} is defined in {where}, where workers cannot find it: put {cls.__name__} into a"
            f" separate module, such as my_policies.py, and import it, or run the study here"
        )
    return cls.__module__


def make_importable(client: Client, modules: Sequence[str]) -> None:
    """Import the modules on the workers; send a module that is a single file if workers lack it."""
    for module in modules:
        if _workers_without(client, module):
            _send(client, module)


def _workers_without(client: Client, module: str) -> dict[str, str]:
    """Worker → why it cannot import the module."""
    return {worker: why for worker, why in client.run(why_not_importable, module).items() if why}


def why_not_importable(module: str) -> str:
    """Return, on a worker, why the module cannot be imported; empty if it can."""
    invalidate_caches()
    try:
        import_module(module)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _send(client: Client, module: str) -> None:
    file = Path(getattr(sys.modules.get(module), "__file__", None) or "")
    if "." not in module and file.suffix == ".py" and file.name != "__init__.py":
        client.upload_file(str(file))
    for worker, why in _workers_without(client, module).items():
        raise InputError(
            f"Worker {worker} cannot import the module {module} ({why}), which has a policy of the study: install it on"
            " all workers, or put the policy into a single file next to the program, which is sent"
        )
