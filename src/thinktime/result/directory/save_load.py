"""The run directory: jobs.parquet, timeline.parquet, run.json; decisions, placements, attempts and reports if any.

See docs/formats/run_directory.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thinktime.errors import InputError
from thinktime.result.attempts import Attempts
from thinktime.result.canonical_json import digest_of_file, digest_of_run, jsonable, readable_json
from thinktime.result.columns import (
    decisions_columns,
    empty_decisions,
    empty_timeline,
    jobs_columns,
    ordered,
    placement_columns,
    report_columns,
    report_frame,
    timeline_columns,
)
from thinktime.result.directory.consistency import require_account, require_names, require_sound
from thinktime.result.directory.parquet_stream import (
    DECISION_FIELDS,
    PLACEMENT_FIELDS,
    TIMELINE_FIELDS,
    Field,
    attribute_field,
    job_field,
    write_table,
)
from thinktime.result.directory.staging import FORMAT, staged_directory, staged_file
from thinktime.result.placements import empty_placements
from thinktime.support.files import json_of, reason, require_text_path
from thinktime.support.json_types import JsonDict, JsonTable
from thinktime.support.output_files import REPORT, RUN_FILE
from thinktime.traces.attributes import KINDS, Kind, require_attribute_name

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from thinktime.result.result import Result

FORMAT_VERSION = 2  # since 2, the digest does not depend on where the jobs were read
#: Column of tables in the first format → its name now.
FIRST_NAMES = {"cores_a_unit": "cores_per_unit"}
JOBS_FILE = "jobs.parquet"
TIMELINE_FILE = "timeline.parquet"
DECISIONS_FILE = "decisions.parquet"
PLACEMENTS_FILE = "placements.parquet"
ATTEMPTS_FILE = "attempts.parquet"
ATTEMPT_NODES_FILE = "attempt_nodes.parquet"

KNOWN = (JOBS_FILE, TIMELINE_FILE, DECISIONS_FILE, PLACEMENTS_FILE, ATTEMPTS_FILE, ATTEMPT_NODES_FILE)

#: Fields of run.json that `check` compares with the run
CLAIMS = ("digest", "content_digest", "jobs", "timeline_rows", "summary", "summary_options")

#: Parts of the spec that are tables with a name
NAMED = ("workload", "machine", "scheduler", "users", "applications", "estimates", "allocator")

#: Required field of run.json → its type, and the word for it
FIELDS: dict[str, tuple[type, str]] = {
    "files": (dict, "object"),
    "processors": (int, "whole number"),
    "jobs": (int, "whole number"),
    "digest": (str, "text"),
    "version": (str, "text"),
    "spec": (dict, "object"),
    "account": (dict, "object"),
    "statistics": (dict, "object"),
    "summary": (dict, "object"),
}


def save(result: Result, directory: str | Path, overwrite: bool = False, **summary_options: Any) -> None:
    """Write the run with a summary; all of it or nothing."""
    summary = result.summary(**summary_options).to_dict()
    with staged_directory(directory, overwrite) as temporary:
        write_table(temporary / JOBS_FILE, _job_fields(result), result.columns, result.types)
        write_table(temporary / TIMELINE_FILE, TIMELINE_FIELDS, result.timeline_columns)
        if len(result.decisions_columns["time_s"]):
            write_table(temporary / DECISIONS_FILE, DECISION_FIELDS, result.decisions_columns)
        if result.has_nodes:
            write_table(temporary / PLACEMENTS_FILE, PLACEMENT_FIELDS, result.placement_columns)
        _save_additional(result, temporary)
        facts = {
            "attributes": {name: kind.kind for name, kind in result.types.items()},
            "content_digest": result.content_digest,
            "jobs": len(result),
            "processors": result.processors,
            "summary_options": summary_options,
            "timeline_rows": len(result.timeline_columns["time_s"]),
        }
        write_run_file(temporary, result.spec, facts, result.account, result.statistics, summary)


def _job_fields(result: Result) -> list[Field]:
    own = {name: attribute_field(name, kind.kind) for name, kind in result.types.items()}
    return [own.get(name) or job_field(name) for name in ordered(result.columns)]


def _save_additional(result: Result, place: Path) -> None:
    """Return the files that only runs with plugins have."""
    if len(result.attempts_made):
        attempts, nodes = result.attempts_made.tables()
        attempts.write_parquet(place / ATTEMPTS_FILE, compression="zstd")
        nodes.write_parquet(place / ATTEMPT_NODES_FILE, compression="zstd")
    for name, columns in result.report_columns.items():
        report_frame(columns).write_parquet(place / f"report_{name}.parquet", compression="zstd")


def _load_additional(place: Path, files: JsonTable) -> JsonDict:
    reports = {match["name"]: file for file in files if (match := REPORT.fullmatch(file))}
    parts: JsonDict = {
        "report_columns": {
            name: _renamed(_load_columns(place / file, report_columns)) for name, file in reports.items()
        }
    }
    if ATTEMPTS_FILE in files:
        nodes = _read_run_parquet(place / ATTEMPT_NODES_FILE)
        parts["attempts_made"] = _load_columns(place / ATTEMPTS_FILE, lambda frame: Attempts.of_tables(frame, nodes))
    return parts


def store_summary(result: Result, directory: str | Path, **summary_options: Any) -> None:
    """Put another summary into the run.json of a saved run, unless it has the same one."""
    place = Path(directory)
    new = {"summary": result.summary(**summary_options).to_dict(), "summary_options": summary_options}
    content = read_run_file(place)
    if jsonable(new) != {name: content.get(name) for name in new}:
        with staged_file(place / RUN_FILE, kept=True) as temporary:
            temporary.write_text(readable_json({**content, **new}), encoding="utf-8")


def write_run_file(
    directory: Path,
    spec: JsonTable,
    facts: JsonTable,
    account: JsonTable,
    statistics: JsonTable,
    summary: JsonTable,
) -> None:
    """Write run.json, the last file of a run: what was simulated, and the hashes of the other files."""
    import thinktime

    content = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "version": spec.get("version", thinktime.__version__),
        "seed": spec.get("seed"),
        "digest": digest_of_run(spec),
        "files": {path.name: digest_of_file(path) for path in sorted(directory.glob("*.parquet"))},
        "spec": spec,
        "account": account,
        "statistics": statistics,
        "summary": summary,
        **facts,
    }
    (directory / RUN_FILE).write_text(readable_json(content), encoding="utf-8")


def _renamed(columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the columns under their present names; runs of the first format have others."""
    return {FIRST_NAMES.get(name, name): values for name, values in columns.items()}


