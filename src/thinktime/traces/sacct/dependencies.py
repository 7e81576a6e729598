"""What a job waited for, from Dependency or from --dependency in SubmitLine."""

from __future__ import annotations

import re

import polars as pl

_OPTION = re.compile(r"(?:--dependency[= ]|\s-d\s?)(?P<what>\S+)")
_AFTER = re.compile(r"after\w*[:=]|\b(?=\d)")
_JOB_NUMBER = re.compile(r"\d{1,15}")


def in_submit_lines(lines: pl.Series) -> pl.Series:
    """Return the dependency that each line asks for; an empty text if it has none."""
    distinct = lines.unique()
    found = [match["what"] if (match := _OPTION.search(line)) else "" for line in distinct]
    return lines.replace_strict(distinct, found, return_dtype=pl.String)


def single_predecessor(text: str) -> float | None:
    """Return the job of `afterok:123`; None for several jobs or none."""
    if "after" not in text:
        return None
    found = {number for part in _AFTER.split(text) for number in _JOB_NUMBER.findall(part.split("+")[0])}
    return float(found.pop()) if len(found) == 1 else None
