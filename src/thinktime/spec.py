"""Specs: frozen, keyword-only descriptions of what to simulate, which print as the call that makes them.

`Easy(order="sjf")` is data: it compares, hashes, and survives TOML, JSON and the command line (`easy:order=sjf`). A
class registers itself where it is defined. The registry imports every module of a kind's folder when the kind is first
looked up, so a new policy is a new file; the command line, the documentation and the tests read the registry.
"""

from __future__ import annotations

import dataclasses
import difflib
import numbers
import operator
import os
import pkgutil
import re
import sys
import threading
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform, overload

from thinktime import trust
from thinktime.errors import InputError

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
}
#: layers in which every module is imported, because each may define a spec
FOLDERS = ("schedulers", "allocators", "users", "applications", "plugins", "generate")

LARGEST = 1e300  # of a number in an option
LONGEST_NAME = 100  # letters: the search for similar names takes the square of the length
Names = TypeVar("Names")


class ByKind(dict[str, Names]):
    """A table by kind. Loads the layer of a kind before a lookup, so that the answer never depends on earlier imports.

    A module that looks up its own kind while it is imported sees what is registered so far.
    """

    def __getitem__(self, kind: str) -> Names:
        load_layer(LAYERS.get(kind, ""))
        return super().__getitem__(kind)

    def get(self, kind: str, default: Any = None) -> Any:
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

