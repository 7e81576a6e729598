"""Columns of the workload as policies read them: numbers, or whether a job has a text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from thinktime.errors import InputError
from thinktime.spec import suggestion
from thinktime.traces.column_names import RESERVED, STANDARD

#: Column of the log → its meaning; NaN where the log has no value.
COLUMNS = {
    "user": "the user's number",
    "group": "the group's number",
    "executable": "the number of the program",
    "queue": "the number of the queue in the log",
    "partition": "the number of the partition in the log",
}
#: Further columns of the log that are known when a job is submitted; in text `column(requested_memory_kb)`.
REQUESTS = ("job", "requested_processors", "requested_time_s", "requested_memory_kb", "preceding_job")
#: Columns that a scheduler may read, besides attributes.
KNOWN_AT_SUBMISSION = (*COLUMNS, *REQUESTS)


class ColumnUse(NamedTuple):
    """A column that a policy reads; with a comparison, 1 for a job that has (or has not) the text, else 0."""

    column: str
    comparison: str = ""  # == or !=, or empty: the number itself
    text: str = ""

    @property
    def word(self) -> str:
        """The name of the column in the engine: one word without blanks, whatever the text is."""
        plain = self.column if self.column in COLUMNS else f"@{self.column}"
        return f"@{self.column}{self.comparison}{self.text.encode().hex()}" if self.comparison else plain


def readable_columns(columns: str | Iterable[str], policy: str) -> tuple[str, ...]:
    """Return the columns that a policy in Python declares; raise InputError for one that it may not read."""
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    return tuple(require_readable(name, f"columns of {policy}") for name in dict.fromkeys(names))


def require_readable(column: str, where: str) -> str:
    """Return a column that policies may read; raise InputError for one that is known only after the run."""
    if not isinstance(column, str) or not (column.isidentifier() and column.isascii()):
        raise InputError(f"{column!r} as a column in {where}: use the name of a column or attribute, such as user")
    if column in KNOWN_AT_SUBMISSION or column not in RESERVED:
        return column
    why = "is not known when a job is submitted" if column in STANDARD else "is a reserved name"
    near = suggestion(column, KNOWN_AT_SUBMISSION)
    raise InputError(
        f"column {column!r} in {where} {why}{near}: choose an attribute or one of {', '.join(KNOWN_AT_SUBMISSION)}"
    )
