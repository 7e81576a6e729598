"""The facts about a log: its account, its header, and what its jobs are like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thinktime.cli import printing
from thinktime.cli.printing.run_lines import account_lines
from thinktime.support.json_types import JsonDict

if TYPE_CHECKING:
    from thinktime.workload import Workload

#: Fields of the header that are printed; --json has all
HEADER_SHOWN = (
    *("Computer", "Installation", "Version", "MaxProcs", "MaxNodes", "MaxJobs", "Preemption"),
    *("StartTime", "EndTime", "UnixStartTime", "TimeZoneString", "MaxRuntime", "AllowOveruse", "ProcessorField"),
)
LONGEST_VALUE = 150
#: column → (label, unit)
DISTRIBUTIONS = {
    "processors": ("processors", ""),
    "run_s": ("run time", "s"),
    "requested_time_s": ("requested time", "s"),
    "run_over_requested": ("run / requested", ""),
    "wait_s": ("recorded wait", "s"),
    "between_submissions_s": ("between submissions", "s"),
    "jobs_per_user": ("jobs per user", ""),
}
QUANTILES = {"least": 0.0, "median": 0.5, "95 %": 0.95, "most": 1.0}


def facts_of_log(workload: Workload) -> JsonDict:
    """JSON-able: name, account, source, header, statistics."""
    return {
        "name": workload.name,
        "account": workload.account,
        "source": workload.source,
        "header": workload.header.to_dict() if workload.header else {},
        "attributes": {name: workload.types[name].kind for name in workload.attributes},
        "statistics": statistics(workload),
    }


def statistics(workload: Workload) -> JsonDict:
    size = workload.machine_processors
    return {
        "jobs": len(workload),
        "users": len(workload.users),
        "span_s": workload.span_s,
        "machine_processors": size,
        "offered_load": workload.offered_load(size) if size else None,
        "processor_hours": float(np.nansum(workload["processors"] * workload["run_s"])) / 3600,
        "distributions": {name: _distribution(values) for name, values in _distribution_columns(workload).items()},
    }


def _distribution_columns(workload: Workload) -> dict[str, np.ndarray]:
    """Return the columns of the table of distributions, with missing values."""
    user, asked = workload["user"], workload["requested_time_s"]
    _, counts = np.unique(user[~np.isnan(user)], return_counts=True)
    return {
        **{name: workload[name] for name in ("processors", "run_s", "requested_time_s", "wait_s")},
        "run_over_requested": workload["run_s"][asked > 0] / asked[asked > 0],
        "between_submissions_s": np.diff(workload["submit_s"]),
        "jobs_per_user": counts.astype(float),
    }


def _distribution(values: np.ndarray) -> JsonDict:
    known = values[~np.isnan(values)]
    if not len(known):
        return {"known": 0}
    shares = np.quantile(known, list(QUANTILES.values())).tolist()
    return {"known": len(known), "mean": float(known.mean()), **dict(zip(QUANTILES, shares, strict=True))}


def print_log(facts: JsonDict, malformed: bool) -> None:
    account, of = facts["account"], facts["statistics"]
    printing.heading(facts["name"])
    printing.row("jobs", *account_lines(account))
    for label, lines in (
        ("format", [account["reader"]["name"]] if account.get("reader") else []),
        ("lines", _line_counts_in_words(account)),
        ("problems", _problems(account)),
        ("header", _header(facts)),
    ):
        if lines:
            printing.row(label, *lines)
    if facts["attributes"]:
        printing.row("attributes", ", ".join(f"{name} ({kind})" for name, kind in facts["attributes"].items()))
    printing.row("machine", _machine(account, of))
    printing.row(
        "users",
        f"{of['users']:,} users, {printing.duration(of['span_s'])} from the first submission to the last end",
    )
    printing.row("work", f"{of['processor_hours']:,.0f} processor-hours" + _load(account, of))
    if "share_with_estimates" in account:
        printing.row("estimates", _estimates(account))
    printing.blank()
    _print_distributions(of["distributions"])
    if malformed:
        _print_malformed(account)
    if "written" in facts:
        printing.row("written", facts["written"])
    printing.blank()


def _line_counts_in_words(account: JsonDict) -> list[str]:
    if account.get("generated"):
        return []
    counts = {
        "jobs": "job_lines",
        "comments": "comment_lines",
        "blank": "blank_lines",
        "malformed": "malformed_lines",
    }
    said = ", ".join(f"{account[key]:,} {name}" for name, key in counts.items())
    hint = " (list them with --malformed)" if account["malformed_lines"] else ""
    return [f"{account['lines']:,}: {said}{hint}"]


def _problems(account: JsonDict) -> list[str]:
    """Return what is unusual in the log."""
    words = {
        "unsorted": "lines out of submit order (sorted)",
        "negative_submit": "jobs with a negative submit time",
        "duplicate_numbers": "repeated job numbers",
        "duplicate_lines": "repeated lines",
    }
    found = [f"{account[key]:,} {what}" for key, what in words.items() if account.get(key)]
    claim = account.get("max_jobs_mismatch")
    wrong = (
        [f"the header gives MaxJobs {claim['MaxJobs']:,}, but there are {claim['job_lines']:,} jobs"] if claim else []
    )
    start = [account["start_note"]] if account.get("start_note") else []
    return [*found, *wrong, *start, *account.get("notes", ())]


def _header(facts: JsonDict) -> list[str]:
    header = facts["header"]
    shown = [f"{key}: {_first_line(header[key][0])}" for key in HEADER_SHOWN if header.get(key) and header[key][0]]
    notes = len(header.get("Note", []))
    return [*shown, *([f"and {notes} note{'s' if notes > 1 else ''} (in --json)"] if notes else [])]


def _first_line(value: str) -> str:
    """Return as much of a value as fits on two lines; --json has all."""
    line = value.splitlines()[0]
    return line if len(line) <= LONGEST_VALUE else f"{line[:LONGEST_VALUE]}… ({len(line):,} characters, all in --json)"


def _machine(account: JsonDict, of: JsonDict) -> str:
    if not of["machine_processors"]:
        return "unknown size: give --processors to simulate it"
    because = account.get("machine_because", "size of the generated workload")
    bound = "at least " if _is_lower_bound(account) else ""
    return f"{bound}{of['machine_processors']:,} processors ({because})"


def _is_lower_bound(account: JsonDict) -> bool:
    from thinktime.workload.workload import LOWER_BOUNDS

    return account.get("machine_because") in LOWER_BOUNDS


def _load(account: JsonDict, of: JsonDict) -> str:
    load, bound = of["offered_load"], "at most " if _is_lower_bound(account) else ""
    return f", an offered load of {bound}{load:.3f} over the span" if load is not None and np.isfinite(load) else ""


def _estimates(account: JsonDict) -> str:
    share, over = account["share_with_estimates"], account["run_over_estimate"]
    return f"{share:.1%} of the jobs have an estimate; {over:,} ran longer" if share else "no job has an estimate"


def _print_distributions(distributions: JsonDict) -> None:
    printing.distributions({label: (distributions[name], unit == "s") for name, (label, unit) in DISTRIBUTIONS.items()})


def _print_malformed(account: JsonDict) -> None:
    printing.blank()
    bad = account.get("malformed", [])
    printing.heading(f"malformed lines: {account.get('malformed_lines', 0):,}")
    for line in bad:
        printing.row(f"line {line['line']}", f"{line['reason']}: {line['text'][:80]}")
    more = account.get("malformed_lines", 0) - len(bad)
    if more > 0:
        printing.row("", f"and {more:,} more")
