"""Specs in the notation of the command line, `easy:order=sjf`, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thinktime import spec


def parse(kind: str, text: str) -> Any:
    """The spec of this text; importing its layer first is what registers the names."""
    import thinktime.allocators
    import thinktime.applications
    import thinktime.plugins
    import thinktime.schedulers
    import thinktime.users  # noqa: F401

    return spec.parse(kind, text)


def text_of(kind: str, data: Mapping[str, Any]) -> str:
    """What one would type for the spec in a run.json: its name, and the options that are not the default."""
    import thinktime.allocators
    import thinktime.applications
    import thinktime.plugins
    import thinktime.schedulers
    import thinktime.users
    import thinktime.workload  # noqa: F401

    known = spec.REGISTRY.get(kind, {}).get(data["name"])
    usual = known._defaults() if known else {}
    chosen = {key: value for key, value in data.items() if key != "name" and _differs(key, value, usual)}
    given = [f"{key}={(known or spec.Spec).typed_option(key, value)}" for key, value in chosen.items()]
    return str(data["name"]) + (":" + ",".join(given) if given else "")


def platform_of(data: Mapping[str, Any]) -> Any:
    """The machine or cluster in a run.json."""
    import thinktime.platforms  # noqa: F401

    return spec.from_dict("platform", dict(data))


def _differs(key: str, value: Any, usual: Mapping[str, Any]) -> bool:
    return key not in usual or usual[key] != value
