"""The options of the reader `sacct`, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class SacctOptions:
    """The options of the reader; `thinktime.traces.readers.sacct` describes them."""

    zone: str | None = None
    columns: str | None = None
    delimiter: str | None = None
    wait_from: Literal["submit", "eligible"] = "submit"
    attempts: Literal["all", "last"] = "all"
    het_jobs: Literal["join", "separate"] = "join"
    running: Literal["drop", "keep"] = "drop"
    cluster: str | None = None
    attributes: Literal["all", "names", "none"] = "all"
