"""What `thinktime run` prints at the end, as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from thinktime.cli import printing
from thinktime.cli.printing.run_lines import account_lines, cost_line, machine_line, refusal_lines, rules_line
from thinktime.support.json_types import JsonDict, JsonTable

if TYPE_CHECKING:
    from thinktime.cli.commands.run.options import Request
    from thinktime.metrics import Summary


@dataclass(frozen=True, kw_only=True)
class FinishedRun:
    """A finished run."""

    name: str  # of the workload
    scheduler: str  # as one types it
    spec: JsonTable
    digest: str
    summary: Summary
    account: JsonTable
    statistics: JsonTable
    directory: Path
    machine_because: str
    exports: list[Path] = field(default_factory=list)
    figures: list[Path] = field(default_factory=list)
    found: bool = False  # the run was there already
    seconds: Mapping[str, float] = field(default_factory=dict)  # step → seconds

    def to_dict(self) -> JsonDict:
        """Return what --json prints."""
        return {
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

    def print(self, request: Request) -> None:
        printing.heading(f"{self.name}, {self.scheduler}")
        printing.row("log", *account_lines(self.account))
        printing.commands("", *_details_command(self.account, request))
        printing.row("machine", machine_line(self.spec, self.machine_because))
        printing.row("rules", rules_line(self.spec))
        printing.row("simulated", *self.simulated())
        printing.row("counted", *printing.coverage(self.summary))
        printing.cautions(self.summary.cautions)
        printing.blank()
        printing.metrics(self.summary)
        printing.blank()
        printing.row("results", *self._results())
        if self.figures:
            printing.row("figures", *printing.paths(self.figures))
        printing.row("time", ", ".join(f"{step} {seconds:.2f} s" for step, seconds in self.seconds.items()))

    def simulated(self) -> list[str]:
        if self.found:
            return ["nothing: the same run is already in its directory (--overwrite simulates it again)"]
        stopped = ["stopped before all jobs ended (--until)"] if self.statistics.get("stopped") else []
        return [cost_line(self.statistics, int(self.summary["jobs"] or 0)), *refusal_lines(self.statistics), *stopped]

    def _results(self) -> list[str]:
        more = [name for name in ("decisions.parquet", "placements.parquet") if (self.directory / name).is_file()]
        extra = "".join(f", {name}" for name in [*more, *(path.name for path in self.exports)])
        return [
            f"{self.directory}",
            f"(jobs.parquet, timeline.parquet, run.json with all metrics{extra})",
        ]


def _details_command(account: JsonTable, request: Request) -> list[str]:
    """Return the command that shows what was not read, with the same filter."""
    lost = account.get("malformed_lines") or account.get("dropped")
    malformed = ["--malformed"] if account.get("malformed_lines") else []
    filtered = ["--filter", request.reading.filter] if request.reading.filter != "base" else []
    reader = ["--reader", request.reading.reader_text] if request.reading.reader else []
    return [f"details: {printing.command('inspect', request.log, *reader, *filtered, *malformed)}"] if lost else []
