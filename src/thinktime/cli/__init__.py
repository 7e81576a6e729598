"""The command line. A user's mistake is one sentence on stderr and exit code 2, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from thinktime.cli.mistakes import sentence_and_code

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit: 0 done, 1 `check` found violations, 2 bad input, 130 interrupted."""
    _take_any_output()
    try:
        code = _invoke(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone, as in `thinktime … | head`
        _to_nowhere(sys.stdout.fileno())
        code = 1
    except BaseException as error:
        code = _explained(error)
    sys.exit(code)


def _take_any_output() -> None:
    """A closed output is one to nowhere; a character that an output cannot show is no reason to stop."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - for the life of the process
        elif hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="replace")


def _invoke(arguments: Sequence[str] | None) -> int:
    from typer.main import get_command

    from thinktime.cli.app import app

    code = get_command(app).main(arguments, prog_name="thinktime", standalone_mode=False)
    if code == 130:  # newer versions of typer turn Ctrl-C into this code
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _explained(error: BaseException) -> int:
    """Print what the user has to know; what is our own mistake keeps its traceback."""
    known = sentence_and_code(error)
    if known is None:
        raise error
    sentence, code = known
    print(f"thinktime: {sentence}", file=sys.stderr)
    if isinstance(error, OSError):
        _to_nowhere(sys.stdout.fileno())  # else the interpreter tries to write the rest once more
    return code


def _to_nowhere(descriptor: int) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
