"""Downloads a file over HTTP(S): resumes interrupted downloads, and checks the checksum before it renames the file.

During the download the file is NAME.part, and NAME.part.json has its address and version.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import shutil
import ssl
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from email.message import Message
from pathlib import Path
from typing import IO

from thinktime.errors import InputError
from thinktime.support.files import json_of

_BLOCK = 1 << 16
_TIMEOUT_S = 30
MOST_BYTES = 8 << 30  # the largest logs of the archive have some hundred MB
SPARE_BYTES = 64 << 20  # of the disk to keep free
_NETWORK = (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError, ssl.SSLError)

#: Called with (bytes so far, bytes in all or None).
Progress = Callable[[int, int | None], None]


def download(
    url: str,
    target: Path,
    sha256: str | None = None,
    progress: Progress | None = None,
    context: ssl.SSLContext | None = None,
) -> str:
    """Fetch `url` into `target` and return the sha256 of the file."""
    if not _is_web_address(url):
        raise InputError(f"{url} is not a web address: it must begin with https:// or http://, and name a host")
    part = _Part(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part.fetch(url, progress or (lambda done, total: None), context)
        return part.complete(url, sha256)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"Cannot write {target}: {reason}. Free space, or choose another folder.") from None


def _is_web_address(url: str) -> bool:
    try:
        parts = urllib.parse.urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:  # a bracket without its partner, a port that is not a number
        return False


class _Part:
    """A file during its download."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.path = target.with_name(target.name + ".part")
        self.notes = target.with_name(target.name + ".part.json")

    def fetch(self, url: str, progress: Progress, context: ssl.SSLContext | None) -> None:
        have, validator = self._begun(url)
        request = urllib.request.Request(url, headers={"User-Agent": "thinktime", **_range_headers(have, validator)})
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S, context=context) as answer:
                self._receive(answer, url, have, progress)
        except urllib.error.HTTPError as error:
            if error.code == 416 and have:  # nothing follows what we have: the file at the address has changed
                self._forget()
                return self.fetch(url, progress, context)
            raise InputError(
                f"{url} answers {error.code} {error.reason}: check the name, or give another --url"
            ) from None
        except _NETWORK as error:
            reason = getattr(error, "reason", None) or error
            raise InputError(
                f"Cannot fetch {url}: {reason}. Check the network, then run the command again to resume."
            ) from None
        except UnicodeError as error:  # an invalid host name
            raise InputError(f"Cannot fetch {url}: {error}. Check the address.") from None

    def complete(self, url: str, sha256: str | None) -> str:
        found = sha256_of(self.path)
        if sha256 is not None and found != sha256:
            self._forget()
            raise InputError(
                f"{url} has sha256 {found} but {sha256} is expected: the file has changed or is damaged, get it again"
            )
        self.path.replace(self.target)
        self._forget()
        return found

    def _receive(self, answer: http.client.HTTPResponse, url: str, have: int, progress: Progress) -> None:
        """Append if the server continues where we stopped, else start over."""
        resumed = answer.status == 206 and _range_start(answer.headers) == have
        done = have if resumed else 0
        length = answer.headers.get("Content-Length", "")
        total = done + int(length) if length.isdigit() else None
        self._require_room(url, done, total)
        self._note(url, answer.headers)
        with open(self.path, "ab" if resumed else "wb") as file:
            for so_far in _copied(answer, file, done):
                done = so_far
                self._require_room(url, done, None)
                progress(done, total)
        if total is not None and done < total:
            raise http.client.IncompleteRead(b"", total - done)

    def _require_room(self, url: str, done: int, total: int | None) -> None:
        """Raise InputError, and delete what there is, if the file is too large for a log or for the disk."""
        free, size = shutil.disk_usage(self.path.parent).free, total or done
        wanted = 0 if total is None else total - done
        if size <= MOST_BYTES and wanted + SPARE_BYTES <= free:
            return
        self._forget()
        if size > MOST_BYTES:
            raise InputError(f"{url} has more than {MOST_BYTES >> 30} GiB, more than any log: check the address")
        raise InputError(
            f"{url} does not fit into {self.path.parent} ({wanted >> 20:,} MiB to come, {free >> 20:,} MiB free):"
            " free space or choose another folder"
        )

    def _begun(self, url: str) -> tuple[int, str]:
        """Return the number of bytes that can be resumed, and the version of the file on the server."""
        try:
            notes = json_of(self.notes)
            have = self.path.stat().st_size
        except (OSError, ValueError):
            return 0, ""
        same = isinstance(notes, dict) and notes.get("url") == url
        return (have, str(notes.get("validator", ""))) if same and notes.get("validator") else (0, "")

    def _note(self, url: str, headers: Message) -> None:
        """Record the version: the strong ETag, else the date."""
        tag = headers.get("ETag", "")
        validator = headers.get("Last-Modified", "") if not tag or tag.startswith("W/") else tag
        self.notes.write_text(json.dumps({"url": url, "validator": validator}))

    def _forget(self) -> None:
        self.path.unlink(missing_ok=True)
        self.notes.unlink(missing_ok=True)


def sha256_of(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _range_headers(have: int, validator: str) -> dict[str, str]:
    return {"Range": f"bytes={have}-", "If-Range": validator} if have else {}


def _range_start(headers: Message) -> int | None:
    """Return 40 for `Content-Range: bytes 40-99/100`."""
    start = headers.get("Content-Range", "").removeprefix("bytes").strip().partition("-")[0]
    return int(start) if start.isdigit() else None


def _copied(answer: IO[bytes], file: IO[bytes], done: int) -> Iterator[int]:
    """Yield the bytes so far, after every block."""
    yield done
    while block := answer.read(_BLOCK):
        file.write(block)
        done += len(block)
        yield done
