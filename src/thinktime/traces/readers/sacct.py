"""Slurm's accounting: the output of sacct, with or without a header, or as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Literal

from thinktime.traces.reader import Reader, Records
from thinktime.traces.sacct import json_jobs
from thinktime.traces.sacct.layout import header_layout, is_fixed_width, known_order
from thinktime.traces.sacct.options import SacctOptions


class SacctReader(Reader, name="sacct"):
    """Reads the output of Slurm's `sacct -P`, with any columns and delimiter, and of `sacct --json`.

    Parameters
    ----------
    zone : str
        Time zone of local times, such as `Europe/Berlin` (default: local times are read as if they were UTC). Times in
        seconds since 1970 or with an offset need none.
    columns : str
        Columns of a file without a header, joined by `+`: `JobID+Submit+Start+End+NCPUS` (default: the header, or an
        order that XDMoD asks for).
    delimiter : str
        Delimiter of the columns (default: found).
    wait_from : str
        Where the wait begins: `submit`, or `eligible`, when the job could first start (dependencies, holds and begin
        times are over).
    attempts : str
        Records of a requeued job: `all` (each attempt is a job, default) or `last`.
    het_jobs : str
        Components of heterogeneous jobs: `join` into one job (default) or keep `separate`.
    running : str
        Jobs that still ran when the log was written: `drop` (default), or `keep` with the time so far.
    cluster : str
        Keep the jobs of this cluster only (default: all).
    attributes : str
        Further columns: `all` (default), `names` (no texts that differ from job to job, for long streams) or `none`.
    """

    endings: ClassVar[tuple[str, ...]] = (".sacct",)
    words: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "wait_from": ("submit", "eligible"),
        "attempts": ("all", "last"),
        "het_jobs": ("join", "separate"),
        "running": ("drop", "keep"),
        "attributes": ("all", "names", "none"),
    }

    zone: str | None = None
    columns: str | None = None
    delimiter: str | None = None
    wait_from: Literal["submit", "eligible"] = "submit"
    attempts: Literal["all", "last"] = "all"
    het_jobs: Literal["join", "separate"] = "join"
    running: Literal["drop", "keep"] = "drop"
    cluster: str | None = None
    attributes: Literal["all", "names", "none"] = "all"

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        """Return whether the file has a header with JobID, a known order of columns, or is JSON of sacct."""
        if json_jobs.recognises(head):
            return True
        lines = head.decode("utf-8", "replace").removeprefix("\ufeff").splitlines()[:100]
        lines = lines[:-1] if len(lines) > 1 and not head.endswith(b"\n") else lines
        headers = (header_layout(line) for line in lines[:50] if line)
        return any(header is not None for header in headers) or is_fixed_width(lines) or known_order(lines) is not None

    def sacct_options(self) -> SacctOptions:
        """Return the options as plain data."""
        return SacctOptions(**self.options())

    def records(self, source: Path) -> Records:
        from thinktime.traces.sacct.records import SacctRecords

        return SacctRecords([source], self.sacct_options())
