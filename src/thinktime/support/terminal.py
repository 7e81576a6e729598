"""What reaches a terminal. All commands print through this module.

Headers, names, labels and file names may hold escape sequences, which would move the cursor, rename the window or hide
text: here they become visible text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

#: Controls (all but tab and newline), the end of a line in Unicode, and what reverses the order of letters.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """The text with control characters as `\\x1b`, so that a terminal shows them and does nothing else."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def plain_json(text: str) -> str:
    """The same value in JSON: control characters stand only inside strings, and JSON has its own way to write them."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def line(text: str, *, err: bool = False, newline: bool = True) -> None:
    """Print a text as it is, but for control characters."""
    import typer

    typer.echo(plain(text), err=err, nl=newline)


def console(**options: Any) -> Any:
    """A rich console that takes no text for markup and passes no control character on but its own."""
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            """The reader has gone, as in `thinktime … | head`."""
            raise BrokenPipeError

        def render_str(self, text: str, **options: Any) -> Any:
            """Before it is measured, so that nothing is cut off."""
            return super().render_str(plain(text), **options)

        def render(self, renderable: Any, options: Any = None) -> Iterable[Any]:
            for segment in super().render(renderable, options):
                shown = segment.text if segment.control else plain(segment.text)
                yield segment if shown == segment.text else segment._replace(text=shown)

    return Plain(markup=False, emoji=False, highlight=False, **options)
