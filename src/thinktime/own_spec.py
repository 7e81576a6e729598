"""Specs whose behaviour you write in Python: their names, and the hash of their source, which belongs to the run."""

from __future__ import annotations

import inspect
import math
import re
from typing import Any, NoReturn, Self

from thinktime.errors import InputError
from thinktime.spec import REGISTRY, Spec


class OwnSpec(Spec):
    """A spec that says, besides its name and options, which source it was made from.

    A name of ours is not given away; one of yours may be defined again.
    """

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

    def to_dict(self) -> dict[str, Any]:
        """Its name, its options, and the hash of its source: with another source it is another run."""
        source = source_hash(type(self))
        return {**super().to_dict(), **({"source": source} if source else {})}

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> Self:
        """What `to_dict` came from, if the class is still the same."""
        source = options.pop("source", None)
        if source is not None and source != source_hash(cls):
            raise InputError(f"{cls.kind} {cls.name} has another source than when this was written: simulate it anew")
        return super().from_options(options)


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


def source_hash(cls: type) -> str:
    """Of the text that defines the class; empty where Python cannot find it."""
    import hashlib

    try:
        return hashlib.sha256(inspect.getsource(cls).encode()).hexdigest()[:16]
    except (OSError, TypeError):
        return ""
