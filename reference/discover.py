"""Find the classes that the files of a folder define, so that nothing lists them."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import TypeVar

C = TypeVar("C")


def classes(package: str, base: type[C]) -> list[type[C]]:
    """Import every module of a package; return all subclasses of `base`."""
    for module in pkgutil.iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")
    return list(subclasses(base))


def subclasses(cls: type[C]) -> Iterator[type[C]]:
    for each in cls.__subclasses__():
        yield each
        yield from subclasses(each)
