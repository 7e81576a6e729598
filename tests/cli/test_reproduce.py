"""What `thinktime reproduce` prints: classes, reasons, versions and misses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from thinktime.cli import printing
from thinktime.cli.commands.reproduce import _print_reproduction
from thinktime_reproduce import Claim, Reproduced, Reproduction, Rule, Tolerance, Verdict

RULE = Rule("counts in hours of four", ("kth",))
CLAIM = Claim("Table 1", "kth", "waits, s", "4.51", "kth", lambda findings: 4.514, rules=(RULE,))
WIDE = replace(CLAIM, row="curie", log="curie", tolerance=Tolerance("it draws at random", relative=0.5))


def printed(*verdicts: Verdict) -> str:
    nothing: Any = None
    reproduction = Reproduction(
        "toy", "A. Author, Journal", {"kth": "kth.swf"}, nothing, [each.claim for each in verdicts]
    )
    with printing.console().capture() as taken:
        _print_reproduction(Reproduced(reproduction, verdicts, Path("out"), []))
    return taken.get()


def row(text: str, begin: str) -> list[str]:
    (line,) = [line for line in text.splitlines() if line.strip().startswith(begin)]
    return line.split()


@pytest.fixture(scope="module")
def text() -> str:
    return printed(
        Verdict(CLAIM, 4.514, "met"),
        Verdict(WIDE, 4.6, "met", version="curie-2011-2.1-cln, paper curie-2011-1"),
        Verdict(replace(WIDE, row="lanl", log="lanl", tried="two readings"), 9.0, "missed", "two readings"),
        Verdict(replace(CLAIM, row="blue", log="blue"), None, "needs", "needs blue.swf"),
        Verdict(
            Claim("Fig. 1", "blue", "ratio", "1.0", "blue", lambda findings: None), None, "needs", "needs blue.swf"
        ),
        Verdict(Claim("Fig. 2", "a pair", "ratio", "1.0", "kth", lambda findings: 2.0, "above"), 2.0, "met"),
    )


def test_a_row_says_how_closely_it_is_met_and_whether_its_rule_was_fitted_here(text: str) -> None:
    assert row(text, "kth   ")[-4:] == ["0.005", "fit", "same", "digits"]
    assert row(text, "curie*")[-4:] == ["held", "out", "within", "tolerance"]
    assert row(text, "lanl")[-3:] == ["held", "out", "MISSED"]


def test_reasons_versions_and_what_was_tried_are_below_the_table(text: str) -> None:
    for words in (
        "missed (lanl): two readings",
        "* another version than the paper's: curie 2.1-cln (paper 1)",
        "tolerance: it draws at random",
        "rule: counts in hours of four; chosen on kth; met on other logs: 1 of 2 within tolerance",
        "1 row: needs blue.swf",
    ):
        assert words in text


def test_a_table_without_any_of_its_logs_is_one_line(text: str) -> None:
    assert row(text, "Fig. 1") == ["Fig.", "1", "1", "row:", "needs", "blue.swf"]


def test_classes_are_counted_apart_and_not_added_up(text: str) -> None:
    assert row(text, "printed value, same")[-5:] == ["1", "0", "2", "0", "0"]
    assert row(text, "printed value, within")[-5:] == ["1", "1", "0", "1", "1"]
    assert row(text, "claim in")[-5:] == ["1", "0", "0", "0", "0"]
    assert "total" not in text
