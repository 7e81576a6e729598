"""Hashes of an own module's file and of the own modules that it imports: the code that decides what a policy does.

Modules of the standard library, of installed packages and of thinktime are left out; a run records the version of
thinktime. A file is hashed when a policy in it is defined, because Python runs what the file contained then.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, PathFinder
from pathlib import Path
from typing import NamedTuple

OURS = "thinktime"


class UnknownCodeError(Exception):
    """Code, or a value that it refers to, is unreadable."""


class Content(NamedTuple):
    """The content of a module's file."""

    sha256: str
    imports: tuple[str, ...] = ()  # full names; some are classes or functions of a module
    classes: frozenset[str] = frozenset()  # their qualified names


_read: dict[str, tuple[ModuleSpec | None, Content]] = {}  # module → the import that it is of, and its content


def hashes(module: str) -> dict[str, str]:
    """Return module → hash of its file, for this module and the user's modules that it imports, directly or not."""
    found: dict[str, str] = {}
    top, waiting = module.partition(".")[0], [module]
    while waiting:
        name = waiting.pop()
        if name not in found and (name.partition(".")[0] == top or is_own(name)):
            content = _content(name)
            if content is not None:
                found[name] = content.sha256
                waiting += [*content.imports, *_parents(name)]
    return found


def is_own(module: str) -> bool:
    """Return whether a module is the user's: not in the standard library, not installed, not in thinktime."""
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names or top in (OURS, "builtins"):
        return False
    spec = _spec(top)
    if spec is None:
        return top in sys.modules
    places = [spec.origin] if spec.has_location and spec.origin else [*(spec.submodule_search_locations or ())]
    return bool(places) and not any(_installed(place) for place in places)


def defines(module: str, qualname: str) -> bool:
    """Return whether the text of a module defines a class of this name."""
    content = _content(module)
    return content is not None and qualname in content.classes


def file_of(module: str) -> Path | None:
    """Return the file of a loaded module; None for the main module and for modules made by a program."""
    if module == "__main__":
        return None
    file = getattr(sys.modules.get(module), "__file__", None)
    return Path(file) if file and Path(file).is_file() else None


def remember(module: str) -> None:
    """Hash a module and its imports now, while the file still is what Python runs."""
    if module.partition(".")[0] == OURS:
        return  # reading all of our own files would take seconds at every start
    if module in _read and file_of(module) is not None:
        del _read[module]  # defined once more, as by importlib.reload
    if file_of(module) is not None:
        hashes(module)


def _content(name: str) -> Content | None:
    """Return the content of a module's file at its import; None for an unknown module."""
    spec, loaded = _spec(name), name in sys.modules
    if loaded and name in _read and _read[name][0] is spec:
        return _read[name][1]
    if spec is None:
        if loaded:
            raise UnknownCodeError(f"the module {name} has no file")
        return None
    content = _of_file(Path(spec.origin), name, spec) if spec.has_location and spec.origin else Content("")
    if loaded:
        _read[name] = spec, content
    return content


def _of_file(path: Path, name: str, spec: ModuleSpec) -> Content:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnknownCodeError(f"{path} is unreadable ({error.strerror})") from None
    sha256 = hashlib.sha256(data).hexdigest()
    try:
        tree = ast.parse("" if path.name.endswith((*EXTENSION_SUFFIXES, ".pyc")) else data)
    except (SyntaxError, ValueError, RecursionError):
        return Content(sha256)
    package = name if spec.submodule_search_locations is not None else name.rpartition(".")[0]
    return Content(sha256, tuple(_imports(tree, package)), frozenset(_classes(tree)))


def _classes(tree: ast.AST, above: str = "") -> Iterator[str]:
    """Yield the qualified names of the classes in a file."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield above + node.name
            yield from _classes(node, f"{above}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _classes(node, f"{above}{node.name}.<locals>.")
        else:
            yield from _classes(node, above)


def _imports(tree: ast.AST, package: str) -> Iterator[str]:
    """Yield the full names that import statements load, also inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, package)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _base(node: ast.ImportFrom, package: str) -> str:
    above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    return ".".join([*above, *filter(None, [node.module])])


def _parents(name: str) -> list[str]:
    """Return the packages a and a.b, which importing a.b.c runs too."""
    parts = name.split(".")
    return [".".join(parts[:k]) for k in range(1, len(parts))]


def _spec(name: str) -> ModuleSpec | None:
    """Return the location of a module, found without an import."""
    if name in sys.modules:
        return getattr(sys.modules[name], "__spec__", None)
    above, _, _ = name.rpartition(".")
    if not above:
        return PathFinder.find_spec(name)
    parent = _spec(above)
    if parent is None or parent.submodule_search_locations is None:
        return None
    return PathFinder.find_spec(name, list(parent.submodule_search_locations))


@cache
def _installed(place: str) -> bool:
    return any(part in ("site-packages", "dist-packages") for part in Path(place).parts) or place == "frozen"
