"""The layout of a sacct file: its columns, its delimiter and whether lines end with one (-p)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from thinktime.errors import InputError
from thinktime.traces.sacct.fields import Field, field_of, is_known
from thinktime.traces.sacct.patterns import fits

#: What to run on the cluster. JobName is last, because it may hold any text.
RECOMMENDED_COLUMNS = (
    *("JobID", "JobIDRaw", "Cluster", "User", "Group", "Account", "Partition", "QOS", "Submit", "Eligible", "Start"),
    *("End", "ElapsedRaw", "TimelimitRaw", "NNodes", "NCPUS", "ReqCPUS", "ReqTRES", "AllocTRES", "ReqMem", "State"),
    *("ExitCode", "Priority", "Reason", "Flags", "Suspended", "Reservation", "NodeList", "JobName"),
)
RECOMMENDED_COMMAND = (
    "SLURM_TIME_FORMAT=%s sacct --allusers --allocations --duplicates --parsable2 --delimiter=$'\\x1f'"
    " --starttime 2024-01-01 --endtime 2024-02-01"
    " --state CA,CD,DL,F,NF,OOM,PR,RQ,TO,BF"
    f" --format {','.join(RECOMMENDED_COLUMNS)} | gzip > sacct.txt.gz"
)
#: Orders in which sites keep logs without a header.
KNOWN_ORDERS: dict[str, tuple[str, ...]] = {
    name: tuple(text.split(","))
    for name, text in {
        "XDMoD": "jobid,jobidraw,cluster,partition,qos,account,group,gid,user,uid,submit,eligible,start,end,elapsed,"
        "exitcode,state,nnodes,ncpus,reqcpus,reqmem,reqtres,alloctres,timelimit,nodelist,jobname",
        "XDMoD 7 and 8 with QOS": "jobid,jobidraw,cluster,partition,qos,account,group,gid,user,uid,submit,eligible,"
        "start,end,elapsed,exitcode,state,nnodes,ncpus,reqcpus,reqmem,reqgres,reqtres,timelimit,nodelist,jobname",
        "XDMoD 8.5": "jobid,jobidraw,cluster,partition,account,group,gid,user,uid,submit,eligible,start,end,elapsed,"
        "exitcode,state,nnodes,ncpus,reqcpus,reqmem,reqtres,alloctres,timelimit,nodelist,jobname",
        "XDMoD 6": "jobid,jobidraw,cluster,partition,account,group,gid,user,uid,submit,eligible,start,end,elapsed,"
        "exitcode,state,nnodes,ncpus,reqcpus,reqmem,reqgres,reqtres,timelimit,nodelist,jobname",
        "TACC Stats": "jobid,cluster,partition,account,group,gid,user,uid,submit,eligible,start,end,exitcode,state,"
        "nnodes,ncpus,reqcpus,nodelist,jobname,timelimit",
        "XDMoD 5": "jobid,cluster,partition,account,group,gid,user,uid,submit,eligible,start,end,exitcode,state,"
        "nnodes,ncpus,nodelist,jobname",
        "UBMoD": "jobid,cluster,partition,account,group,user,submit,eligible,start,end,exitcode,nnodes,ncpus,"
        "nodelist,jobname",
        "the recommended command": ",".join(RECOMMENDED_COLUMNS),
    }.items()
}
DELIMITERS = ("|", "\x1f", "\t", ";", ",", "^", "~", "@", "!", "#", ":")
_JOB_ID = re.compile(r'"?\bjobid(?:raw)?(?:%-?\d+)?"?', re.IGNORECASE)
_NO_NAME = re.compile(r'[^A-Za-z0-9"%]+')
LONGEST_DELIMITER = 20
_DASHES = re.compile(r"\s*-{2,}(?:\s+-{2,})*\s*")
_FIXED_WIDTH = (
    "has columns of fixed width, in which sacct cuts long values (`CANCELLED+`): run sacct again with -P (--parsable2)"
)


@dataclass(frozen=True)
class Layout:
    """How lines are split. `delimiter` is text; `trailing` is true for -p; `quoted` for CSV with quotes."""

    columns: tuple[Field, ...]
    delimiter: str
    trailing: bool = False
    quoted: bool = False
    order: str = "header"  # where the columns come from: header, argument, or the name of a known order

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names; a repeated name has a number."""
        seen: dict[str, int] = {}
        for column in self.columns:
            seen[column.name] = seen.get(column.name, 0) + 1
        if len(seen) == len(self.columns):
            return tuple(column.name for column in self.columns)
        return tuple(_numbered(self.columns))

    @property
    def id_column(self) -> int:
        """The column that tells jobs from steps: JobID, else JobIDRaw."""
        names = [column.name for column in self.columns]
        return names.index("JobID") if "JobID" in names else names.index("JobIDRaw")


