"""Node lists: `cpn-f13-[01-02],n[0001,0026-0031]` into the names of the nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator

MOST_NODES = 200_000  # of one list; more than any machine has
_RANGE = re.compile(r"(?P<first>\d{1,12})(?:-(?P<last>\d{1,12}))?")
#: What sacct writes for a job without nodes.
NONE = frozenset({"", "none assigned", "none", "unknown", "(null)", "n/a"})


def node_names(text: str) -> list[str] | None:
    """Return the names of the nodes; empty for `None assigned`; None if the list is not understood or too long."""
    if text.strip().lower() in NONE:
        return []
    names: list[str] = []
    for part in _split_outside_brackets(text.strip()):
        for name in _expanded(part):
            names.append(name)
            if len(names) > MOST_NODES:
                return None
        if "[" in part and not names:
            return None
    return names


def _split_outside_brackets(text: str) -> Iterator[str]:
    depth, part = 0, ""
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            yield part
            part = ""
        else:
            part += letter
    if part:
        yield part


def _expanded(part: str) -> Iterator[str]:
    """Yield the names of one part, which may have several brackets."""
    before, bracket, rest = part.partition("[")
    if not bracket:
        yield part
        return
    inside, _, after = rest.partition("]")
    for numbers in inside.split(","):
        match = _RANGE.fullmatch(numbers.strip())
        if match is None:
            continue
        first, last = match["first"], match["last"] or match["first"]
        for number in range(int(first), min(int(last), int(first) + MOST_NODES) + 1):
            for tail in _expanded(after):
                yield f"{before}{number:0{len(first)}d}{tail}"
