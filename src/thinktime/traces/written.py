"""What thinktime writes with a log in CSV, Parquet or JSON: its header, the types of its columns, and their labels.

In Parquet it is the value of the key `thinktime`, in JSON a field of that name. In CSV the header is in comments (#),
the rest in a comment that begins with `MARK`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from thinktime.traces.attributes import ColumnType, Kind
from thinktime.traces.column_names import STANDARD
from thinktime.traces.header import Header

MARK = "! thinktime "
KEY = "thinktime"
_KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True)
class Written:
    """`labels` are those of columns such as `user` whose numbers have names, in the order of the numbers."""

    header: tuple[str, ...] = ()
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, header: Iterable[str], types: Mapping[str, ColumnType]) -> Written:
        kinds: dict[str, Kind] = {name: "text" if name in STANDARD else each.kind for name, each in types.items()}
        labels = {name: each.labels for name, each in types.items() if name in STANDARD}
        return cls(tuple(header), kinds, labels)

    def to_dict(self, header: bool = True) -> dict[str, Any]:
        said = {"header": list(self.header)} if header else {}
        return {**said, "types": dict(self.kinds), "labels": {name: list(each) for name, each in self.labels.items()}}

    @classmethod
    def from_dict(cls, given: object) -> Written:
        """Return what a file says; what is not understood is left out."""
        if not isinstance(given, Mapping):
            return cls()
        types, labels, header = given.get("types"), given.get("labels"), given.get("header")
        return cls(
            tuple(line for line in header if isinstance(line, str)) if isinstance(header, list) else (),
            {str(k): v for k, v in types.items() if v in _KINDS} if isinstance(types, Mapping) else {},
            {str(k): tuple(map(str, v)) for k, v in labels.items() if isinstance(v, list)}
            if isinstance(labels, Mapping)
            else {},
        )

    @classmethod
    def parse(cls, comments: Iterable[str]) -> Written:
        """Return what a comment of a CSV file says."""
        return next((cls.from_json(line.removeprefix(MARK)) for line in comments if line.startswith(MARK)), cls())

    @classmethod
    def from_json(cls, text: str) -> Written:
        try:
            return cls.from_dict(json.loads(text))
        except (ValueError, RecursionError):
            return cls()

    def parsed_header(self) -> Header:
        return Header.parse(self.header)
