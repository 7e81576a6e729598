"""What a figure shows, in words: the workload's name, the scheduler, the machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thinktime.spec import text_of


def run_label(result: Any) -> str:
    """`KTH-SP2 · easy · 100 processors`, from a result's spec; what the spec lacks is left out."""
    spec = result.spec
    parts = [
        _name(spec.get("workload")),
        _policy("scheduler", spec.get("scheduler")),
        _policy("users", spec.get("users")),
    ]
    parts = [part for part in parts if part and part != "rigid"]
    return " · ".join([*parts, f"{thousands(result.processors)} processors"])


def runs_label(runs: Mapping[str, Any]) -> str:
    """`KTH-SP2 · 100 processors`: what all runs have in common; nothing if they are no results."""
    specs = [run.spec for run in runs.values() if hasattr(run, "spec")]
    names = {_name(spec.get("workload")) for spec in specs}
    sizes = {f"{thousands(run.processors)} processors" for run in runs.values() if hasattr(run, "processors")}
    return " · ".join(found.pop() for found in (names, sizes) if len(found) == 1 and len(specs) == len(runs))


def workload_label(workload: Any) -> str:
    """`KTH-SP2 · 28,475 jobs`."""
    jobs = len(workload)
    return f"{workload.name} · {thousands(jobs)} {'job' if jobs == 1 else 'jobs'}"


def thousands(number: float) -> str:
    return f"{number:,.0f}"


def _name(part: Any) -> str:
    """A part of a spec is a name, or a mapping with a name."""
    return str(part.get("name", "") if isinstance(part, Mapping) else part or "")


def _policy(kind: str, part: Any) -> str:
    """`easy (order=sjf)`: the name, and in brackets the options that differ from their defaults."""
    if not isinstance(part, Mapping):
        return _name(part)
    name, _, options = text_of(kind, part).partition(":")
    return f"{name} ({options.replace(',', ', ')})" if options else name
