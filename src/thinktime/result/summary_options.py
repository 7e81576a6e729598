"""The options of a summary, in one place for `Result.summary`, `Result.save` and streamed runs."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import signature

from thinktime.metrics.summarize import summarize
from thinktime.support.json_types import JsonDict

DEFAULTS: JsonDict = {name: parameter.default for name, parameter in signature(summarize).parameters.items()}


def summary_options(**given: object) -> JsonDict:
    """Return `tau_s` and the options that differ from their defaults."""
    return {name: value for name, value in given.items() if name == "tau_s" or not _is_default(value, DEFAULTS[name])}


def _is_default(value: object, default: object) -> bool:
    if isinstance(default, tuple):
        return isinstance(value, Iterable) and not isinstance(value, str) and tuple(value) == default
    return type(value) is type(default) and bool(value == default)
