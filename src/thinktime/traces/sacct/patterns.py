"""What the texts of each kind of field look like, to tell records from noise and to find shifted columns."""

from __future__ import annotations

import re
from functools import lru_cache

from thinktime.traces.sacct.durations import duration_s
from thinktime.traces.sacct.fields import Field
from thinktime.traces.sacct.job_ids import PATTERN as JOB_ID
from thinktime.traces.sacct.quantities import count, memory, resources, used_kb
from thinktime.traces.sacct.states import STATUS, parse_state
from thinktime.traces.sacct.times import parse_time

_JOB_ID = re.compile(JOB_ID)
_EXIT_CODE = re.compile(r"(?:\d{1,6}:\d{1,6}(?:\.\d+)?)?")
_NUMBER = re.compile(r"(?:-?\d{1,20}(?:\.\d+)?(?:[eE][-+]?\d+)?[KMGTPE]?|Unknown|None|)")
_TRES_NUMBERS = {"cpu": 1, "mem": 2, "energy": 3, "node": 4, "billing": 5, "fs/disk": 6, "vmem": 7, "pages": 8}
_TRES_PART = re.compile(r"[A-Za-z][\w/:.+@-]*=[^=]*")


def fits(field: Field, text: str) -> bool:
    """Return whether a text can be a value of the field."""
    return _fits(field.kind, text)


@lru_cache(maxsize=1 << 16)
def _fits(kind: str, text: str) -> bool:
    match kind:
        case "job_id":
            return _JOB_ID.match(text.strip()) is not None
        case "time":
            return parse_time(text) is not None
        case "duration" | "minutes" | "seconds":
            return duration_s(text) is not None
        case "whole":
            return count(text) is not None
        case "number":
            return _NUMBER.fullmatch(text.strip()) is not None
        case "memory":
            return memory(text) is not None or used_kb(text) is not None
        case "tres":
            parts = text.split(",") if text else []
            names = {part.partition("=")[0] for part in parts}
            return resources(text) is not None and all(map(_TRES_PART.fullmatch, parts)) and len(names) == len(parts)
        case "state":
            state = parse_state(text)
            return text == "" or (state is not None and state[0] in STATUS)
        case "exit_code":
            return _EXIT_CODE.fullmatch(text.strip()) is not None
        case "name":
            return "\n" not in text
        case "list":
            whole = not text.startswith(",") and not text.endswith(",") and text.count("[") == text.count("]")
            return whole and "\n" not in text and "=" not in text
    return True


def in_order(text: str) -> bool:
    """Return whether resources are sorted by name, or by number as in older versions: Slurm writes them so."""
    names = [part.partition("=")[0] for part in text.split(",")]
    numbers = [_TRES_NUMBERS.get(name, 1000) for name in names]
    return names == sorted(names) or numbers == sorted(numbers)


def begins_record(field: Field, text: str) -> bool:
    """Return whether a line may begin a record, from its first field."""
    return fits(field, text) and (field.kind != "job_id" or bool(text.strip()))
