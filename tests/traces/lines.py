"""Hand-made log lines for the tests: 18 fields with harmless values, any of them replaced by its number."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

HARMLESS = (1, 0, 5, 60, 4, -1, -1, 4, 100, -1, 1, 1, 1, -1, -1, -1, -1, -1)

HEADER = """; Version: 2.2
; Computer: Toy
; MaxJobs: 2
; Preemption: No
; UnixStartTime: 843480031
; TimeZoneString: Europe/Stockholm
; MaxProcs: 8
"""


def job(number: object = 1, submit: object = 0, **fields: object) -> str:
    """A line; `f4=0` replaces SWF's field 4 (the run time)."""
    values: list[object] = [number, submit, *HARMLESS[2:]]
    for name, value in fields.items():
        values[int(name[1:]) - 1] = value
    return " ".join(map(str, values)) + "\n"


def write(folder: Path, text: str | bytes, name: str = "toy.swf") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("latin-1"))
    return path


def lines_accounted_for(account: Mapping[str, Any]) -> int:
    where = ("comment_lines", "blank_lines", "malformed_lines", "kept", "merged")
    return sum(account[key] for key in where) + sum(account["dropped"].values())
