"""Reads SWF logs and other simulators' schedules in plain Python, with the readings that oracle/README.md
names."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

from reference import Job, Outcome

Rows = list[list[int]]  # the 18 fields of each line of an SWF file; field k of the standard is row[k - 1]
Schedule = dict[int, tuple[float, float]]  # job number -> (start, end)


def read_rows(path: Path) -> Rows:
    with gzip.open(path, "rt", encoding="latin-1") as lines:
        return [
            [int(float(field)) for field in line.split()] for line in lines if line.strip() and not line.startswith(";")
        ]


def normalised(rows: Rows, machine: int) -> dict[int, Job]:
    """`KTHn`: oracle/normalise.py. Job number -> job."""
    jobs = {}
    for row in rows:
        run, processors = row[3], row[7] if row[7] > 0 else row[4]
        if run > 0 and 0 < processors <= machine:
            jobs[row[0]] = Job(row[1], run, processors, max(row[8], run))
    return jobs


def as_pyss_reads(rows: Rows, machine: int) -> dict[int, Job]:
    """The untouched file by pyss's reading: allocated processors, cut at the request, bad jobs last 1 s."""
    jobs = {}
    for row in rows:
        submit, run, processors, requested = row[1], row[3], row[4], row[8]
        if run <= 0 or processors <= 0 or submit < 0:
            jobs[row[0]] = Job(submit, 1, max(1, processors), 1)
        else:
            jobs[row[0]] = Job(submit, max(min(requested, run), 1), min(processors, machine), max(requested, run, 1))
    return jobs


def as_predictsim_reads(rows: Rows) -> dict[int, Job]:
    """Run and request must be positive; requested processors if given. Simulate with overrun="kill"."""
    return {
        row[0]: Job(row[1], row[3], row[7] if row[7] > 0 else row[4], row[8])
        for row in rows
        if row[3] > 0 and row[8] > 0
    }


def as_accasim_reads(rows: Rows) -> dict[int, Job]:
    """Every line; requested processors unless missing; the estimate is field 9 as it stands."""
    return {row[0]: Job(row[1], row[3], row[7] if row[7] != -1 else row[4], row[8]) for row in rows}


def read_schedule(path: Path) -> Schedule:
    """A peer's CSV: job_id,submit,start,end."""
    with gzip.open(path, "rt") as lines:
        return {int(row["job_id"]): (float(row["start"]), float(row["end"])) for row in csv.DictReader(lines)}


def read_swf_schedule(path: Path) -> Schedule:
    """A peer's SWF with the simulated wait in field 3."""
    return {row[0]: (row[1] + row[2], row[1] + row[2] + row[3]) for row in read_rows(path)}


def read_cases(path: Path) -> list[dict[str, Any]]:
    return json.loads(path.read_text())


def different(numbers: list[int], outcomes: list[Outcome], expected: Schedule) -> list[str]:
    """One line for each job that starts or ends at another time than the peer's; empty if all agree."""
    assert sorted(numbers) == sorted(expected), "not the same jobs"
    return [
        f"job {number}: ours {(ours.start, ours.end)}, theirs {expected[number]}"
        for number, ours in zip(numbers, outcomes, strict=True)
        if (ours.start, ours.end) != expected[number]
    ]
