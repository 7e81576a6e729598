"""Specs whose behaviour is written in Python: their names, the types of their options, and the hash of their code.

The hash is part of a run's description, so a study's store never reuses the results of code that has changed.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
from typing import Any, ClassVar, NoReturn, Self

from thinktime.errors import InputError
from thinktime.spec import LARGEST, REGISTRY, Spec, is_number
from thinktime.spec.module_files import remember
from thinktime.spec.own_source import source_of


class OwnSpec(Spec):
    """Base of own policies. Built-in names are reserved; you may redefine your own.

    `data_files` lists the files that the code reads, relative to the folder of its module: the hash covers them.
    """

    data_files: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        remember(cls.__module__)
        super().__init_subclass__(**options)

    def to_dict(self) -> dict[str, Any]:
        """Return the name, the options and the hash of the code."""
        return {**super().to_dict(), "source": source_of(type(self)).sha256}

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> Self:
        """Return the spec that `to_dict` came from; raise InputError if the code has changed."""
        source = options.pop("source", None)
        if source is not None and source != source_of(cls).sha256:
            raise InputError(
                f"{cls.kind} {cls.name} has another source than when this was written, or a module that it imports has:"
                " simulate it again"
            )
        return super().from_options(options)

    @classmethod
    def take_name(cls, name: str | None) -> str:
        """Return the name to register, by default the class name (`ShortFirst` → `short-first`)."""
        for taken in ("kind", "name"):
            if taken in inspect.get_annotations(cls):
                raise InputError(f"{cls.__name__} has an option {taken!r}, a reserved name: choose another name")
        chosen = name or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()
        known = REGISTRY[cls.kind].get(chosen)
        if known is not None and not issubclass(known, OwnSpec):
            raise InputError(
                f"the name of {cls.__name__} is {chosen!r}, which is reserved for the built-in {known.__name__}:"
                " choose another with name="
            )
        return chosen

    def checked_option(self, option: str, value: object) -> Any:
        """Check by the declared type, also where an option has no default."""
        declared = next(field.type for field in dataclasses.fields(self) if field.name == option)
        kind = declared if isinstance(declared, str) else getattr(declared, "__name__", "")
        if kind == "bool" and not isinstance(value, bool):
            raise InputError(f"{option} of {self.name} is {value!r}: choose true or false")
        if kind in ("int", "float"):
            return self.whole_number(option, value) if kind == "int" else self.number(option, value)
        return super().checked_option(option, value)

    def number(self, option: str, value: object) -> float:
        """Return the value as a float: any number, also below 0, unless the class sets `lowest` and `highest`."""
        least, most = self.lowest.get(option, -LARGEST), self.highest.get(option, LARGEST)
        if not is_number(value) or not least <= value <= most:
            raise InputError(f"{option} of {self.name} is {value!r}: choose a number{_range_words(least, most)}")
        return float(value)

    def whole_number(self, option: str, value: object) -> int:
        """Return the value as an int, with the same limits."""
        least, most = self.lowest.get(option, -LARGEST), self.highest.get(option, LARGEST)
        if not is_number(value) or not least <= value <= most or value % 1:
            raise InputError(f"{option} of {self.name} is {value!r}: choose a whole number{_range_words(least, most)}")
        return int(value)


def _range_words(least: float, most: float) -> str:
    if least == -LARGEST and most == LARGEST:
        return ""
    if most == LARGEST:
        return f" of {least:g} or more"
    return f" up to {most:g}" if least == -LARGEST else f" from {least:g} to {most:g}"


class Called:
    """Between the engine and an own policy: exceptions become InputErrors that keep them as their cause."""

    def __init__(self, kind: str, name: str) -> None:
        self.kind, self.name = kind, name

    def failed(self, error: Exception, now_s: float) -> NoReturn:
        when = f"at {now_s:.15g} s" if math.isfinite(now_s) else "before the first instant"
        raise InputError(f"{self.kind} {self.name} failed {when} with {one_line(error)}") from error


def one_line(error: Exception) -> str:
    """Return an exception in one line; for a call with wrong arguments, without the list of signatures."""
    lines = str(error).partition(". The following argument types")[0].splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
