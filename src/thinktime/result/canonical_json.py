"""Canonical JSON: one text per value, so that equal runs have equal hashes."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from thinktime.support.files import require_regular
from thinktime.support.json_types import JsonTable


def jsonable(value: object) -> Any:
    """Return the value in the types of JSON: tuples become lists, numpy scalars numbers, NaN and infinities null."""
    if isinstance(value, Mapping):
        return {_utf8_text(str(key)): jsonable(item) for key, item in value.items()}
    if isinstance(value, np.generic | np.ndarray):
        return jsonable(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [jsonable(item) for item in (sorted(value) if isinstance(value, set | frozenset) else value)]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, int | bool) else _utf8_text(str(value))


def _utf8_text(text: str) -> str:
    """Return text that UTF-8 can hold: an undecodable byte of a file name is written as `\\udcff`."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def canonical_json(value: object) -> str:
    """Return JSON with sorted keys and without blanks and NaN: the same text for the same value."""
    return json.dumps(jsonable(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def readable_json(value: object) -> str:
    """Return JSON with one value per line, for people."""
    return json.dumps(jsonable(value), sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def digest_of(value: object) -> str:
    """Return the sha256 of the canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def digest_of_columns(columns: Mapping[str, np.ndarray], names: Iterable[str]) -> str:
    """Return the sha256 of the columns' names and float64 bytes, in the order given; one NaN and one zero for all."""
    sha = hashlib.sha256()
    for name in names:
        values = np.asarray(columns[name], dtype="<f8") + 0.0  # −0 becomes 0
        sha.update(f"{name}:{len(values)};".encode())
        sha.update(np.where(np.isnan(values), np.nan, values).tobytes())
    return sha.hexdigest()


def digest_of_run(spec: JsonTable) -> str:
    """Return the sha256 of what was simulated: settings, version and content of the jobs, not where they were read."""
    jobs = spec.get("workload")
    if not isinstance(jobs, Mapping) or "jobs_sha256" not in jobs:
        return digest_of(spec)
    return digest_of({**spec, "workload": {name: jobs.get(name) for name in ("jobs", "jobs_sha256")}})


def digest_of_file(path: Path) -> str:
    """Return the sha256 of a file's bytes."""
    require_regular(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
