"""The public surface explains itself: keywords are listed and parameters documented."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import thinktime as tt
from thinktime.spec import Spec


def public_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Functions and methods that a user reaches from `tt`, by name. Options of specs are tested with the registry."""
    for name in tt.__all__:  # type: ignore[attr-defined]
        found = getattr(tt, name)
        if inspect.isfunction(found):
            yield name, found
        elif inspect.isclass(found) and not issubclass(found, BaseException | Spec):
            if not dataclasses.is_dataclass(found):
                yield f"{name}.__init__", found.__init__
            yield from ((f"{name}.{method}", function) for method, function in public_methods(found))


def public_methods(found: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Methods with parameters that are our own."""
    for name, member in inspect.getmembers(found):
        function = inspect.unwrap(getattr(member, "__func__", member))
        ours = inspect.isfunction(function) and function.__module__.startswith("thinktime")
        if ours and not name.startswith("_"):
            yield name, function


FUNCTIONS = dict(public_functions())


def parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return [each for each in inspect.signature(function).parameters.values() if each.name not in ("self", "cls")]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_hidden_keywords(name: str) -> None:
    kinds = {each.kind for each in parameters(FUNCTIONS[name])}
    assert inspect.Parameter.VAR_KEYWORD not in kinds


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_documented(name: str) -> None:
    owner = getattr(tt, name.partition(".")[0])
    text = inspect.getdoc(owner if name.endswith(".__init__") else FUNCTIONS[name]) or ""
    assert text, "no docstring"
    missing = [each.name for each in parameters(FUNCTIONS[name]) if not re.search(rf"\b{each.name}\b", text)]
    assert missing == []
