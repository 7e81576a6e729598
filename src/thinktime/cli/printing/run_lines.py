"""Lines that describe a run: what was read, on which machine, by which rules, at what cost."""

from __future__ import annotations

from typing import Any

from thinktime.cli.printing.numbers import rate
from thinktime.spec import from_dict, text_of
from thinktime.support.json_types import JsonTable
from thinktime.workload.load_scaling import scaling_lines
from thinktime.workload.reading.implausible_times import implausible_lines


def account_lines(account: JsonTable) -> list[str]:
    """Return how many jobs were kept, dropped, changed or could not be read, and how their load was scaled."""
    scaled = [f"load scaled: {line}" for line in scaling_lines(account.get("load_scaling"))]
    return [*_lines_of_source(account), *scaled]


def _lines_of_source(account: JsonTable) -> list[str]:
    if account.get("generated"):
        users = f" of {account['users']:,} users" if account["users"] else ""
        return [f"generated: {account['jobs']:,} jobs{users} in {account['weeks']} weeks"]
    if "kept" not in account:
        return ["jobs from columns, not from a log"]
    kept = f"{account['kept']:,} of {account['job_lines']:,} jobs kept"
    how = f"filter {account['filter']}, processors {account['processors']}" if "filter" in account else ""
    dropped = [f"{count:,} dropped: {reason}" for reason, count in account["dropped"].items()]
    repaired = [f"{count:,} changed: {reason}" for reason, count in account["repaired"].items()]
    merged = [f"{account['merged']:,} bursts merged into their jobs"] if account["merged"] else []
    bad = account["malformed_lines"]
    malformed = [f"{bad:,} malformed lines skipped"] if bad else []
    odd = implausible_lines(account)
    return [f"{kept} ({how})" if how else kept, *dropped, *repaired, *merged, *malformed, *odd]


def cost_line(of: JsonTable, jobs: int) -> str:
    """Return what the engine did and how fast. For a stopped run, count the jobs submitted before the stop."""
    jobs = of.get("submitted_jobs", jobs)
    seconds, events = of.get("engine_s") or 0.0, of.get("events", 0)
    speed = rate(events, "events", seconds) if of.get("stopped") else rate(jobs, "jobs", seconds)
    return f"{jobs:,} jobs, {events:,} events, {of.get('passes', 0):,} scheduler passes in {seconds:.3g} s ({speed})"


def machine_line(spec: JsonTable, because: str = "") -> str:
    """Return the size of the machine, where it comes from, and its speed."""
    machine: Any = from_dict("platform", dict(spec["machine"]))
    speed, why = _speed(spec, machine.speed), f" ({because})" if because else ""
    if not hasattr(machine, "nodes"):
        return f"{machine.processors:,} processors{why}{speed}"
    title = f"{machine.title}: " if machine.title else ""
    return f"{title}{machine.nodes:,} nodes for {machine.processors:,} processors{why}{speed}"


def _speed(spec: JsonTable, speed: float) -> str:
    """Return the speed and whether it also scales the estimates."""
    if speed == 1:
        return ""
    estimates = spec.get("estimates", {})
    divided = estimates.get("scaled") or estimates.get("name") == "perfect"
    return f", speed {speed:g} ({'estimates scaled' if divided else 'estimates as recorded'})"


def refusal_lines(statistics: JsonTable) -> list[str]:
    """Return how many jobs were rejected, and killed or requeued by the scheduler, by reason."""
    return [
        f"{count:,} {what}: {reason}"
        for what in ("rejected", "killed", "requeued")
        for reason, count in statistics.get(what, {}).items()
    ]


def rules_line(spec: JsonTable) -> str:
    """Return the policies and rules of a run besides its scheduler."""
    names = [f"{kind} {text_of(kind, spec[kind])}" for kind in ("allocator", "users", "estimates") if kind in spec]
    if spec.get("applications", {}).get("name", "fixed") != "fixed":
        names.append(f"applications {text_of('application', spec['applications'])}")
    names += [f"plugin {text_of('plugin', plugin)}" for plugin in spec.get("plugins", ())]
    keys = ("admission", "overrun", "oversized", "same_instant")
    rules = [f"{key.replace('_', ' ')} {spec[key]}" for key in keys if key in spec]
    return ", ".join([*names, *rules, f"seed {spec['seed']}"])
