"""The base class of all specs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self, dataclass_transform

from thinktime.errors import InputError
from thinktime.spec.registry import REGISTRY
from thinktime.spec.values import LARGEST, is_number, one_of, suggestion, typed
from thinktime.support.json_types import JsonDict, JsonTable


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

    _own_init: ClassVar[bool] = False  # whether a class of the user has its own __init__

    def __new__(cls, *given: Any, **options: Any) -> Self:
        """Raise InputError for values without a name and for unknown options."""
        if not cls._own_init:
            if given:
                raise InputError(cls.named_options(given))
            cls.require_known(options)
        return super().__new__(cls)

    def __init_subclass__(cls, kind: str | None = None, name: str | None = None) -> None:
        cls._own_init = cls._own_init or "__init__" in vars(cls)
        dataclasses.dataclass(frozen=True, kw_only=True, repr=False, eq=False)(cls)
        if kind is not None:
            cls.kind = kind
        if name is not None:
            cls.name = name
            REGISTRY.setdefault(cls.kind, {})[name] = cls

    def __post_init__(self) -> None:
        for option, value in self.options().items():
            object.__setattr__(self, option, self.checked_option(option, value))

    def checked_option(self, option: str, value: object) -> Any:
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

    def number(self, option: str, value: object) -> float:
        """Return the value of an option as a float; raise InputError if it is out of range."""
        least, most = self.lowest.get(option, 0.0), self.highest.get(option, LARGEST)
        if not is_number(value) or not least <= value <= most:
            allowed = f"of {least:g} or more" if most == LARGEST else f"from {least:g} to {most:g}"
            raise InputError(f"{option} of {self.name} is {value!r}: choose a number {allowed}")
        return float(value)

    def whole_number(self, option: str, value: object) -> int:
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

    @classmethod
    def named_options(cls, given: tuple[Any, ...]) -> str:
        """Return what to write instead of `Machine(100)`."""
        known = list(cls._defaults())
        if len(given) > len(known):
            allowed = ", ".join(known) if known else "none"
            return f"options of {cls.__name__}: {allowed} (got {len(given)} values without names)"
        named = ", ".join(f"{name}={value!r:.60}" for name, value in zip(known, given, strict=False))
        return f"options of {cls.__name__} have names: write {cls.__name__}({named})"

    def options(self) -> JsonDict:
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}  # type: ignore[arg-type]

    def canonical(self) -> JsonDict:
        """Return the options in one spelling each, so that specs of the same meaning are equal."""
        return self.options()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Spec):
            return NotImplemented
        return type(self) is type(other) and self.canonical() == other.canonical()

    def __hash__(self) -> int:
        return hash((type(self), tuple(sorted(self.canonical().items(), key=lambda item: item[0]))))

    def to_dict(self) -> JsonDict:
        """Return the registered name and every option that has a value, as TOML and run.json hold them."""
        return {"name": self.name, **{k: v for k, v in self.canonical().items() if v is not None}}

    def replace(self, **changes: Any) -> Self:
        return dataclasses.replace(self, **changes)  # type: ignore[type-var]

    def changed(self, options: JsonTable) -> Self:
        """Return a copy with other options; raise InputError for unknown ones."""
        return type(self).from_options({**self.options(), **options})

    @classmethod
    def from_options(cls, options: JsonDict) -> Self:
        """Return the spec with these options; raise InputError for unknown or missing options."""
        cls.require_known(options)
        for option, default in cls._defaults().items():
            if default is dataclasses.MISSING and option not in options:
                raise InputError(f"{cls.kind} {cls.name} needs {option}: write {cls.name}:{option}=value")
        return cls(**options)

    @classmethod
    def require_known(cls, options: Iterable[str]) -> None:
        """Raise InputError for options that the spec does not have."""
        known = cls._defaults()
        for option in options:
            if option not in known:
                allowed = f"it takes {', '.join(known)}" if known else "it takes none"
                what = f"{cls.kind} {getattr(cls, 'name', cls.__name__)}"  # a base class has no name
                raise InputError(f"{what} has no option {option!r}{suggestion(option, known)}: {allowed}")

    def text(self) -> str:
        """Return the command line's text: the name and the options that differ from their defaults."""
        return self.text_with(self.name, self.options())

    @classmethod
    def text_with(cls, name: str, options: JsonTable) -> str:
        """Return the command line's text for this name and these options."""
        given = [f"{key}={cls.typed_option(key, value)}" for key, value in cls.differing(options).items()]
        return name + (f":{','.join(given)}" if given else "")

    @classmethod
    def usual_spelling(cls, options: JsonTable) -> JsonTable:
        """Return stored options as people write them, for labels."""
        return options

    @classmethod
    def differing(cls, options: JsonTable) -> JsonDict:
        """Return the options that differ from their defaults."""
        usual: JsonDict = cls._defaults() if dataclasses.is_dataclass(cls) else {}
        return {key: value for key, value in options.items() if key not in usual or value != usual[key]}

    @classmethod
    def typed_option(cls, option: str, value: object) -> str:
        """Return the value of an option as the command line takes it."""
        return typed(value)

    @classmethod
    def _defaults(cls) -> JsonDict:
        return {f.name: f.default for f in dataclasses.fields(cls)}  # type: ignore[arg-type]


def _shown_default(default: object) -> str:
    return "required" if default is dataclasses.MISSING else str(default)
