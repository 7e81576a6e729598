"""Run directories that were changed, with hashes recomputed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from thinktime.result.canonical_json import digest_of_file, digest_of_run


def forge(run: Path, change: Callable[[dict[str, Any]], None] | None = None) -> None:
    """Change the content of run.json; then write the hash of every file and of the spec anew."""
    place = run / "run.json"
    content = json.loads(place.read_text())
    if change is not None:
        change(content)
    content["files"] = {name: digest_of_file(run / name) for name in content["files"]}
    content["digest"] = digest_of_run(content["spec"])
    place.write_text(json.dumps(content))


def forge_table(run: Path, file: str, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Change one Parquet file of the run."""
    change(pl.read_parquet(run / file)).write_parquet(run / file)
    forge(run)
