"""Policies of the user's own where runs are carried out: schedulers, allocators, user models and plugins in Python.

A task names a policy; the class is in a module. Another process knows it once it has imported that module. What is
written in the program itself (`__main__`), inside a function, or compiled there, no other process can import.
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
from thinktime.study.study import Task

if TYPE_CHECKING:
    from distributed import Client


def only_here(task: Task) -> bool:
    """Whether the task has a policy that is written in the program that runs now, which no other process knows."""
    return any(True for _ in own_classes(task)) or any(True for _ in compiled(task))


def own_classes(task: Task) -> Iterator[type[Spec]]:
    """The classes of its policies that are not thinktime's."""
    for kind, spec in _specs(task):
        cls = REGISTRY.get(kind, {}).get(str(spec.get("name")))
        if cls is not None and cls.__module__.partition(".")[0] != "thinktime":
            yield cls


def compiled(task: Task) -> Iterator[str]:
    """What it says of compiled functions."""
    for _, spec in _specs(task):
        yield from (value for value in spec.values() if isinstance(value, str) and value.startswith("native("))


def _specs(task: Task) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield from ((each.kind, task.spec[each.name]) for each in SPECS if each.name in task.spec)
    yield from (("plugin", plugin) for plugin in task.spec.get("rules", {}).get("plugins", ()))


def modules_of(tasks: Iterable[Task]) -> tuple[str, ...]:
    """The modules that workers must import, or a sentence on what cannot leave this program."""
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
            f" module of its own, such as my_policies.py, and import it, or run the study here"
        )
    return cls.__module__


def make_importable(client: Client, modules: Sequence[str]) -> None:
    """Workers import the modules; one that they lack is sent, if it is a single file."""
    for module in modules:
        if _who_lacks(client, module):
            _send(client, module)


def _who_lacks(client: Client, module: str) -> dict[str, str]:
    """Worker → why it cannot import the module."""
    return {worker: why for worker, why in client.run(why_not_importable, module).items() if why}


def why_not_importable(module: str) -> str:
    """On a worker: the reason, or nothing."""
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
    for worker, why in _who_lacks(client, module).items():
        raise InputError(
            f"worker {worker} cannot import the module {module} ({why}), which has a policy of the study: install it on"
            " all workers, or put the policy into a single file beside the program, which is sent"
        )
