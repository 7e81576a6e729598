"""Batsim's workload: JSON with jobs, profiles and nb_res. A job's run time is that of its profile.

https://batsim.readthedocs.io/en/latest/input-workload.html
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from thinktime.errors import InputError
from thinktime.traces.batsim_profiles import Profiles
from thinktime.traces.column_names import STANDARD
from thinktime.traces.header import Header
from thinktime.traces.reader import Block, Reader, Records, require_memory
from thinktime.traces.table_columns import attribute_name, require_few_columns
from thinktime.traces.typed_blocks import TypedBlocks
from thinktime.traces.unpack import read_blocks
from thinktime.traces.written import KEY, Written

BLOCK_JOBS = 1 << 16
MEMORY_PER_BYTE = 8  # of the document, as Python objects
LARGEST = 2.0**53  # up to which whole numbers are exact
_NUMBERS = (int, float)
#: Field of a job in Batsim → column of a log.
FIELDS = {"subtime": "submit_s", "res": "processors", "walltime": "requested_time_s"}


class BatsimReader(Reader, name="batsim"):
    """Reads Batsim's workloads (JSON). The whole document is in memory: about 1 KB per job.

    Parameters
    ----------
    speed_flops : float
        Speed of a processor in floating-point operations per second, for profiles that compute without communicating
        (default 0: not known, only profiles with a time are read).
    """

    endings: ClassVar[tuple[str, ...]] = (".json",)

    speed_flops: float = 0.0

    @classmethod
    def recognises(cls, head: bytes) -> bool:
        """Return whether a JSON object begins that thinktime wrote, or with profiles, nb_res or submissions of jobs."""
        keys = (f'"{KEY}"'.encode(), b'"subtime"', b'"profiles"', b'"nb_res"')
        return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") and any(key in head for key in keys)

    def records(self, source: Path) -> Records:
        return BatsimRecords(self, source)


class BatsimRecords(Records):
    """The jobs of one document; `line` is the position of a job in its list, from 1."""

    def __init__(self, reader: BatsimReader, source: Path) -> None:
        super().__init__(source)
        self._reader = reader

    def blocks(self) -> Iterator[Block]:
        document = self._document()
        written = Written.from_dict(document.get(KEY))
        self.header = self._header(document, written)
        jobs = self._jobs(document)
        columns = self._columns([job for _, job in jobs], document.get("profiles"))
        places = np.array([place for place, _ in jobs], np.float64)
        typed = TypedBlocks(str(self.source), written.labels)
        self.types, self.account.lines = typed.types, len(document["jobs"])
        for begin in range(0, len(jobs), BLOCK_JOBS):
            part = slice(begin, begin + BLOCK_JOBS)
            block = typed.convert({name: values[part] for name, values in columns.items()})
            self.account.jobs += len(places[part])
            yield {**block, "line": places[part]}
        if self.account.jobs == 0:
            raise InputError(f"{self.source} has no job with id, subtime, res and profile: check its list of jobs")

    def _document(self) -> Mapping[str, Any]:
        data = self._bytes()
        self.sha256 = hashlib.sha256(data).hexdigest()
        try:
            document = json.loads(data.removeprefix(b"\xef\xbb\xbf"))
        except (ValueError, RecursionError) as error:
            raise InputError(f"{self.source} is not JSON ({error}): check the file") from None
        if not isinstance(document, dict) or not isinstance(document.get("jobs"), list):
            raise InputError(f"{self.source} has no list of jobs: a Batsim workload has jobs, profiles and nb_res")
        return document

    def _bytes(self) -> bytes:
        parts, size = list[bytes](), 0
        for block in read_blocks(self.source):
            parts.append(block)
            size += len(block)
            require_memory(str(self.source), size * MEMORY_PER_BYTE)
        return b"".join(parts)

    def _header(self, document: Mapping[str, Any], written: Written) -> Header:
        """Return the header that thinktime wrote, where `nb_res` may be a guess, else one with the size."""
        size = document.get("nb_res")
        if KEY in document or not (isinstance(size, int) and size > 0):
            return written.parsed_header()
        return Header.parse([*written.header, f" MaxProcs: {size}"])

    def _jobs(self, document: Mapping[str, Any]) -> list[tuple[int, Mapping[str, Any]]]:
        """Return the well-formed jobs with their positions; the others are malformed."""
        found = []
        for place, job in enumerate(document["jobs"], 1):
            fault = _fault(job)
            if fault:
                self.account.fault(place, fault, json.dumps(job)[:200])
            else:
                found.append((place, job))
        return found

    def _columns(self, jobs: list[Mapping[str, Any]], given: object) -> dict[str, list[Any]]:
        """Return the columns of all jobs."""
        profiles = Profiles(str(self.source), given, self._reader.speed_flops)
        names = self._names(jobs)
        plain = "job_id" in names or all(isinstance(job["id"], int) or job["id"].isdigit() for job in jobs)
        return {
            "job": _job_numbers(jobs),
            **{column: [job.get(field) for job in jobs] for field, column in FIELDS.items()},
            "run_s": [profiles.run_s(job["profile"], job["res"]) for job in jobs],
            **({} if plain else {"job_id": [str(job["id"]) for job in jobs]}),
            **{name: _scalars([job.get(field) for job in jobs]) for field, name in names.items()},
            **({"requested_time_s": _limits(jobs)} if "requested_time_s" in names else {}),
        }

    def _names(self, jobs: list[Mapping[str, Any]]) -> dict[str, str]:
        """Return field → column for the further fields of all jobs."""
        names: dict[str, str] = {}
        fields = dict.fromkeys(chain.from_iterable(jobs))
        require_few_columns(self.source, len(fields))
        for field in fields:
            if field not in (*FIELDS, "id", "profile", "job", "line", "run_s", "submit_s", "processors"):
                names[field] = field if field in STANDARD else attribute_name(field, [*names.values()], self.account)
        return names


def _fault(job: object) -> str:
    """Return why a job cannot be read; an empty text if it can."""
    if not isinstance(job, dict):
        return "not an object"
    try:
        name, submit, size, profile = job["id"], job["subtime"], job["res"], job["profile"]
    except KeyError as error:
        return f"no {error.args[0]}"
    if type(name) not in (str, int):
        return "id is neither a text nor a whole number"
    if type(submit) not in _NUMBERS or not -LARGEST <= submit <= LARGEST:
        return "subtime is not a number"
    if type(size) not in _NUMBERS or not 0 <= size <= LARGEST or size % 1:
        return "res is not a whole number"
    if type(profile) is not str:
        return "profile is not a text"
    limit = job.get("walltime")
    good = limit is None or (type(limit) in _NUMBERS and -LARGEST <= limit <= LARGEST)
    return "" if good else "walltime is not a number"


def _job_numbers(jobs: list[Mapping[str, Any]]) -> list[Any]:
    """Return the numbers in the field job, which thinktime writes, else those in the names, else 1, 2, …"""
    if all("job" in job and type(job["job"]) in (int, type(None)) for job in jobs):
        return [job["job"] for job in jobs]
    return [_number(job["id"]) for job in jobs] if _are_numbered(jobs) else [*range(1, len(jobs) + 1)]


def _limits(jobs: list[Mapping[str, Any]]) -> list[Any]:
    """Return the requested times of a file that has them in addition to walltime."""
    return [job.get("requested_time_s", job.get("walltime")) for job in jobs]


def _number(name: str | int) -> int:
    """Return 12 for `w0!12`."""
    return int(str(name).rpartition("!")[2])


def _are_numbered(jobs: list[Mapping[str, Any]]) -> bool:
    """Return whether all names of jobs end in a number of at most 15 digits, each of which occurs once."""
    ends = [str(job["id"]).rpartition("!")[2] for job in jobs]
    return all(end.isdigit() and end.isascii() and len(end) <= 15 for end in ends) and len(set(ends)) == len(ends)


def _scalars(values: list[Any]) -> list[Any]:
    """Return the values with lists and objects as JSON texts."""
    if not {list, dict} & set(map(type, values)):
        return values
    return [None if value is None else value if type(value) is str else json.dumps(value) for value in values]
