"""Which logs are measured: real ones where they are, else the package's own workload, made on the spot."""

from __future__ import annotations

from pathlib import Path

from thinktime.traces.find import log_folders, log_name, logs_in

#: Beginnings of the names of the logs that are measured, if they are there.
LOGS = ("KTH-SP2-1996-2.1-cln", "CTC-SP2", "HPC2N", "CEA-Curie", "RICC")
QUICK_LOGS = LOGS[:1]
MAIN_LOG = "HPC2N"  # of the scanner and of the whole command


def find_logs(folder: Path | None, quick: bool) -> dict[str, Path | None]:
    """Name → file of the logs that are there; where there is none, `default` without a file."""
    names = QUICK_LOGS if quick else LOGS
    paths = [path for name in names for path in matching(folder, name)[:1]]
    return {log_name(path): path for path in paths} or {"default": None}


def main_log(folder: Path | None, scratch: Path) -> Path:
    """HPC2N where it is there, else the default workload, packed, in the scratch folder."""
    found = matching(folder, MAIN_LOG)
    return found[0] if found else written(scratch / "default.swf.gz")


def written(path: Path, jobs: int | None = None) -> Path:
    """The default workload, or its first jobs, as a log."""
    from thinktime.generate import default_workload
    from thinktime.workload import write_swf

    write_swf(default_workload(jobs=jobs), path)
    return path


def matching(folder: Path | None, name: str) -> list[Path]:
    """Return the logs whose names begin so, in the order of their names."""
    logs = logs_in(*([folder] if folder else log_folders()))
    return [path for found, path in logs.items() if found.startswith(name)]
