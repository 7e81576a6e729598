"""Specs from the command line's text and from plain data, and back."""

from __future__ import annotations

import operator
import os
import re
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import TypeVar, overload

from thinktime import trust
from thinktime.errors import InputError
from thinktime.spec.registry import NOTATIONS, REGISTRY, SHORTHANDS, lookup
from thinktime.spec.spec import Spec
from thinktime.spec.values import suggestion
from thinktime.support.json_types import JsonDict, JsonTable

#: kind → (the argument of `simulate` that takes it, an example as text)
ARGUMENTS = {
    "allocator": ("allocator", "best-fit"),
    "application": ("applications", "loop:technique=gss"),
    "estimates": ("estimates", "at_least:2"),
    "generator": ("generator", "lublin:jobs=1000"),
    "platform": ("machine", "seth"),
    "plugin": ("plugins", "power:idle_w=90"),
    "reader": ("reader", "swf"),
    "scheduler": ("scheduler", "easy:order=sjf"),
    "technique": ("technique", "gss"),
    "users": ("users", "session-replay:threshold_min=60"),
    "writer": ("writer", "csv"),
}


S = TypeVar("S", bound=Spec)


@overload
def as_spec(kind: type[S], value: object, argument: str = "") -> S: ...
@overload
def as_spec(kind: str, value: object, argument: str = "") -> Spec: ...
def as_spec(kind: str | type[Spec], value: object, argument: str = "") -> Spec:
    """Return the spec for a spec or for the command line's text.

    Parameters
    ----------
    kind
        What the value describes: `"scheduler"`, `"allocator"`, `"users"`, `"application"`, `"estimates"`,
        `"platform"`, `"plugin"`, `"generator"`, `"reader"`, `"writer"` or `"technique"`; or the base class, as in
        `as_spec(Scheduler, value)`.
    value
        A spec of this kind, or its text such as `"easy:order=sjf"`. Estimates also take `"at_least:2"`; a platform
        takes a number of processors, the name of a cluster (`"seth"`) or the path of a .toml or .json file.
    argument
        The name of the caller's argument, for errors (default: the argument of `simulate` of this kind).

    Raises
    ------
    InputError
        The value is neither a spec of this kind nor a text that describes one.

    Examples
    --------
    >>> as_spec("scheduler", "easy:order=sjf")
    Easy(order='sjf')
    """
    name = kind if isinstance(kind, str) else kind.kind
    wanted = Spec if isinstance(kind, str) else kind
    if name == "platform" and isinstance(value, os.PathLike):
        value = os.fspath(value)
    elif name == "platform" and hasattr(value, "__index__") and not isinstance(value, bool):
        value = str(operator.index(value))
    found = parse(name, value) if isinstance(value, str) else value
    if not isinstance(found, wanted) or getattr(found, "kind", None) != name:
        usual, example = ARGUMENTS[name]
        number = ", a number of processors" if name == "platform" else ""
        if isinstance(value, type):
            raise InputError(f"{argument or usual} is the class {value.__name__}: create an object, {value.__name__}()")
        raise InputError(f'{argument or usual} is {value!r}: give a spec{number} or a text such as "{example}"')
    return found


def text_of(kind: str, data: JsonTable) -> str:
    """Return the command line's text for the data of a spec (`to_dict`, run.json).

    The text has the name and the options that differ from their defaults. The hash of an own policy's code is left out.
    """
    name = str(data["name"])
    known: type[Spec] = REGISTRY.get(kind, {}).get(name, Spec)
    options = {key: value for key, value in data.items() if key not in ("name", "source")}
    return known.text_with(name, known.usual_spelling(options))


def from_dict(kind: str, data: JsonDict) -> Spec:
    """Return the spec that `to_dict` describes."""
    options = dict(data)
    name = options.pop("name", None)
    if not isinstance(name, str):
        raise InputError(f"a {kind} needs a name: one of {', '.join(sorted(REGISTRY[kind]))}")
    if name in SHORTHANDS.get(kind, {}):
        return SHORTHANDS[kind][name]().changed(options)
    return lookup(kind, name).from_options(options)


def from_stored(kind: str, data: JsonDict) -> Spec:
    """Return the spec in a run.json or a study.json; raise InputError if it names a file without its hash."""
    _require_hashes(kind, data)
    name = data.get("name")
    try:
        return from_dict(kind, data)
    except InputError:
        raise
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError, IndexError) as error:
        raise InputError(f"the {kind} {name} has an option of the wrong type ({error}): save the run again") from None


