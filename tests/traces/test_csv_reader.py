"""CSV: names with units, delimiters, quotes, line ends, missing and wrong values, an account of every line."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thinktime as tt

LINES = "submit_s,run_s,processors\n0,10,2\n5,20,4\n"


def read(
    folder: Path, content: str | bytes, reader: str | None = None, name: str = "log.csv", **how: Any
) -> tt.Workload:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return tt.read(path, reader=reader, **how)


def test_three_columns_make_a_log(tmp_path: Path) -> None:
    log = read(tmp_path, LINES)
    assert log["submit_s"].tolist() == [0, 5]
    assert log["processors"].tolist() == log["allocated_processors"].tolist() == [2, 4]
    assert log["job"].tolist() == [1, 2]
    assert log["line"].tolist() == [2, 3]
    assert log.attributes == ()


@pytest.mark.parametrize(
    "content",
    [
        LINES.replace("\n", "\r\n"),
        LINES.rstrip("\n"),
        "\ufeff" + LINES,
        LINES.replace(",", ";"),
        LINES.replace(",", "\t"),
        LINES.replace(",", "|"),
        LINES.replace("5,20,4", '"5","20","4"'),
        LINES.replace("5,20,4", " 5 , 20.0 ,4"),
        LINES.replace("5,20,4", "5,2e1,+4"),
        LINES.replace("submit_s,run_s,processors", '"submit_s","run_s","processors"'),
        "\n" + LINES,
        "# a comment\n" + LINES,
    ],
)
def test_spellings_of_the_same_log(tmp_path: Path, content: str) -> None:
    log = read(tmp_path, content)
    assert [log[name].tolist() for name in ("submit_s", "run_s", "processors")] == [[0, 5], [10, 20], [2, 4]]
    assert log.account["malformed_lines"] == 0


@pytest.mark.parametrize(
    ("pack", "ending"), [(gzip.compress, ".gz"), (bz2.compress, ".bz2"), (lzma.compress, ".xz"), (bytes, "")]
)
def test_packed_files_are_recognised_by_their_content(tmp_path: Path, pack: Any, ending: str) -> None:
    assert len(read(tmp_path, pack(LINES.encode()), name=f"log.csv{ending}")) == 2
    assert len(read(tmp_path, pack(LINES.encode()), name="no_ending")) == 2


def test_other_columns_are_attributes_with_types(tmp_path: Path) -> None:
    log = read(
        tmp_path,
        "submit_s,run_s,processors,user,colour,gpus,share,urgent,code\n"
        '0,10,2,ann,red,1,0.5,true,007\n1,10,2,bob,"a ""b"", c",,1,FALSE,1\n2,10,2,ann,,3,,,\n',
    )
    assert log.attributes == ("colour", "gpus", "share", "urgent", "code")
    kinds = {name: log.types[name].kind for name in log.attributes}
    assert kinds == {"colour": "text", "gpus": "whole", "share": "number", "urgent": "truth", "code": "text"}
    assert log.texts("colour").tolist() == ["red", 'a "b", c', None]
    assert log.texts("code").tolist() == ["007", "1", None]
    assert log.texts("user").tolist() == ["ann", "bob", "ann"]
    assert log["user"].tolist() == [1, 2, 1]
    np.testing.assert_array_equal(log["urgent"], [1, 0, np.nan])


def test_every_malformed_line_is_in_the_account(tmp_path: Path) -> None:
    log = read(
        tmp_path,
        "submit_s,run_s,processors,note\n0,10,2,a\n1,10\n\n2,ten,2,b\n3,10,2,c,d\n4,inf,2,e\n"
        '5,10,2,"x\n6,10,2,f\n7,10,2,g\n',
    )
    assert log["submit_s"].tolist() == [0, 6, 7]
    account = log.account
    assert account["lines"] == 10
    assert account["lines"] == sum(account[k] for k in ("comment_lines", "blank_lines", "malformed_lines", "job_lines"))
    found = [(bad["line"], bad["reason"]) for bad in account["malformed"]]
    assert sorted(found) == [
        (3, "2 fields instead of 4"),
        (5, "run_s is not a number"),
        (6, "5 fields instead of 4"),
        (7, "run_s is not a number"),
        (8, "a quote is not closed or is misplaced"),
    ]
    assert "line 5: run_s is not a number: ten" in tt.workload.describe(account)


def test_a_stray_quote_costs_its_line_and_not_the_file(tmp_path: Path) -> None:
    rows = [f"{k},10,2,n{k}" for k in range(5000)]
    rows[10] = '10,10,2,5" disk'
    rows[4000] = '4000,10,2,6" disk'
    log = read(tmp_path, "submit_s,run_s,processors,note\n" + "\n".join(rows) + "\n")
    assert len(log) == 5000
    assert log.texts("note")[[10, 4000]].tolist() == ['5" disk', '6" disk']
    rows[20] = '20,10,2,"open'
    rows[30] = '30,10,2,"x" y'
    log = read(tmp_path, "submit_s,run_s,processors,note\n" + "\n".join(rows) + "\n")
    assert len(log) == 4998
    assert [bad["line"] for bad in log.account["malformed"]] == [22, 32]


@pytest.mark.parametrize("stream", [False, True])
def test_an_open_quote_or_an_endless_line_in_a_large_file(tmp_path: Path, stream: bool) -> None:
    rows = [f"{k},10,2,n{k}" for k in range(200_000)]
    for bad in ('5,10,2,"open', "5,10,2," + "x" * 3_000_000):
        rows[5] = bad
        (tmp_path / "log.csv").write_text("submit_s,run_s,processors,note\n" + "\n".join(rows) + "\n")
        log: Any = tt.stream(tmp_path / "log.csv") if stream else tt.read(tmp_path / "log.csv")
        lines = np.concatenate([block["line"] for block in log]) if stream else log["line"]
        assert len(lines) == 199_999
        assert [each["line"] for each in log.account["malformed"]] == [7]
        assert lines[-1] == 200_001


def test_missing_values_and_minus_one(tmp_path: Path) -> None:
    log = read(tmp_path, "submit_s,run_s,processors,user,wait_s\n0,10,2,,-1\n1,10,2,-1,NA\n2,10,2,3,nan\n")
    np.testing.assert_array_equal(log["user"], [np.nan, np.nan, 3])
    assert np.isnan(log["wait_s"]).all()


def test_a_line_break_inside_quotes(tmp_path: Path) -> None:
    log = read(tmp_path, 'submit_s,run_s,processors,note\n0,10,2,"two\nlines"\n1,10,2,x\n')
    assert log.texts("note").tolist() == ["two\nlines", "x"]
    assert log["line"].tolist() == [2, 4]


@pytest.mark.parametrize(
    ("content", "reader", "message"),
    [
        (
            "submit,run_s,processors\n0,1,1\n",
            None,
            "no column submit_s: if 'submit' is in seconds, give csv:subm",
        ),
        (
            "submit_s,run_time_min,processors\n0,1,1\n",
            None,
            r"no column run_s: .* other units, define a reader \(tt.OwnReader\)",
        ),
        (
            "submit,duration,cpus\n0,1,1\n",
            None,
            "no columns submit_s, run_s, processors: if 'submit' and 'duration' are in seconds, "
            "give csv:submit_s=submit,run_s=duration,processors=cpus;",
        ),
        ("submit_s,run_s,ncpus\n0,1,1\n", None, "no column processors: give csv:processors=ncpus, or rename"),
        ("a,b\n0,1\n", "csv:submit_s=a,run_s=a,processors=b", "submit_s and run_s from the same column 'a'"),
        (
            "submit_s,run_s,processors\n2024-01-01 10:00,1,1\n",
            None,
            "give seconds instead of dates, or define a rea",
        ),
        ("submit_s,run_s,processors,status\n0,1,1,COMPLETED\n", None, r"give 1 \(completed\), .* or rename the column"),
        ("submit_s,run_s,a\n0,1,1\n", None, r"no column processors: a log needs .* it has 'submit_s', 'run_s', 'a'"),
        ("submit_s,run_s,processors,a,a\n0,1,1,1,1\n", None, "has two columns 'a': rename one of them"),
        ("submit_s,run_s,processors\n", None, "has no job"),
        (
            "submit_s,run_s,processors," + ",".join(f"c{k}" for k in range(3000)) + "\n",
            None,
            "3,003 columns, more than",
        ),
        ("", None, "has no line with names of columns|is not recognised|empty"),
        (LINES, "csv:run_s=runs", r"has no column 'runs' for run_s \(did you mean 'run_s'\?\)"),
        (LINES, "csv:delimiter=ab", "delimiter of csv is 'ab'"),
        (LINES, "csv:decimal=dot", "decimal of csv is 'dot'"),
        (
            "job,submit_s,run_s,processors\nx1,0,1,1\n",
            None,
            r"no row of .* can be used \(job is not a whole",
        ),
        ("submit_s;run_s;processors\n0,5;1;1\n", None, "for a decimal comma, add decimal=comma to the reader"),
        (LINES.encode("utf-16"), "csv", "is encoded in UTF-16: save it in UTF-8"),
    ],
)
def test_what_is_refused(tmp_path: Path, content: str | bytes, reader: str | None, message: str) -> None:
    with pytest.raises(tt.InputError, match=message):
        read(tmp_path, content, reader)


def test_columns_by_option_and_notes_on_names(tmp_path: Path) -> None:
    content = "Submit,Elapsed,NCPUS,Job Name,nodes,wait_min\n0,10,2,a,1,3\n5,20,4,b,2,4\n"
    log = read(tmp_path, content, "csv:submit_s=Submit,run_s=Elapsed,processors=NCPUS")
    assert log["run_s"].tolist() == [10, 20]
    assert log.attributes == ("Job_Name", "log_nodes", "wait_min")
    assert log.account["notes"] == [
        "the column 'Job Name' is the attribute Job_Name",
        "the column 'nodes' is the attribute log_nodes",
        "the column 'wait_min' is an attribute: it does not name a unit that wait_s has",
    ]


def test_decimal_comma(tmp_path: Path) -> None:
    log = read(tmp_path, "submit_s;run_s;processors\n0,5;1;1\n1,5;2;1\n", "csv:decimal=comma")
    assert log["submit_s"].tolist() == [0.5, 1.5]


def many(last: str) -> str:
    """Return more lines than a block of a stream has."""
    rows = [f"{k},10,2,{k}" for k in range(100_000)]
    return "submit_s,run_s,processors,code\n" + "\n".join([*rows, f"100000,10,2,{last}"]) + "\n"


def test_a_type_that_changes_later(tmp_path: Path) -> None:
    log = read(tmp_path, many("abc"))
    assert log.types["code"].kind == "text"
    assert log.texts("code")[[0, -1]].tolist() == ["0", "abc"]
    with pytest.raises(tt.InputError, match=r"line 100002 .* has 'abc' in the column code, which had numbers before"):
        list(tt.stream(tmp_path / "log.csv"))
    blocks = list(tt.stream(tmp_path / "log.csv", reader="csv:as_text=code"))
    assert sum(len(block["job"]) for block in blocks) == 100_001
    assert read(tmp_path, many("1.5")).types["code"].kind == "number"


def test_a_stream_has_the_same_jobs(tmp_path: Path) -> None:
    whole = read(tmp_path, many("7"))
    parts = list(stream := tt.stream(tmp_path / "log.csv"))
    assert len(parts) > 1
    for name in whole.columns:
        np.testing.assert_array_equal(np.concatenate([part[name] for part in parts]), whole[name])
    for key in ("lines", "job_lines", "kept", "sha256"):
        assert stream.account[key] == whole.account[key]


def test_latin_1_names(tmp_path: Path) -> None:
    log = read(tmp_path, "submit_s,run_s,processors,user\n0,1,1,jos\xe9\n".encode("latin-1"))
    assert log.texts("user").tolist() == ["jos\xe9"]


def test_the_account_says_which_sizes_were_read(tmp_path: Path) -> None:
    content = "submit_s,run_s,processors,requested_processors,allocated_processors\n0,1,4,2,3\n"
    log = read(tmp_path, content, None)
    assert (log["processors"].tolist(), log.account["processors"], log.source["processors"]) == ([4], "given", "given")
    asked = tt.read(tmp_path / "log.csv", processors="requested")
    assert (asked["processors"].tolist(), asked.account["processors"]) == ([2], "requested")
    stream = tt.stream(tmp_path / "log.csv")
    assert ([block["processors"].tolist() for block in stream], stream.account["processors"]) == ([[4]], "given")
