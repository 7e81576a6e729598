"""The busiest window of a log, and its jobs as a log."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from thinktime.cli import log_argument, printing
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.support.json_types import JsonDict
from thinktime.support.output_files import require_new

if TYPE_CHECKING:
    from thinktime.cli.commands.inspect import InspectOptions
    from thinktime.cli.options import ReadingOptions
    from thinktime.workload import Workload
    from thinktime.workload.peak_window import By


def facts_of_peak(log: str, reading: ReadingOptions, show: InspectOptions, overwrite: bool = False) -> JsonDict:
    """Return where the busiest window is and what was submitted in it."""
    from thinktime.spec import one_of
    from thinktime.workload.peak_window import BY, peak

    assert show.peak_s is not None
    one_of("--by", show.by, BY)
    _check_peak(log, show.out, show.figures, overwrite)
    workload, _ = log_argument.read(log, reading)
    found = peak(workload, seconds=show.peak_s, by=cast("By", show.by))
    if show.out is not None:
        _write_peak(found.workload, show.out)
    times = {"length_s": show.peak_s, "by": show.by, "from_s": found.from_s, "until_s": found.until_s}
    counts = {"jobs": found.jobs, "work_s": found.work_s, "log_jobs": len(workload)}
    first = {"first_submit_s": float(workload["submit_s"][0])}
    written = str(show.out) if show.out else None
    return {"log": workload.name, **times, **first, **counts, "written": written}


def _check_peak(log: str, out: Path | None, figures: bool, overwrite: bool) -> None:
    if Path(log).is_dir():
        raise InputError(f"{log} is a run directory: --peak needs a log")
    if figures:
        raise InputError("--peak draws no figures: remove --figures, or inspect the log that --out writes")
    if out is not None:
        log_argument.require_log_name(out)
        require_new(out, overwrite, log)


def _write_peak(workload: Workload, out: Path) -> None:
    from thinktime.result import write

    with Stage("writing"):
        write(workload, out)


def print_peak(facts: JsonDict) -> None:
    what = "jobs" if facts["by"] == "arrivals" else "processor-seconds"
    printing.heading(f"{facts['log']}: the {printing.duration(facts['length_s'])} with the most submitted {what}")
    begin, first = facts["from_s"], facts["first_submit_s"]
    printing.row("window", f"{begin:,.0f} s to {facts['until_s']:,.0f} s of the log,"
                      f" {printing.duration(begin - first)} after the first job")  # fmt: skip
    printing.row("jobs", f"{facts['jobs']:,} of {facts['log_jobs']:,}")
    printing.row("work", f"{facts['work_s']:,.0f} processor-seconds")
    if facts["written"]:
        printing.row("written", facts["written"])
