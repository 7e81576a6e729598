"""Specs whose behaviour you write in Python: their names, the types of their options, and the hash of their code,
which belongs to the run."""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
from typing import Any, ClassVar, NoReturn, Self

from thinktime.errors import InputError
from thinktime.module_files import remember
from thinktime.own_source import source_of
from thinktime.spec import REGISTRY, Spec, is_number


class SourcedSpec(Spec):
    """A spec that says, besides its name and options, which code it consists of.

    `data_files` names the files that the code reads, from the folder of its module: they belong to it.
    """

    data_files: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        remember(cls.__module__)
        super().__init_subclass__(**options)

    def to_dict(self) -> dict[str, Any]:
        """Return its name, its options and the hash of its code: with other code it is another run."""
        return {**super().to_dict(), "source": source_of(type(self)).sha256}

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> Self:
        """Return what `to_dict` came from. Raise InputError if the code has changed."""
        source = options.pop("source", None)
        if source is not None and source != source_of(cls).sha256:
            raise InputError(
                f"{cls.kind} {cls.name} has another source than when this was written, or a module that it imports has:"
                " simulate it anew"
            )
        return super().from_options(options)


class OwnSpec(SourcedSpec):
    """A policy of the user's. Built-in names are reserved; you may redefine your own."""

    @classmethod
    def take_name(cls, name: str | None) -> str:
        for taken in ("kind", "name"):
            if taken in inspect.get_annotations(cls):
                raise InputError(f"{cls.__name__} has an option {taken!r}, which every spec has: give it another name")
        chosen = name or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()  # ShortFirst → short-first
        known = REGISTRY[cls.kind].get(chosen)
        if known is not None and not issubclass(known, OwnSpec):
            raise InputError(
                f"{cls.__name__} would be called {chosen!r}, the name of thinktime's {known.__name__}:"
                " give it another name="
            )
        return chosen

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, self._of_type(field, getattr(self, field.name)))
        super().__post_init__()  # type: ignore[misc]

    def _of_type(self, field: dataclasses.Field[Any], value: Any) -> Any:
        """The value of an option that was declared as an int, float or bool, or a sentence."""
        kind = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", "")
        if kind == "float":
            return self.number(field.name, value)
        good = {"int": is_number(value) and value % 1 == 0, "bool": isinstance(value, bool)}
        if not good.get(kind, True):
            rule = "choose a whole number" if kind == "int" else "it is true or false"
            raise InputError(f"{field.name} of {self.name} is {value!r}: {rule}")
        return int(value) if kind == "int" else value

    def number(self, option: str, value: Any) -> float:
        """The value of an option as a float: any number, below 0 too, unless the class has a `lowest` one."""
        least = getattr(self, "lowest", {}).get(option, -math.inf)
        if not is_number(value) or not math.isfinite(value) or value < least:
            which = f" of {least:g} or more" if math.isfinite(least) else ""
            raise InputError(f"{option} of {self.name} is {value!r}: choose a number{which}")
        return float(value)


class Called:
    """Between the engine and what you wrote: its exceptions become sentences, which keep them as their cause."""

    def __init__(self, kind: str, name: str) -> None:
        self.kind, self.name = kind, name

    def failed(self, error: Exception, now_s: float) -> NoReturn:
        when = f"at {now_s:.15g} s" if math.isfinite(now_s) else "before the first instant"
        raise InputError(f"{self.kind} {self.name} failed {when} with {told(error)}") from error


def told(error: Exception) -> str:
    """An exception in a line: of a call with wrong arguments, what was called."""
    lines = str(error).partition(". The following argument types")[0].splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
