"""Files of other programs and hostile texts: headers, long lines, blank lines inside texts, large job ids."""

from __future__ import annotations

from pathlib import Path

import pytest

import thinktime as tt
from tests.traces.sacct.sacct_text import job, read, text_of

HEADER = "JobID|JobName|User|Submit|Start|End|State|NCPUS|Partition\n"
TIMES = "1700000000|1700000010|1700003610|COMPLETED|4"


def line(number: int | str, name: str) -> str:
    return f"{number}|{name}|ann|{TIMES}|main\n"


@pytest.mark.parametrize("change", [str.lower, str.upper])
def test_headers_in_any_case(tmp_path: Path, change) -> None:
    text = text_of([job(1), job(2)], ";")
    header, _, rest = text.partition("\n")
    log = read(tmp_path, f"{change(header)}\n{rest}")
    assert (len(log), log.texts("user").tolist()) == (2, ["ann", "ann"])


@pytest.mark.parametrize("first", ["", "index", '"row"'])
def test_a_column_of_another_program_comes_first(tmp_path: Path, first: str) -> None:
    """pandas writes an index without a name."""
    path = tmp_path / "sacct.csv"
    path.write_text(
        f"{first},JobID,User,JobName,Submit,Start,End,State,NCPUS\n"
        '0,1,ann,"a,b",1700000000,1700000010,1700003610,COMPLETED,4\n'
        "1,2,bob,c,1700000000,1700000010,1700003610,COMPLETED,4\n"
    )
    log = tt.read(path)
    assert (log["job"].tolist(), log.texts("executable").tolist()) == ([1, 2], ["a,b", "c"])
    assert "_" not in log.attributes


def test_a_command_before_the_header_is_not_the_header(tmp_path: Path) -> None:
    log = read(tmp_path, "sacct -P -o User,JobID,JobName,Submit,Start,End,State\n" + HEADER + line(1, "a"))
    assert (len(log), log.account["malformed_lines"], log.account["comment_lines"]) == (1, 1, 1)


def test_a_job_name_is_not_a_header(tmp_path: Path) -> None:
    log = read(tmp_path, HEADER + line(1, HEADER.strip()) + line(2, "b"))
    assert log.texts("executable").tolist() == [HEADER.strip(), "b"]


def test_a_long_line_costs_itself_only(tmp_path: Path) -> None:
    log = read(tmp_path, HEADER + line(1, "a") + line(2, "x" * 20_000_000) + line(3, "c"))
    assert log["job"].tolist() == [1, 3]
    assert (log.account["lines"], log.account["malformed"][0]["line"]) == (4, 3)


def test_a_script_with_blank_lines_in_the_submit_line(tmp_path: Path) -> None:
    text = "JobID|User|Submit|Start|End|State|NCPUS|SubmitLine|Partition\n"
    text += f"1|ann|{TIMES}|sbatch --wrap=a\n\n\nb|main\n\n2|ann|{TIMES}|sbatch x|main\n\n"
    text += f"3|ann|{TIMES}|cut\n\n4|ann|{TIMES}|sbatch y|main\n"
    log = read(tmp_path, text)
    assert log.texts("submit_line").tolist() == ["sbatch --wrap=a\n\n\nb", "sbatch x", "sbatch y"]
    account = log.account
    assert (account["lines"], account["blank_lines"], account["malformed_lines"]) == (11, 3, 1)


def test_a_job_id_that_float64_does_not_hold_is_numbered_by_its_line(tmp_path: Path) -> None:
    ids = [str(2**53 - 1), str(2**53 + 1), "9223372036854775808"]
    log = read(tmp_path, [job(k, JobID=name, JobIDRaw=name) for k, name in enumerate(ids)])
    assert log["job"].tolist() == [2**53 - 1, 3, 4]
    assert log.texts("job_id").tolist() == ids


def test_too_few_columns_given_names_the_number_of_fields(tmp_path: Path) -> None:
    with pytest.raises(tt.InputError, match="5 fields instead of 6"):
        read(tmp_path, "1,1700000000,1700000010,1700003610,4\n", "sacct:columns=JobID+Submit+Start+End+NCPUS+User")


@pytest.mark.parametrize("others", [(), ("2024-03-20T05:30:00",), ("2024-03-29T02:31:00",)])
def test_an_hour_that_is_left_out_does_not_depend_on_other_jobs(tmp_path: Path, others: tuple[str, ...]) -> None:
    text = "JobID|Submit|Elapsed|NCPUS|Start\n"
    for number, submit in enumerate((*others, "2024-03-31T02:30:00"), 1):
        text += f"{number}|{submit}|00:10:00|4|2024-03-31T04:00:00\n"
    log = read(tmp_path, text, "sacct:zone=Europe/Berlin")
    assert log["wait_s"][-1] == 1800  # 02:30 with the offset of winter is 03:30 in summer