def load(directory: str | Path) -> JsonDict:
    """Return the parts of a saved run by the fields of Result."""
    place = Path(directory)
    content = read_run_file(place)
    for name, digest in content["files"].items():
        _check_file(place / name, digest)
    jobs = _load_columns(place / JOBS_FILE, lambda frame: jobs_columns(frame, _kinds(content)))
    kept = content["files"]
    timeline = _load_columns(place / TIMELINE_FILE, timeline_columns) if TIMELINE_FILE in kept else empty_timeline()
    decisions = (
        _load_columns(place / DECISIONS_FILE, decisions_columns) if DECISIONS_FILE in kept else empty_decisions()
    )
    placed = (
        _load_columns(place / PLACEMENTS_FILE, placement_columns) if PLACEMENTS_FILE in kept else empty_placements()
    )
    parts = {"timeline_columns": timeline, "decisions_columns": decisions, "placement_columns": placed}
    found = {**jobs._asdict(), **parts, **_load_additional(place, kept), **_fields(content)}
    try:
        require_names(content["spec"], NAMED)
        require_account(content["account"])
        require_sound(found)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    return found


def _kinds(content: JsonTable) -> dict[str, Kind]:
    """Return attribute → kind; runs of the first format have none."""
    kinds = content.get("attributes", {})
    if not isinstance(kinds, dict) or any(kind not in KINDS for kind in kinds.values()):
        raise InputError(f"attributes in run.json is {kinds!r:.40}, not names with their kinds")
    return {require_attribute_name(name): kind for name, kind in kinds.items()}


def _fields(content: JsonTable) -> JsonDict:
    fields = {name: content[name] for name in ("processors", "spec", "account", "statistics")}
    claims = {name: content[name] for name in CLAIMS if name in content}
    if content["format_version"] < FORMAT_VERSION:
        claims.pop("digest")
    return {**fields, "claims": claims}


def read_run_file(place: Path) -> JsonDict:
    """Return the content of run.json; raise InputError if the directory holds no run."""
    require_text_path(place)
    if not place.is_dir():
        raise InputError(f"{place} is not a directory: give the directory that a run was saved to")
    path = place / RUN_FILE
    if not path.is_file():
        raise InputError(
            f"{place} has no {RUN_FILE}, so it is not a finished run: give the directory that a run was saved to"
        )
    try:
        content = json_of(path)
    except (OSError, ValueError) as error:
        raise InputError(f"Cannot read {path} ({reason(error)}): save the run again") from error
    return _check_run_json(path, content)


def _check_run_json(path: Path, content: object) -> JsonDict:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(f"{path} does not say format {FORMAT!r}, so it describes no run: give a run directory")
    version = content.get("format_version")
    if not isinstance(version, int) or version > FORMAT_VERSION:
        raise InputError(
            f"{path} has format version {version}, this thinktime reads up to {FORMAT_VERSION}: "
            "install a newer thinktime"
        )
    for name, (kind, words) in FIELDS.items():
        if name not in content:
            raise InputError(f"{path} lacks {name!r}: save the run again")
        if not isinstance(content[name], kind) or isinstance(content[name], bool):
            raise InputError(
                f"{path} has {name} = {_shorten_json(content[name])}, but must be {words}: save the run again"
            )
    _check_files(path, content["files"])
    return content


def _check_files(path: Path, files: JsonTable) -> None:
    """Require names and hashes of the known Parquet files only: a name cannot point out of the directory."""
    if JOBS_FILE not in files:
        raise InputError(f"{path} lists no {JOBS_FILE}: save the run again")
    for name, digest in files.items():
        if not (name in KNOWN or REPORT.fullmatch(name)) or not isinstance(digest, str):
            raise InputError(f"{path} lists the file {name!r} with {_shorten_json(digest)}: save the run again")


def _shorten_json(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _check_file(path: Path, digest: str) -> None:
    if not path.is_file():
        raise InputError(f"{path} is missing although {RUN_FILE} lists it: save the run again")
    if digest_of_file(path) != digest:
        raise InputError(
            f"{path} differs from its hash in {RUN_FILE}, so it was changed or damaged: save the run again"
        )


def _load_columns(path: Path, arrays_of: Callable[[pl.DataFrame], Any]) -> Any:
    """Return the columns of the file; raise InputError if they are not those of a run."""
    import polars as pl

    frame = _read_run_parquet(path)
    try:
        return arrays_of(frame)
    except (InputError, pl.exceptions.PolarsError) as error:
        reason = str(error).strip().splitlines()[0].rstrip(".:")
        raise InputError(f"{path} does not hold the columns of a run ({reason}): save the run again") from error


def _read_run_parquet(path: Path) -> pl.DataFrame:
    import polars as pl

    try:
        return pl.read_parquet(path, glob=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(
            f"{path} is not a readable Parquet file ({' '.join(str(error).split())}): save the run again"
        ) from error
