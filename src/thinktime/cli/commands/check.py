"""`thinktime check`: every invariant of saved runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from thinktime.cli import options as o
from thinktime.cli.error_messages import VIOLATED
from thinktime.support import terminal

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

SHOWN = 20
Runs = Annotated[list[Path], Argument(metavar="DIR...", help="Run directories.")]
All = Annotated[bool, Option("--all", help=f"List every violation, not the first {SHOWN}.")]


@app.command("check")
def check(directories: Runs, everything: All = False, as_json: o.Json = False) -> None:
    """Check every invariant of saved runs.

    Neither machine nor node oversubscribed, no start before its submission, nobody
    lost, the timeline agrees with the jobs, the files with their hashes.

    Exit code 0 if all hold, 1 if one does not, 2 if a run cannot be read.

    Example: thinktime check runs/*
    """
    found = []
    for directory in directories:
        found.append(_checked(directory, everything))
        if not as_json:  # at once: a later directory may be unreadable
            _print(found[-1], None if everything else SHOWN)
    if as_json:
        from thinktime.cli.printing import as_json as print_json

        print_json({"ok": all(run["ok"] for run in found), "runs": found})
    if not all(run["ok"] for run in found):
        raise typer.Exit(VIOLATED)


def _checked(directory: Path, everything: bool) -> dict[str, Any]:
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


def _print(run: dict[str, Any], most: int | None) -> None:
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
    """A sound run may still be one in which jobs were killed or rejected."""
    from thinktime.metrics import Cautions

    for sentence in Cautions.from_dict(run["cautions"]).sentences():
        terminal.line(f"  caution: {sentence}")
