"""Combinations of a grid that no run can have, told before the first one: each has its parts, but not together."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from thinktime.errors import InputError
from thinktime.platforms import Cluster
from thinktime.spec import from_dict
from thinktime.study.dimensions import plugins_of
from thinktime.study.sources import REQUESTS

Specs = Mapping[str, Any]  # of a task, by dimension


def require_possible(tasks: Iterable[Specs]) -> None:
    """Every pair of parts is looked at once, however many runs have it."""
    seen: set[str] = set()
    for task in tasks:
        for names, check in _CHECKS.items():
            parts = [task.get(name) for name in names]
            key = json.dumps([names, parts], sort_keys=True, default=str)
            if key not in seen:
                seen.add(key)
                check(*parts)


def _values(scheduler: Specs, rules: Specs) -> None:
    """What keys look at is published by plugins."""
    from thinktime.simulation.settings import require_published

    found = from_dict("scheduler", dict(scheduler))
    if found.looks_at():  # type: ignore[attr-defined]
        require_published(found, plugins_of(rules.get("plugins", ())))  # type: ignore[arg-type]


def _amounts(workload: Specs, platform: Specs) -> None:
    """Amounts by job are of resources and pools that the cluster has."""
    if REQUESTS not in workload:
        return
    from thinktime.platforms.request_files import columns_of, require_columns

    path, machine = Path(workload[REQUESTS]["path"]), from_dict("platform", dict(platform))
    if not isinstance(machine, Cluster):
        raise InputError(
            f"requests is {path.name!r} but the platform {machine.text()} only counts processors: name clusters only,"
            " or skip what does not go together"
        )
    require_columns(path, columns_of(path), machine)


_CHECKS: dict[tuple[str, str], Callable[..., None]] = {
    ("scheduler", "rules"): _values,
    ("workload", "platform"): _amounts,
}
