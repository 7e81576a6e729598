"""The logs that are measured: real ones if present, else the default workload."""

from __future__ import annotations

from pathlib import Path

from thinktime.traces.find import log_folders, log_name, logs_in

#: Beginnings of the names of the logs that are measured, if present.
LOGS = ("KTH-SP2-1996-2.1-cln", "CTC-SP2", "HPC2N", "CEA-Curie", "RICC")
QUICK_LOGS = LOGS[:1]
MAIN_LOG = "HPC2N"  # for the scanner and whole commands


def find_logs(folder: Path | None, quick: bool) -> dict[str, Path | None]:
    """Return name → file for the logs that are present; if none is, `default` → None."""
    names = QUICK_LOGS if quick else LOGS
    paths = [path for name in names for path in matching(folder, name)[:1]]
    return {log_name(path): path for path in paths} or {"default": None}


def main_log(folder: Path | None, scratch: Path) -> Path:
    """Return HPC2N if present, else the default workload, packed, in the scratch folder."""
    found = matching(folder, MAIN_LOG)
    return found[0] if found else written(scratch / "default.swf.gz")


def written(path: Path, jobs: int | None = None) -> Path:
    """Write the default workload, or its first jobs, as a log."""
    from thinktime.generate import default_workload
    from thinktime.workload import write_swf

    write_swf(default_workload(jobs=jobs), path)
    return path


def matching(folder: Path | None, name: str) -> list[Path]:
    """Return the logs whose names begin with `name`, sorted."""
    logs = logs_in(*([folder] if folder else log_folders()))
    return [path for found, path in logs.items() if found.startswith(name)]
