"""Small HTML tables: what a notebook shows of an object."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape


def facts_html(title: str, facts: Mapping[str, object]) -> str:
    """Return a title and a table of two columns: name and value."""
    return f"<p>{escape(title)}</p>{_html_table(facts.items())}"


def table_html(title: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a title and a table with a row of column names."""
    return f"<p>{escape(title)}</p>{_html_table(rows, columns)}"


def _html_table(rows: Iterable[Iterable[object]], columns: Iterable[str] = ()) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"
