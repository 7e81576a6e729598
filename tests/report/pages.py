"""The text of a report."""

from __future__ import annotations

import re


def words_of(html: str) -> str:
    """What a reader sees: without scripts, styles and tags."""
    return re.sub(r"<[^>]+>", " ", re.sub(r"<(script|style)\b.*?</\1>", " ", html, flags=re.S))
