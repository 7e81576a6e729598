"""Slurm's accounting from several files, and anonymous."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike

from thinktime.errors import InputError
from thinktime.spec import as_spec
from thinktime.traces import Header, find_log
from thinktime.traces.reader import Reader
from thinktime.traces.readers.sacct import SacctReader
from thinktime.workload.reading.read import Reading, read_records
from thinktime.workload.workload import Workload


def read_sacct(
    files: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    reader: Reader | str = "sacct",
    anonymise: bool = False,
    salt: str | bytes | None = None,
    keep: Iterable[str] = (),
    shift_jobs: bool = False,
    filter: str = "base",
    machine: int | None = None,
    name: str | None = None,
) -> Workload:
    """Read output of Slurm's `sacct`: one or several files as one log, anonymous if you wish.

    `tt.read` reads a single file in the same way. A record that several files have counts once.

    Parameters
    ----------
    files : str, path or sequence of them
        Files, plain or packed, of `sacct -P` or `sacct --json`.
    reader : Reader or str
        How they are read, such as `tt.SacctReader(zone="Europe/Berlin")` or `"sacct:zone=Europe/Berlin"`.
    anonymise : bool
        Replace names of users, groups, accounts, jobs, nodes, partitions, … by keyed hashes, and drop free texts.
    salt : str or bytes, optional
        The secret key of the hashes: the same salt gives the same hashes in other files (default: a random one, which
        is not kept).
    keep : iterable of str
        Names that stay as they are: `"partition"`, `"qos"`.
    shift_jobs : bool
        Add a number that the salt determines to all job ids.
    filter : str
        As in `tt.read`.
    machine : int, optional
        Processors of the machine. sacct does not say; it becomes `MaxProcs` of the header.
    name : str, optional
        Name of the workload (default: that of the first file; `sacct` for an anonymous one).

    Returns
    -------
    Workload
        Jobs sorted by submit time; `account` says what became of every line.

    Raises
    ------
    InputError
        If a file does not exist or is not output of sacct.

    Examples
    --------
    >>> import thinktime as tt
    >>> with open("sacct.txt", "w") as file:
    ...     print("JobID|User|Submit|Start|End|NCPUS|State", file=file)
    ...     print("17|ann|1700000000|1700000060|1700003660|4|COMPLETED", file=file)
    >>> tt.read_sacct("sacct.txt", anonymise=True, salt="a secret of ours").texts("user").tolist()
    ['user-537aade2cfdb']
    """
    spec = as_spec(Reader, reader)
    if not isinstance(spec, SacctReader):
        raise InputError(f"read_sacct needs the reader sacct (got {spec.name}): use tt.read for other formats")
    if not anonymise and (salt is not None or tuple(keep) or shift_jobs):
        raise InputError("salt, keep and shift_jobs apply to anonymise=True: add it, or remove them")
    from thinktime.traces.sacct.anonymise import Anonymiser
    from thinktime.traces.sacct.records import SacctRecords

    secret = salt.encode() if isinstance(salt, str) else salt
    if not isinstance(secret, bytes | None):
        raise InputError(f"salt must be a text or bytes (got {type(salt).__name__})")
    if not isinstance(files, str | PathLike | Iterable):
        raise InputError(f"files must be the name or path of a file, or a list of these (got {files!r:.40})")
    given = [files] if isinstance(files, str | PathLike) else list(files)
    if not given:
        raise InputError("no file is given: name the output of sacct")
    change = Anonymiser(secret, keep, shift_jobs) if anonymise else None
    records = SacctRecords([find_log(file) for file in given], spec.sacct_options(), change)
    log = read_records(records, Reading(filter, None, (), machine), "keep", machine, name)
    return log if machine is None else _with_size(log, machine)


def _with_size(log: Workload, machine: int) -> Workload:
    """Return the workload with the size of the machine in its header, so that files keep it."""
    lines = log.header.lines if log.header else ()
    return replace(log, header=Header.parse([*lines, f" MaxProcs: {machine}"]))
