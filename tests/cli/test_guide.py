"""The guide's commands, run in its order."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.cli.commands import COMMANDS, thinktime

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "command_line.md"


def test_every_command_of_the_guide_works(tmp_path: Path) -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    lines = [shlex.split(line) for block in blocks for line in block.splitlines()]
    for program, *arguments in lines:
        outcome = thinktime(tmp_path, *arguments)
        assert (program, outcome.code, outcome.err) == ("thinktime", 0, ""), arguments
    assert {arguments[1] for arguments in lines} == set(COMMANDS) - {"logs", "import"}
