"""Sentences of the account: what the reader has assumed."""

from __future__ import annotations

from collections.abc import Iterator

from thinktime.support.json_types import JsonTable
from thinktime.traces.sacct.clock import Clock


def clock_notes(clock: Clock, hours_and_minutes: bool) -> Iterator[str]:
    """Yield how times and durations were read."""
    times = clock.counts
    if times.local and clock.zone is None:
        yield "times have no zone: they are read as the clock where sacct ran (give zone=, --zone)"
    if hours_and_minutes:
        yield "durations such as 08:27 are hours and minutes, as End − Start shows"
    if times.repeated_hour:
        yield f"jobs with times in the hour that comes twice at the end of summer time: {times.repeated_hour:,}"
    if times.undecided:
        yield f"jobs of these that may be in either hour, read as in the first: {times.undecided:,}"
    if times.not_in_zone:
        yield f"times that do not exist in {clock.zone} (check the zone): {times.not_in_zone:,}"


def array_notes(more: JsonTable) -> Iterator[str]:
    """Yield how many tasks stand in rows such as 2_[7,10]."""
    if rows := int(more.get("array_rows", 0)):
        cut = f", {more['array_rows_cut']:,} of them cut by Slurm" if more.get("array_rows_cut") else ""
        yield f"rows for {more['array_tasks']:,} array tasks that never started{cut}: {rows:,}"


def cluster_notes(clusters: int) -> Iterator[str]:
    """Yield a warning if the jobs are of several clusters."""
    if clusters > 1:
        yield f"jobs of {clusters} clusters: choose one with cluster=, --cluster"
