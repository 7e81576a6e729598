"""What commands print and draw: rows, tables, numbers with units, progress bars, figures."""

from thinktime.cli.printing.layout import (
    as_json,
    blank,
    command,
    commands,
    console,
    heading,
    new_table,
    paths,
    row,
    show,
)
from thinktime.cli.printing.metrics import cautions, comparison, coverage, distributions, metrics
from thinktime.cli.printing.numbers import duration, missing, number, rate

__all__ = [
    "as_json",
    "blank",
    "cautions",
    "command",
    "commands",
    "comparison",
    "console",
    "coverage",
    "distributions",
    "duration",
    "heading",
    "metrics",
    "missing",
    "new_table",
    "number",
    "paths",
    "rate",
    "row",
    "show",
]