def _numbered(columns: Sequence[Field]) -> list[str]:
    names: list[str] = []
    for column in columns:
        name, number = column.name, 2
        while name in names:
            name, number = f"{column.name}_{number}", number + 1
        names.append(name)
    return names


def header_layout(line: str, delimiter: str | None = None) -> Layout | None:
    """Return the layout of a header line; None if the line is not a header of sacct."""
    line = line.lstrip("\ufeff").rstrip("\r\n")
    delimiter = delimiter or _delimiter_of(line)
    if delimiter is None or not delimiter.strip(" "):
        return None
    names = [name.strip() for name in line.split(delimiter)]
    trailing = len(names) > 1 and names[-1] == ""
    names = names[:-1] if trailing else names
    if not _is_header(names):
        return None
    quoted = line.lstrip().startswith('"')
    return Layout(tuple(map(field_of, names)), delimiter, trailing, quoted)


def _delimiter_of(line: str) -> str | None:
    """Return what stands after JobID, or before it if it is last."""
    match = _JOB_ID.search(line)
    if match is None:
        return None
    if (after := _NO_NAME.match(line, match.end(), match.end() + LONGEST_DELIMITER)) is not None:
        return after.group()
    before = line[max(match.start() - LONGEST_DELIMITER, 0) : match.start()]
    found = list(_NO_NAME.finditer(before))
    return found[-1].group() if found and found[-1].end() == len(before) else None


