"""From an exception to the one sentence that the user reads, and the exit code."""

from __future__ import annotations

import re

import typer

from thinktime.errors import InputError

DONE, VIOLATED, BAD_INPUT, INCOMPLETE, OUR_MISTAKE = 0, 1, 2, 3, 70
INTERRUPTED, ENDED = 130, 143  # what a shell reports for a process ended by Ctrl-C and by SIGTERM

#: The meaning of each code, for the reference page.
EXIT_CODES = {
    DONE: "done; also when the reader of the output has gone",
    VIOLATED: "`check` found a violated invariant",
    BAD_INPUT: "bad input, or the system refuses: one sentence on stderr names the value, the rule and the next step",
    INCOMPLETE: "done, but a run of a study failed, or a reproduction missed a value",
    OUR_MISTAKE: "a mistake in thinktime: a traceback on stderr, to be reported",
    INTERRUPTED: "interrupted by Ctrl-C",
    ENDED: "ended by SIGTERM",
}

LONGEST = 2000  # letters of a sentence

#: typer's base of all mistakes on the command line, whichever library it takes it from.
UsageError = typer.BadParameter.__mro__[1]


#: command → what needs less memory
FRUGAL = {
    "run": "try `thinktime run LOG --stream`, which needs little",
    "sessions": "take a larger --threshold, and leave out --full and what lists the edges",
    "generate": "take a shorter --log",
    "resample": "take one log at a time, or a --piece of it",
    "study": "run fewer at once, with --threads 1",
    "reproduce": "run fewer at once, with --threads 1",
}


def sentence_and_code(error: BaseException, command: str = "") -> tuple[str, int]:
    """What to tell the user, and the exit code. `command` is what was asked for: run, sessions, …"""
    if isinstance(error, InputError):
        return _one_line(str(error)), BAD_INPUT
    if isinstance(error, UsageError):
        return _usage(error), BAD_INPUT
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return "interrupted: nothing half-written was left behind", INTERRUPTED
    if isinstance(error, OSError):
        return _system(error), BAD_INPUT
    if isinstance(error, MemoryError):
        advice = FRUGAL.get(command, "take fewer jobs, or a machine with more memory")
        return f"there is not enough memory: {advice}", BAD_INPUT
    if isinstance(error, RecursionError):
        return "the input is nested too deeply: use fewer tables or brackets inside each other", BAD_INPUT
    what = _one_line(f"{type(error).__name__}: {error}")
    return f"unexpected error ({what}): a mistake in thinktime, please report it with the lines above", OUR_MISTAKE


def _usage(error: BaseException) -> str:
    """`no such option: --foo (did you mean --for?): see `thinktime run --help``."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "thinktime"
    message = _one_line(error.format_message())  # type: ignore[attr-defined]
    for pattern in (r"\(Possible options: (.*)\)", r"\.? Did you mean (.*)\?"):
        message = re.sub(pattern, r" (did you mean \1?)", message).replace("  ", " ")
    return f"{message[:1].lower()}{message[1:].rstrip('.')}: see `{command} --help`"


def _system(error: OSError) -> str:
    """The operating system's own words, e.g. `No space left on device`, with the file if it is known."""
    reason = error.strerror or str(error) or type(error).__name__
    where = f" {error.filename}" if error.filename else ""
    return f"the system refuses{where} ({reason}): check the disk, the path and its permissions"


def _one_line(text: str) -> str:
    """One line, of a length that a person reads: a value of a megabyte is cut."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST // 2]} … {line[-LONGEST // 2 :]}"