def _require_hashes(kind: str, data: JsonTable) -> None:
    """Raise InputError if a spec, or a spec inside it, names a file without its hash."""
    name = data.get("name")
    cls = REGISTRY.get(kind, {}).get(name) if isinstance(name, str) else None
    for option in cls.opens if cls else ():
        if isinstance(data.get(option), str) and not isinstance(data.get(f"{option}_sha256"), str):
            raise InputError(
                f"the {kind} {name} names a file ({option} = {data[option]!r}) without its hash: simulate the run again"
            )
    for inner in data.values():
        if isinstance(inner, Mapping):
            _require_hashes(kind, inner)


def parse(kind: str, text: str) -> Spec:
    """Return the spec for the command line's text: `easy`, `easy:order=sjf,extra_nodes=false`.

    An own policy is written by its module and class: `my_policies:AtMost` or `my_policies:AtMost:most=2`.
    """
    name, _, _ = text.partition(":")
    special = NOTATIONS[kind](text.strip()) if NOTATIONS.get(kind) else None
    if special is not None:
        return special
    own = _IN_MODULE.fullmatch(text.strip())
    if own and name.strip().lower() not in {**REGISTRY.get(kind, {}), **SHORTHANDS.get(kind, {})}:
        cls, options = class_in_module(kind, own["module"], own["cls"]), own["options"] or ""
        return from_dict(kind, {"name": cls.name, **options_of(f"{cls.name}:{options}")})
    return from_dict(kind, {"name": name.strip().lower(), **options_of(text)})


_IN_MODULE = re.compile(r"(?P<module>[A-Za-z_][\w.]*):(?P<cls>[A-Za-z_]\w*)(:(?P<options>.*))?", re.DOTALL)


def class_in_module(kind: str, module: str, name: str) -> type[Spec]:
    """Return the class of this name from a module on Python's path or in the current folder."""
    if module not in sys.modules:
        trust.require(f"import the module {module} for {module}:{name}, from Python's path or {os.getcwd()}")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        found = getattr(import_module(module), name, None)
    except (Exception, SystemExit) as error:
        every = [*REGISTRY.get(kind, {}), *SHORTHANDS.get(kind, {})]
        raise InputError(
            f"no {kind} is called {module!r}{suggestion(module, every)}, and no module {module} can be"
            f" imported ({type(error).__name__}: {error}): check the name, or put the module's folder on PYTHONPATH"
        ) from None
    if not (isinstance(found, type) and issubclass(found, Spec) and getattr(found, "kind", "") == kind):
        theirs = [cls.__name__ for cls in REGISTRY.get(kind, {}).values() if cls.__module__ == module]
        has = f"it has {', '.join(theirs)}" if theirs else f"write class {name}({OWN_BASES.get(kind, 'tt.Own…')}) there"
        raise InputError(f"the module {module} has no {kind} called {name}{suggestion(name, theirs)}: {has}")
    return found


#: kind → the base of own classes
OWN_BASES = {
    "scheduler": "tt.OwnScheduler",
    "allocator": "tt.OwnAllocator",
    "users": "tt.OwnUsers",
    "plugin": "tt.OwnPlugin",
    "technique": "tt.OwnTechnique",
    "reader": "tt.OwnReader",
    "writer": "tt.OwnWriter",
}


def options_of(text: str) -> JsonDict:
    """Return the options after the name in `easy:order=sjf,extra_nodes=false`."""
    name, _, rest = text.partition(":")
    data: JsonDict = {}
    for item in filter(None, (part.strip() for part in split_options(rest))):
        option, equals, value = item.partition("=")
        if not equals:
            raise InputError(f"{item!r} in {text!r} is not an option: write {name}:option=value,option=value")
        if option.strip() in data or option.strip() == "name":
            raise InputError(f"{option.strip()!r} is given twice in {text!r}: give it once")
        data[option.strip()] = _typed_value(value.strip())
    return data


def split_options(text: str) -> list[str]:
    """Split at commas outside parentheses and quotes."""
    parts, depth = [""], 0
    for piece in _QUOTED_OR_LETTER.findall(text):
        depth += (piece == "(") - (piece == ")")
        if piece == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


#: A text in quotes, with escaped quotes inside, or one letter.
_QUOTED_OR_LETTER = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|.""", re.DOTALL)


def _typed_value(text: str) -> bool | int | float | str:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text
