"""Columns as text, in polars: one line an event, many at a time."""

from __future__ import annotations

import polars as pl

from thinktime.tracing.events import TICKS_PER_S


def whole(name: str) -> pl.Expr:
    return pl.col(name).cast(pl.String)


def microseconds(name: str) -> pl.Expr:
    """Ticks (nanoseconds) as microseconds with three decimals, exactly."""
    return _decimal(pl.col(name), TICKS_PER_S // 1_000_000)


def seconds(name: str) -> pl.Expr:
    """Ticks as seconds with nine decimals, exactly."""
    return _decimal(pl.col(name), TICKS_PER_S)


def _decimal(ticks: pl.Expr, unit: int) -> pl.Expr:
    """Of times from 0 on."""
    digits = len(str(unit)) - 1
    return (ticks // unit).cast(pl.String) + "." + (ticks % unit).cast(pl.String).str.zfill(digits)


def lines(series: pl.Series, between: str = "\n") -> bytes:
    """The texts, one a line, each with what follows it."""
    return (between.join(series.to_list()) + between).encode()
