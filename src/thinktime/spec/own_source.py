"""The hash of an own policy's code: with another helper, constant or base class it is another run.

The hash of a class in a file covers its module and all own modules that it imports (`module_files`). The hash of a
class in a notebook or in the main program covers its source and what it refers to: functions, classes, constants. If
code or a value is unreadable, or may change during a simulation, the hash is `UNKNOWN`, and results are never reused.
"""

from __future__ import annotations

import ast
import dis
import functools
import hashlib
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from thinktime.spec.module_files import UnknownCodeError, defines, file_of, hashes, is_own

UNKNOWN = "unknown"
PLAIN = (type(None), bool, int, float, complex, str, bytes, range, PurePath, type(...))


class Source(NamedTuple):
    """The hash of some code, or `UNKNOWN` and the reason."""

    sha256: str
    because: str = ""


def source_of(code: object) -> Source:
    """Return the hash of a class or function and of what it depends on."""
    walk = Walk()
    try:
        walk.code(code)
    except UnknownCodeError as error:
        return Source(UNKNOWN, str(error))
    text = "\n".join(sorted(walk.parts))
    return Source(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16])


def reusable(spec: object) -> bool:
    """Return whether all code that a JSON-able spec describes is known, so that its results may be reused."""
    if isinstance(spec, Mapping):
        return spec.get("source") != UNKNOWN and all(map(reusable, spec.values()))
    if isinstance(spec, list | tuple):
        return all(map(reusable, spec))
    return not (isinstance(spec, str) and re.fullmatch(rf"native\(.*\) {UNKNOWN}-\d+", spec))


class Walk:
    """Collects what code depends on, as texts: names with hashes of their sources or with their values."""

    def __init__(self) -> None:
        self.parts: set[str] = set()
        self._seen: set[int] = set()

    def code(self, item: Any) -> None:
        """Add a class with its bases, or a function."""
        if id(item) in self._seen:
            return
        self._seen.add(id(item))
        if not is_own(item.__module__) and item.__module__ != "__main__":
            self.parts.add(f"{item.__module__}.{item.__qualname__}")
            return
        self._own(item)
        for base in item.__bases__ if isinstance(item, type) else ():
            self.code(base)
        self._data_files(item)

    def _own(self, item: Any) -> None:
        in_file = file_of(item.__module__) is not None
        source = "" if in_file else _text_of(item)
        self.parts.add(f"{item.__qualname__} {_sha256(source.encode())}")
        if item.__qualname__.endswith("<lambda>"):  # a line may have several
            self.parts.add(f"lambda {_bytes_of(item.__code__)}")
        if in_file:
            _require_in_file(item)
            self.parts |= {f"{name} {sha256}" for name, sha256 in hashes(item.__module__).items()}
        if not in_file or "<locals>" in item.__qualname__:
            self._inside(item, source or _text_of(item))

    def _inside(self, item: Any, source: str) -> None:
        """Add the values behind the names in the text."""
        if isinstance(item, FunctionType):
            return self._function(item)
        literal = _literals(source)
        for name, value in vars(item).items():
            found = _function_of(value)
            if found is not None and not _of_dataclass(found):
                self._function(found)
            elif found is None and name not in literal and not name.startswith("__") and not _is_slot(value):
                self.value(f"{item.__qualname__}.{name}", value)
        return None

    def _function(self, function: FunctionType) -> None:
        for name in sorted(_globals_of(function.__code__)):
            if name in function.__globals__:
                self.value(name, function.__globals__[name])
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            if name != "__class__" and not _empty(cell):
                self.value(name, cell.cell_contents)
        for k, value in enumerate([*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]):
            self.value(f"default {k} of {function.__qualname__}", value)

    def value(self, name: str, value: object) -> None:
        """Add the object that a name refers to."""
        if isinstance(value, PLAIN):
            self.parts.add(f"{name} = {value!r}")
        elif isinstance(value, tuple | frozenset):
            for k, each in enumerate(value if isinstance(value, tuple) else sorted(value, key=repr)):
                self.value(f"{name}[{k}]", each)
        elif isinstance(value, ModuleType):
            self._module(value)
        elif isinstance(value, type | FunctionType | BuiltinFunctionType):
            self.code(value) if value.__module__ else None
        else:
            self._other(name, value)

    def _module(self, module: ModuleType) -> None:
        if is_own(module.__name__):
            self.parts |= {f"{name} {sha256}" for name, sha256 in hashes(module.__name__).items()}

    def _other(self, name: str, value: object) -> None:
        inner = next(
            (found for each in _WRAPPED if isinstance(found := getattr(value, each, None), FunctionType)), None
        )
        if inner is not None:
            self.code(inner)
        elif isinstance(value, functools.partial):
            self.value(name, (value.func, *value.args, *sorted(value.keywords.items())))
        elif isinstance(value, re.Pattern) or type(value).__module__ in ("typing", "types", "numpy"):
            self._written(name, value)
        elif hasattr(value, "to_dict") and hasattr(value, "kind"):  # a spec
            self.parts.add(f"{name} = {value.to_dict()!r}")
        else:
            raise UnknownCodeError(_why(name, value))

    def _written(self, name: str, value: Any) -> None:
        """Add a value of a known type by its repr, an array by its bytes unless it is writeable."""
        if hasattr(value, "tobytes") and hasattr(value, "flags"):
            if value.flags.writeable and getattr(value, "ndim", 0):
                raise UnknownCodeError(_why(name, value))
            self.parts.add(f"{name} = {value.dtype} {value.shape} {_sha256(value.tobytes())}")
        else:
            self.parts.add(f"{name} = {value!r}")

    def _data_files(self, item: object) -> None:
        folder = (file_of(item.__module__) or Path("main")).parent
        for name in vars(item).get("data_files", ()) if isinstance(item, type) else ():
            try:
                self.parts.add(f"{name} {_sha256((folder / name).read_bytes())}")
            except OSError as error:
                raise UnknownCodeError(f"{folder / name} is unreadable ({error.strerror})") from None