#: kind → (the argument of `simulate` that takes it, an example as text)
ARGUMENTS = {
    "allocator": ("allocator", "best-fit"),
    "application": ("applications", "loop:technique=gss"),
    "estimates": ("estimates", "at_least:2"),
    "generator": ("generator", "lublin:jobs=1000"),
    "platform": ("machine", "seth"),
    "plugin": ("plugins", "power:idle_w=90"),
    "scheduler": ("scheduler", "easy:order=sjf"),
    "technique": ("technique", "gss"),
    "users": ("users", "session-replay:threshold_min=60"),
}


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Spec:
    """Base of all specs: `class Easy(Scheduler, name="easy")` registers a spec under its name on the command line.

    Options are class attributes with types and defaults. Options with a default that is a number or a boolean, and
    those in `words`, are checked when a spec is made.
    """

    kind: ClassVar[str]
    name: ClassVar[str]
    opens: ClassVar[tuple[str, ...]] = ()  # options that name a file to read, if they are texts
    words: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # option → the texts that it may have
    lowest: ClassVar[Mapping[str, float]] = {}  # option → the smallest number that it may have (default 0)
    highest: ClassVar[Mapping[str, float]] = {}  # option → the largest number that it may have

    def __init_subclass__(cls, kind: str | None = None, name: str | None = None) -> None:
        dataclasses.dataclass(frozen=True, kw_only=True, repr=False, eq=False)(cls)
        if kind is not None:
            cls.kind = kind
        if name is not None:
            cls.name = name
            REGISTRY.setdefault(cls.kind, {})[name] = cls

    def __post_init__(self) -> None:
        for option, value in self.options().items():
            object.__setattr__(self, option, self.checked_option(option, value))

    def checked_option(self, option: str, value: Any) -> Any:
        """Return the value as the spec holds it; raise InputError if it is not allowed."""
        default = self._defaults()[option]
        if option in self.words:
            one_of(f"{option} of {self.name}", value, self.words[option])
        elif isinstance(default, bool) and not isinstance(value, bool):
            raise InputError(f"{option} of {self.name} is {value!r}: choose true or false")
        elif isinstance(default, int) and not isinstance(default, bool):
            return self.whole_number(option, value)
        elif isinstance(default, float):
            return self.number(option, value)  # 60 and 60.0 are one option, and one run
        return value

    def number(self, option: str, value: Any) -> float:
        """Return the value of an option as a float; raise InputError if it is out of range."""
        least, most = self.lowest.get(option, 0.0), self.highest.get(option, LARGEST)
        if not is_number(value) or not least <= value <= most:
            allowed = f"of {least:g} or more" if most == LARGEST else f"from {least:g} to {most:g}"
            raise InputError(f"{option} of {self.name} is {value!r}: choose a number {allowed}")
        return float(value)

    def whole_number(self, option: str, value: Any) -> int:
        """Return the value of an option as an int; raise InputError if it is out of range."""
        least, most = self.lowest.get(option, 0), self.highest.get(option, LARGEST)
        if not is_number(value) or not least <= value <= most or value % 1:
            allowed = f"of {least:g} or more" if most == LARGEST else f"from {least:g} to {most:g}"
            raise InputError(f"{option} of {self.name} is {value!r}: choose a whole number {allowed}")
        return int(value)

    def __repr__(self) -> str:
        given = [f"{k}={v!r}" for k, v in self.differing(self.options()).items()]
        return f"{type(self).__name__}({', '.join(given)})"

    def _repr_html_(self) -> str:
        """Return a table of the options and their defaults, for notebooks."""
        from thinktime.support.html import table_html

        usual = self._defaults()
        rows = [(name, value, _shown_default(usual[name])) for name, value in self.options().items()]
        return table_html(f"{self.kind} {self.text()}", ("option", "value", "default"), rows)

    def options(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}  # type: ignore[arg-type]

    def canonical(self) -> dict[str, Any]:
        """Return the options in one spelling each, so that specs of the same meaning are equal."""
        return self.options()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Spec):
            return NotImplemented
        return type(self) is type(other) and self.canonical() == other.canonical()

    def __hash__(self) -> int:
        return hash((type(self), tuple(sorted(self.canonical().items(), key=lambda item: item[0]))))

    def to_dict(self) -> dict[str, Any]:
        """Return the registered name and every option that has a value, as TOML and run.json hold them."""
        return {"name": self.name, **{k: v for k, v in self.canonical().items() if v is not None}}

    def replace(self, **changes: Any) -> Self:
        return dataclasses.replace(self, **changes)  # type: ignore[type-var]

    def changed(self, options: Mapping[str, Any]) -> Self:
        """Return a copy with other options; raise InputError for unknown ones."""
        return type(self).from_options({**self.options(), **options})

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> Self:
        """Return the spec with these options; raise InputError for unknown or missing options."""
        known = cls._defaults()
        for option in options:
            if option not in known:
                allowed = f"it takes {', '.join(known)}" if known else "it takes none"
                raise InputError(
                    f"{cls.kind} {cls.name} has no option {option!r}{suggestion(option, known)}: {allowed}"
                )
        for option, default in known.items():
            if default is dataclasses.MISSING and option not in options:
                raise InputError(f"{cls.kind} {cls.name} needs {option}: write {cls.name}:{option}=value")
        return cls(**options)

    def text(self) -> str:
        """Return the command line's text: the name and the options that differ from their defaults."""
        return self.text_with(self.name, self.options())

    @classmethod
    def text_with(cls, name: str, options: Mapping[str, Any]) -> str:
        """Return the command line's text for this name and these options."""
        given = [f"{key}={cls.typed_option(key, value)}" for key, value in cls.differing(options).items()]
        return name + (f":{','.join(given)}" if given else "")

    @classmethod
    def differing(cls, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options that differ from their defaults."""
        usual: dict[str, Any] = cls._defaults() if dataclasses.is_dataclass(cls) else {}
        return {key: value for key, value in options.items() if key not in usual or value != usual[key]}

    @classmethod
    def typed_option(cls, option: str, value: Any) -> str:
        """Return the value of an option as the command line takes it."""
        return typed(value)

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        return {f.name: f.default for f in dataclasses.fields(cls)}  # type: ignore[arg-type]


def _shown_default(default: Any) -> str:
    return "required" if default is dataclasses.MISSING else str(default)


S = TypeVar("S", bound=Spec)


@overload
def as_spec(kind: type[S], value: Any, argument: str = "") -> S: ...
@overload
def as_spec(kind: str, value: Any, argument: str = "") -> Spec: ...
def as_spec(kind: str | type[Spec], value: Any, argument: str = "") -> Spec:
    """Return the spec for a spec or for the command line's text.

    Parameters
    ----------
    kind
        What the value describes: `"scheduler"`, `"allocator"`, `"users"`, `"application"`, `"estimates"`,
        `"platform"`, `"plugin"`, `"generator"` or `"technique"`; or the base class, as in `as_spec(Scheduler, value)`.
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
        raise InputError(f'{argument or usual} is {value!r}: give a spec{number} or a text such as "{example}"')
    return found


def text_of(kind: str, data: Mapping[str, Any]) -> str:
    """Return the command line's text for the data of a spec (`to_dict`, run.json).

    The text has the name and the options that differ from their defaults. The hash of an own policy's code is left out.
    """
    name = str(data["name"])
    known: type[Spec] = REGISTRY.get(kind, {}).get(name, Spec)
    return known.text_with(name, {key: value for key, value in data.items() if key not in ("name", "source")})


def from_dict(kind: str, data: dict[str, Any]) -> Spec:
    """Return the spec that `to_dict` describes."""
    options = dict(data)
    name = options.pop("name", None)
    if not isinstance(name, str):
        raise InputError(f"a {kind} needs a name: one of {', '.join(sorted(REGISTRY[kind]))}")
    if name in SHORTHANDS.get(kind, {}):
        return SHORTHANDS[kind][name]().changed(options)
    return lookup(kind, name).from_options(options)


def from_stored(kind: str, data: dict[str, Any]) -> Spec:
    """Return the spec in a run.json or a study.json; raise InputError if it names a file without its hash."""
    name = data.get("name")
    cls = REGISTRY.get(kind, {}).get(name) if isinstance(name, str) else None
    for option in cls.opens if cls else ():
        if isinstance(data.get(option), str) and not isinstance(data.get(f"{option}_sha256"), str):
            raise InputError(
                f"the {kind} {name} names a file ({option} = {data[option]!r}) without its hash: simulate the run again"
            )
    try:
        return from_dict(kind, data)
    except InputError:
        raise
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError, IndexError) as error:
        raise InputError(f"the {kind} {name} has an option of the wrong type ({error}): save the run again") from None


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
}


