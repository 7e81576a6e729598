"""The outcomes of a study as a file that other tools read."""

from __future__ import annotations

from pathlib import Path

from thinktime.errors import InputError
from thinktime.result.canonical_json import readable_json
from thinktime.result.directory.staging import staged_file
from thinktime.study.outcomes import frame
from thinktime.study.store import Store, of_study
from thinktime.study.study import Study

ENDINGS = (".csv", ".parquet", ".json")


def write(study: Study, store: Store, path: Path) -> int:
    """One row a run; JSON has the sketches too. Returns the number of rows."""
    if path.suffix not in ENDINGS:
        raise InputError(f"{path} names no format: end the name in {', '.join(ENDINGS)}")
    outcomes = list(of_study(store, study))
    with staged_file(path) as temporary:
        if path.suffix == ".json":
            temporary.write_text(readable_json(outcomes), encoding="utf-8")
        elif path.suffix == ".csv":
            frame(outcomes).write_csv(temporary)
        else:
            frame(outcomes).write_parquet(temporary)
    return len(outcomes)
