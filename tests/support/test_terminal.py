"""Control characters never reach a terminal, by whatever way text is printed."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared_data import ROOT
from thinktime.support import terminal

HOSTILE = "a\x1b]0;owned\x07\x1b[2J\x9b31m\u202eb\x7f [red]c[/] [/] :smile: \r\x00"


@given(st.text())
def test_plain_text_has_no_controls_and_keeps_the_rest(text: str) -> None:
    shown = terminal.plain(text)
    assert not any(letter < " " and letter not in "\t\n" for letter in shown)
    assert not re.search("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)
    assert terminal.plain(shown) == shown
    if text.isprintable():
        assert shown.startswith(text[:1])


@given(st.text())
def test_json_keeps_its_value(text: str) -> None:
    shown = terminal.plain_json(json.dumps({"a": text}, ensure_ascii=False))
    assert json.loads(shown) == {"a": text}
    assert terminal.plain(shown) == shown


@pytest.mark.parametrize("as_terminal", [True, False])
def test_a_console_shows_markup_and_escapes_as_they_are(as_terminal: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    out = io.StringIO()
    console = terminal.console(file=out, force_terminal=as_terminal, width=200)
    table = Table(HOSTILE)
    table.add_row(HOSTILE)
    for each in (HOSTILE, Text(HOSTILE, style="bold"), table):
        console.print(each)
    own = re.compile(r"\x1b\[[0-9;]*m")
    assert "\x1b" not in own.sub("", out.getvalue())
    assert not set("\x07\x9b\u202e\x7f\r\x00") & set(out.getvalue())
    assert out.getvalue().count("[red]c[/] [/] :smile:") == 4
    assert ("\x1b[1m" in out.getvalue()) == as_terminal


def test_progress_bars_show_names_as_they_are() -> None:
    from thinktime.cli.printing.progress import Stage, _bar

    with _bar() as bar:
        out = bar.console.file = io.StringIO()
        bar.add_task(Stage(HOSTILE).words, total=1, said="")
        bar.console.print(bar.get_renderable())
    assert "[red]c[/]" in out.getvalue()
    assert "\x07" not in out.getvalue()


#: Help is made of our own words only.
HELP = re.compile(r"typer\.echo\((context\.get_help\(\)|f\"thinktime \{__version__\}\")\)")


def test_commands_print_through_the_terminal_only() -> None:
    """A new `print` or `typer.echo` in a command would pass control characters on."""
    for path in sorted((ROOT / "src" / "thinktime" / "cli").glob("*.py")):
        text = HELP.sub("", path.read_text(encoding="utf-8")).replace("typer.echo(terminal.plain_json(", "")
        assert not re.search(r"typer\.echo\(|(?<![\w.])(?<!def )print\(|rich\.console|Console\(", text), path.name


def test_the_reference_lists_every_exit_code() -> None:
    from thinktime.cli.error_messages import EXIT_CODES

    page = Path(ROOT / "docs" / "reference" / "command_line.md").read_text(encoding="utf-8")
    for code, meaning in EXIT_CODES.items():
        assert f"| {code} | {meaning} |" in page
