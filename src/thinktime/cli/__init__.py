"""The command line. Bad input ends with one sentence on stderr and exit code 2, never with a traceback."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Sequence
from typing import TextIO

from thinktime.cli.error_messages import DONE, ENDED, INTERRUPTED, OUR_MISTAKE, sentence_and_code
from thinktime.support import terminal

__all__ = ["main"]

_END_REQUESTED = threading.Event()  # by SIGTERM


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with one of the codes in `error_messages.EXIT_CODES`."""
    _prepare_streams()
    _END_REQUESTED.clear()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _end_on_signal)
    try:
        code = _run_with_warnings(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:  # the reader of the output has closed it: `thinktime … | head`
        _to_nowhere(sys.stdout, sys.stderr)
        code = DONE
    sys.exit(code)


def _run_with_warnings(arguments: Sequence[str] | None) -> int:
    with warnings.catch_warnings():
        warnings.showwarning = _print_warning
        return _run_and_explain(arguments)


def _print_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning of the library as one line on stderr, without the place in the code."""
    terminal.line(f"thinktime: note: {message}", err=True)


def _run_and_explain(arguments: Sequence[str] | None) -> int:
    try:
        return _invoke_command(arguments)
    except BrokenPipeError:
        raise
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # rich ends the process with 1
            raise end.__context__ from None
        raise
    except BaseException as error:
        if _END_REQUESTED.is_set():  # a native library may turn the SystemExit of the signal into another error
            return ENDED
        return _explain_error(error, _given_command(arguments))


def _prepare_streams() -> None:
    """Replace closed standard streams (`>&-`), and characters that a stream cannot write."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - until the process ends
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _end_on_signal(number: int, frame: object) -> None:
    """Unwind on SIGTERM as on Ctrl-C, so that no incomplete files are left."""
    _END_REQUESTED.set()
    raise SystemExit(ENDED)


def _invoke_command(arguments: Sequence[str] | None) -> int:
    from typer.main import get_command

    from thinktime.cli.app import app, with_plain_texts

    code = with_plain_texts(get_command(app)).main(arguments, prog_name="thinktime", standalone_mode=False)
    if code == INTERRUPTED:  # newer versions of typer turn Ctrl-C into this code
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _given_command(arguments: Sequence[str] | None) -> str:
    """Return the command that was given: run, sessions, …; empty if none."""
    given = sys.argv[1:] if arguments is None else arguments
    return next((word for word in given if not word.startswith("-")), "")


def _explain_error(error: BaseException, command: str) -> int:
    """Print the message of an error, and a traceback if it is a bug; return the exit code."""
    sentence, code = sentence_and_code(error, command)
    if code == OUR_MISTAKE:
        terminal.line("".join(traceback.format_exception(error)), err=True)
    terminal.line(f"thinktime: {sentence}", err=True)
    if isinstance(error, OSError):
        _to_nowhere(sys.stdout)  # else the interpreter tries to write the rest once more
    return code


def _to_nowhere(*streams: TextIO) -> None:
    for stream in streams:
        with contextlib.suppress(OSError, ValueError):  # a stream without a file
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
