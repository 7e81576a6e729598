"""The error message and the exit code of an exception."""

from __future__ import annotations

import re
from collections.abc import Sequence

import typer

from thinktime.errors import InputError

DONE, VIOLATED, BAD_INPUT, INCOMPLETE, OUR_MISTAKE = 0, 1, 2, 3, 70
INTERRUPTED, ENDED = 130, 143  # what a shell reports for a process ended by Ctrl-C and by SIGTERM

#: The meaning of each code, for the reference page.
EXIT_CODES = {
    DONE: "done; also if the reader of the output has closed it",
    VIOLATED: "`check` found a violated invariant",
    BAD_INPUT: "bad input, or an error of the system: one sentence on stderr says what is wrong and what to do",
    INCOMPLETE: "done, but a run of a study failed or a reproduction missed a value",
    OUR_MISTAKE: "a bug in thinktime: please report the traceback on stderr",
    INTERRUPTED: "interrupted by Ctrl-C",
    ENDED: "ended by SIGTERM",
}

LONGEST = 2000  # characters of a message

#: typer's base class of errors in the command line
UsageError = typer.BadParameter.__mro__[1]


#: command → how to use less memory
FRUGAL = {
    "run": "use `thinktime run LOG --stream`, which needs little memory",
    "sessions": "use a larger --threshold, without --full and --edges",
    "generate": "use a shorter --log",
    "resample": "use one log at a time, or a --piece of it",
    "study": "run fewer at once, with --threads 1",
    "reproduce": "run fewer at once, with --threads 1",
}


def sentence_and_code(error: BaseException, command: str = "") -> tuple[str, int]:
    """Return the message for the user and the exit code; `command` is run, sessions, …"""
    if isinstance(error, InputError):
        return _shorten_to_one_line(str(error)), BAD_INPUT
    if isinstance(error, UsageError):
        return _usage_message(error), BAD_INPUT
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return "interrupted: no incomplete files were left", INTERRUPTED
    if isinstance(error, OSError):
        return _system_message(error), BAD_INPUT
    if isinstance(error, MemoryError):
        advice = FRUGAL.get(command, "use fewer jobs, or a machine with more memory")
        return f"not enough memory: {advice}", BAD_INPUT
    if isinstance(error, RecursionError):
        return "the input is nested too deeply: use fewer levels of tables or brackets", BAD_INPUT
    what = _shorten_to_one_line(f"{type(error).__name__}: {error}")
    return f"unexpected error ({what}): this is a bug in thinktime, please report it with the lines above", OUR_MISTAKE


def _usage_message(error: BaseException) -> str:
    """`no such option: --foo (did you mean --for?): see `thinktime run --help``."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "thinktime"
    message = _shorten_to_one_line(error.format_message())  # type: ignore[attr-defined]
    options: Sequence[str] = getattr(error, "possibilities", None) or ()
    if len(options) > 1:  # keep the closest option only
        from thinktime.spec.values import closest

        near = closest(str(getattr(error, "option_name", "")), options)
        words = re.split(r"\.? \(?(?:Possible|Did you mean)", message)[0]
        message = f"{words} (did you mean {near or options[0]}?)"
    for pattern in (r"\(Possible options: (.*)\)", r"\.? Did you mean (.*)\?"):
        message = re.sub(pattern, r" (did you mean \1?)", message).replace("  ", " ")
    return f"{message[:1].lower()}{message[1:].rstrip('.')}: see `{command} --help`"


def _system_message(error: OSError) -> str:
    """Return the message of the operating system, for example `No space left on device`, with the file."""
    reason = error.strerror or str(error) or type(error).__name__
    where = f" {error.filename}" if error.filename else ""
    return f"cannot access{where or ' a file'} ({reason}): check the disk, the path and its permissions"


def _shorten_to_one_line(text: str) -> str:
    """Return the text as one line, cut in the middle if it is very long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST // 2]} … {line[-LONGEST // 2 :]}"
