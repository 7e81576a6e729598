"""The most intensive window of a log, and its jobs as a log of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from thinktime.cli import log_argument, parsing, printing
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.support.output_files import require_new


def facts_of_peak(
    log: str,
    reading: log_argument.Reading,
    length: str,
    by: str,
    out: Path | None,
    figures: bool,
    overwrite: bool = False,
) -> dict[str, Any]:
    """Where the window is, what was submitted in it, and of how much."""
    from thinktime.spec import one_of
    from thinktime.workload.peak_window import BY, peak

    one_of("--by", by, BY)
    length_s = parsing.seconds("--peak", length)
    _check(log, out, figures, overwrite)
    workload, _ = log_argument.read(log, reading)
    found = peak(workload, seconds=length_s, by=by)
    if out is not None:
        _write(found.workload, out)
    of = {"log": workload.name, "length_s": length_s, "by": by, "from_s": found.from_s, "until_s": found.until_s}
    counted = {"jobs": found.jobs, "work_s": found.work_s, "log_jobs": len(workload)}
    return {**of, "first_submit_s": float(workload["submit_s"][0]), **counted, "written": str(out) if out else None}


def _check(log: str, out: Path | None, figures: bool, overwrite: bool) -> None:
    if Path(log).is_dir():
        raise InputError(f"{log} is a run directory: --peak is for a log")
    if figures:
        raise InputError("--peak shows a window in words: leave out --figures, or inspect the log that --out writes")
    if out is not None:
        log_argument.require_log_name(out)
        require_new(out, overwrite, log)


def _write(workload: Any, out: Path) -> None:
    from thinktime.workload import write_swf

    with Stage("writing"):
        write_swf(workload, out)


def print_peak(facts: dict[str, Any]) -> None:
    what = "jobs" if facts["by"] == "arrivals" else "processor-seconds"
    printing.heading(f"{facts['log']}: the {printing.duration(facts['length_s'])} in which most {what} were submitted")
    begin, first = facts["from_s"], facts["first_submit_s"]
    printing.row("window", f"from {begin:,.0f} s until before {facts['until_s']:,.0f} s of the log's time,"
                      f" {printing.duration(begin - first)} after its first job")  # fmt: skip
    printing.row("jobs", f"{facts['jobs']:,} of {facts['log_jobs']:,}")
    printing.row("work", f"{facts['work_s']:,.0f} processor-seconds")
    if facts["written"]:
        printing.row("written", facts["written"])
