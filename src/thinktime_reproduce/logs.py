"""Find the logs of a reproduction: the paper's version first, else another version of the archive."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from thinktime.errors import InputError
from thinktime.traces.find import log_name, logs_in
from thinktime_reproduce.reproduction import Reproduction

#: LANL-CM5-1994 | 4.1 | -cln; versions without -cln are as recorded, with the flurries that cleaning removes
NAME = re.compile(r"(?P<log>.+-\d{4})-(?P<version>\d+(?:\.\d+)*)(?P<cleaned>-cln)?", re.IGNORECASE)


def find_logs(reproduction: Reproduction, folder: Path) -> dict[str, Path]:
    """Return label → file for the logs that are in the folder; raise InputError if none is."""
    if not folder.is_dir():
        raise InputError(f"the folder of logs {folder} does not exist: give it with --logs")
    there = {name.lower(): path for name, path in logs_in(folder).items()}
    found = {label: _find(reproduction.files(label), there) for label in reproduction.logs}
    known = {label: path for label, path in found.items() if path is not None}
    if not known:
        names = ", ".join(dict.fromkeys(name for label in reproduction.logs for name in reproduction.files(label)))
        raise InputError(f"{folder} has none of the logs of {reproduction.name}: get one of {names}")
    return known


def _find(named: tuple[str, ...], there: Mapping[str, Path]) -> Path | None:
    """Return the first of the named files, else the latest version of the same log, cleaned or not as named."""
    names = [log_name(name).lower() for name in named]
    exact = [there[name] for name in names if name in there]
    others = [max(versions)[1] for name in names if (versions := list(_versions(name, there)))]
    return next(iter([*exact, *others]), None)


def _versions(name: str, there: Mapping[str, Path]) -> Iterator[tuple[tuple[int, ...], Path]]:
    wanted = NAME.fullmatch(name)
    for other, path in there.items():
        found = NAME.fullmatch(other)
        if wanted and found and (found["log"], found["cleaned"]) == (wanted["log"], wanted["cleaned"]):
            yield tuple(map(int, found["version"].split("."))), path


def version(name: str) -> str:
    """`4.1-cln` of `LANL-CM5-1994-4.1-cln`; the whole name if it has no version."""
    found = NAME.fullmatch(name)
    return f"{found['version']}{found['cleaned'] or ''}" if found else name


def versions(reproduction: Reproduction, logs: Mapping[str, Path]) -> dict[str, str]:
    """Return label → versions read and printed, for logs whose version is not the paper's."""
    read = {label: (log_name(path.name), log_name(reproduction.files(label)[0])) for label, path in logs.items()}
    return {label: f"{used}, paper {own}" for label, (used, own) in read.items() if used.lower() != own.lower()}
