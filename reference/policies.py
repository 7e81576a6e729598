"""Make a policy from the description of a scheduler, such as {"name": "easy", "order": "estimate"}.

A policy is a file in this folder with a class that names its schedulers. Files are found; nothing lists them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from reference.discover import classes
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
    return {name: cls for cls in classes("reference", Policy) for name in vars(cls).get("schedulers", ())}
