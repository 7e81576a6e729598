"""What `thinktime run` prints after several schedulers: the main metrics of each run, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence

from thinktime.cli import printing
from thinktime.cli.commands.run.finished import FinishedRun
from thinktime.cli.printing.run_lines import account_lines, machine_line, rules_line


def print_several(runs: Sequence[FinishedRun]) -> None:
    """Print what the runs share, then their metrics in one table."""
    first = runs[0]
    printing.heading(f"{first.name}: {len(runs)} schedulers")
    printing.row("log", *account_lines(first.account))
    printing.row("machine", machine_line(first.spec, first.machine_because))
    printing.row("rules", rules_line(first.spec))
    lines = [(run.scheduler, line) for run in runs for line in run.simulated()]
    printing.row("simulated", *(f"{scheduler}: {line}" for scheduler, line in lines))
    printing.row("counted", *printing.coverage(first.summary))
    printing.blank()
    printing.comparison({run.scheduler: run.summary for run in runs})
    printing.blank()
    printing.row("results", *(str(run.directory) for run in runs))
    figures = [path for run in runs for path in run.figures]
    if figures:
        printing.row("figures", *printing.paths(figures))
    printing.commands("next", printing.command("compare", *(run.directory for run in runs)))


def print_several_json(runs: Sequence[FinishedRun]) -> None:
    printing.as_json({"runs": {run.scheduler: run.to_dict() for run in runs}})
