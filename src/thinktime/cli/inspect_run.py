"""The facts about a saved run: what run.json says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from thinktime.cli import folders, say
from thinktime.cli.report import account_lines, cost_line, machine_line, rules_line
from thinktime.cli.specs import text_of


def facts_of_run(directory: Path) -> dict[str, Any]:
    """run.json, after the checks of its form."""
    from thinktime.result.directory import read_run_file

    return {"run": str(directory), **read_run_file(directory)}


def print_run(facts: dict[str, Any]) -> None:
    spec, of = facts["spec"], facts["statistics"]
    summary = folders.summary_of(facts)
    say.heading(f"{facts['run']}: {spec['workload']['name']}, {text_of('scheduler', spec['scheduler'])}")
    say.row("log", *account_lines(facts["account"]))
    say.row("machine", machine_line(spec))
    say.row("rules", rules_line(spec))
    memory, version = f"at most {of.get('peak_rss_mb', 0):,.0f} MB of memory", f"thinktime {facts['version']}"
    say.row("simulated", cost_line(of, facts["jobs"]), f"{memory}; {version}, run {facts['digest'][:12]}")
    say.row("counted", *say.coverage(summary))
    say.blank()
    say.metrics(summary)
    say.blank()
    say.row("files", *(str(Path(facts["run"]) / name) for name in (*facts["files"], "run.json")))
