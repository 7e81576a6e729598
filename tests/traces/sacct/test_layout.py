"""Columns and delimiters: headers, headerless orders, shifted columns, texts with newlines."""

from __future__ import annotations

import pytest

from thinktime.errors import InputError
from thinktime.traces.sacct.fields import field_of
from thinktime.traces.sacct.layout import KNOWN_ORDERS, find_layout, header_layout
from thinktime.traces.sacct.lines import LineCounts, RecordSplitter
from thinktime.traces.sacct.realign import Realigner

VALUES = {
    "jobid": "12",
    "jobidraw": "12",
    "cluster": "c",
    "partition": "main",
    "qos": "normal",
    "account": "bio",
    "group": "g",
    "gid": "100",
    "user": "ann",
    "uid": "1001",
    "submit": "2020-01-01T10:00:00",
    "eligible": "2020-01-01T10:00:00",
    "start": "2020-01-01T10:01:00",
    "end": "2020-01-01T11:01:00",
    "elapsed": "01:00:00",
    "exitcode": "0:0",
    "state": "COMPLETED",
    "nnodes": "1",
    "ncpus": "4",
    "reqcpus": "4",
    "reqmem": "4Gn",
    "reqtres": "cpu=4,node=1",
    "alloctres": "cpu=4,node=1",
    "reqgres": "gpu:1",
    "timelimit": "1-00:00:00",
    "nodelist": "n01",
    "jobname": "a job",
    "elapsedraw": "3600",
    "timelimitraw": "60",
    "priority": "5",
    "reason": "None",
    "flags": "SchedMain",
    "suspended": "00:00:00",
    "reservation": "",
}


@pytest.mark.parametrize("delimiter", ["|", ",", ";", "\t", "\x1f", "^", "@@", "::", " | ", "¦"])
@pytest.mark.parametrize("trailing", [False, True])
def test_a_header_gives_columns_and_delimiter(delimiter: str, trailing: bool) -> None:
    line = delimiter.join(["JobID", "jobname%20", "STATE", "NewField"]) + (delimiter if trailing else "")
    layout = header_layout(line)
    assert layout is not None
    assert [column.name for column in layout.columns] == ["JobID", "JobName", "State", "NewField"]
    assert (layout.delimiter, layout.trailing) == (delimiter, trailing)


def test_other_lines_are_no_headers() -> None:
    for line in ("", "12|12|main", "JobID State", "User|Account", "; MaxJobs: 3", "submit_s,run_s,processors"):
        assert header_layout(line) is None, line


@pytest.mark.parametrize("order", KNOWN_ORDERS)
def test_known_orders_without_a_header(order: str) -> None:
    names = KNOWN_ORDERS[order]
    line = "|".join(VALUES[name.lower()] for name in names)
    layout = find_layout("log", [line] * 3, None, None)
    assert layout.order == order
    assert [column.name.lower() for column in layout.columns] == [name.lower() for name in names]


def test_given_columns() -> None:
    layout = find_layout("log", ["12;2020-01-01T10:00:00;4"], "JobID+Submit+NCPUS", None)
    assert (layout.delimiter, layout.order) == (";", "argument")
    with pytest.raises(InputError, match="neither JobID nor JobIDRaw"):
        find_layout("log", ["12;3"], "Submit+NCPUS", None)


def test_fixed_width_is_refused() -> None:
    lines = ["JobID           JobName      State ", "------------ ---------- ---------- ", "3   first  COMPLETED "]
    with pytest.raises(InputError, match=r"fixed width.*-P"):
        find_layout("log", lines, None, None)


def aligned(names: str, line: str, delimiter: str = "|") -> list[str] | None:
    columns = [field_of(name) for name in names.split()]
    return Realigner(columns, delimiter).align(line.split(delimiter))


def test_a_delimiter_in_the_job_name() -> None:
    names = "JobID JobName User Submit State"
    assert aligned(names, "14|pipe|in|name|ann|2020-01-01T10:00:00|COMPLETED") == [
        *("14", "pipe|in|name", "ann", "2020-01-01T10:00:00", "COMPLETED")
    ]


def test_delimiters_in_two_texts() -> None:
    names = "JobID Constraints NCPUS JobName State SubmitLine Timelimit"
    found = aligned(names, "1|a|b|4|x|y|COMPLETED|sbatch --wrap=env | grep S|01:00:00")
    assert found == ["1", "a|b", "4", "x|y", "COMPLETED", "sbatch --wrap=env | grep S", "01:00:00"]


def test_commas_in_lists() -> None:
    names = "JobID AllocTRES NodeList Flags State"
    found = aligned(names, "1,cpu=2,mem=1G,node=2,n[1,4-5],n9,SchedMain,Start,COMPLETED", ",")
    assert found is not None
    assert (found[0], found[1], found[-1]) == ("1", "cpu=2,mem=1G,node=2", "COMPLETED")


def test_a_line_that_fits_nowhere() -> None:
    assert aligned("JobID User State", "1|ann|bob|COMPLETED") is None
    assert aligned("JobID User State", "1|ann") is None


def split(text: str, size: int = 1 << 20) -> tuple[list[list[str]], LineCounts]:
    """Return the records and the counts, fed in pieces of `size` bytes."""
    content, counts = text.encode(), LineCounts()
    splitter = RecordSplitter(find_layout("log", text.split("\n"), None, None), counts)
    frames = [frame for k in range(0, len(content), size) for frame in splitter.feed(content[k : k + size])]
    frames += list(splitter.finish())
    assert counts.lines == counts.headers + counts.blanks + counts.malformed + counts.continued + counts.records
    return [list(row[:-1]) for frame in frames for row in frame.rows()], counts


