"""From the columns of a table (CSV, Parquet) to the columns of a log: by name, with the unit in the name.

A unit is never guessed: `submit` is not `submit_s`. A reader takes the names of columns as options,
`csv:submit_s=submit,run_s=elapsed`; all other columns become attributes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from keyword import iskeyword
from pathlib import Path
from typing import Any

from thinktime.errors import InputError
from thinktime.spec import suggestion
from thinktime.traces.column_names import COLUMNS, RESERVED, RESERVED_BEGINNINGS, STANDARD
from thinktime.traces.reader import Reader, RecordAccount
from thinktime.traces.typed_blocks import NEEDED, SIZES

MOST_COLUMNS = 2000
#: Beginnings of columns of a log, and words that people use for them.
_STEMS = {
    "submit_s": ("submit", "submission", "arrival", "arrive", "queued", "release"),
    "wait_s": ("wait", "queue_time", "queueing"),
    "run_s": ("run", "runtime", "duration", "elapsed", "walltime_used", "wall"),
    "requested_time_s": ("requested_time", "requested_walltime", "walltime", "time_limit", "timelimit", "estimate"),
    "cpu_s": ("cpu_time", "cputime"),
    "think_time_s": ("think_time",),
    "used_memory_kb": ("used_memory", "memory", "mem", "max_rss"),
    "requested_memory_kb": ("requested_memory", "req_mem"),
    "processors": ("procs", "cores", "cpus", "ncpus", "size", "nodes", "num_procs"),
}


class TableReader(Reader):
    """Base of readers of tables. The options name the columns of the file that hold the columns of a log."""

    submit_s: str | None = None
    wait_s: str | None = None
    run_s: str | None = None
    processors: str | None = None
    allocated_processors: str | None = None
    requested_processors: str | None = None
    requested_time_s: str | None = None
    cpu_s: str | None = None
    used_memory_kb: str | None = None
    requested_memory_kb: str | None = None
    job: str | None = None
    status: str | None = None
    user: str | None = None
    group: str | None = None
    executable: str | None = None
    queue: str | None = None
    partition: str | None = None
    preceding_job: str | None = None
    think_time_s: str | None = None

    def checked_option(self, option: str, value: Any) -> Any:
        """Return the name of a column as a text."""
        if option in COLUMNS or option == "processors":
            return None if value is None else str(value)
        return super().checked_option(option, value)

    def named_columns(self) -> dict[str, str]:
        """Return column of a log → column of the file, as the options say."""
        return {name: value for name, value in self.options().items() if name in STANDARD and value is not None}


def column_names(
    source: Path, columns: Sequence[str], given: Mapping[str, str], reader: str, account: RecordAccount
) -> dict[str, str]:
    """Return column of the file → column of the log; raise InputError if the file cannot be used.

    Columns without a meaning in a log become attributes; the account notes those that were renamed, and those whose
    name lacks the unit.
    """
    require_few_columns(source, len(columns))
    twice = [name for k, name in enumerate(columns) if name in columns[:k]]
    if twice:
        raise InputError(f"{source} has two columns {twice[0]!r}: rename one of them")
    for name, column in given.items():
        if column not in columns:
            near = suggestion(column, columns)
            raise InputError(f"{source} has no column {column!r} for {name}{near}: it has {_listed(columns)}")
    if len(set(given.values())) < len(given):
        column = next(each for each in given.values() if [*given.values()].count(each) > 1)
        names = " and ".join(name for name, each in given.items() if each == column)
        raise InputError(f"{reader} takes {names} from the same column {column!r}: name another one for each")
    back = {column: name for name, column in given.items()}
    found = {column: back.get(column) or (column if column in _free(given) else "") for column in columns}
    _require_columns(source, [name for name in found.values() if name], columns, reader)
    for column in [column for column, name in found.items() if not name and column.strip()]:
        found[column] = attribute_name(column, [*found.values()], account)
    return {column: name for column, name in found.items() if name}


def require_few_columns(source: Path, count: int) -> None:
    if count > MOST_COLUMNS:
        raise InputError(f"{source} has {count:,} columns, more than {MOST_COLUMNS:,}: remove those that no job needs")


def _free(given: Mapping[str, str]) -> list[str]:
    """Return the columns of a log that no option names."""
    return [name for name in STANDARD if name not in given]


def _require_columns(source: Path, found: Sequence[str], columns: Sequence[str], reader: str) -> None:
    """Raise InputError for all columns that a log needs and the file lacks, with those that may hold them."""
    missing = [name for name in NEEDED if name not in found]
    missing += [] if set(SIZES) & set(found) else ["processors"]
    if not missing:
        return
    lacks = f"{source} has no column{'s' if len(missing) > 1 else ''} {', '.join(missing)}"
    near = {name: next((each for each in columns if looks_like(each, name)), None) for name in missing}
    options = ",".join(f"{name}={column}" for name, column in near.items() if column)
    if not options:
        raise InputError(
            f"{lacks}: a log needs submit_s and run_s in seconds and processors; it has {_listed(columns)}; name them"
            f" with {reader}:{','.join(f'{name}=COLUMN' for name in missing)}, or define a reader (tt.OwnReader)"
        )
    seconds = [repr(column) for name, column in near.items() if column and name.endswith("_s")]
    condition = f"if {' and '.join(seconds)} {'is' if len(seconds) == 1 else 'are'} in seconds, " if seconds else ""
    others = "; for dates or other units, define a reader (tt.OwnReader)" if seconds else ", or rename the column"
    raise InputError(f"{lacks}: {condition}give {reader}:{options}{others}")


def looks_like(column: str, name: str) -> bool:
    """Return whether a column has a name that people use for a column of a log, whatever its unit."""
    word = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", column).lower()).strip("_")
    return any(word.replace("_", "").startswith(stem.replace("_", "")) for stem in _STEMS.get(name, ()))


def attribute_name(column: str, taken: Sequence[str], account: RecordAccount) -> str:
    """Return a free name for an attribute, and note a change."""
    name = re.sub(r"\W|[^\x00-\x7f]", "_", column.strip())
    name = name if name[:1].isalpha() or name[:1] == "_" else f"column_{name}"
    if name in RESERVED or iskeyword(name) or name.startswith(RESERVED_BEGINNINGS):
        name = f"log_{name}"
    while name in taken:
        name += "_"
    meant = next((each for each in _STEMS if each != "processors" and looks_like(column, each)), None)
    if name != column:
        account.note(f"the column {column[:40]!r} is the attribute {name}")
    elif meant and column not in STANDARD and not column.endswith(meant[meant.rindex("_") :]):
        account.note(f"the column {column!r} is an attribute: it does not name a unit that {meant} has")
    return name


def _listed(columns: Sequence[str]) -> str:
    shown = ", ".join(repr(column[:40]) for column in columns[:12])
    return f"{shown}, … ({len(columns)} columns)" if len(columns) > 12 else shown or "no column"
