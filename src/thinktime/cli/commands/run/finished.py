"""What `thinktime run` says when it is done, to people and to machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thinktime.cli import printing
from thinktime.spec import from_dict, text_of
from thinktime.workload.reading.implausible_times import implausible_lines

if TYPE_CHECKING:
    from thinktime.cli.commands.run.request import Order


@dataclass(frozen=True, kw_only=True)
class Done:
    """A finished run."""

    name: str  # of the workload
    spec: Mapping[str, Any]
    digest: str
    summary: Any
    account: Mapping[str, Any]
    statistics: Mapping[str, Any]
    directory: Path
    machine_because: str
    exports: list[Path] = field(default_factory=list)
    figures: list[Path] = field(default_factory=list)
    found: bool = False  # the run was there already
    seconds: Mapping[str, float] = field(default_factory=dict)  # step → seconds

    def print_json(self) -> None:
        printing.as_json(
            {
                "spec": self.spec,
                "digest": self.digest,
                "summary": self.summary.to_dict(),
                "account": self.account,
                "statistics": self.statistics,
                "already_there": self.found,
                "seconds": self.seconds,
                "paths": {
                    "run": str(self.directory),
                    "exports": printing.paths(self.exports),
                    "figures": printing.paths(self.figures),
                },
            }
        )

    def print(self, order: Order) -> None:
        printing.heading(f"{self.name}, {text_of('scheduler', self.spec['scheduler'])}")
        printing.row("log", *account_lines(self.account))
        printing.commands("", *_more(self.account, order))
        printing.row("machine", machine_line(self.spec, self.machine_because))
        printing.row("rules", rules_line(self.spec))
        printing.row("simulated", *self._simulated())
        printing.row("counted", *printing.coverage(self.summary))
        printing.cautions(self.summary.cautions)
        printing.blank()
        printing.metrics(self.summary)
        printing.blank()
        printing.row("results", *self._results())
        if self.figures:
            printing.row("pictures", *printing.paths(self.figures))
        printing.row("time", ", ".join(f"{step} {seconds:.2f} s" for step, seconds in self.seconds.items()))

    def _simulated(self) -> list[str]:
        if self.found:
            return ["nothing: this very run is in its directory already (--overwrite simulates it again)"]
        stopped = ["stopped before all jobs were done (--until)"] if self.statistics.get("stopped") else []
        return [cost_line(self.statistics, self.summary["jobs"]), *rejected_lines(self.statistics), *stopped]

    def _results(self) -> list[str]:
        placed = ["placements.parquet"] if (self.directory / "placements.parquet").is_file() else []
        extra = "".join(f", {name}" for name in [*placed, *(path.name for path in self.exports)])
        return [
            f"{self.directory}",
            f"(jobs.parquet, timeline.parquet, run.json with all metrics{extra})",
        ]


def account_lines(account: Mapping[str, Any]) -> list[str]:
    """Highlights: how many jobs were kept, and what was dropped or could not be read."""
    if account.get("generated"):
        users = f" of {account['users']:,} users" if account["users"] else ""
        return [f"generated: {account['jobs']:,} jobs{users} in {account['weeks']} weeks"]
    if "kept" not in account:
        return ["jobs that were given as columns, not read from a log"]
    kept = f"{account['kept']:,} of {account['job_lines']:,} jobs kept"
    how = f"filter {account['filter']}, processors {account['processors']}" if "filter" in account else ""
    dropped = [f"{count:,} dropped: {reason}" for reason, count in account["dropped"].items()]
    repaired = [f"{count:,} changed: {reason}" for reason, count in account["repaired"].items()]
    merged = [f"{account['merged']:,} bursts merged into their jobs"] if account["merged"] else []
    bad = account["malformed_lines"]
    malformed = [f"{bad:,} malformed lines left out"] if bad else []
    odd = implausible_lines(account)
    return [f"{kept} ({how})" if how else kept, *dropped, *repaired, *merged, *malformed, *odd]


def _more(account: Mapping[str, Any], order: Order) -> list[str]:
    """Return the command that shows what the reader left out, with the same filter."""
    lost = account.get("malformed_lines") or account.get("dropped")
    malformed = ["--malformed"] if account.get("malformed_lines") else []
    filtered = ["--filter", order.reading.filter] if order.reading.filter != "base" else []
    return [f"more about it: {printing.command('inspect', order.log, *filtered, *malformed)}"] if lost else []


def cost_line(of: Mapping[str, Any], jobs: int) -> str:
    """What the engine did, and how fast; of a stopped run, the jobs that were submitted before the stop."""
    jobs = of.get("submitted_jobs", jobs)
    seconds, events = of.get("engine_s") or 0.0, of.get("events", 0)
    speed = printing.rate(events, "events", seconds) if of.get("stopped") else printing.rate(jobs, "jobs", seconds)
    return f"{jobs:,} jobs, {events:,} events, {of.get('passes', 0):,} scheduler passes in {seconds:.3g} s ({speed})"


def machine_line(spec: Mapping[str, Any], because: str = "") -> str:
    machine: Any = from_dict("platform", dict(spec["machine"]))
    speed, why = _speed(spec, machine.speed), f" ({because})" if because else ""
    if not hasattr(machine, "nodes"):
        return f"{machine.processors:,} processors{why}{speed}"
    title = f"{machine.title}: " if machine.title else ""
    return f"{title}{machine.nodes:,} nodes for {machine.processors:,} processors{why}{speed}"


def _speed(spec: Mapping[str, Any], speed: float) -> str:
    """What a speed does to estimates is said with it."""
    if speed == 1:
        return ""
    estimates = spec.get("estimates", {})
    divided = estimates.get("scaled") or estimates.get("name") == "perfect"
    return f", speed {speed:g} ({'estimates divided by it' if divided else 'estimates as recorded'})"


def rejected_lines(statistics: Mapping[str, Any]) -> list[str]:
    """How many jobs were rejected, by reason."""
    return [f"{count:,} rejected: {reason}" for reason, count in statistics.get("rejected", {}).items()]


def rules_line(spec: Mapping[str, Any]) -> str:
    names = [f"{kind} {text_of(kind, spec[kind])}" for kind in ("allocator", "users", "estimates") if kind in spec]
    if spec.get("applications", {}).get("name", "fixed") != "fixed":
        names.append(f"applications {text_of('application', spec['applications'])}")
    names += [f"plugin {text_of('plugin', plugin)}" for plugin in spec.get("plugins", ())]
    keys = ("admission", "overrun", "oversized", "same_instant")
    rules = [f"{key.replace('_', ' ')} {spec[key]}" for key in keys if key in spec]
    return ", ".join([*names, *rules, f"seed {spec['seed']}"])
