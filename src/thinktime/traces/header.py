"""The header of a log: an ordered multi-map of its first comment lines.

Keys may be padded (`;       MaxJobs: 51987`), repeated (`Queue`, `Note`) and continued on lines that begin
with more blanks. Lines that are neither stay as text, so that a written log has the header it was read with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from thinktime.support.html import facts_html
from thinktime.traces.time_zone import CALENDAR_S, TimeZone

#: The field that is the size of a job, `allocated` or `max`, where it is not the requested one; thinktime's own key.
PROCESSOR_FIELD = "ProcessorField"
#: Keys of the standard, and variants in logs. They count with any indentation.
KNOWN_KEYS = (
    *("Version", "SWFversion", "Computer", "Installation", "Acknowledge", "Information", "Conversion"),
    *("MaxJobs", "MaxRecords", "Preemption", "UnixStartTime", "TimeZone", "TimeZoneString", "StartTime"),
    *("EndTime", "MaxNodes", "MaxProcs", "MaxRuntime", "MaxMemory", "AllowOveruse", "MaxQueues", "Queues"),
    *("Queue", "MaxPartitions", "Partitions", "Partition", "Note", PROCESSOR_FIELD),
)
_KNOWN = {key.lower(): key for key in KNOWN_KEYS}
_KEYED = re.compile(r"(?P<indent>\s*)(?P<key>[A-Za-z][A-Za-z0-9_-]*)\s*:(?!//)\s*(?P<value>.*)")
_WORD, _DIGIT = re.compile(r"\S+"), re.compile(r"[0-9]")
#: 338, -18000, 93,312; an end of clause or a parenthesis may follow, but nothing that would make it another number.
_INTEGER = re.compile(r"\(?(?P<digits>[-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+))(?:[.,;:)]*|\(.*)")
_SPACED = re.compile(r"(?<=[0-9]) [0-9]{3}(?![0-9])")  # after 1 in `1 024`, which may or may not be one number
_LONGEST_INTEGER = 18  # digits of a count
_MAX_OFFSET_S = 26 * 3600


@dataclass(frozen=True)
class Header:
    """`lines` are the comment lines without their `;`; `entries` are (key, value) in their order."""

    lines: tuple[str, ...] = ()
    entries: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    @classmethod
    def parse(cls, lines: Iterable[str]) -> Header:
        kept = tuple(lines)
        return cls(kept, tuple(_header_entries(kept)))

    def __repr__(self) -> str:
        return f"<Header: {len(self.lines):,} lines, {len(self.keys()):,} keys>"

    def _repr_html_(self) -> str:
        return facts_html("Header", {key: "; ".join(self[key]) for key in self.keys()})

    def __contains__(self, key: str) -> bool:
        return bool(self[key])

    def __getitem__(self, key: str) -> list[str]:
        """Return all values of a key in order; continuation lines are joined by newlines."""
        return list(self._values.get(key.lower(), ()))

    @cached_property
    def _values(self) -> dict[str, list[str]]:
        """Key in lower case → values: a header may have thousands of keys."""
        found: dict[str, list[str]] = {}
        for name, value in self.entries:
            found.setdefault(name.lower(), []).append(value)
        return found

    def keys(self) -> list[str]:
        return list(dict.fromkeys(name for name, _ in self.entries))

    def first(self, key: str) -> str | None:
        """Return the first value that is not empty or UNKNOWN."""
        said = [value for value in self[key] if value and value.upper() != "UNKNOWN"]
        return said[0] if said else None

    def integer(self, key: str) -> int | None:
        """Return the first number of the value: 338 for `338 (batch partition; 512 total)`, 93312 for `93,312`.

        None if it is not clearly a whole number (`1e3`, `1.5`, `64x2`, `1 024`).
        """
        value = self.first(key) or ""
        word = next((each for each in _WORD.finditer(value) if _DIGIT.search(each.group())), None)
        number = _INTEGER.fullmatch(word.group()) if word else None
        if word is None or number is None or _SPACED.match(value, word.end()):
            return None
        digits = number["digits"].replace(",", "")
        return int(digits) if len(digits) <= _LONGEST_INTEGER else None

    @property
    def version(self) -> str | None:
        return self.first("Version") or self.first("SWFversion")

    @property
    def notes(self) -> list[str]:
        return self["Note"]

    @property
    def preemption(self) -> str | None:
        """No, Yes, Double or TS, in that spelling; None if the header does not say."""
        words = (self.first("Preemption") or "").split()
        known = {"no": "No", "yes": "Yes", "double": "Double", "ts": "TS"}
        return known.get(words[0].strip(".,;").lower()) if words else None

    @property
    def unix_start_s(self) -> int | None:
        """The instant of submit time 0, in seconds since 1970 (UTC); None if it is not between 1970 and 2170."""
        start = self.integer("UnixStartTime")
        return start if start is not None and 0 < start <= CALENDAR_S[1] else None

    @property
    def unix_start_note(self) -> str | None:
        """The reason why UnixStartTime is not used; None if it is used or missing."""
        said = self.first("UnixStartTime")
        if said is None or self.unix_start_s is not None or self.integer("UnixStartTime") in (0, -1):
            return None
        return f"the header's UnixStartTime {said[:40]!r} is not a time between 1970 and 2170 and is not used"

    def machine_size(self) -> tuple[int, str] | None:
        """Return the processors of the machine and the key of the header."""
        for key in ("MaxProcs", "MaxNodes"):
            size = self.integer(key)
            if size is not None and size > 0:
                return size, key
        return None

    def time_zone(self) -> TimeZone | None:
        """Return the zone of TimeZoneString, else of the deprecated TimeZone (seconds to add to UTC), else None."""
        zone = TimeZone.named((self.first("TimeZoneString") or "").lstrip(":"), "TimeZoneString")
        offset = self.integer("TimeZone")
        if zone is None and offset is not None and abs(offset) <= _MAX_OFFSET_S:
            zone = TimeZone("TimeZone", offset_s=offset)
        return zone

    def to_dict(self) -> dict[str, list[str]]:
        return {key: self[key] for key in self.keys()}


def _header_entries(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield (key, value); the lines of a continued value are joined by newlines."""
    key, values = "", []
    for line in lines:
        named = _key_and_value(line)
        if named is None and key and _continues(line):
            values.append(line.strip())
            continue
        if key:
            yield key, "\n".join(values)
        key, values = (named[0], [named[1]]) if named else ("", [])
    if key:
        yield key, "\n".join(values)


def _key_and_value(line: str) -> tuple[str, str] | None:
    """Return key and value: a known key with any indentation, another word after at most one blank."""
    match = _KEYED.match(line)
    if match is None:
        return None
    known = _KNOWN.get(match["key"].lower())
    if known is None and match["indent"] not in ("", " "):
        return None
    return known or match["key"], match["value"].strip()


def _continues(line: str) -> bool:
    return bool(line.strip()) and (line.startswith("\t") or line[:2].isspace())
