"""A layer whose name is also what it does: `thinktime.resample` is a package, `thinktime.resample(log)` a call."""

from __future__ import annotations

import sys
from collections.abc import Callable
from inspect import signature
from types import ModuleType
from typing import Any


class CallableModule(ModuleType):
    """Calls its function; else a module like any other. Python binds a package's name in its parent to the module,
    whoever imports it first, so the function of the same name cannot stand there itself."""

    _function: Callable[..., Any]

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self._function(*arguments, **options)


def make_callable(module: str, function: Callable[..., Any]) -> None:
    """Let a module be called as one of its functions."""
    found = sys.modules[module]
    found.__class__ = CallableModule
    found._function = function  # type: ignore[attr-defined]
    found.__signature__ = signature(function)  # type: ignore[attr-defined]
