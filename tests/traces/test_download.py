"""Downloads against a server of our own: whole, resumed, started over, wrong, missing, interrupted."""

from __future__ import annotations

import hashlib
import http.server
import json
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from thinktime.errors import InputError
from thinktime.traces import download as fetching
from thinktime.traces.download import download

CONTENT = bytes(range(256)) * 2000
SUM = hashlib.sha256(CONTENT).hexdigest()


class Archive(http.server.BaseHTTPRequestHandler):
    """Serves CONTENT under /log; the server's `behaviour` makes it difficult."""

    def do_GET(self) -> None:
        server: Any = self.server
        server.asked.append(dict(self.headers))
        if self.path != "/log":
            return self.send_error(404)
        start = self._start()
        if start is not None and start >= len(CONTENT):
            return self.send_error(416)
        body = CONTENT[start or 0 :]
        self.send_response(206 if start is not None else 200)
        if "no length" not in server.behaviour:
            self.send_header("Content-Length", str(len(body)))
        if "no validator" not in server.behaviour:
            self.send_header("ETag", server.etag)
        if start is not None:
            self.send_header("Content-Range", f"bytes {start}-{len(CONTENT) - 1}/{len(CONTENT)}")
        self.end_headers()
        if "interrupted" in server.behaviour:
            server.behaviour.discard("interrupted")
            body = body[:100_000]
        self.wfile.write(body)
        return None

    def _start(self) -> int | None:
        server: Any = self.server
        asked = self.headers.get("Range")
        if asked is None or "no ranges" in server.behaviour or self.headers.get("If-Range") != server.etag:
            return None
        return int(asked.removeprefix("bytes=").removesuffix("-"))

    def log_message(self, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def server() -> Iterator[Any]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Archive) as running:
        prepared: Any = running
        prepared.behaviour, prepared.asked, prepared.etag = set(), [], '"one"'
        prepared.url = f"http://127.0.0.1:{running.server_address[1]}/log"
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield prepared
        running.shutdown()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def interrupted(server: Any, target: Path) -> None:
    server.behaviour.add("interrupted")
    with pytest.raises(InputError, match="run the command again to resume"):
        download(server.url, target, SUM)
    assert names(target.parent) == ["log.part", "log.part.json"]
    assert target.with_name("log.part").stat().st_size == 100_000