def test_a_stream_has_the_digest_of_the_log_in_memory(tmp_path: Path) -> None:
    """Columns that stay empty are known in memory only."""
    path = tmp_path / "sacct.txt"
    path.write_text(text_of([job(1, JobName=""), job(2, JobName="")]))
    run = tt.simulate(tt.read(path), 8, "easy")
    tt.simulate_stream(tt.stream(path), 8, "easy", tmp_path / "run")
    assert tt.Result.load(tmp_path / "run").digest == run.digest


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".json"])
def test_files_give_the_same_digest(tmp_path: Path, ending: str) -> None:
    log = read(tmp_path, [job(1), job(2, JobID="9_1"), job(3, JobID="9_2")])
    tt.write(log, tmp_path / f"log{ending}")
    again = tt.read(tmp_path / f"log{ending}")
    assert again.texts("job_id").tolist() == ["1", "9_1", "9_2"]
    assert tt.simulate(again, 8, "easy").digest == tt.simulate(log, 8, "easy").digest


def test_the_account_of_a_stream_is_that_of_the_log_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "sacct.txt"
    path.write_text(HEADER + line(1, "a") + "noise\n\n" + line(2, "b|c") + line("2.batch", "batch") + line(2, "b"))
    log, stream = tt.read(path), tt.stream(path)
    assert sum(len(block["job"]) for block in stream) == len(log) == 2
    for key in ("lines", "comment_lines", "blank_lines", "malformed_lines", "job_lines", "dropped", "notes"):
        assert stream.account[key] == log.account[key], key


@pytest.mark.parametrize("reader", [None, "sacct"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (text_of([job(1)]).encode("utf-16"), "is encoded in UTF-16: save it in UTF-8"),
        (b"\x28\xb5\x2f\xfd" + bytes(40), "is packed with zstd: unpack it"),
    ],
)
def test_encodings_that_are_not_read(tmp_path: Path, content: bytes, message: str, reader: str | None) -> None:
    """Windows PowerShell writes UTF-16."""
    (tmp_path / "sacct.txt").write_bytes(content)
    with pytest.raises(tt.InputError, match=message):
        tt.read(tmp_path / "sacct.txt", reader=reader)


@pytest.mark.parametrize(
    ("asked", "got", "nodes"),
    [
        ("billing=1,cpu=1,mem=1G,node=1", "billing=4,cpu=4,node=1", "n1"),
        ("billing=2,cpu=2", "billing=8,cpu=8,gres/gpu=1,mem=4G,node=1", "n1,n2"),
        ("cpu=3", "billing=12,cpu=12,mem=3G,node=2", "n[1,3-4],m2"),
        ("cpu=1,node=1", "billing=4,cpu=4,mem=4G", "n1"),
        ("cpu=1,mem=1G,node=1,billing=1,gres/gpu=1", "cpu=4,mem=1G,node=1,billing=4", "n1"),
        ("billing=1,cpu=1,mem=1G,node=1", "", "n1"),
    ],
)
def test_lists_in_files_with_commas(tmp_path: Path, asked: str, got: str, nodes: str) -> None:
    """A resource occurs once in a list, and lists are sorted by name, or by number in older versions."""
    head = "JobID,User,Submit,Start,End,State,ReqTRES,AllocTRES,NodeList,Partition\n"
    times = "ann,1700000000,1700000010,1700003610,COMPLETED"
    other = f"1,{times},billing=1,cpu=1,billing=4,cpu=4,n1,main\n"
    log = read(tmp_path, f"{head}{other}2,{times},{asked},{got},{nodes},main\n")
    found = {name: log.texts(name)[1] for name in ("requested_tres", "allocated_tres", "node_list", "partition")}
    expected = {"requested_tres": asked, "allocated_tres": got or None, "node_list": nodes, "partition": "main"}
    assert found == expected


@pytest.mark.parametrize("text", ["|", "a|", "|a", "a||b", "COMPLETED|"])
@pytest.mark.parametrize("column", ["JobName", "WorkDir", "Comment", "Constraints"])
def test_delimiters_in_one_of_several_texts(tmp_path: Path, column: str, text: str) -> None:
    """Values that Slurm writes for every job are not empty in the right assignment."""
    names = ["WorkDir", "AllocTRES", "JobName", "Start", "Constraints", "TimelimitRaw", "Comment", "JobID", "Submit"]
    names += ["ElapsedRaw", "NCPUS", "State"]
    texts = {"WorkDir": "/home", "JobName": "a", "Constraints": "", "Comment": ""}
    record = {name: {**job(7), **texts, column: text}[name] for name in names}
    log = read(tmp_path, [record])
    found = [log[name][0] for name in ("job", "wait_s", "run_s", "processors", "requested_time_s")]
    assert found == [7, 60, 3600, 4, 7200]


@pytest.mark.parametrize("first", ["RUNNING", "COMPLETED"])
def test_a_job_that_ran_at_the_end_of_one_file_ends_in_another(tmp_path: Path, first: str) -> None:
    running = text_of([job(1, State="RUNNING", End="Unknown", ElapsedRaw="500"), job(2)])
    ended = text_of([job(1), job(2)])
    texts = [running, ended] if first == "RUNNING" else [ended, running]
    files = [tmp_path / f"{k}.txt" for k in range(2)]
    for path, text in zip(files, texts, strict=True):
        path.write_text(text)
    log = tt.read_sacct(files, reader="sacct:running=keep")
    assert (log["job"].tolist(), log["run_s"].tolist()) == ([1, 2], [3600, 3600])
    assert log.account["dropped"] == {"record seen before": 2}