def options_of(text: str) -> dict[str, Any]:
    """Return the options after the name in `easy:order=sjf,extra_nodes=false`."""
    name, _, rest = text.partition(":")
    data: dict[str, Any] = {}
    for item in filter(None, (part.strip() for part in _parts(rest))):
        option, equals, value = item.partition("=")
        if not equals:
            raise InputError(f"{item!r} in {text!r} is not an option: write {name}:option=value,option=value")
        if option.strip() in data or option.strip() == "name":
            raise InputError(f"{option.strip()!r} is given twice in {text!r}: give it once")
        data[option.strip()] = _value(value.strip())
    return data


def _parts(text: str) -> list[str]:
    """Split at commas outside parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def lookup(kind: str, name: str) -> type[Spec]:
    """Return the registered class; raise InputError with the closest name."""
    known: dict[str, type[Spec]] = REGISTRY.get(kind, {})
    if name not in known:
        every = sorted([*known, *SHORTHANDS.get(kind, {})])
        what = {"users": "user model", "estimates": "estimate policy"}.get(kind, kind)
        raise InputError(f"no {what} is called {name!r}{suggestion(name, every)}: choose one of {', '.join(every)}")
    return known[name]


def suggestion(word: str, known: Any) -> str:
    near = difflib.get_close_matches(word, list(known), n=1) if len(word) <= LONGEST_NAME else []
    return f" (did you mean {near[0]!r}?)" if near else ""


def one_of(what: str, value: Any, allowed: Any) -> None:
    """Raise InputError unless `value` is one of the allowed values."""
    if value not in allowed:
        near = suggestion(str(value), [str(a) for a in allowed])
        raise InputError(f"{what} is {value!r}{near}: choose one of {', '.join(map(str, allowed))}")


def is_number(value: Any) -> bool:
    """Return whether a value is a real number; booleans are not."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def typed(value: Any) -> str:
    """Return the value of an option as the command line takes it."""
    if not isinstance(value, float):
        return str(value).lower() if isinstance(value, bool) else str(value)
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)  # never another number than it is


def _value(text: str) -> bool | int | float | str:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text
