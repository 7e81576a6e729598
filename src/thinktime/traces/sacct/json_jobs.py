"""Output of `sacct --json` as rows of texts under the names of sacct's fields.

Slurm 21.08 to 25.05 write numbers as they are or as {"set": true, "infinite": false, "number": 5}, and states as a
text or a list.
"""

from __future__ import annotations

import json
from typing import Any

from thinktime.errors import InputError

_MARKS = (b'"derived_exit_code"', b'"association"', b'"allocation_nodes"')
_LONGEST_BITMAP = 20_000  # hexadecimal digits of the tasks of an array
#: Fields of squeue --json and scontrol show jobs --json, where sacct has an object `time`.
_OF_SQUEUE = (b'"job_state"', b'"submit_time"')
Row = dict[str, str]


def is_json(head: bytes) -> bool:
    """Return whether a file begins like a JSON document."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"


def recognises(head: bytes) -> bool:
    """Return whether a file begins like the output of sacct --json."""
    marked = any(mark in head for mark in _MARKS) or all(mark in head for mark in _OF_SQUEUE)
    return is_json(head) and b'"jobs"' in head and marked


def rows(name: str, content: bytes) -> list[Row]:
    """Return one row per job and per step."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is not complete JSON ({error}): write the output of sacct --json again") from None
    jobs = document.get("jobs") if isinstance(document, dict) else None
    if not isinstance(jobs, list):
        raise InputError(f"{name} is JSON without a list of jobs: give the output of sacct --json")
    if any(isinstance(job, dict) and "submit_time" in job and "time" not in job for job in jobs[:1]):
        raise InputError(
            f"{name} is output of squeue or scontrol, which show the jobs of the moment: run sacct --json, which has"
            " those that ended"
        )
    found: list[Row] = []
    for job in jobs:
        if isinstance(job, dict):
            row = _row(job)
            found.append(row)
            found.extend(_step(step, row) for step in _listed(job, "steps") if isinstance(step, dict))
    if not found:
        raise InputError(f"{name} has no jobs: run sacct with a longer time window (--starttime)")
    return found


def _row(job: dict[str, Any]) -> Row:
    time = _inside(job, "time")
    return {
        "JobID": _job_id(job),
        "JobIDRaw": _number(job.get("job_id")),
        "Cluster": _text(job.get("cluster")),
        "User": _text(job.get("user") or _inside(job, "association").get("user")),
        "Group": _text(job.get("group")),
        "Account": _text(job.get("account")),
        "Partition": _text(job.get("partition")),
        "QOS": _text(job.get("qos")),
        "Submit": _number(time.get("submission")),
        "Eligible": _number(time.get("eligible")),
        "Start": _number(time.get("start")),
        "End": _number(time.get("end")),
        "ElapsedRaw": _number(time.get("elapsed")),
        "Suspended": _number(time.get("suspended")),
        "TimelimitRaw": _number(time.get("limit")),
        "TotalCPU": _cpu_s(time.get("total")),
        "NNodes": _number(job.get("allocation_nodes")),
        "ReqCPUS": _number(_inside(job, "required").get("CPUs")),
        "ReqTRES": _tres(job, "requested"),
        "AllocTRES": _tres(job, "allocated"),
        "State": _state(job),
        "ExitCode": _exit_code(job.get("exit_code")),
        "DerivedExitCode": _exit_code(job.get("derived_exit_code")),
        "Priority": _number(job.get("priority")),
        "Reason": _text(_inside(job, "state").get("reason")),
        "Flags": ",".join(map(_text, _listed(job, "flags"))),
        "Reservation": _text(_inside(job, "reservation").get("name") or ""),
        "NodeList": _text(job.get("nodes")),
        "WCKey": _text(_inside(job, "wckey").get("wckey")),
        "Constraints": _text(job.get("constraints")),
        "WorkDir": _text(job.get("working_directory")),
        "SubmitLine": _text(job.get("submit_line")),
        "Comment": _text(_inside(job, "comment").get("job")),
        "Restarts": _number(job.get("restart_cnt")),
        "JobName": _text(job.get("name")),
    }


