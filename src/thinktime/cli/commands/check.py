"""`thinktime check`: every invariant of saved runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from thinktime.cli.error_messages import VIOLATED
from thinktime.cli.options import Json, RunDirectories
from thinktime.support import terminal

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

SHOWN = 20
All = Annotated[bool, Option("--all", help=f"List all violations instead of the first {SHOWN}.")]


@app.command("check")
def check(directories: RunDirectories, everything: All = False, as_json: Json = False) -> None:
    """Check the invariants of saved runs.

    No machine or node is oversubscribed, no job starts before its submission, no job is
    lost, the timeline agrees with the jobs, and the files agree with their hashes.

    Exit code 0 if all invariants hold, 1 if one is violated, 2 if a run cannot be read.

    Example: thinktime check runs/*
    """
    found = []
    for directory in directories:
        found.append(_check_saved_run(directory, everything))
        if not as_json:  # at once: a later directory may be unreadable
            _print_checked(found[-1], None if everything else SHOWN)
    if as_json:
        from thinktime.cli.printing import as_json as print_json

        print_json({"ok": all(run["ok"] for run in found), "runs": found})
    if not all(run["ok"] for run in found):
        raise typer.Exit(VIOLATED)


def _check_saved_run(directory: Path, everything: bool) -> dict[str, Any]:
    from thinktime.cli.printing.progress import Stage
    from thinktime.result import Result
    from thinktime.result.checks.invariants import LIMIT, rules_of
    from thinktime.result.checks.invariants import check as violations_of

    with Stage(f"checking {directory}"):
        result = Result.load(directory)
        rows = len(result) + len(result.timeline_columns["time_s"])
        violations = violations_of(result, rows if everything else LIMIT)
    return {
        "run": str(directory),
        "ok": not violations,
        "jobs": len(result),
        "rules": list(rules_of(result)),
        "cautions": result.cautions.to_dict(),
        "violations": [{"rule": v.rule, "job": v.job, "sentence": v.sentence} for v in violations],
    }


def _print_checked(run: dict[str, Any], most: int | None) -> None:
    violations = run["violations"]
    if run["ok"]:
        terminal.line(f"{run['run']}: all {len(run['rules'])} invariants hold for {run['jobs']:,} jobs")
        _print_cautions(run)
        return
    terminal.line(
        f"{run['run']}: {len({v['rule'] for v in violations})} of {len(run['rules'])} invariants are violated"
    )
    for violation in violations[:most]:
        terminal.line(f"  {violation['rule']}: {violation['sentence']}")
    if most is not None and len(violations) > most:
        terminal.line("  and more: --all lists them")


def _print_cautions(run: dict[str, Any]) -> None:
    """Jobs may be killed or rejected although all invariants hold."""
    from thinktime.metrics import Cautions

    for sentence in Cautions.from_dict(run["cautions"]).sentences():
        terminal.line(f"  caution: {sentence}")
