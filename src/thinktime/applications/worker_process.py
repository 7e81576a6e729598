"""One worker process of another simulator, which reads and writes lines of JSON.

docs/formats/application_protocol.md describes the messages. A worker runs in its own session, so that ending it ends
all processes that it has started; it ends with its object, at the latest with Python.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shlex
import signal
import subprocess
import tempfile
import time
import weakref
from collections.abc import Sequence
from typing import IO, Any, NoReturn

from thinktime import trust
from thinktime.errors import InputError

PROTOCOL = 1
HELLO_S = 60.0  # limit for the first message
PIECE = 1 << 20  # bytes read at once
PAGE = "docs/formats/application_protocol.md"


class Worker:
    """`worker.hello` is its first message; then `send`, and `receive` when `select` reports data."""

    def __init__(self, command: Sequence[str], hello_s: float = HELLO_S) -> None:
        self.command = shlex.join(command)
        trust.require(f"start `{self.command}`")
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  read when it dies
        self._process = _started(command, self._errors)
        self._end = weakref.finalize(self, _end, self._process, self._errors)
        self._unread = bytearray()
        self.hello = self._greeted(hello_s)

    def fileno(self) -> int:
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    @property
    def name(self) -> str:
        """Return the simulator and its version."""
        return f"{self.hello.get('simulator', 'a simulator')} {self.hello.get('version', '')}".strip()

    def close(self) -> None:
        """End the process; a second call does nothing."""
        self._end()

    def send(self, message: dict[str, Any], timeout_s: float) -> None:
        assert self._process.stdin is not None
        pipe, data = self._process.stdin.fileno(), memoryview(json.dumps(message, allow_nan=False).encode() + b"\n")
        until = time.monotonic() + timeout_s
        while data:
            if not select.select([], [pipe], [], max(until - time.monotonic(), 0.0))[1]:
                self.silent(timeout_s)
            try:
                data = data[os.write(pipe, data) :]
            except BrokenPipeError:
                self._died()

    def receive(self, timeout_s: float) -> dict[str, Any]:
        """Return the next message; fail if it takes longer than the timeout."""
        until = time.monotonic() + timeout_s
        while (message := self.heard()) is None:
            if not select.select([self], [], [], max(until - time.monotonic(), 0.0))[0]:
                self.silent(timeout_s)
            self.listen()
        return message

    def listen(self) -> None:
        """Read available data; wait if there is none."""
        piece = os.read(self.fileno(), PIECE)
        if not piece:
            self._died()
        self._unread += piece

    def heard(self) -> dict[str, Any] | None:
        """Return a message that has arrived completely; None if there is none."""
        end = self._unread.find(b"\n")
        if end < 0:
            return None
        line = bytes(self._unread[:end])
        del self._unread[: end + 1]
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            self.fail(f"wrote {line[:60]!r}, which is not a message: print only one JSON object per line ({PAGE})")
        return message

    def fail(self, what: str) -> NoReturn:
        """End the process and raise InputError."""
        self.close()
        raise InputError(f"the worker {self.command} {what}")

    def silent(self, timeout_s: float) -> NoReturn:
        self.fail(f"was silent for {timeout_s:g} s: check what it does, or give a larger timeout_s")

    def _greeted(self, hello_s: float) -> dict[str, Any]:
        try:
            hello = self.receive(hello_s)
        except BaseException:
            self.close()
            raise
        if hello.get("protocol") != PROTOCOL:
            spoken = hello.get("protocol", "none")
            self.fail(f"speaks protocol {spoken} but {PROTOCOL} is needed: use the worker of this version ({PAGE})")
        if "error" in hello:
            self.fail(f"failed: {hello['error']}")
        return hello

    def _died(self) -> NoReturn:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code, last = self._process.poll(), _last_line(self._errors)
        how = "closed its pipe" if code is None else f"ended with {_exit_text(code)}"
        self.fail(f"{how}{f' and wrote {last!r}' if last else ''}: run it by hand to see why")


def _started(command: Sequence[str], errors: IO[bytes]) -> subprocess.Popen[bytes]:
    try:
        process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, start_new_session=True
        )
    except OSError as error:
        errors.close()
        why = error.strerror or str(error)
        raise InputError(f"the worker {shlex.join(command)} did not start ({why}): check the command") from error
    assert process.stdin is not None
    os.set_blocking(process.stdin.fileno(), False)
    return process


def _end(process: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
    """Kill the session: the worker and its children."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout, errors):
        with contextlib.suppress(OSError):
            assert pipe is not None
            pipe.close()


def _last_line(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = [line for line in errors.read().decode(errors="replace").splitlines() if line.strip()]
    return lines[-1].strip()[:300] if lines else ""


def _exit_text(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"code {code}"
