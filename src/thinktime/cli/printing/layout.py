"""The layout of what commands print: labelled rows, tables, commands to type next, JSON."""

from __future__ import annotations

import json
import shlex
import sys
import textwrap
from collections.abc import Iterable
from functools import cache
from typing import Any

import typer

from thinktime.support import terminal

LABEL = 11  # columns of the labels at the left
WIDTH = 110  # columns where output is not a terminal


@cache
def console() -> Any:
    """Return the console of standard output. Output to a file has no colours and is not cut."""
    return terminal.console(width=None if sys.stdout.isatty() else WIDTH)


def heading(text: str) -> None:
    from rich.text import Text

    console().print(Text(text, style="bold"), soft_wrap=True)


def row(label: str, *lines: str) -> None:
    """Print a label and its lines, wrapped; paths are not broken."""
    from rich.text import Text

    width = max(console().width - LABEL - 3, 40)
    wrapped = [
        part
        for line in lines
        for part in textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
    ]
    for k, part in enumerate(wrapped):
        text = Text(_padded_label(label, k), style="cyan")
        console().print(text.append(part, style="default"), soft_wrap=True)


def _padded_label(label: str, line: int) -> str:
    """Return the label on the first line, and room for it on the others."""
    return f"  {label if line == 0 else '':<{LABEL - 1}} "


def command(*words: object) -> str:
    """Return a thinktime command to paste into a shell: names with spaces are quoted."""
    return shlex.join(["thinktime", *map(str, words)])


def commands(label: str, *lines: str) -> None:
    """Print a label and commands, one per line and never wrapped, so that they can be copied."""
    from rich.text import Text

    for k, line in enumerate(lines):
        text = Text(_padded_label(label, k), style="cyan")
        console().print(text.append(line, style="default"), soft_wrap=True)


def blank() -> None:
    console().print()


def as_json(value: object) -> None:
    """Print one JSON object; NaN becomes null."""
    from thinktime.result.canonical_json import jsonable

    typer.echo(terminal.plain_json(json.dumps(jsonable(value), indent=1, ensure_ascii=False, allow_nan=False)))


def new_table(first: str, *columns: str) -> Any:
    """Return a table: the first column and columns without a head are text, the others numbers."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, show_edge=False, padding=(0, 1))
    table.add_column(first, no_wrap=True)
    for name in columns:
        table.add_column(Text(terminal.plain(name)), justify="right" if name else "left")
    return table


def show(table: Any) -> None:
    from rich.padding import Padding

    console().print(Padding(table, (0, 0, 0, 1), expand=False))


def paths(items: Iterable[Any]) -> list[str]:
    return [str(item) for item in items]
