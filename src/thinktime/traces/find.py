"""Find a log by path or by name, and name a log by its file. Every part of thinktime finds logs here.

A name is looked up in $THINKTIME_LOGS, then in the user's cache, where `thinktime logs get` puts downloads.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from thinktime.errors import InputError
from thinktime.spec import REGISTRY, suggestion
from thinktime.traces.catalogue import CATALOGUE, CatalogueEntry

FOLDER_VARIABLE = "THINKTIME_LOGS"
PACKINGS = (".gz", ".xz", ".bz2", ".zip")
_FIRST = ".swf"  # of one log in several formats


def log_name(path: str | os.PathLike[str]) -> str:
    """Return `KTH-SP2-1996-2.1-cln` for `…/KTH-SP2-1996-2.1-cln.swf.gz`; undecodable bytes become `?`."""
    name = Path(path).name.encode("utf-8", "replace").decode("utf-8")
    for suffix in (*PACKINGS, *formats(), ".txt"):
        name = name[: -len(suffix)] if name.lower().endswith(suffix) and len(name) > len(suffix) else name
    return name or "log"


def formats() -> list[str]:
    """Return the endings of all readers, own ones included: .swf, .csv, …"""
    known = {ending.lower(): None for cls in REGISTRY["reader"].values() for ending in getattr(cls, "endings", ())}
    return sorted(known, key=lambda ending: (ending != _FIRST, ending))


def format_ending(path: str | os.PathLike[str]) -> str:
    """Return `.swf` for `…/KTH-SP2-1996-2.1-cln.swf.gz`: the last ending without the packing, in lower case."""
    name = Path(path).name.lower()
    for packing in PACKINGS:
        name = name.removesuffix(packing)
    return Path(name).suffix


def logs_folder() -> Path:
    """Return the folder for downloads: $THINKTIME_LOGS, else thinktime/logs in the user's cache."""
    return log_folders()[0]


def log_folders() -> list[Path]:
    """Return the folders in which names are looked up, in this order."""
    named = os.environ.get(FOLDER_VARIABLE)
    cache = os.environ.get("XDG_CACHE_HOME")
    downloads = (Path(cache) if cache else Path.home() / ".cache") / "thinktime" / "logs"
    return [Path(named), downloads] if named else [downloads]


def find_log(log: str | os.PathLike[str], *, base: Path | None = None, folders: Iterable[Path] | None = None) -> Path:
    """Return the file of a log.

    Parameters
    ----------
    log : str or path
        A path; or the name of a log in one of the folders, in any case, with or without its ending; or the first
        characters of such a name, if only one log begins with them.
    base : Path, optional
        Folder from which a relative path is resolved (default: the current folder).
    folders : iterable of Path, optional
        Folders in which names are looked up (default: $THINKTIME_LOGS, then the user's cache).

    Returns
    -------
    Path

    Raises
    ------
    InputError
        If there is no such log, or if several names begin with the given characters.
    """
    if not isinstance(log, str | os.PathLike):
        raise InputError(f"a log must be a name or a path (got {log!r:.40})")
    text = os.fspath(log)
    path = Path(text) if base is None else base / text
    if _exists(path):
        return path
    if Path(text).name != text:
        raise InputError(f"{text} does not exist: check the path, or give the name of a log")
    searched = list(log_folders() if folders is None else folders)
    for folder in searched:
        if _exists(folder / text):
            return folder / text
    return _find_by_name(text, logs_in(*searched))


def logs_in(*folders: Path) -> dict[str, Path]:
    """Return name → file for the logs in these folders; the first folder and the first ending have precedence."""
    endings = [ending + packing for ending in formats() for packing in ("", *PACKINGS)]
    found: dict[str, Path] = {}
    for folder in folders:
        files = sorted(folder.iterdir()) if folder.is_dir() else []
        for ending in endings:
            for path in files:
                if path.name.endswith(ending) and not path.name.startswith(".") and path.is_file():
                    found.setdefault(log_name(path), path)
    return dict(sorted(found.items()))


def catalogue_entry(text: str) -> CatalogueEntry:
    """Return the archive's log with this name, in any case, or with the only name that begins so."""
    names = {entry.name: entry for entry in CATALOGUE}
    near = _matching(log_name(text), names)
    if len(near) == 1:
        return names[near[0]]
    if near:
        raise _several(text, near)
    raise InputError(f"no log is called {text!r}{suggestion(text, names)}: see `thinktime logs list`")


def _find_by_name(text: str, known: dict[str, Path]) -> Path:
    archived = {entry.name: entry for entry in CATALOGUE}
    near = _matching(log_name(text), known)
    exact = [name for name in archived if name.lower() == log_name(text).lower()]
    if exact and [name.lower() for name in near] != [exact[0].lower()]:
        near = []  # a complete name never means another version of the log
    if len(near) == 1:
        return known[near[0]]
    if near:
        raise _several(text, near)
    listed = exact or _matching(log_name(text), archived)
    get = f"Run `thinktime logs get {listed[0]}`" if len(listed) == 1 else "Run `thinktime logs list`"
    hint = "" if listed else suggestion(text, [*known, *archived])
    raise InputError(f"No file or downloaded log named {text}{hint}. {get}, or set {FOLDER_VARIABLE}.")


def _matching(name: str, known: Iterable[str]) -> list[str]:
    """Return the one name that is equal, in any case, or else all names that begin so."""
    wanted = name.lower()
    known = list(known)
    return [each for each in known if each.lower() == wanted][:1] or [
        each for each in known if each.lower().startswith(wanted)
    ]


def _several(text: str, names: list[str]) -> InputError:
    return InputError(f"{text!r} matches several logs: choose one of {', '.join(names)}")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False