def test_a_whole_download(server: Any, tmp_path: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    found = download(server.url, tmp_path / "new" / "log", SUM, lambda done, total: seen.append((done, total)))
    assert found == SUM
    assert names(tmp_path / "new") == ["log"]
    assert (tmp_path / "new" / "log").read_bytes() == CONTENT
    assert (seen[0], seen[-1]) == ((0, len(CONTENT)), (len(CONTENT), len(CONTENT)))


def test_an_interrupted_download_is_resumed(server: Any, tmp_path: Path) -> None:
    interrupted(server, tmp_path / "log")
    seen: list[int] = []
    download(server.url, tmp_path / "log", SUM, lambda done, total: seen.append(done))
    assert server.asked[-1]["Range"] == "bytes=100000-"
    assert seen[0] == 100_000
    assert (tmp_path / "log").read_bytes() == CONTENT
    assert names(tmp_path) == ["log"]


@pytest.mark.parametrize("change", ["no ranges", "another version"])
def test_a_server_that_does_not_continue_starts_over(server: Any, tmp_path: Path, change: str) -> None:
    interrupted(server, tmp_path / "log")
    server.behaviour.add(change)
    server.etag = '"one"' if change == "no ranges" else '"two"'
    download(server.url, tmp_path / "log", SUM)
    assert "Range" in server.asked[-1]
    assert (tmp_path / "log").read_bytes() == CONTENT


def test_without_a_validator_nothing_is_continued(server: Any, tmp_path: Path) -> None:
    server.behaviour.add("no validator")
    interrupted(server, tmp_path / "log")
    download(server.url, tmp_path / "log", SUM)
    assert "Range" not in server.asked[-1]
    assert (tmp_path / "log").read_bytes() == CONTENT


def test_a_part_that_is_already_whole(server: Any, tmp_path: Path) -> None:
    (tmp_path / "log.part").write_bytes(CONTENT)
    (tmp_path / "log.part.json").write_text(json.dumps({"url": server.url, "validator": server.etag}))
    assert download(server.url, tmp_path / "log", SUM) == SUM
    assert names(tmp_path) == ["log"]


@pytest.mark.parametrize("notes", ["", "[]", "{}", '{"url": "http://elsewhere/"}'])
def test_a_part_of_something_else_is_not_continued(server: Any, tmp_path: Path, notes: str) -> None:
    (tmp_path / "log.part").write_bytes(b"something else")
    (tmp_path / "log.part.json").write_text(notes)
    assert download(server.url, tmp_path / "log", SUM) == SUM


def test_a_wrong_sum_leaves_nothing(server: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"sha256 {SUM} but {'0' * 64} is expected"):
        download(server.url, tmp_path / "log", "0" * 64)
    assert names(tmp_path) == []


def test_an_old_file_stays_until_the_new_one_is_whole(server: Any, tmp_path: Path) -> None:
    (tmp_path / "log").write_text("old")
    server.behaviour.add("interrupted")
    with pytest.raises(InputError):
        download(server.url, tmp_path / "log", SUM)
    assert (tmp_path / "log").read_text() == "old"


def test_what_cannot_be_fetched(server: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="answers 404"):
        download(server.url + "s", tmp_path / "log")
    with pytest.raises(InputError, match=r"Cannot fetch .* Check the network"):
        download("http://127.0.0.1:9/log", tmp_path / "log")
    with pytest.raises(InputError, match="not a web address"):
        download("file:///etc/hostname", tmp_path / "log")
    assert names(tmp_path) == []


def test_a_folder_that_cannot_be_written(server: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InputError, match="Cannot write"):
        download(server.url, tmp_path / "file" / "log")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full to write to")
def test_a_full_disk(server: Any, tmp_path: Path) -> None:
    (tmp_path / "log.part").symlink_to("/dev/full")
    with pytest.raises(InputError, match="No space left on device"):
        download(server.url, tmp_path / "log", SUM)
    assert not (tmp_path / "log").exists()


def test_https_is_verified(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes the certificate, is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    subprocess.run(
        [*make, "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
        check=True,
        capture_output=True,
    )
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Archive) as running:
        prepared: Any = running
        prepared.behaviour, prepared.asked, prepared.etag = set(), [], '"one"'
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        running.socket = context.wrap_socket(running.socket, server_side=True)
        threading.Thread(target=running.serve_forever, daemon=True).start()
        url = f"https://localhost:{running.server_address[1]}/log"
        trusting = ssl.create_default_context(cafile=str(certificate))
        assert download(url, tmp_path / "log", SUM, context=trusting) == SUM
        with pytest.raises(InputError, match="CERTIFICATE_VERIFY_FAILED"):
            download(url, tmp_path / "log", SUM)
        running.shutdown()


@pytest.mark.parametrize("announced", [True, False])
def test_a_download_that_is_too_large_leaves_nothing(
    server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, announced: bool
) -> None:
    monkeypatch.setattr(fetching, "MOST_BYTES", 100_000)
    server.behaviour |= set() if announced else {"no length"}
    with pytest.raises(InputError, match="more than any log"):
        download(server.url, tmp_path / "log", SUM)
    assert names(tmp_path) == []


@pytest.mark.parametrize("announced", [True, False])
def test_a_download_leaves_room_on_the_disk(
    server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, announced: bool
) -> None:
    free = len(CONTENT) + fetching.SPARE_BYTES - 1

    def usage(folder: Path) -> Any:
        used = sum(path.stat().st_size for path in folder.iterdir())
        return shutil._ntuple_diskusage(free, used, free - used)  # type: ignore[attr-defined]

    monkeypatch.setattr(fetching.shutil, "disk_usage", usage)
    server.behaviour |= set() if announced else {"no length"}
    with pytest.raises(InputError, match="does not fit into"):
        download(server.url, tmp_path / "log", SUM)
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "url",
    ["http://[::1", "http://", "http://host:port/", "http://host:99999999/", "ftp://host/", "file:///etc/passwd",
     "http://" + "a" * 70 + ".org/", "http://ho st/", "http://h/\n", "http://\udcff/", "", "[", "http://host:-1/"],
)  # fmt: skip
def test_addresses_that_are_none(tmp_path: Path, url: str) -> None:
    with pytest.raises(InputError):
        download(url, tmp_path / "log")
    assert names(tmp_path) == []