def _step(step: dict[str, Any], job: Row) -> Row:
    inside = _inside(step, "step")
    used = _listed(_inside(_inside(step, "tres"), "requested"), "total")
    return {
        "JobID": f"{job['JobID']}.{_text(inside.get('name') or inside.get('id')) or 'step'}",
        "Submit": job["Submit"],
        "NTasks": _number(_inside(step, "tasks").get("count")),
        "TRESUsageInTot": _tres_text(used),
    }


def _job_id(job: dict[str, Any]) -> str:
    """Return the id as sacct prints it: 12, 12_3, 12_[4-7], 12+0."""
    number = _number(job.get("job_id"))
    array, het = _inside(job, "array"), _inside(job, "het")
    leader, task = _number(array.get("job_id")), _number(array.get("task_id"))
    tasks = _task_list(_text(array.get("task")))
    if leader not in ("", "0"):
        return f"{leader}_{task}" if task else f"{leader}_[{tasks}]" if tasks else number
    if (first := _number(het.get("job_id"))) not in ("", "0"):
        return f"{first}+{_number(het.get('job_offset')) or 0}"
    return number


def _task_list(text: str) -> str:
    """Return `7,10` for the bits of `0x00480`; other texts as they are."""
    if not text.lower().startswith("0x") or len(text) > _LONGEST_BITMAP:
        return text
    try:
        bits = int(text, 16)
    except ValueError:
        return text
    return ",".join(str(task) for task in range(bits.bit_length()) if bits >> task & 1)


def _inside(given: dict[str, Any], key: str) -> dict[str, Any]:
    found = given.get(key)
    return found if isinstance(found, dict) else {}


def _listed(given: dict[str, Any], key: str) -> list[Any]:
    found = given.get(key)
    return found if isinstance(found, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None or isinstance(value, dict | list) else str(value)


def _number(value: Any) -> str:
    """Return a number as text; empty if it is not set or infinite."""
    if isinstance(value, dict):
        if value.get("infinite"):
            return "UNLIMITED"
        return _number(value.get("number")) if value.get("set", True) else ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e19 else ""


def _cpu_s(value: Any) -> str:
    if not isinstance(value, dict):
        return ""
    seconds, micro = _number(value.get("seconds")) or "0", _number(value.get("microseconds")) or "0"
    try:
        return str(int(seconds) + int(micro) / 1e6)
    except ValueError:
        return ""


def _state(job: dict[str, Any]) -> str:
    current = _inside(job, "state").get("current")
    state = _text(current[0]) if isinstance(current, list) and current else _text(current)
    by = _text(job.get("kill_request_user"))
    return f"{state} by {by}" if by and state == "CANCELLED" else state


def _exit_code(value: Any) -> str:
    if not isinstance(value, dict):
        return ""
    signal = value.get("signal")
    number = _number(_inside(value, "signal").get("signal_id") or _inside(value, "signal").get("id"))
    code = _number(value.get("return_code")) or "0"
    return f"{code}:{number or '0'}" if isinstance(signal, dict) or code else ""


def _tres(job: dict[str, Any], which: str) -> str:
    return _tres_text(_listed(_inside(job, "tres"), which))


def _tres_text(entries: list[Any]) -> str:
    """Return `cpu=2,gres/gpu=1,mem=1000M`; memory is in MiB."""
    found = []
    for entry in entries:
        if not isinstance(entry, dict) or not (count := _number(entry.get("count"))):
            continue
        kind, name = _text(entry.get("type")), _text(entry.get("name"))
        found.append(f"{kind}/{name}={count}" if name else f"{kind}={count}{'M' if kind == 'mem' else ''}")
    return ",".join(found)
