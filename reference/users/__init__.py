"""User models: when is each job submitted? Start with `rigid.py`, which also says what a model must answer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from reference.discover import classes
from reference.users.rigid import Rigid, Streams, Users

__all__ = ["Rigid", "Users", "make_users", "models"]


def make_users(spec: Mapping[str, Any], streams: Streams) -> Users:
    """Return the model of a spec, such as {"name": "adjusted", "threshold_min": 60}."""
    return models()[spec["name"]].make(spec, streams)


@cache
def models() -> dict[str, type[Users]]:
    """Return name → class, from every module in this folder."""
    return {cls.name: cls for cls in classes("reference.users", Users) if "name" in vars(cls)}
