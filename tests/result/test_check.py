"""check finds nothing in a right schedule, and each way of being wrong by its own sentence."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import examples
from tests.metrics import schedule
from tests.result.runs import SPEC, changed, fcfs_runs, hand_worked
from tests.shared_data import log, oracle
from thinktime.errors import InputError
from thinktime.result import JOB_COLUMNS, Result, check, check_directory
from thinktime.result.canonical_json import digest_of_file

NAN = np.nan


def sentences(result: Result, rule: str) -> list[str]:
    return [violation.sentence for violation in check(result) if violation.rule == rule]


def with_spec(result: Result, **spec: object) -> Result:
    return Result(result.columns, result.processors, {**SPEC, **spec}, result.timeline_columns)


def test_the_hand_worked_schedule_is_right() -> None:
    assert check(hand_worked()) == []


@examples(100)
@given(fcfs_runs())
def test_random_schedules_are_right(result: Result) -> None:
    assert check(result) == []


@examples(60)
@given(fcfs_runs(), st.data())
def test_a_moved_job_is_noticed(result: Result, data: st.DataObject) -> None:
    ran = np.flatnonzero(result.columns["status"] != 2).tolist()
    if ran:
        row = data.draw(st.sampled_from(ran))
        step = data.draw(st.sampled_from([-7.0, 100.0]))
        start, end = result.columns["start_s"][row] + step, result.columns["end_s"][row] + step
        assert check(changed(result, start_s={row: start}, end_s={row: end}))


WRONG = [
    (changed(hand_worked(), status={0: 9}), "states", "job 1 has status 9, which is none of 0 to 3"),
    (changed(hand_worked(), end_s={0: NAN}), "states", "job 1 is completed but has start 0 and end nan"),
    (changed(hand_worked(), start_s={3: 40.0}), "states", "job 4 is rejected but has start 40 and end nan"),
    (changed(hand_worked(), status={5: 3}), "states", "job 6 is unfinished but has an end at 190 s"),
    (
        changed(hand_worked(), status={5: 3}, end_s={5: NAN}),
        "no job lost",
        "job 6 is unfinished but the run was not stopped",
    ),
    (
        with_spec(hand_worked(), workload={"name": "x", "jobs": 7}),
        "no job lost",
        "the workload has 7 jobs but the result has 6",
    ),
    (
        changed(hand_worked(), submit_s={5: 171.0}),
        "times",
        "job 6 starts at 170 s, before its submission at 171 s",
    ),
    (changed(hand_worked(), submit_s={5: NAN}), "times", "job 6 starts at 170 s but was never submitted"),
    (
        changed(hand_worked(), end_s={0: 101.0}),
        "times",
        "job 1 starts at 0 s and runs 100 s but ends at 101 s",
    ),
    (
        changed(hand_worked(), run_s={4: -1.0}, end_s={4: 159.0}),
        "times",
        "job 5 runs -1 s, less than no time",
    ),
    (
        changed(hand_worked(), estimate_s={5: 25.0}),
        "kills",
        "job 6 was killed after 20 s, not at its estimate of 25 s",
    ),
    (
        changed(hand_worked(), estimate_s={0: 99.0}),
        "kills",
        "job 1 completed after 100 s although jobs are killed at their estimate, here 99 s",
    ),
    (
        changed(hand_worked(), processors={4: 0.0}),
        "sizes",
        "job 5 started with 0 processors on a machine of 4",
    ),
    (
        changed(hand_worked(), processors={4: 5.0}),
        "sizes",
        "job 5 started with 5 processors on a machine of 4",
    ),
    (
        changed(hand_worked(), start_s={1: 99.0}, end_s={1: 149.0}),
        "never oversubscribed",
        "when job 2 starts at 99 s, 6 processors are in use on a machine of 4",
    ),
    (
        changed(hand_worked(), submit_s={4: 10.0}, start_s={4: 50.0}, end_s={4: 50.0}),
        "never oversubscribed",
        "when job 5 starts at 50 s, 5 processors are in use on a machine of 4",
    ),
    (
        changed(hand_worked(), start_s={2: 20.0}, end_s={2: 25.0}),
        "first come, first served",
        "job 3 starts at 20 s although job 2, earlier in the queue, starts at 100 s",
    ),
    (
        changed(hand_worked(), start_s={1: NAN}, end_s={1: NAN}, status={1: 3}),
        "first come, first served",
        "job 3 starts at 150 s although job 2, earlier in the queue, has not started",
    ),
]


@pytest.mark.parametrize(("result", "rule", "sentence"), WRONG)
def test_each_way_of_being_wrong_has_its_sentence(result: Result, rule: str, sentence: str) -> None:
    assert sentence in sentences(result, rule)
    assert all("\n" not in str(violation) for violation in check(result))


def test_a_violation_knows_its_job() -> None:
    found = check(changed(hand_worked(), end_s={0: 101.0}))
    assert ("times", 1) in [(violation.rule, violation.job) for violation in found]


@pytest.mark.parametrize("column", ["queued_jobs", "queued_processors", "running_jobs", "used_processors"])
def test_a_wrong_count_in_the_timeline_is_noticed(column: str) -> None:
    timeline = schedule.timeline()
    right = timeline[column][2]
    timeline[column][2] += 1
    wrong = Result(schedule.columns(), 4, SPEC, timeline)
    sentence = f"the timeline says {column} = {right + 1} at 20 s but the jobs say {right}"
    assert [(v.rule, v.job, v.sentence) for v in check(wrong)] == [("timeline values", None, sentence)]


def test_the_timeline_must_be_ascending_and_complete() -> None:
    doubled = {name: np.repeat(values, [1, 2, *[1] * 8]) for name, values in schedule.timeline().items()}
    wrong = Result(schedule.columns(), 4, SPEC, doubled)
    assert sentences(wrong, "timeline order") == ["the timeline goes from 10 s to 10 s, which is not later"]
    short = {name: np.delete(values, 1) for name, values in schedule.timeline().items()}
    assert [v.sentence for v in check(Result(schedule.columns(), 4, SPEC, short))] == [
        "the timeline has no instant 10 s, the submit_s of job 2"
    ]


def test_without_a_timeline_only_the_jobs_are_checked() -> None:
    assert check(Result(schedule.columns(), 4, SPEC)) == []


def test_jobs_may_be_unfinished_in_a_stopped_run() -> None:
    """Stopped at 180 s: job 6 runs, job 7 would come at 500 s."""
    columns = {name: np.append(values, values[5]) for name, values in schedule.columns().items()}
    columns["status"][5:] = 3
    columns["job"][6], columns["submit_s"][6], columns["start_s"][6] = 7, 500, NAN
    columns["end_s"][5:] = NAN
    timeline = {name: values[:9] for name, values in schedule.timeline().items()}
    stopped = Result(columns, 4, {"scheduler": {"name": "fcfs"}}, timeline, statistics={"stopped": True})
    assert check(stopped) == []


def test_skipping_schedulers_may_overtake() -> None:
    early = changed(hand_worked(), start_s={2: 20.0}, end_s={2: 25.0})
    assert not sentences(with_spec(early, scheduler={"name": "fcfs", "skip": True}), "first come, first served")
    assert not sentences(with_spec(early, scheduler={"name": "easy"}), "first come, first served")


def test_rounding_is_no_violation() -> None:
    start, run = 1e9 + 0.1, 0.3
    moved = changed(hand_worked(), submit_s={0: 0.0}, start_s={0: start}, run_s={0: run}, end_s={0: start + run})
    assert not sentences(moved, "times")
    off = changed(moved, end_s={0: start + run + 1e-6})
    assert len(sentences(off, "times")) == 1


def test_many_violations_are_counted() -> None:
    columns = {name: np.repeat(values[:1], 100) for name, values in schedule.columns().items()}
    columns["end_s"] = columns["end_s"] + 1
    found = [v for v in check(Result(columns, 1000), limit=3) if v.rule == "times"]
    assert len(found) == 4
    assert found[-1].sentence == "97 more break the rule 'times' in the same way"


def test_a_saved_run_is_checked(tmp_path: Path) -> None:
    hand_worked().save(tmp_path / "right")
    assert check_directory(tmp_path / "right") == []
    changed(hand_worked(), end_s={0: 101.0}).save(tmp_path / "wrong")
    assert check_directory(tmp_path / "wrong")
    with pytest.raises(InputError, match="is not a directory"):
        check_directory(tmp_path / "none")


@pytest.mark.parametrize("policy", ["fcfs", "easy"])
def test_a_real_schedule_is_right(policy: str) -> None:
    schedule_rows = np.loadtxt(oracle(f"reference/KTHn-batch-{policy}.csv.gz"), delimiter=",", skiprows=1)
    lines = np.loadtxt(log("KTH-SP2-1996-2.1-cln"), comments=";")
    fields = {int(line[0]): line for line in lines}
    rows = np.array([fields[int(job)] for job in schedule_rows[:, 0]])
    job, submit, start, end = schedule_rows.T
    columns = dict.fromkeys(JOB_COLUMNS, np.full(len(job), NAN))
    columns |= {"job": job, "submit_s": submit, "start_s": start, "end_s": end, "run_s": rows[:, 3]}
    columns |= {"processors": np.where(rows[:, 7] > 0, rows[:, 7], rows[:, 4]), "user": rows[:, 11]}
    columns["status"] = np.zeros(len(job), np.uint8)
    order = np.lexsort((job, submit))
    columns = {name: values[order] for name, values in columns.items()}
    assert check(Result(columns, 100, {"scheduler": {"name": policy}})) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"digest": "0" * 64}, "run.json says digest 000"),
        ({"content_digest": "0" * 64}, "run.json says content_digest 000"),
        ({"jobs": 7}, "run.json says jobs = 7 but there are 6"),
        ({"seed": 8}, None),
        ({"spec": {}}, "but its spec has"),
        ({"summary": {}}, "run.json says jobs = None"),
        ({"summary_options": {"tau_s": 1.0}}, "run.json says"),
        ({"summary_options": {"nonsense": 1.0}}, "summary_options that no summary can be made with"),
    ],
)
def test_what_run_json_says_is_checked(tmp_path: Path, change: dict[str, object], words: str | None) -> None:
    hand_worked().save(tmp_path / "run", tau_s=100.0)
    assert not check_directory(tmp_path / "run")
    path = tmp_path / "run" / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    found = [str(v) for v in check_directory(tmp_path / "run") if v.rule == "run.json"]
    assert any(words in sentence for sentence in found) if words else not found


def test_a_changed_metric_is_found(tmp_path: Path) -> None:
    hand_worked().save(tmp_path / "run")
    path = tmp_path / "run" / "run.json"
    content = json.loads(path.read_text())
    content["summary"]["wait_mean_s"] = 43
    path.write_text(json.dumps(content))
    assert [str(v) for v in check_directory(tmp_path / "run")] == [
        "run.json says wait_mean_s = 43 but the jobs and the timeline give 44.0"
    ]


def test_an_emptied_timeline_is_found(tmp_path: Path) -> None:
    hand_worked().save(tmp_path / "run")
    timeline = tmp_path / "run" / "timeline.parquet"
    pl.read_parquet(timeline).clear().write_parquet(timeline)
    path = tmp_path / "run" / "run.json"
    content = json.loads(path.read_text())
    content["files"]["timeline.parquet"] = digest_of_file(timeline)
    path.write_text(json.dumps(content))
    assert "run.json" in {violation.rule for violation in check_directory(tmp_path / "run")}
