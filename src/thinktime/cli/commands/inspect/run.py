"""The facts about a saved run, from its run.json."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from thinktime.cli import printing, run_folders
from thinktime.cli.printing.run_lines import account_lines, cost_line, machine_line, refusal_lines, rules_line
from thinktime.errors import InputError
from thinktime.spec import text_of
from thinktime.support.json_types import JsonDict

if TYPE_CHECKING:
    from thinktime.metrics import Summary


def facts_of_run(directory: Path) -> JsonDict:
    """Return the checked content of run.json."""
    from thinktime.result.directory.save_load import read_run_file

    return {"run": str(directory), **read_run_file(directory)}


def print_run(facts: JsonDict) -> None:
    try:
        summary, heading, rows = _summary_and_rows(facts)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"{facts['run']}/run.json is incomplete ({type(error).__name__}: {error}): save the run again"
        ) from error
    printing.heading(heading)
    for label, lines in rows.items():
        printing.row(label, *lines)
    printing.cautions(summary.cautions)
    printing.blank()
    printing.metrics(summary)
    printing.blank()
    printing.row("files", *(str(Path(facts["run"]) / name) for name in (*facts["files"], "run.json")))


def _summary_and_rows(facts: JsonDict) -> tuple[Summary, str, dict[str, list[str]]]:
    """Return the summary, the heading, and label → lines."""
    spec, of = facts["spec"], facts["statistics"]
    summary = run_folders.summary_of(facts)
    memory, version = f"at most {of.get('peak_rss_mb', 0):,.0f} MB of memory", f"thinktime {facts['version']}"
    rows = {
        "log": account_lines(facts["account"]),
        "machine": [machine_line(spec)],
        "rules": [rules_line(spec)],
        "simulated": [
            cost_line(of, facts["jobs"]),
            *refusal_lines(of),
            f"{memory}; {version}, run {facts['digest'][:12]}",
        ],
        "counted": printing.coverage(summary),
    }
    return summary, f"{facts['run']}: {spec['workload']['name']}, {text_of('scheduler', spec['scheduler'])}", rows
