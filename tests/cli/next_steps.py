"""The commands that the program prints for its reader to type next, and what happens when they are typed."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.cli.commands import Outcome, command, environment

#: A command in backticks, or one that ends its line: after a label, or after the word "details:".
PRINTED = re.compile(r"`(thinktime [^`]+)`|(?:^|  |: )(thinktime [^`\n]+)$", re.MULTILINE)
#: Words that stand for something the reader knows: such a command cannot be typed as it is.
PLACEHOLDERS = re.compile(r"\b(LOG|FILE|DIR|RUN|NAME|STUDY)\b|--help")


def printed_commands(outcome: Outcome) -> list[str]:
    """Every command that the output or the errors tell the reader to type, as printed."""
    found = [whole or tail for whole, tail in PRINTED.findall(f"{outcome.out}\n{outcome.err}")]
    return [each for each in dict.fromkeys(found) if not PLACEHOLDERS.search(each)]


def in_fresh_process(folder: Path, *arguments: object) -> Outcome:
    """One command in an interpreter of its own, which has imported nothing yet."""
    done = subprocess.run(
        command(*arguments), cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=120
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def typed(folder: Path, text: str, run: Callable[..., Outcome] = in_fresh_process) -> Outcome:
    """Run a printed command, split as a shell would split it."""
    program, *arguments = shlex.split(text)
    assert program == "thinktime", text
    return run(folder, *arguments)
