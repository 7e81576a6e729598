"""Specs in the notation of the command line, `easy:order=sjf`, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thinktime import spec

#: what a spec in a run.json has besides options: its name, and the hash of the code of a policy of the user's
NOT_TYPED = ("name", "source")


def parse(kind: str, text: str) -> Any:
    """Return the spec of this text."""
    return spec.parse(kind, text)


def text_of(kind: str, data: Mapping[str, Any]) -> str:
    """What one would type for the spec in a run.json: its name, and the options that are not the default."""
    known = spec.REGISTRY.get(kind, {}).get(data["name"])
    usual = known._defaults() if known else {}
    chosen = {key: value for key, value in data.items() if key not in NOT_TYPED and _differs(key, value, usual)}
    given = [f"{key}={(known or spec.Spec).typed_option(key, value)}" for key, value in chosen.items()]
    return str(data["name"]) + (":" + ",".join(given) if given else "")


def platform_of(data: Mapping[str, Any]) -> Any:
    """The machine or cluster in a run.json."""
    return spec.from_dict("platform", dict(data))


def _differs(key: str, value: Any, usual: Mapping[str, Any]) -> bool:
    return key not in usual or usual[key] != value
