"""Make a policy from the description of a scheduler, such as {"name": "easy", "order": "estimate"}.

A policy is a file in this folder with a class that names its schedulers. Files are found; nothing lists them.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from reference.policy import Policy


def make_policy(scheduler: dict[str, Any], on_nodes: Mapping[type[Policy], type[Policy]] | None = None) -> Policy:
    """Return the policy; `on_nodes` replaces classes that count processors by classes that promise nodes."""
    options = dict(scheduler)
    name = options.pop("name")
    if name not in policies():
        raise ValueError(f"no scheduler is called {name!r}: choose one of {', '.join(sorted(policies()))}")
    return policies()[name].make(name, options, on_nodes or {})


@cache
def policies() -> dict[str, type[Policy]]:
    """Return scheduler → class, from every module in this folder."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        import_module(f"reference.{module.name}")
    return {name: cls for cls in subclasses(Policy) for name in vars(cls).get("schedulers", ())}


def subclasses(cls: type[Policy]) -> Iterator[type[Policy]]:
    for each in cls.__subclasses__():
        yield each
        yield from subclasses(each)
