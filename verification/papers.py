"""The printed values of papers, and how they are compared with ours."""

from __future__ import annotations

from typing import Any

import thinktime as tt

KTH, HPC2N, CEA = "KTH-SP2-1996-2.1-cln", "HPC2N-2002-2.2-cln", "CEA-Curie-2011-2.1-cln"
MACHINE = tt.Machine(processors=100)
TWICE: dict[str, Any] = {"estimates": tt.Estimates.at_least(2.0)}  # Batsim's converter


def printed(value: float, like: str) -> str:
    """The value with as many decimals as the printed one."""
    return f"{value:.{len(like.partition('.')[2])}f}"


def assert_printed(values: Any, paper: str) -> None:
    """Numbers against a row such as `332.91 0.07 4.07`."""
    words = paper.replace(",", "").split()
    assert [printed(value, word) for value, word in zip(values, words, strict=True)] == words
