"""What a figure shows, in words: the workload's name, the scheduler, the machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def run_label(result: Any) -> str:
    """`KTH-SP2 · easy · 100 processors`, from a result's spec; what the spec lacks is left out."""
    parts = [_name(result.spec.get(what)) for what in ("workload", "scheduler", "users")]
    parts = [part for part in parts if part and part != "rigid"]
    return " · ".join([*parts, f"{thousands(result.processors)} processors"])


def workload_label(workload: Any) -> str:
    """`KTH-SP2 · 28,475 jobs`."""
    jobs = len(workload)
    return f"{workload.name} · {thousands(jobs)} {'job' if jobs == 1 else 'jobs'}"


def thousands(number: float) -> str:
    return f"{number:,.0f}"


def _name(part: Any) -> str:
    """A part of a spec is a name, or a mapping with a name and options; options that are set are shown."""
    if not isinstance(part, Mapping):
        return str(part or "")
    plain = {key: value for key, value in part.items() if isinstance(value, str | bool | int | float)}
    name = str(plain.pop("name", ""))
    options = ", ".join(f"{key}={value}" for key, value in plain.items() if key not in _UNSHOWN)
    return f"{name} ({options})" if options else name


#: of a workload: provenance that belongs in a report, not in a title
_UNSHOWN = frozenset({"sha256", "hash", "jobs", "path", "filter", "processors", "filter_name"})
