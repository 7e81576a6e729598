"""Text for terminals. All commands print through this module.

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
    """Return the text with control characters as visible text such as `\\x1b`."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def plain_json(text: str) -> str:
    """Return JSON with control characters escaped as `\\u001b`; the value stays the same."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def line(text: str, *, err: bool = False, newline: bool = True) -> None:
    """Print a text with control characters made visible."""
    import typer

    typer.echo(plain(text), err=err, nl=newline)


def console(**options: Any) -> Any:
    """Return a rich console without markup that passes on no control characters but its own."""
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            """Raise BrokenPipeError when the reader has gone, as in `thinktime … | head`."""
            raise BrokenPipeError

        def render_str(self, text: str, **options: Any) -> Any:
            """Replace control characters before the text is measured, so that nothing is cut off."""
            return super().render_str(plain(text), **options)

        def render(self, renderable: Any, options: Any = None) -> Iterable[Any]:
            for segment in super().render(renderable, options):
                shown = segment.text if segment.control else plain(segment.text)
                yield segment if shown == segment.text else segment._replace(text=shown)

    return Plain(markup=False, emoji=False, highlight=False, **options)
