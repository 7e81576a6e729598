"""Types of JSON-able data: specs, accounts, statistics, summaries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

#: A table of JSON: texts, numbers, truth values, null, lists and tables.
JsonDict: TypeAlias = dict[str, Any]
JsonTable: TypeAlias = Mapping[str, Any]  # not to be changed
