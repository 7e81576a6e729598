"""Small sacct files for tests."""

from __future__ import annotations

from pathlib import Path

import thinktime as tt

#: A job of a plain kind; tests change single fields.
JOB = {
    "JobID": "12",
    "JobIDRaw": "12",
    "User": "ann",
    "Account": "bio",
    "Partition": "main",
    "QOS": "normal",
    "Submit": "1700000000",
    "Eligible": "1700000000",
    "Start": "1700000060",
    "End": "1700003660",
    "ElapsedRaw": "3600",
    "TimelimitRaw": "120",
    "NNodes": "1",
    "NCPUS": "4",
    "ReqCPUS": "2",
    "AllocTRES": "billing=4,cpu=4,mem=8G,node=1",
    "ReqMem": "4G",
    "State": "COMPLETED",
    "ExitCode": "0:0",
    "Suspended": "00:00:00",
    "NodeList": "n01",
    "JobName": "a job",
}


def job(number: int, **changes: str) -> dict[str, str]:
    """Return the record of a job that is submitted `number` seconds after time 0."""
    submit = 1700000000 + number
    times = {"Submit": submit, "Eligible": submit, "Start": submit + 60, "End": submit + 3660}
    ids = {"JobID": str(number), "JobIDRaw": str(number)}
    return {**JOB, **ids, **{name: str(time) for name, time in times.items()}, **changes}


def text_of(records: list[dict[str, str]], delimiter: str = "|", header: bool = True) -> str:
    """Return what sacct -P prints."""
    names = list(records[0])
    rows = [names] if header else []
    rows += [[record.get(name, "") for name in names] for record in records]
    return "".join(delimiter.join(row) + "\n" for row in rows)


def read(folder: Path, records: list[dict[str, str]] | str, reader: str = "sacct", filter: str = "base") -> tt.Workload:
    """Write the records and read them."""
    path = folder / "sacct.txt"
    path.write_text(records if isinstance(records, str) else text_of(records))
    return tt.read(path, reader=reader, filter=filter)
