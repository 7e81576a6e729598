"""The store: nothing kept is lost, nothing half-written is taken, two processes do not disturb each other."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import thinktime as tt
from tests.shared_data import ROOT
from tests.study.studies import small, without_times, written
from thinktime.errors import InputError
from thinktime.result import Result, check
from thinktime.study import Store, Threads, execute, open_store, run_study, study_of
from thinktime.study.store import JOURNAL, of_study


def journals(store: Path) -> list[Path]:
    return sorted((store / JOURNAL).glob("*.jsonl"))


def test_what_is_there_is_not_computed_again(tmp_path: Path) -> None:
    with open_store(tmp_path / "s", small()) as store:
        assert run_study(small(), store).done == 4
    with open_store(tmp_path / "s", small()) as store:
        counts = run_study(small(schedulers=["fcfs", "easy", "sjf"]), store)
    assert (counts.total, counts.there, counts.done) == (6, 4, 2)


def test_outcomes_come_back_as_they_were(tmp_path: Path) -> None:
    with open_store(tmp_path / "s", small()) as store:
        run_study(small(), store)
        kept = dict(store.outcomes)
    assert Store(tmp_path / "s").outcomes == kept
    again = [without_times(execute(task)) for task in small().tasks()]
    assert [without_times(each) for each in of_study(Store(tmp_path / "s"), small())] == json.loads(json.dumps(again))


def test_a_torn_line_is_no_outcome_and_loses_nothing_else(tmp_path: Path) -> None:
    with open_store(tmp_path / "s", small()) as store:
        run_study(small(), store, Threads(1))
    (journal,) = journals(tmp_path / "s")
    content = journal.read_bytes()
    for length in range(0, len(content), max(1, len(content) // 50)):
        journal.write_bytes(content[:length])
        whole = content[:length].count(b"\n")
        store = Store(tmp_path / "s")
        assert len(store.outcomes) == whole
        assert store.damaged == []


def test_damaged_lines_are_reported_and_their_runs_missing(tmp_path: Path) -> None:
    with open_store(tmp_path / "s", small()) as store:
        run_study(small(), store, Threads(1))
    (journal,) = journals(tmp_path / "s")
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[1], lines[2] = b"\x00" * 10 + b"\n", b'{"run": 3}\n'
    journal.write_bytes(b"".join(lines))
    store = Store(tmp_path / "s")
    assert len(store.outcomes) == 2
    assert store.damaged == [f"{journal.name} line 2", f"{journal.name} line 3"]
    assert run_study(small(), store).done == 2


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("summary", "wait_mean_s"), float("nan")),
        (("summary", "jobs"), None),
        (("seconds",), float("inf")),
        (("cautions",), {"killed": {"of": 3}}),
        (("cautions",), {"killed": {"count": -1, "of": 3}}),
        (("sketch",), None),
        (("sketch", "wait_s"), [1.0, 2.0]),
        (("sketch", "week_load"), [{}] * 168),
        (("sketch", "users", "jobs"), [1]),
        (("decision",), {"dispatch_s": 1.0, "rest_s": 1.0, "queued_jobs": [1], "mean_s": []}),
    ],
)
def test_an_outcome_that_no_report_could_show_is_damaged(tmp_path: Path, path: tuple[str, ...], value: object) -> None:
    with open_store(tmp_path / "s", small()) as store:
        run_study(small(), store, Threads(1))
    (journal,) = journals(tmp_path / "s")
    first, *others = journal.read_text().splitlines()
    outcome = json.loads(first)
    changed = outcome
    for name in path[:-1]:
        changed = changed[name]
    changed[path[-1]] = value
    journal.write_text("\n".join([json.dumps(outcome), *others, ""]))
    store = Store(tmp_path / "s")
    assert (len(store.outcomes), store.damaged) == (3, [f"{journal.name} line 1"])


def test_only_regular_journals_are_read(tmp_path: Path) -> None:
    """A pipe would be waited for until the end of time."""
    with open_store(tmp_path / "s", small()) as store:
        run_study(small(), store, Threads(1))
    os.mkfifo(tmp_path / "s" / "journal" / "pipe.jsonl")
    (tmp_path / "s" / "journal" / "folder.jsonl").mkdir()
    store = Store(tmp_path / "s")
    store.look()
    assert len(store.outcomes) == 4
    assert store.damaged == ["folder.jsonl, which is not a regular file", "pipe.jsonl, which is not a regular file"]


@pytest.mark.parametrize("depth", [200, 100_000])
def test_a_line_that_is_nested_too_deeply_is_damaged(tmp_path: Path, depth: int) -> None:
    with open_store(tmp_path / "s", small()):
        pass
    line = b'{"run": "x", "cell": {"a": ' + b"[" * depth + b"]" * depth + b'}, "error": "e", "seconds": 1}\n'
    (tmp_path / "s" / "journal" / "deep.jsonl").write_bytes(line)
    store = Store(tmp_path / "s")
    assert (store.outcomes, store.damaged) == ({}, ["deep.jsonl line 1"])


def test_a_failure_is_kept_and_the_others_go_on(tmp_path: Path) -> None:
    study = small(rules=[{"oversized": "error"}], platforms=["log", "machine:processors=2"])
    with open_store(tmp_path / "s", study) as store:
        counts = run_study(study, store)
        assert (counts.done, counts.failed) == (4, 4)
        assert "but the machine has 2" in counts.failures[0]["error"]
        assert run_study(study, store).failed == 0  # known, not tried again
        assert run_study(study, store, again=True).failed == 4


def test_a_success_counts_more_than_a_failure(tmp_path: Path) -> None:
    task = small().tasks()[0]
    with Store(tmp_path / "s") as store:
        store.add({"run": task.run, "cell": dict(task.cell), "error": "the disk was full", "seconds": 0.0})
        assert not store.succeeded(task.run)
        store.add(execute(task))
        store.add({"run": task.run, "cell": dict(task.cell), "error": "again", "seconds": 0.0})
    assert Store(tmp_path / "s").succeeded(task.run)


def test_two_stores_on_one_directory_see_each_other(tmp_path: Path) -> None:
    first, second = (open_store(tmp_path / "s", small()) for _ in range(2))
    run_study(small(seeds=[1]), first)
    second.look()
    assert run_study(small(), second).done == 2
    assert len(journals(tmp_path / "s")) == 2
    first.look()
    assert first.outcomes.keys() == second.outcomes.keys()


def test_jobs_are_kept_when_asked_for(tmp_path: Path) -> None:
    study = small(keep="jobs")
    with open_store(tmp_path / "s", study) as store:
        run_study(study, store)
        results = [Result.load(store.run_directory(task.run)) for task in study.tasks()]
    assert [len(result) for result in results] == [60] * 4
    assert all(check(result) == [] for result in results)


def test_jobs_asked_for_later_are_kept_later(tmp_path: Path) -> None:
    with open_store(tmp_path / "s", small()) as store:
        run_study(small(), store)
    with open_store(tmp_path / "s", small(keep="jobs")) as store:
        assert run_study(small(keep="jobs"), store).done == 4
        assert run_study(small(keep="jobs"), store).done == 0


def test_a_store_whose_maker_was_killed_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "s" / JOURNAL).mkdir(parents=True)
    with open_store(tmp_path / "s", small()) as store:
        assert run_study(small(), store).done == 4
    (tmp_path / "s" / "study.json").unlink()
    assert run_study(small(), open_store(tmp_path / "s", small())).there == 4


def test_a_foreign_study_json_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "study.json").write_text('{"format": "another program"}')
    with pytest.raises(InputError, match="is not a store"):
        open_store(tmp_path / "s", small())


def test_a_stopped_study_has_whole_blocks(tmp_path: Path) -> None:
    study = small(seeds=3)
    order = []
    with open_store(tmp_path / "s", study) as store:
        run_study(study, store, Threads(1), on_outcome=lambda outcome: order.append(outcome["cell"]["seed"]))
    assert order == [1, 1, 2, 2, 3, 3]


def test_a_finished_study_can_be_looked_at_without_its_log(tmp_path: Path) -> None:
    log = tmp_path / "a.swf"
    tt.write_swf(tt.default_workload(jobs=20), log)
    study = small(workloads=[{"log": str(log)}])
    with open_store(tmp_path / "s", study) as store:
        run_study(study, store)
    log.unlink()
    assert len(list(of_study(Store(tmp_path / "s"), study_of(tmp_path / "s")))) == 2


def test_the_study_is_in_its_store(tmp_path: Path) -> None:
    from thinktime.study import Study

    study = Study.read(written(tmp_path / "study.toml"))
    open_store(tmp_path / "s", study)
    assert [task.run for task in study_of(tmp_path / "s").tasks()] == [task.run for task in study.tasks()]


def test_what_is_no_store_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").touch()
    with pytest.raises(InputError, match="is not a store of a study, and not empty"):
        open_store(tmp_path / "letters", small())
    with pytest.raises(InputError, match="is a file"):
        open_store(tmp_path / "letters" / "dear.txt", small())
    with pytest.raises(InputError, match="is not a store of a study"):
        study_of(tmp_path / "letters")


def test_a_full_disk_is_one_message_and_keeps_what_was_there(tmp_path: Path) -> None:
    tasks = small().tasks()
    with Store(tmp_path / "s") as store:
        store.add(execute(tasks[0]))
        size = journals(tmp_path / "s")[0].stat().st_size
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, before[1]))
        try:
            with pytest.raises(InputError, match="Cannot write to the store"):
                store.add(execute(tasks[1]))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        store.add(execute(tasks[1]))
    assert len(Store(tmp_path / "s").outcomes) == 2
    assert Store(tmp_path / "s").damaged == []


KILLED = """
name = "killed"
seeds = 200
schedulers = ["fcfs", "easy"]
[[workloads]]
generator = "default"
jobs = 200
"""


def test_killed_at_any_moment_nothing_kept_is_lost(tmp_path: Path) -> None:
    """Two processes at once, both killed again and again; at the end every run is there and as it must be."""
    file = written(tmp_path / "killed.toml", KILLED)
    known: dict[str, object] = {}
    for k in range(6):
        pair = [_started(file) for _ in range(2)]
        time.sleep(0.9 + 0.13 * k)
        for process in pair:
            process.send_signal(signal.SIGKILL)
            process.wait()
        store = Store(tmp_path / "killed.study") if (tmp_path / "killed.study").exists() else None
        now = store.outcomes if store else {}
        assert known.items() <= {run: without_times(each) for run, each in now.items()}.items()
        known = {run: without_times(each) for run, each in now.items()}
    assert _started(file).wait() == 0
    study = study_of(tmp_path / "killed.study")
    store = Store(tmp_path / "killed.study")
    assert all(store.succeeded(task.run) for task in study.tasks())
    task = study.tasks()[-1]
    assert without_times(store.outcomes[task.run]) == json.loads(json.dumps(without_times(execute(task))))


def _started(file: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "thinktime", "study", "run", str(file), "--json"]
    path = os.pathsep.join([*sys.path])
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT, env={**os.environ, "PYTHONPATH": path})
