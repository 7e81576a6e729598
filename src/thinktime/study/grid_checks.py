"""Checks of a whole grid before its first run: names, conditions, and combinations that cannot be simulated."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thinktime.errors import InputError
from thinktime.platforms import Cluster
from thinktime.spec import from_dict, suggestion
from thinktime.study.dimensions import Entry, name_matches, plugins_of
from thinktime.study.outcomes import configuration, varied
from thinktime.study.sources import REQUEST_COLUMNS, REQUESTS
from thinktime.support.json_types import JsonTable

if TYPE_CHECKING:
    from thinktime.study.study import Study

Specs = JsonTable  # of a task, by dimension
SHOWN = 12  # names listed in an error


def check_study(study: Study) -> None:
    """Raise InputError for configurations with the same name, and for a baseline or conditions that match no run."""
    cells, dimensions = [task.cell for task in study.tasks()], varied(study)
    names: dict[str, tuple[Any, ...]] = {}
    for cell in cells:
        name, key = configuration(cell, dimensions), tuple(cell[each] for each in dimensions)
        if names.setdefault(name, key) != key:
            raise InputError(f"two configurations are named {name!r}: give the entries different names")
    if not any(study.baseline.items() <= cell.items() for cell in cells):
        raise InputError(f"the baseline {dict(study.baseline)} matches no run: choose one that is not skipped")
    require_combinations(task.spec for task in study.tasks())
    for kind in ("only", "skip"):
        for where in getattr(study, kind):
            _require_meaning(kind, where, study)


def _require_meaning(kind: str, where: JsonTable, study: Study) -> None:
    """Raise InputError for a name or pattern that matches no entry of the grid."""
    for dimension, wanted in where.items():
        known = [each.name for each in study.grid.get(dimension, ())] or [str(seed) for seed in study.seeds]
        for name in wanted if isinstance(wanted, list | tuple) else [wanted]:
            if not any(name_matches(each, name) for each in known):
                near = suggestion(str(name), known)
                shown = ", ".join(known[:SHOWN]) + (", …" if len(known) > SHOWN else "")
                raise InputError(f"{kind} names an unknown {dimension}, {name!r}{near}: choose from {shown}")


def check_names(grid: Mapping[str, Sequence[Entry]]) -> None:
    """Raise InputError if two entries of one dimension have the same name."""
    for dimension, entries in grid.items():
        twice = [name for name, count in Counter(each.name for each in entries).items() if count > 1]
        if twice:
            raise InputError(f"two entries of {dimension} are named {twice[0]!r}: give each its own name")


def require_combinations(tasks: Iterable[Specs]) -> None:
    """Check each combination of parts once, however many runs have it."""
    seen: set[str] = set()
    for task in tasks:
        for names, check in _CHECKS.items():
            parts = [task.get(name) for name in names]
            key = json.dumps([names, parts], sort_keys=True, default=str)
            if key not in seen:
                seen.add(key)
                check(*parts)


def _check_published_values(scheduler: Specs, rules: Specs) -> None:
    """The values that keys of the scheduler read must be published by plugins."""
    from thinktime.simulation.settings import require_published

    found = from_dict("scheduler", dict(scheduler))
    if found.looks_at():  # type: ignore[attr-defined]
        require_published(found, plugins_of(rules.get("plugins", ())))  # type: ignore[arg-type]


def _check_requests(workload: Specs, platform: Specs) -> None:
    """Requests must name resources and pools of the cluster."""
    if REQUESTS not in workload and REQUEST_COLUMNS not in workload:
        return
    from thinktime.platforms.node_requests import require_names
    from thinktime.platforms.request_files import columns_of, require_columns

    given = Path(workload[REQUESTS]["path"]) if REQUESTS in workload else None
    names, machine = dict(workload.get(REQUEST_COLUMNS, {})), from_dict("platform", dict(platform))
    if not isinstance(machine, Cluster):
        named = repr(given.name) if given else ",".join(f"{name}={value}" for name, value in names.items())
        raise InputError(
            f"requests is {named} but the platform {machine.text()} only counts processors: name clusters only, or skip"
            " what does not go together"
        )
    require_names(names, machine)
    if given:
        require_columns(given, columns_of(given), machine)


_CHECKS: dict[tuple[str, str], Callable[..., None]] = {
    ("scheduler", "rules"): _check_published_values,
    ("workload", "platform"): _check_requests,
}
