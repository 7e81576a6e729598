"""Shell completion, asked for by a real bash: commands, options, names of schedulers and of logs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import environment

BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None, reason="bash is not installed")

#: Load the script that `thinktime --show-completion` prints, then complete a line as the Tab key does.
COMPLETE = """
eval "$(thinktime --show-completion)"
COMP_WORDS=({words}); COMP_CWORD={last}
COMP_LINE="{words}"; COMP_POINT=${{#COMP_LINE}}
$(complete -p thinktime | sed 's/.*-F \\([^ ]*\\) .*/\\1/') thinktime
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def shell(tmp_path: Path) -> Path:
    """A folder with a program `thinktime` and one log."""
    program = tmp_path / "bin" / "thinktime"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m thinktime "$@"\n')
    program.chmod(0o755)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "KTH-SP2-1996-2.1-cln.swf.gz").touch()
    return tmp_path


def completed(folder: Path, line: str) -> list[str]:
    """Return what bash offers for the last word of a line."""
    words = line.split(" ")
    script = COMPLETE.format(words=" ".join(word or '""' for word in words), last=len(words) - 1)
    variables = environment(folder)
    variables["PATH"] = f"{folder / 'bin'}:{variables['PATH']}"
    done = subprocess.run(
        [str(BASH), "--norc", "-c", script], cwd=folder, env=variables, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("thinktime comp", {"compare"}),
        ("thinktime run --sched", {"--scheduler"}),
        ("thinktime run default --scheduler ea", {"easy"}),
        ("thinktime run default --users sess", {"session-replay"}),
        ("thinktime run KTH", {"KTH-SP2-1996-2.1-cln"}),
        ("thinktime study r", {"run", "resume"}),
        ("thinktime plot some/run gan", {"gantt"}),
        ("thinktime nothing --x", set()),
    ],
)
def test_bash_completes(shell: Path, line: str, offered: set[str]) -> None:
    assert set(completed(shell, line)) == offered