_WRAPPED = ("py_func", "_pyfunc", "__wrapped__")  # Numba's functions, functools.cache and other decorators


def _why(name: str, value: object) -> str:
    if isinstance(value, list | dict | set | bytearray) or type(value).__name__ == "ndarray":
        return f"it refers to {name}, a {type(value).__name__}, which may change: use a tuple, or put it into a module"
    return f"it refers to {name}, a {type(value).__name__}, whose contents are unreadable: put it into a module"


def _text_of(item: Any) -> str:
    try:
        return inspect.getsource(item)
    except (OSError, TypeError):
        raise UnknownCodeError(f"the source of {item.__qualname__} is not available") from None


def _require_in_file(item: Any) -> None:
    """Raise UnknownCodeError for code made with `exec`, which the file does not contain."""
    functions = [item] if isinstance(item, FunctionType) else [_function_of(value) for value in vars(item).values()]
    made = [each for each in functions if each is not None and not _of_dataclass(each)]
    elsewhere = any(each.__code__.co_filename.startswith("<") for each in made)
    if elsewhere or (isinstance(item, type) and not defines(item.__module__, item.__qualname__)):
        raise UnknownCodeError(f"the source of {item.__qualname__} is not in the file of {item.__module__}")


def _of_dataclass(function: FunctionType) -> bool:
    return function.__name__.startswith("__") and function.__code__.co_filename == "<string>"


def _empty(cell: CellType) -> bool:
    try:
        return cell.cell_contents is cell  # never: only the access matters
    except ValueError:
        return True


def _literals(source: str) -> set[str]:
    """Return the attributes of a class whose values are literals in its text."""
    try:
        body = ast.parse(textwrap.dedent(source)).body[0].body  # type: ignore[attr-defined]
    except (SyntaxError, IndexError, AttributeError):
        return set()
    return {name for node in body for name in _assigned(node)}


def _assigned(node: ast.stmt) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    value = getattr(node, "value", None)
    try:
        ast.literal_eval(value) if value is not None else None
    except (ValueError, TypeError):
        return
    yield from (target.id for target in targets if isinstance(target, ast.Name))


def _function_of(value: object) -> FunctionType | None:
    """Return the function behind a method of any kind."""
    inner = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
    return inner if isinstance(inner, FunctionType) else None


def _is_slot(value: object) -> bool:
    return inspect.ismemberdescriptor(value) or inspect.isgetsetdescriptor(value)


def _globals_of(code: CodeType) -> set[str]:
    """Return the global names that code and its inner functions look up."""
    found = {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return found.union(*(_globals_of(each) for each in code.co_consts if isinstance(each, CodeType)))


def _bytes_of(code: CodeType) -> str:
    constants = [_bytes_of(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {constants}"


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
