"""The reader's account: what became of every line of a log, and properties of the kept jobs. JSON-able."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.traces import Header
from thinktime.traces.reader import RecordAccount
from thinktime.workload.reading.implausible_times import implausible_lines
from thinktime.workload.reading.job_columns import Jobs, Tally
from thinktime.workload.workload import Workload


def of_records(counts: RecordAccount, tally: Tally) -> JsonDict:
    """lines = comment + blank + malformed + job lines; job lines = kept + dropped + merged."""
    return {
        "lines": counts.lines,
        "comment_lines": counts.comments,
        "blank_lines": counts.blanks,
        "malformed_lines": counts.malformed,
        "job_lines": counts.jobs,
        "kept": counts.jobs - sum(tally.dropped.values()) - tally.merged,
        "dropped": dict(tally.dropped),
        "merged": tally.merged,
        "repaired": dict(tally.repaired),
        "repaired_jobs": tally.repaired_jobs,
        "malformed": list(counts.faults),
        **({"notes": list(counts.notes)} if counts.notes else {}),
        **counts.more,
    }


def of_header(header: Header, job_lines: int) -> JsonDict:
    zone, claimed = header.time_zone(), header.integer("MaxJobs")
    differs = claimed is not None and claimed != job_lines
    return {
        "max_jobs_mismatch": {"MaxJobs": claimed, "job_lines": job_lines} if differs else None,
        "preemption": header.preemption,
        "unix_start_s": header.unix_start_s,
        "time_zone": str(zone) if zone else None,
        "time_zone_because": zone.because if zone else "not known",
        "start_note": header.unix_start_note,
    }


def of_order(jobs: Jobs) -> dict[str, int]:
    """Return counts of irregular lines in the order of the log, before any filter."""
    submit, number = jobs["submit_s"], jobs["job"]
    known = ~np.isnan(number)
    _, inverse, times = np.unique(number[known], return_inverse=True, return_counts=True)
    repeated = np.flatnonzero(known)[times[inverse] > 1]
    return {
        "unsorted": int(np.count_nonzero(np.diff(np.nan_to_num(submit, nan=-1.0)) < 0)),
        "negative_submit": int(np.count_nonzero(~(submit >= 0))),
        "duplicate_numbers": int(repeated.size - np.count_nonzero(times > 1)),
        "duplicate_lines": _equal_rows(jobs, repeated),
    }


def _equal_rows(jobs: Jobs, rows: np.ndarray) -> int:
    """Return the number of rows that repeat all fields of an earlier one."""
    if rows.size == 0:
        return 0
    table = np.column_stack([np.nan_to_num(jobs[name][rows], nan=-1.0) for name in jobs if name != "line"])
    return int(rows.size - len(np.unique(table, axis=0)))


def of_jobs(workload: Workload, processors: int | None) -> JsonDict:
    """Return properties of the kept jobs on the recorded machine."""
    asked, jobs = workload["requested_time_s"], len(workload)
    load = workload.offered_load(processors) if processors else float("nan")
    return {
        "users": int(workload.users.size),
        "span_s": workload.span_s,
        "offered_load": load if np.isfinite(load) else None,
        "share_with_estimates": float(np.count_nonzero(asked > 0) / jobs) if jobs else None,
        "run_over_estimate": int(np.count_nonzero((asked > 0) & (workload["run_s"] > asked))),
    }


def largest_request(jobs: Mapping[str, np.ndarray]) -> float:
    """Return the largest number of processors that a job requested or got; 0 if unknown."""
    columns = (jobs["allocated_processors"], jobs["requested_processors"])
    return float(max(np.fmax.reduce(values, initial=0.0) for values in columns))


def of_machine(header: Header, machine: tuple[int | None, str], largest: float) -> JsonDict:
    """Return the machine's size, its source, and a note if the header is inconsistent."""
    processors, because = machine
    notes = [
        f"the header's {key} {said[:40]!r} is not understood as a whole number"
        for key in ("MaxProcs", "MaxNodes")
        if (said := header.first(key)) is not None and header.integer(key) is None
    ]
    if because in ("MaxProcs", "MaxNodes") and processors is not None and processors < largest:
        notes.append(
            f"the header's {because} {processors:,} is less than the largest job ({largest:,.0f} processors):"
            " if the header is wrong, give the machine's size"
        )
    return {
        "machine_processors": processors,
        "machine_because": because,
        "machine_note": "; ".join(notes) or None,
    }


def describe(account: JsonTable) -> str:
    """Return the account as lines of text."""
    rows = [
        f"{account['lines']:,} lines: {account['job_lines']:,} jobs, {account['comment_lines']:,} comments,"
        f" {account['blank_lines']:,} blank, {account['malformed_lines']:,} malformed",
        f"kept {account['kept']:,} jobs (filter {account['filter']}, processors {account['processors']})",
        *_by_reason("dropped", account["dropped"]),
        *([f"merged {account['merged']:,} bursts into their jobs"] if account["merged"] else []),
        *_by_reason("repaired", account["repaired"]),
        *_malformed(account),
        *account.get("notes", ()),
        *_order(account),
        *implausible_lines(account),
        *_account_lines_of_jobs(account),
    ]
    return "\n".join(rows)


def _by_reason(what: str, counts: Mapping[str, int]) -> list[str]:
    return [f"{what} {count:,}: {reason}" for reason, count in counts.items()]


def _malformed(account: JsonTable) -> list[str]:
    shown = [f"line {bad['line']}: {bad['reason']}: {bad['text'][:60]}" for bad in account["malformed"][:5]]
    more = account["malformed_lines"] - len(shown)
    return [*shown, *([f"and {more:,} more malformed lines"] if more > 0 else [])]


def _order(account: JsonTable) -> list[str]:
    names = {
        "unsorted": "lines out of submit order (sorted)",
        "negative_submit": "negative submit times",
        "duplicate_numbers": "repeated job numbers",
        "duplicate_lines": "repeated lines",
        "statuses_2_to_4_left_alone": "statuses 2 to 4 left alone",
    }
    found = [f"{account[key]:,} {what}" for key, what in names.items() if account.get(key)]
    claim = account["max_jobs_mismatch"]
    return found + ([f"the header says MaxJobs {claim['MaxJobs']:,}"] if claim else [])


def _account_lines_of_jobs(account: JsonTable) -> list[str]:
    machine = account["machine_processors"]
    size = f"{machine:,} processors" if machine else "size"
    return [
        *([f"{account['users']:,} users in {account['span_s'] / 86400:,.1f} days"] if "users" in account else []),
        f"machine: {size} ({account['machine_because']})",
        *([account["machine_note"]] if account.get("machine_note") else []),
        *([account["start_note"]] if account.get("start_note") else []),
        *_load_and_estimates(account),
        f"time zone: {account['time_zone'] or 'none'} ({account['time_zone_because']})",
    ]


def _load_and_estimates(account: JsonTable) -> list[str]:
    load, share = account.get("offered_load"), account.get("share_with_estimates")
    return [
        *([f"offered load {load:.3f}"] if load is not None else []),
        *([f"{share:.1%} of the jobs have estimates, {account['run_over_estimate']:,} ran longer"] if share else []),
    ]