TEXT = """JobID|State|SubmitLine|NCPUS
1|COMPLETED|sbatch a|4
2|FAILED|sbatch --wrap=if [ a ]
  then echo | cat
fi|8

sacct: error: slurmdbd is busy
3|COMPLETED|x|y|2
JobID|State|SubmitLine|NCPUS
4|COMPLETED||1
5|COMP"""


@pytest.mark.parametrize("size", [1, 7, 50, 1 << 20])
def test_records_of_several_lines_noise_and_repeated_headers(size: int) -> None:
    records, counts = split(TEXT, size)
    assert records == [
        ["1", "COMPLETED", "sbatch a", "4"],
        ["2", "FAILED", "sbatch --wrap=if [ a ]\n  then echo | cat\nfi", "8"],
        ["3", "COMPLETED", "x|y", "2"],
        ["4", "COMPLETED", "", "1"],
    ]
    assert (counts.lines, counts.headers, counts.blanks, counts.malformed, counts.continued) == (11, 2, 1, 2, 2)
    assert [fault["line"] for fault in counts.shown] == [7, 11]


def test_latin_1_and_windows_line_ends() -> None:
    content = b"JobID|JobName\r\n1|na\xefve\r\n2|na\xc3\xafve\r\n"
    splitter = RecordSplitter(find_layout("log", ["JobID|JobName"], None, None), LineCounts())
    names = [name for frame in splitter.feed(content) for name in frame["JobName"]]
    assert names == ["naïve", "naïve"]


def test_another_header_changes_the_columns() -> None:
    content = "JobID|State\n1|COMPLETED\nNCPUS|JobID|State\n4|2|FAILED\n"
    counts = LineCounts()
    splitter = RecordSplitter(find_layout("log", content.split("\n"), None, None), counts)
    frames = list(splitter.feed(content.encode()))
    assert [frame["JobID"].to_list() for frame in frames] == [["1"], ["2"]]
    assert frames[1]["NCPUS"].to_list() == ["4"]


def test_quoted_csv() -> None:
    text = 'JobID,State,"AllocTRES",JobName\n1,COMPLETED,"cpu=2,node=1","a, ""b"""\n2,FAILED,cpu=1,c\n'
    records, _ = split(text)
    assert records == [["1", "COMPLETED", "cpu=2,node=1", 'a, "b"'], ["2", "FAILED", "cpu=1", "c"]]


def test_trailing_delimiters() -> None:
    records, counts = split("JobID|JobName|State|\n1|a|COMPLETED|\n2|b|c|FAILED|\n")
    assert records == [["1", "a", "COMPLETED"], ["2", "b|c", "FAILED"]]
    assert counts.malformed == 0


def test_an_index_without_a_name_and_job_ids_at_the_end() -> None:
    layout = header_layout(",JobID,State")
    assert layout is not None
    assert layout.names == ("", "JobID", "State")
    last = header_layout("State@@NCPUS@@JobID")
    assert last is not None
    assert (last.delimiter, last.id_column) == ("@@", 2)


def test_quoted_fields_are_not_counted_as_shifted() -> None:
    _, counts = split('JobID,AllocTRES,State\n1,"cpu=2,node=1",COMPLETED\n2,cpu=2,node=1,FAILED\n')
    assert (counts.records, counts.realigned) == (2, 1)


def test_many_records_with_commas_in_lists() -> None:
    rows = [f"{k},cpu={k},mem=1G,n[1,{k}],COMPLETED" if k % 3 else f"{k},cpu={k},n{k},FAILED" for k in range(1, 60)]
    records, counts = split("JobID,AllocTRES,NodeList,State\n" + "\n".join(rows) + "\n")
    assert counts.malformed == 0
    assert {record[2] for record in records if record[3] == "FAILED"} == {f"n{k}" for k in range(3, 60, 3)}
    assert {record[1] for record in records if record[3] == "COMPLETED"} == {
        f"cpu={k},mem=1G" for k in range(1, 60) if k % 3
    }


ODD_TEXTS = {
    "newlines and a delimiter before the last column": "sbatch --wrap=a\nb\n\nc|d\n",
    "a line without a delimiter in between": "sbatch --wrap=a\nb|c\nd\n",
    "a delimiter, then a newline": "sbatch --wrap=a|b|c\nd",
    "many of both": "x\n" + "y|z\n" * 50,
    "a number before a delimiter": "sbatch --wrap=a\nb|c\n  ./run 5",
}


@pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS)
@pytest.mark.parametrize("size", [1 << 20, 7, 1])
def test_a_text_goes_on_until_the_next_record(text: str, size: int) -> None:
    records = [["1", "COMPLETED", text, "main"], ["2", "FAILED", "plain", "main"], ["3", "COMPLETED", text, "gpu"]]
    content = "JobID|State|SubmitLine|Partition\n" + "".join("|".join(record) + "\n" for record in records)
    found, counts = split(content, size)
    assert found == records
    assert counts.malformed == 0


def test_noise_after_a_record_with_newlines_stays_noise() -> None:
    found, counts = split("JobID|State|SubmitLine|Partition\n1|FAILED|a\nb|main\nlost\n\n2|FAILED|c|main\n")
    assert found == [["1", "FAILED", "a\nb", "main"], ["2", "FAILED", "c", "main"]]
    assert (counts.malformed, counts.continued, counts.blanks) == (1, 1, 1)
    assert counts.shown[0]["text"] == "lost"
