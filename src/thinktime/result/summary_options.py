"""The options of a summary, in one place for `Result.summary`, `Result.save` and streamed runs."""

from __future__ import annotations

from typing import Any

from thinktime.metrics.jobs import TAU_S

#: Option → default, as `metrics.summarize` has them.
DEFAULTS: dict[str, Any] = {
    "window": None,
    "warmup_s": 0.0,
    "cooldown_s": 0.0,
    "exclude": ("rejected",),
    "exclude_users": (),
    "tau_s": TAU_S,
    "quantiles": True,
}


def summary_options(**given: Any) -> dict[str, Any]:
    """Return `tau_s` and the options that differ from their defaults."""
    return {name: value for name, value in given.items() if name == "tau_s" or not _is_default(value, DEFAULTS[name])}


def _is_default(value: Any, default: Any) -> bool:
    if isinstance(default, tuple):
        return not isinstance(value, str) and tuple(value) == default
    return type(value) is type(default) and bool(value == default)
