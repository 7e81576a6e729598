"""Whole files: what becomes of jobs, steps, arrays, heterogeneous jobs, requeues and times."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

import thinktime as tt
from tests.traces.sacct.sacct_text import job, read, text_of


def test_the_columns_of_a_job(tmp_path: Path) -> None:
    log = read(tmp_path, [job(1), job(5, User="bob", State="CANCELLED by 1010", Partition="gpu", ReqMem="2000Mc")])
    assert log["submit_s"].tolist() == [0, 4]
    assert log.unix_start_s == 1700000001
    assert log["wait_s"].tolist() == [60, 60]
    assert log["run_s"].tolist() == [3600, 3600]
    assert log["requested_time_s"].tolist() == [7200, 7200]
    assert (log["allocated_processors"].tolist(), log["requested_processors"].tolist()) == ([4, 4], [2, 2])
    assert log["processors"].tolist() == [4, 4]  # what the job occupied
    assert log["requested_memory_kb"].tolist() == [2 * 1024**2, 2000 * 1024]  # per processor
    assert log["status"].tolist() == [1, 5]
    assert log["job"].tolist() == [1, 5]
    assert log.texts("job_id").tolist() == ["1", "5"]
    assert log.texts("state").tolist() == ["COMPLETED", "CANCELLED"]
    assert log["user"].tolist() == [1, 2]
    assert log.types["user"].labels == ("ann", "bob")
    assert log.types["partition"].labels == ("main", "gpu")
    assert log.types["queue"].labels == ("normal",)
    assert log.texts("account").tolist() == ["bio", "bio"]
    assert log.texts("node_list").tolist() == ["n01", "n01"]
    assert log["allocated_nodes"].tolist() == [1, 1]
    assert log["cancelled_by"].tolist()[1] == 1010


def test_the_reader_is_found_by_content(tmp_path: Path) -> None:
    path = tmp_path / "dump.txt.gz"
    path.write_bytes(gzip.compress(text_of([job(1)]).encode()))
    assert len(tt.read(path)) == 1


@pytest.mark.parametrize(
    ("state", "status"),
    [
        ("COMPLETED", 1),
        *((state, 0) for state in ("FAILED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL", "PREEMPTED")),
        *((state, 0) for state in ("DEADLINE", "REQUEUED", "RESIZING")),
        *((state, 5) for state in ("CANCELLED", "CANCELLED by 0", "REVOKED")),
    ],
)
def test_states(tmp_path: Path, state: str, status: float) -> None:
    log = read(tmp_path, [job(1, State=state)])
    assert log["status"].tolist() == [status]
    assert log.texts("state").tolist() == [state.split()[0]]


NEVER = {"Start": "None", "ElapsedRaw": "0", "NodeList": "None assigned", "AllocTRES": ""}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({**NEVER, "State": "CANCELLED by 0"}, "never started"),
        ({**NEVER, "Start": "1700003660", "State": "CANCELLED by 0"}, "never started"),  # Start = End
        ({**NEVER, "State": "DEADLINE"}, "never started"),
        ({**NEVER, "Start": "Unknown", "End": "Unknown", "State": "PENDING"}, "still waiting when the log was written"),
        ({"End": "Unknown", "State": "RUNNING"}, "still running when the log was written"),
        ({"End": "Unknown", "State": "SUSPENDED"}, "still running when the log was written"),
        ({"Submit": "Unknown"}, "no submit time"),
    ],
)
def test_jobs_that_are_dropped_have_a_reason(tmp_path: Path, changes: dict[str, str], reason: str) -> None:
    log = read(tmp_path, [job(1), job(2, **changes)])
    assert len(log) == 1
    assert log.account["dropped"] == {reason: 1}


def test_a_job_of_zero_length_that_had_nodes_is_kept(tmp_path: Path) -> None:
    log = read(tmp_path, [job(1, ElapsedRaw="0", End="1700000061", State="FAILED")])
    assert log["run_s"].tolist() == [0]


def test_running_jobs_can_be_kept(tmp_path: Path) -> None:
    records = [job(1, End="Unknown", State="RUNNING", ElapsedRaw="100")]
    log = read(tmp_path, records, "sacct:running=keep")
    assert log["run_s"].tolist() == [100]
    assert np.isnan(log["status"]).all()


def test_steps_are_dropped_and_their_memory_is_kept(tmp_path: Path) -> None:
    columns = {"MaxRSS": "", "NTasks": ""}
    step = {"User": "", "TimelimitRaw": "", "Submit": "1700000060"}
    records = [
        job(1) | columns,
        job(1, **step) | {"JobID": "1.batch", "JobIDRaw": "1.batch", "MaxRSS": "800K", "NTasks": "1"},
        job(1, **step) | {"JobID": "1.0", "JobIDRaw": "1.0", "MaxRSS": "400K", "NTasks": "4"},
        job(2) | columns,
        job(3, **step) | {"JobID": "3.batch", "JobIDRaw": "3.batch", "MaxRSS": "9K", "NTasks": "1"},
    ]
    log = read(tmp_path, records)
    assert log["max_rss_kb"][0] == 800
    assert log["used_memory_kb"][0] == 400  # four tasks of 400K on four processors
    assert np.isnan(log["max_rss_kb"][1])
    assert log.account["dropped"] == {"job step": 3}
    assert "steps without a record of their job: 1" in log.account["notes"]


def test_tasks_of_arrays(tmp_path: Path) -> None:
    records = [
        job(40, JobID="7_1"),
        job(7, JobID="7_2"),
        job(8, JobID="8_[1,4-6%2]", State="CANCELLED", **NEVER),
        job(9, JobID="9_[1-3,...]", State="CANCELLED", **NEVER),
    ]
    log = read(tmp_path, records)
    assert sorted(log["job"].tolist()) == [7, 40]
    assert log.account["array_rows"] == 2
    assert log.account["array_tasks"] == 7
    assert "1 of them cut by Slurm" in " ".join(log.account["notes"])


def test_tasks_without_raw_ids_have_numbers_of_their_own(tmp_path: Path) -> None:
    records = [{k: v for k, v in job(n, JobID=i).items() if k != "JobIDRaw"} for n, i in ((1, "7_1"), (2, "7_2"))]
    assert read(tmp_path, records)["job"].tolist() == [70000001, 70000002]


HET = [
    job(34, JobID="34+0", NCPUS="1", AllocTRES="cpu=1,mem=500M,node=1,gres/gpu=1", ReqCPUS="1", ReqMem="500M"),
    job(34, JobID="34+1", NCPUS="6", AllocTRES="cpu=6,mem=6G,node=3", ReqCPUS="6", ReqMem="6G", NNodes="3")
    | {"JobIDRaw": "35", "NodeList": "n[5-7]", "ElapsedRaw": "3700", "End": "1700003794", "State": "FAILED"},
]


def test_components_of_heterogeneous_jobs_are_joined(tmp_path: Path) -> None:
    log = read(tmp_path, HET)
    assert len(log) == 1
    assert log["processors"].tolist() == [7]
    assert log["allocated_nodes"].tolist() == [4]
    assert log["gpus"].tolist() == [1]
    assert log["run_s"].tolist() == [3700]
    assert log["status"].tolist() == [0]
    assert log["requested_memory_kb"][0] == pytest.approx((500 + 6144) * 1024 / 7)
    assert log.texts("job_id").tolist() == ["34"]
    assert log.texts("node_list").tolist() == ["n01,n[5-7]"]
    assert log["het_components"].tolist() == [2]
    assert log.account["dropped"] == {"component joined to its heterogeneous job": 1}


def test_components_can_stay_separate(tmp_path: Path) -> None:
    log = read(tmp_path, HET, "sacct:het_jobs=separate")
    assert log["processors"].tolist() == [1, 6]


REQUEUED = [
    job(30, State="REQUEUED", ElapsedRaw="10", End="1700000100"),
    job(30, Submit="1700000100", Eligible="1700000220", Start="1700000230", End="1700003830"),
]


def test_every_attempt_of_a_requeued_job_is_a_job(tmp_path: Path) -> None:
    log = read(tmp_path, REQUEUED)
    assert log["job"].tolist() == [30, 30]
    assert log["run_s"].tolist() == [10, 3600]


def test_only_the_last_attempt(tmp_path: Path) -> None:
    log = read(tmp_path, REQUEUED, "sacct:attempts=last")
    assert log["run_s"].tolist() == [3600]
    assert log.account["dropped"] == {"earlier attempt of a requeued job": 1}


def test_records_that_are_repeated_count_once(tmp_path: Path) -> None:
    running = job(2, State="RUNNING", End="Unknown", ElapsedRaw="50")
    text = text_of([job(1), running]) + text_of([job(1), job(2)])
    log = read(tmp_path, text)
    assert log["job"].tolist() == [1, 2]
    assert log["run_s"].tolist() == [3600, 3600]
    assert log.account["dropped"] == {"still running when the log was written": 1, "record seen before": 1}
    assert log.account["comment_lines"] == 2


def test_waits_from_eligible(tmp_path: Path) -> None:
    held = job(1, Eligible="1700000031")
    from_submit, from_eligible = (read(tmp_path, [held], f"sacct:wait_from={w}") for w in ("submit", "eligible"))
    assert (from_submit["submit_s"][0], from_submit["wait_s"][0]) == (0, 60)
    assert (from_submit["eligible_s"][0], from_submit["held_s"][0]) == (30, 30)
    assert (from_eligible["submit_s"][0], from_eligible["wait_s"][0]) == (30, 30)
    assert from_eligible.recorded_start_s.tolist() == from_submit.recorded_start_s.tolist()


def test_the_elapsed_time_has_no_suspension(tmp_path: Path) -> None:
    log = read(tmp_path, [job(1, ElapsedRaw="3000", Suspended="00:10:00")])
    assert log["run_s"].tolist() == [3000]
    assert log["suspended_s"].tolist() == [600]
    assert "notes" not in log.account or "elapsed" not in " ".join(log.account["notes"])


def test_run_times_without_elapsed(tmp_path: Path) -> None:
    records = [{k: v for k, v in job(1, Suspended="00:10:00").items() if k != "ElapsedRaw"}]
    assert read(tmp_path, records)["run_s"].tolist() == [3000]


@pytest.mark.parametrize("limit", ["UNLIMITED", "Partition_Limit", ""])
def test_unknown_limits(tmp_path: Path, limit: str) -> None:
    assert np.isnan(read(tmp_path, [job(1, TimelimitRaw=limit)])["requested_time_s"]).all()


def test_other_columns_are_attributes(tmp_path: Path) -> None:
    more = {"Priority": "1000", "Reason": "None", "MyField": "x", "Deadline": "y", "Nodes": "3", "Comment": ""}
    log = read(tmp_path, [job(1) | more, job(2) | more | {"Reason": "Dependency"}])
    assert log["priority"].tolist() == [1000, 1000]
    assert log.texts("reason").tolist() == [None, "Dependency"]
    assert log.texts("my_field").tolist() == ["x", "x"]
    assert log.texts("sacct_deadline").tolist() == ["y", "y"]  # has another meaning in simulations
    assert log.texts("sacct_nodes").tolist() == ["3", "3"]
    assert "comment" not in log.attributes  # no value at all


def test_few_or_no_attributes(tmp_path: Path) -> None:
    assert "job_name" not in read(tmp_path, [job(1)], "sacct:attributes=names").attributes
    assert "state" in read(tmp_path, [job(1)], "sacct:attributes=names").attributes
    assert read(tmp_path, [job(1)], "sacct:attributes=none").attributes == ()


def test_dependencies(tmp_path: Path) -> None:
    lines = ["sbatch --dependency=afterok:12 a.sh", "sbatch -d afterany:12:13 a.sh", "sbatch a.sh"]
    log = read(tmp_path, [job(k) | {"SubmitLine": line} for k, line in enumerate(lines, 20)])
    assert log.texts("dependency").tolist() == ["afterok:12", "afterany:12:13", None]
    assert log["preceding_job"][0] == 12
    assert np.isnan(log["preceding_job"][1:]).all()


def test_one_cluster_of_several(tmp_path: Path) -> None:
    records = [job(1) | {"Cluster": "a"}, job(1) | {"Cluster": "b"}]
    both = read(tmp_path, records)
    assert len(both) == 2  # ids repeat between clusters
    assert "2 clusters" in " ".join(both.account["notes"])
    one = read(tmp_path, records, "sacct:cluster=b")
    assert one.texts("cluster").tolist() == ["b"]
    assert one.header is not None
    assert one.header["Computer"] == ["b"]


def test_sizes_from_nodes_alone(tmp_path: Path) -> None:
    names = ("JobID", "Submit", "Start", "End", "NNodes", "State")
    log = read(tmp_path, [{name: job(1, NNodes="3")[name] for name in names}])
    assert log["processors"].tolist() == [3]
    assert "sizes are in nodes: 1" in " ".join(log.account["notes"])


def test_local_times_need_a_zone(tmp_path: Path) -> None:
    times = {"Submit": "2023-11-14T23:13:21", "Start": "2023-11-14T23:14:21", "End": "2023-11-15T00:14:21"}
    records = [job(1, **times, Eligible="Unknown")]
    berlin = read(tmp_path, records, "sacct:zone=Europe/Berlin")
    assert berlin.unix_start_s == 1700000001
    assert str(berlin.local_time()[0]) == "2023-11-14T23:13:21"
    unknown = read(tmp_path, records)
    assert unknown.unix_start_s == 1700000001 + 3600
    assert str(unknown.local_time()[0]) == "2023-11-14T23:13:21"  # the clock where sacct ran
    assert "times have no zone" in " ".join(unknown.account["notes"])
    with pytest.raises(tt.InputError, match="no time zone is called 'Berlin'"):
        read(tmp_path, records, "sacct:zone=Berlin")


def test_relative_times_are_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(tt.InputError, match="SLURM_TIME_FORMAT"):
        read(tmp_path, [job(1, Submit="Ystday 10:00")])
    log = read(tmp_path, [job(1), job(2, Submit="Ystday 10:00")])
    assert log.account["malformed"][0]["reason"] == "a time is not understood"


def test_missing_columns_are_named(tmp_path: Path) -> None:
    with pytest.raises(tt.InputError, match="has no column Submit and no column NCPUS"):
        read(tmp_path, [{"JobID": "1", "State": "COMPLETED", "Elapsed": "00:01:00"}])


def test_a_file_without_jobs_that_ran(tmp_path: Path) -> None:
    with pytest.raises(tt.InputError, match="no job that ran: 1 never started"):
        read(tmp_path, [job(1, State="CANCELLED", **NEVER)])
    with pytest.raises(tt.InputError, match="is empty"):
        read(tmp_path, "\n")


def test_the_machine_is_a_lower_bound(tmp_path: Path) -> None:
    log = read(tmp_path, [job(1), job(2), job(9000, NCPUS="6", AllocTRES="cpu=6,node=1")])
    assert log.account["machine_processors"] == 8
    assert log.account["machine_because"] == "largest simultaneous use"
    with pytest.raises(tt.InputError, match="8 processors were in use at once, a lower bound"):
        log.machine_size()


def test_streams_have_the_same_jobs(tmp_path: Path) -> None:
    path = tmp_path / "sacct.txt"
    path.write_text(text_of([job(k) for k in range(1, 50)]))
    log, blocks = tt.read(path), list(tt.stream(path))
    for name in ("job", "submit_s", "run_s", "processors", "user"):
        assert np.concatenate([block[name] for block in blocks]).tolist() == log[name].tolist()


def test_a_published_table_without_seconds(tmp_path: Path) -> None:
    """The traces of two clusters in Erlangen: a delimiter ends the header only, and sizes are requested nodes."""
    text = """# anonymous
