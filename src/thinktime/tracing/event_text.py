"""Format event columns as text with polars."""

from __future__ import annotations

import polars as pl

from thinktime.tracing.events import TICKS_PER_S


def whole(name: str) -> pl.Expr:
    return pl.col(name).cast(pl.String)


def microseconds(name: str) -> pl.Expr:
    """Format ticks (nanoseconds) as microseconds with three decimals, exactly."""
    return _decimal(pl.col(name), TICKS_PER_S // 1_000_000)


def seconds(name: str) -> pl.Expr:
    """Format ticks as seconds with nine decimals, exactly."""
    return _decimal(pl.col(name), TICKS_PER_S)


def _decimal(ticks: pl.Expr, unit: int) -> pl.Expr:
    """Format times of at least 0."""
    digits = len(str(unit)) - 1
    return (ticks // unit).cast(pl.String) + "." + (ticks % unit).cast(pl.String).str.zfill(digits)


def lines(series: pl.Series, between: str = "\n") -> bytes:
    """Join the texts, each followed by `between`."""
    return (between.join(series.to_list()) + between).encode()
