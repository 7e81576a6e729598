"""Names of runs in titles and legends: the workload, the scheduler, the machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from thinktime.errors import InputError
from thinktime.spec import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thinktime.result import Result
    from thinktime.workload import Workload

    #: one run, or several by name or as a list
    Runs = Result | Mapping[str, Result] | Sequence[Result]


def run_label(result: Result) -> str:
    """`KTH-SP2 · easy · 100 processors`, from a result's spec; what the spec lacks is left out."""
    return " · ".join(_parts_of_run_name(result))


def _parts_of_run_name(result: Result) -> list[str]:
    spec = result.spec
    parts = [
        _name_of_spec_part(spec.get("workload")),
        _policy("scheduler", spec.get("scheduler")),
        _policy("users", spec.get("users")),
    ]
    parts = [part for part in parts if part and part != "rigid"]
    return [*parts, f"{thousands(result.processors)} processors"]


def named_runs(runs: Any) -> dict[str, Any]:
    """Runs by name, from a mapping, from a list, or from one run.

    Runs of a list are named by what differs between them, such as the scheduler; equal names get numbers.
    """
    if isinstance(runs, Mapping):
        return {str(name): run for name, run in runs.items()}
    listed = list(runs) if isinstance(runs, list | tuple) else [runs]
    found: dict[str, Any] = {}
    for name, run in zip(_differing_names(listed), listed, strict=True):
        number = 2
        while name in found:
            name, number = f"{name.removesuffix(f' ({number - 1})')} ({number})", number + 1
        found[name] = run
    return found


def _differing_names(runs: list[Any]) -> list[str]:
    parts = [_parts_of_run_name(run) if hasattr(run, "spec") else [f"run {k + 1}"] for k, run in enumerate(runs)]
    shared = set.intersection(*map(set, parts)) if len(parts) > 1 else set()
    return [" · ".join(part for part in each if part not in shared) or " · ".join(each) for each in parts]


def one_run(runs: Runs) -> Result:
    """The run, also from a mapping or a list of one."""
    found = named_runs(runs)
    if len(found) != 1:
        raise InputError(
            f"this figure shows one run (got {len(found)}): give one run, or a kind for several, such as wait_ecdf"
        )
    return next(iter(found.values()))


def runs_label(runs: Any) -> str:
    """`KTH-SP2 · 100 processors`: what all runs share; empty if some are arrays."""
    runs = named_runs(runs)
    specs = [run.spec for run in runs.values() if hasattr(run, "spec")]
    names = {_name_of_spec_part(spec.get("workload")) for spec in specs}
    sizes = {f"{thousands(run.processors)} processors" for run in runs.values() if hasattr(run, "processors")}
    return " · ".join(found.pop() for found in (names, sizes) if len(found) == 1 and len(specs) == len(runs))


def workload_label(workload: Workload) -> str:
    """`KTH-SP2 · 28,475 jobs`."""
    jobs = len(workload)
    return f"{workload.name} · {thousands(jobs)} {'job' if jobs == 1 else 'jobs'}"


def thousands(number: float) -> str:
    return f"{number:,.0f}"


def _name_of_spec_part(part: Any) -> str:
    """A part of a spec is a name, or a mapping with a name."""
    return str(part.get("name", "") if isinstance(part, Mapping) else part or "")


def _policy(kind: str, part: Any) -> str:
    """`easy (order=sjf)`: the name, and in brackets the options that differ from their defaults."""
    if not isinstance(part, Mapping):
        return _name_of_spec_part(part)
    name, _, options = text_of(kind, part).partition(":")
    return f"{name} ({options.replace(',', ', ')})" if options else name