JobID|Submit|Start|End|ReqNodes|Timelimit|Elapsed|User|JobName|
1|2018-12-31T08:27|2018-12-31T08:27|2019-01-01T08:27|7|1-00:00|1-00:00|5c8e3240|b7ef4ccd
2|2018-12-31T09:00|2018-12-31T09:30|2018-12-31T17:57|2|12:00|08:27|5c8e3240|b7ef4ccd
3|2018-12-31T09:00|2018-12-31T09:30|2018-12-31T09:30|2|12:00|00:00|5c8e3240|b7ef4ccd
"""
    log = read(tmp_path, text)
    assert log["run_s"].tolist() == [86400, 8 * 3600 + 27 * 60, 0]
    assert log["requested_time_s"].tolist() == [86400, 43200, 43200]
    assert log["processors"].tolist() == [7, 2, 2]
    assert (log.account["comment_lines"], log.account["malformed_lines"]) == (2, 0)


def test_times_with_offsets(tmp_path: Path) -> None:
    times = {"Submit": "2023-02-21T14:37:02+0100", "Start": "2023-02-21T14:37:07+0100"}
    log = read(tmp_path, [job(1, **times, Eligible="", End="2023-02-21T15:26:29+0100", ElapsedRaw="2962")])
    assert (log.unix_start_s, log["wait_s"][0], log["run_s"][0]) == (1676986622, 5, 2962)
    assert "notes" not in log.account


@pytest.mark.parametrize("reader", ["sacct", "sacct:attempts=last", "sacct:attributes=none"])
@pytest.mark.parametrize("submit", ["1700000001", "1700001060"])
def test_parts_of_a_resized_job_are_jobs_that_follow_each_other(tmp_path: Path, reader: str, submit: str) -> None:
    """Slurm gives the second part the time of the change as submission; other versions repeat the first one."""
    first = job(1, End="1700001060", ElapsedRaw="999", State="RESIZING", NCPUS="8", AllocTRES="cpu=8,node=2")
    second = job(1, Submit=submit, Eligible=submit, Start="1700001060", End="1700002060", ElapsedRaw="1000")
    log = read(tmp_path, [first, second, job(5)], reader)
    assert log["job"].tolist() == [1, 5, 1]
    assert log["submit_s"].tolist() == [0, 4, 1059]
    assert log["wait_s"].tolist() == [60, 60, 0]
    assert log["run_s"].tolist() == [999, 3600, 1000]
    assert log["processors"].tolist() == [8, 4, 4]
    assert "parts of jobs that changed their size while they ran, each is a job of its size: 1" in log.account["notes"]
