"""Real output of sacct: three sites, and every odd job of a Slurm 22.05, in several forms."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import thinktime as tt
from tests.shared_data import LOGS, oracle

RUNS = (
    *("run1_64n_300j_multifactor", "run2_64n_300j_fifo", "run3_1000n_500j_multifactor"),
    *("run4_64n_300j_defaults_50min", "run6_64n_300j_cons_core_mem", "fake60_128n_500j_8h_defaults"),
)
COMPARED = (
    *("job", "wait_s", "run_s", "allocated_processors", "requested_processors", "requested_time_s"),
    *("requested_memory_kb", "status", "allocated_nodes", "gpus", "priority"),
)


def sample(name: str) -> Path:
    return oracle(f"slurm/samples/{name}")


def site(name: str) -> Path:
    if not (LOGS / "sacct" / name).exists():
        pytest.skip(f"sacct/{name} is not in {LOGS}: set $THINKTIME_LOGS to the folder that has it")
    return LOGS / "sacct" / name


def balanced(log: tt.Workload) -> tt.Workload:
    """Return the log after a check that its account adds up."""
    of = log.account
    assert of["lines"] == sum(of[key] for key in ("comment_lines", "blank_lines", "malformed_lines", "job_lines"))
    assert of["kept"] == len(log) == of["job_lines"] - sum(of["dropped"].values())
    return log


def rows_by_attempt(log: tt.Workload) -> dict[tuple[float, float], int]:
    start = log.unix_start_s or 0.0
    return {(job, submit + start): k for k, (job, submit) in enumerate(zip(log["job"], log["submit_s"], strict=True))}


def assert_same_jobs(one: tt.Workload, other: tt.Workload) -> None:
    """Every job of `one` is in `other`, with the same values."""
    place = rows_by_attempt(other)
    rows = [place[key] for key in rows_by_attempt(one)]
    for name in COMPARED:
        if name in one.columns and name in other.columns:
            np.testing.assert_array_equal(one[name], other[name][rows], err_msg=name)


@pytest.mark.parametrize("run", [*RUNS, "special"])
def test_epochs_local_times_steps_and_json_are_the_same_jobs(run: str) -> None:
    epochs = balanced(tt.read(sample(f"{run}/sacct_X_epoch.txt")))
    for name in ("sacct_X.txt", "sacct_steps.txt", "sacct.json.gz"):
        assert_same_jobs(epochs, balanced(tt.read(sample(f"{run}/{name}"), reader="sacct:zone=UTC")))


@pytest.mark.parametrize("run", RUNS)
def test_the_jobs_that_were_submitted_come_back(run: str) -> None:
    with open(sample(f"{run}/workload.csv")) as submitted, open(sample(f"{run}/ids.csv")) as numbers:
        wanted = {row["name"]: row for row in csv.DictReader(submitted)}
        assert len(list(csv.DictReader(numbers))) == len(wanted)
    log = tt.read(sample(f"{run}/sacct_X_epoch.txt"))
    assert sorted(log.texts("job_name")) == sorted(wanted)
    for k, name in enumerate(log.texts("job_name")):
        assert log.texts("user")[k] == wanted[name]["user"]


@pytest.mark.parametrize(("run", "size"), [("run1_64n_300j_multifactor", 256), ("run3_1000n_500j_multifactor", 4000)])
def test_the_largest_use_is_the_size_of_a_full_machine(run: str, size: int) -> None:
    assert tt.read(sample(f"{run}/sacct_X_epoch.txt")).account["machine_processors"] == size


@pytest.mark.parametrize("name", ["log.swf", "log.csv", "log.parquet", "log.json"])
def test_sizes_and_the_bound_of_the_machine_survive_in_files(name: str, tmp_path: Path) -> None:
    log = tt.read(sample(f"{RUNS[0]}/sacct_X_epoch.txt"))
    assert log["processors"].tolist() != log["requested_processors"].tolist()
    tt.write(log, tmp_path / name)
    again = tt.read(tmp_path / name)
    assert again["processors"].tolist() == log["processors"].tolist()
    assert again.account["machine_processors"] == 256
    streamed = np.concatenate([block["processors"] for block in tt.stream(tmp_path / name)])
    assert streamed.tolist() == log["processors"].tolist()


def test_odd_jobs() -> None:
    log = balanced(tt.read(sample("special/sacct_X_duplicates.txt"), reader="sacct:zone=UTC"))
    row = {name: k for k, name in enumerate(log.texts("job_id"))}
    assert len(log) == 46
    assert log.account["dropped"] == {
        "still waiting when the log was written": 2,
        "never started": 4,  # 2_[7,10], 36+0, 36+1, 39
        "still running when the log was written": 1,
        "component joined to its heterogeneous job": 1,
    }
    assert log.texts("job_name")[row["14"]] == "pipe|in name"
    assert log.texts("job_name")[row["15"]] == "naïve, `quoted` name"
    assert (log["processors"][row["34"]], log["allocated_nodes"][row["34"]]) == (7, 4)
    assert (log["run_s"][row["31"]], log["suspended_s"][row["31"]]) == (10, 10)
    assert np.isnan(log["requested_time_s"][row["10"]])  # UNLIMITED
    assert log["requested_time_s"][row["11"]] == 525600 * 60
    assert (log["run_s"][row["9"]], log["requested_time_s"][row["9"]]) == (76, 60)  # ended late
    assert (log["requested_processors"][row["18"]], log["processors"][row["18"]]) in ((1, 4),)  # whole node
    assert log["held_s"][row["25"]] == 20
    assert log["job"][row["1_9"]] == 1
    assert log.texts("state")[row["30"]] == "REQUEUED"


def test_the_end_of_summer_time() -> None:
    epochs = tt.read(sample("dst/sacct_epoch.txt"))
    berlin = tt.read(sample("dst/sacct_berlin.txt"), reader="sacct:zone=Europe/Berlin")
    assert berlin.unix_start_s == epochs.unix_start_s
    for name in ("submit_s", "wait_s", "run_s", "eligible_s"):
        assert berlin[name].tolist() == epochs[name].tolist()
    unknown = tt.read(sample("dst/sacct_berlin.txt"))
    assert (unknown["wait_s"] < 0).any()  # the clock was set back
    assert "jobs with a start before their submission: 5" in unknown.account["notes"]


def test_a_log_in_the_order_of_xdmod() -> None:
    log = balanced(tt.read(site("phillips.log.gz"), reader="sacct:zone=America/New_York"))
    assert len(log) == 4046
    assert log.account["dropped"] == {"never started": 239}
    assert "XDMoD" in log.account["notes"][0]
    first = log.texts("job_id").tolist().index("163485")
    assert (log["run_s"][first], log["wait_s"][first]) == (10 * 86400 + 13 * 3600 + 27 * 60 + 6, 1)
    assert (log["processors"][first], log["gpus"][first]) == (12, 2)
    assert log["requested_memory_kb"][first] == pytest.approx(31000 * 1024 / 12)
    flagged = log.texts("job_id").tolist().index("167758")
    assert log["requested_memory_kb"][flagged] == 3000 * 1024  # 2147486648Mn


def test_all_fields_with_texts_of_several_lines() -> None:
    log = balanced(tt.read(site("sacct_submitline_multiline.log")))
    assert sorted(log.texts("job_id")) == ["7957382", "9067954"]
    assert log.account["realigned"] == 6
    lines = log.texts("submit_line").tolist()
    assert any("grep SLURM | sed" in line for line in lines)


def test_a_dump_that_lacks_the_times(tmp_path: Path) -> None:
    with pytest.raises(tt.InputError, match="has no column Submit"):
        tt.read(site("multiuser.txt"))
    with pytest.raises(tt.InputError, match="fixed width"):
        tt.read(sample("special/sacct_fixed_width.txt"))