def _is_header(names: Sequence[str]) -> bool:
    known = _known_names(names)
    has_id = "jobid" in known or "jobidraw" in known
    has_number = any(name.strip('" ')[:1].isdigit() for name in names)  # a job may be called JobID|Submit
    is_command = any(" -" in name for name in names)  # sacct -P -o User,JobID
    return has_id and not (has_number or is_command) and len(known) >= max(2, len(names) // 2)


def _known_names(names: Sequence[str]) -> list[str]:
    return [name.split("%")[0].strip('" ').lower() for name in names if is_known(name)]


def is_fixed_width(lines: Sequence[str]) -> bool:
    """Return whether the first lines are those of sacct without -P: names and dashes between blanks."""
    for line, after in zip(lines, [*lines[1:], ""], strict=False):
        names = line.split()
        if len(names) >= 2 and _is_header(names):
            return _DASHES.fullmatch(after) is not None or "|" not in line
    return False


def known_order(lines: Sequence[str], delimiter: str | None = None) -> Layout | None:
    """Return the layout of lines without a header, if they have one of the orders that sites keep."""
    for candidate in [delimiter] if delimiter else DELIMITERS:
        split = [line.split(candidate) for line in lines]
        for order, names in KNOWN_ORDERS.items():
            columns = tuple(map(field_of, names))
            for trailing in (False, True):
                if _all_fit(columns, split, trailing):
                    return Layout(columns, candidate, trailing, order=order)
    return None


def _all_fit(columns: Sequence[Field], split: Sequence[list[str]], trailing: bool) -> bool:
    """Return whether every complete line fits the columns, and most lines are complete."""
    width = len(columns) + trailing
    complete = [fields for fields in split if len(fields) == width and (not trailing or fields[-1] == "")]
    return 2 * len(complete) > len(split) and all(
        all(map(fits, columns, fields)) and _has_times(columns, fields) for fields in complete
    )


def _has_times(columns: Sequence[Field], fields: Sequence[str]) -> bool:
    """Return whether the submit time is given: empty texts fit any column."""
    return all(fields[k].strip() for k, column in enumerate(columns) if column.name in ("JobID", "Submit", "NCPUS"))


def given_layout(columns: str, delimiter: str | None, lines: Sequence[str]) -> Layout:
    """Return the layout of columns given as `JobID,Submit,…` for a file without a header."""
    fields = tuple(field_of(name) for name in re.split(r"[,+\s|]+", columns.strip()) if name)
    if not any(field.name in ("JobID", "JobIDRaw") for field in fields):
        raise InputError(f"columns={columns!r} has neither JobID nor JobIDRaw: name the columns in their order")
    delimiter = delimiter or _delimiter_with(len(fields), lines)
    split = [line.split(delimiter) for line in lines if line.strip()]
    trailing = bool(split) and all(len(texts) > len(fields) and texts[-1] == "" for texts in split)
    return Layout(fields, delimiter, trailing, order="argument")


def _delimiter_with(number: int, lines: Sequence[str]) -> str:
    """Return the delimiter that splits most lines into this many columns; if none does, the most frequent one."""
    counts = {
        each: (
            sum(len(line.split(each)) in (number, number + 1) for line in lines),
            sum(line.count(each) for line in lines),
        )
        for each in DELIMITERS
    }
    return max(DELIMITERS, key=lambda each: counts[each])


def find_layout(name: str, lines: Sequence[str], columns: str | None, delimiter: str | None) -> Layout:
    """Return the layout of a file from its first lines; raise InputError if it is not sacct output."""
    delimiter = _unescaped(delimiter) if delimiter is not None else None
    first = next((line for line in lines if line.strip("\ufeff \t")), "")
    if (layout := _first_header(lines, delimiter)) is not None:
        return _with_trailing_of_records(layout, lines)
    if columns:
        return given_layout(columns, delimiter, lines)
    if is_fixed_width(lines):
        raise InputError(f"{name} {_FIXED_WIDTH}")
    if (layout := known_order(lines, delimiter)) is not None:
        return layout
    raise InputError(
        f"{name} is not output of sacct that can be read: its first line {first[:60]!r} is not a header with JobID, and"
        " the lines have no known order of columns. Give their names (columns=JobID+Submit+…), or run sacct with -P"
        " and without -n"
    )


def _with_trailing_of_records(layout: Layout, lines: Sequence[str]) -> Layout:
    """Return the layout with a delimiter at the end of lines as most records have it: scripts may cut the header."""
    numbers = [len(line.split(layout.delimiter)) for line in lines if line[:1].isdigit() or line[:1].isspace()]
    plain, trailing = (numbers.count(len(layout.columns) + extra) for extra in (0, 1))
    if max(plain, trailing) * 2 <= len(numbers):
        return layout
    ends_so = [line.rstrip("\r").endswith(layout.delimiter) for line in lines if line.strip()]
    return replace(layout, trailing=trailing > plain and 2 * sum(ends_so) > len(ends_so))


def _unescaped(delimiter: str) -> str:
    """Return the delimiter, with `\\t` and `\\x1f` as the characters that they stand for."""
    if not delimiter:
        raise InputError("the delimiter is empty: give the text between the columns, or leave it out")
    try:
        return delimiter.encode("latin-1").decode("unicode_escape") if "\\" in delimiter else delimiter
    except UnicodeError:
        return delimiter


def _first_header(lines: Sequence[str], delimiter: str | None) -> Layout | None:
    """Return the layout of the first header among the first lines: programs may print notes before it."""
    found = (header_layout(line, delimiter) for line in lines[:50] if line)
    return next((layout for layout in found if layout is not None), None)
