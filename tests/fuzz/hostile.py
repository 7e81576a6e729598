"""Unexpected values, texts and names, for the tests that look for tracebacks."""

from __future__ import annotations

import datetime
from typing import Any

from hypothesis import strategies as st

ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b1m\u202e"
TEXTS = (
    *("", " ", "$x^^$", "$", "[red]", "[/]", "[/red]", ESCAPES, "a\nb", "\t", "'", '"', "\\", "%s", "{}", "{0.real}"),
    *(
        "../../x",
        "/",
        "/dev/zero",
        ".",
        "..",
        "~",
        "*",
        "-",
        "--",
        "-1",
        "1e308",
        "nan",
        "inf",
        "0x10",
        "１",
        "é",
        "日本",
    ),
    *("easy:", "easy:order", ":", "=", "easy:order=sjf,order=sjf", "x" * 5000, "a" * 100 + ":" + "b" * 100, "null"),
)
NUMBERS = (0, 1, -1, 2, 10**6, 2**31, 2**53, 2**63 - 1, -(2**63), 0.5, -0.0, 1e-300, 1e300, float("inf"), float("nan"))

texts = st.sampled_from(TEXTS) | st.text(max_size=20)
scalars = st.sampled_from(NUMBERS) | texts | st.booleans() | st.just(datetime.date(1970, 1, 1))
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3))


def replaced(content: Any, path: list[int], value: Any) -> Any:
    """The content with one of its parts replaced; the numbers of the path choose it, whatever there is."""
    if not path or not isinstance(content, dict | list) or not content:
        return value
    keys = list(content) if isinstance(content, dict) else list(range(len(content)))
    key = keys[path[0] % len(keys)]
    changed = content.copy()
    changed[key] = replaced(content[key], path[1:], value)
    return changed


def renamed(content: Any, path: list[int], name: str) -> Any:
    """The content with one of its keys renamed."""
    if not isinstance(content, dict) or not content:
        return content
    key = list(content)[path[0] % len(content)] if path else next(iter(content))
    if len(path) > 1 and isinstance(content[key], dict):
        return {**content, key: renamed(content[key], path[1:], name)}
    return {name if each == key else each: value for each, value in content.items()}


@st.composite
def changed(draw: st.DrawFn, contents: list[Any]) -> Any:
    """One of the contents with up to three changes."""
    content = draw(st.sampled_from(contents))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.lists(st.integers(0, 20), min_size=1, max_size=4))
        content = renamed(content, path, draw(texts)) if draw(st.booleans()) else replaced(content, path, draw(values))
    return content


@st.composite
def mutated(draw: st.DrawFn, originals: list[str]) -> str:
    """One of the texts with pieces cut out and others put in."""
    text = draw(st.sampled_from(originals))
    for _ in range(draw(st.integers(1, 4))):
        at, cut = draw(st.integers(0, len(text))), draw(st.integers(0, 30))
        text = text[:at] + draw(texts) + text[at + cut :]
    return text
