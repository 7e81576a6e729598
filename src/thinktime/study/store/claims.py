"""Claims: which process runs which task of a store, so that several processes can share a study.

    claims/owners/OWNER   one per process that works on the store: its host, and a count that it raises while it lives
    claims/RUN.0          created exclusively: the run belongs to the owner named in the file
    claims/RUN.1          created by a process that found the owner of RUN.0 dead, and so on: the last number counts

Exclusive creation is atomic on local and on network file systems, and nothing is renamed, so a claim has one owner. A
process on the same host is dead if its pid is gone. A process elsewhere is dead if its count has not changed for
`STALE_S` by the observer's clock. Claims only save work: if a run is executed twice, both outcomes are equal.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import socket
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any

from thinktime.errors import InputError

CLAIMS, OWNERS = "claims", "owners"
BEAT_S = 10.0  # between two signs of life
STALE_S = 180.0  # without one; network file systems may show a file as it was a minute ago
RECENT_S = 0.5  # the state of another process is checked again after this time

_numbers = itertools.count(1)  # two Claims of one process have different names


class Claims:
    """`claims.take(run)` before a run, `claims.release(run)` when its outcome is kept, `claims.close()` at the end."""

    def __init__(self, store: Path) -> None:
        self._folder = store / CLAIMS
        self._name = f"{socket.gethostname()}-{os.getpid()}-{time.time_ns()}-{next(_numbers)}"
        self._held: set[str] = set()
        self._others = Others(self._folder)
        self._over, self._beating = threading.Event(), None  # type: tuple[threading.Event, threading.Thread | None]

    def take(self, run: str) -> bool:
        """Claim the run; return False while another living process has it."""
        self._begin()
        number, owner = self._current(run)
        if owner is not None and (owner == self._name or self._others.live(owner, f"{run}.{number}")):
            return owner == self._name
        if not self._made(f"{run}.{number + 1}"):
            return False
        self._held.add(run)
        return True

    def shared(self) -> bool:
        """Whether other processes work on the store."""
        return self._others.any(self._name)

    def release(self, run: str) -> None:
        """Release a run: the next process finds its outcome, or runs it."""
        self._held.discard(run)
        for number in range(self._last(run), -1, -1):
            (self._folder / f"{run}.{number}").unlink(missing_ok=True)

    def close(self) -> None:
        self._over.set()
        for run in list(self._held):
            self.release(run)
        if self._beating is not None:
            self._beating.join()
            self._owner_file.unlink(missing_ok=True)
            self._others.remove_dead()
            with contextlib.suppress(OSError):  # not empty: other processes continue
                self._owner_file.parent.rmdir()
                self._folder.rmdir()

    @property
    def _owner_file(self) -> Path:
        return self._folder / OWNERS / self._name

    def _begin(self) -> None:
        """Register this process, with the first claim."""
        if self._beating is not None:
            return
        try:
            self._owner_file.parent.mkdir(parents=True, exist_ok=True)
            self._beat(0)
        except OSError as error:
            raise InputError(f"Cannot write to the store ({error.strerror}): make room and try again") from None
        self._beating = threading.Thread(target=self._live, daemon=True)
        self._beating.start()

    def _live(self) -> None:
        for count in itertools.count(1):
            if self._over.wait(BEAT_S):
                return
            with contextlib.suppress(OSError):  # a full disk does not end a run; other processes may repeat it
                self._beat(count)

    def _beat(self, count: int) -> None:
        sign = {"count": count, "machine": machine(), "pid": os.getpid(), "started": started(os.getpid())}
        self._owner_file.write_text(json.dumps(sign), encoding="utf-8")

    def _current(self, run: str) -> tuple[int, str | None]:
        """Return the last number of a run's claims and the owner's name; -1 and None without a claim."""
        number = self._last(run)
        if number < 0:
            return -1, None
        return number, _text_if_readable(self._folder / f"{run}.{number}") or ""  # empty if it has just been released

    def _last(self, run: str) -> int:
        numbers = itertools.count()
        return next(number for number in numbers if not (self._folder / f"{run}.{number}").exists()) - 1

    def _made(self, name: str) -> bool:
        try:
            with (self._folder / name).open("x", encoding="utf-8") as file:
                file.write(self._name)
        except FileExistsError:
            return False
        except OSError as error:
            raise InputError(f"Cannot write to the store ({error.strerror}): make room and try again") from None
        return True


class Others:
    """The state of the other processes that work on a store."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: dict[str, tuple[Any, float]] = {}  # owner → its last sign of life, and when it was first seen
        self._known: dict[str, tuple[bool, float]] = {}  # owner → whether it lives, and when this was checked

    def live(self, owner: str, claim: str) -> bool:
        """Whether the owner of a claim lives. A claim without an owner is being written."""
        name = owner or claim
        alive, looked = self._known.get(name, (False, -RECENT_S))
        if time.monotonic() - looked >= RECENT_S:
            alive = self._lives(name, owner)
            self._known[name] = alive, time.monotonic()
        return alive

    def any(self, own: str) -> bool:
        owners = _file_names_in(self._folder / OWNERS)
        return any(owner != own and self.live(owner, "") for owner in owners)

    def remove_dead(self) -> None:
        """Remove the claims of dead processes: the last claim of a run, because earlier ones lead to it."""
        for claim in sorted(_file_names_in(self._folder), key=len, reverse=True):
            run, _, number = claim.rpartition(".")
            follower = self._folder / f"{run}.{int(number) + 1}" if number.isdigit() else None
            owner = _text_if_readable(self._folder / claim) if follower is not None and not follower.exists() else None
            if owner and not self.live(owner, claim):
                (self._folder / claim).unlink(missing_ok=True)
        for owner in _file_names_in(self._folder / OWNERS):
            if not self.live(owner, ""):
                (self._folder / OWNERS / owner).unlink(missing_ok=True)

    def _lives(self, name: str, owner: str) -> bool:
        sign = _sign(self._folder / OWNERS / owner) if owner else "unnamed"
        if sign is None:
            return False
        if isinstance(sign, dict) and sign.get("machine") == machine():
            return sign.get("started") == started(sign.get("pid", 0))
        if name not in self._seen or self._seen[name][0] != sign:
            self._seen[name] = sign, time.monotonic()
        return time.monotonic() - self._seen[name][1] < STALE_S


def _file_names_in(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _sign(path: Path) -> Any:
    """Return the sign of life of an owner; None if it is gone, its text if it is being written."""
    text = _text_if_readable(path)
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        return text


def _text_if_readable(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


@cache
def machine() -> str:
    """Return an identifier of the space of pids: host, boot and container."""
    boot = _text_if_readable(Path("/proc/sys/kernel/random/boot_id")) or ""
    try:
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        space = ""
    return f"{socket.gethostname()} {boot.strip()} {space}"


def started(pid: int) -> str | None:
    """Return when a process of this host started, which distinguishes reused pids; None if it has ended."""
    text = _text_if_readable(Path(f"/proc/{pid}/stat"))
    if text is not None:
        after = text.rpartition(")")[2].split()
        return None if after[0] in "ZX" else after[19]
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except OSError:
        return "unknown"
    return None if Path("/proc/self/stat").exists() else "unknown"
