"""Interrupted, a bootstrap goes on where it was; what is there is not done again, and nothing else is touched."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from unittest import mock

import pytest

import thinktime as tt
from tests.bootstrapping.logs import POOLS, bootstrapped, small_log
from tests.cli.commands import process
from thinktime.bootstrapping import LoadSweep
from thinktime.bootstrapping.trials import Experiment
from thinktime.errors import InputError
from thinktime.workload import write_swf


def journal(folder: Path) -> list[str]:
    return [line for path in sorted((folder / "journal").glob("*.jsonl")) for line in path.read_text().splitlines()]


def test_an_interrupted_bootstrap_goes_on(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bootstrapped(folder=tmp_path / "b", progress=stop, threads=2)
    kept = len(journal(tmp_path / "b"))
    assert 14 <= kept < 2 * 18
    with pytest.raises(InputError, match="No bootstrap in"):
        tt.Bootstrap.load(tmp_path / "b")
    whole = bootstrapped()
    with mock.patch.object(Experiment, "run", autospec=True, side_effect=Experiment.run) as carried_out:
        again = bootstrapped(folder=tmp_path / "b")
    assert 2 * carried_out.call_count == 2 * 18 - kept
    assert again.table.equals(whole.table)
    assert tt.Bootstrap.load(tmp_path / "b").intervals().equals(whole.intervals())


def test_what_is_there_is_not_done_again(tmp_path: Path) -> None:
    bootstrapped(folder=tmp_path / "b", jackknife=0)
    assert len(journal(tmp_path / "b")) == 2 * 13
    with mock.patch.object(Experiment, "run", side_effect=AssertionError):
        bootstrapped(folder=tmp_path / "b", resamples=9, jackknife=0, schedulers=[tt.FCFS()])
    more = bootstrapped(folder=tmp_path / "b", resamples=13, jackknife=0)
    assert len(journal(tmp_path / "b")) == 2 * 14
    assert more.table.equals(bootstrapped(resamples=13, jackknife=0).table)


def test_names_are_the_callers(tmp_path: Path) -> None:
    """A run is found again by what it is, whatever it was called."""
    given = {"resamples": 3, "jackknife": 2, "folder": tmp_path / "b"}
    bootstrapped(**given, schedulers=[tt.Easy(), tt.FCFS()])
    found = bootstrapped(**given, schedulers={"mine": tt.FCFS(), "yours": tt.Easy(), "his": tt.Easy()})
    assert len(journal(tmp_path / "b")) == 2 * 6
    assert found.schedulers == ["mine", "yours", "his"]
    assert found.table["scheduler"].to_list() == ["mine", "yours", "his"] * 3
    assert found.values("wait_mean_s", "yours").tolist() == found.values("wait_mean_s", "his").tolist()
    assert found.values("wait_mean_s", "mine").tolist() != found.values("wait_mean_s", "his").tolist()


@pytest.mark.parametrize(
    "change",
    [{"seed": 1}, {"load": 1.1}, {"weeks": 5}, {"measures": ["utilisation"]}, {"overrun": "kill"}],
    ids=lambda change: next(iter(change)),
)
def test_another_question_is_another_answer(tmp_path: Path, change: dict[str, object]) -> None:
    given = {"schedulers": [tt.Easy()], "resamples": 2, "jackknife": 0}
    bootstrapped(**given, folder=tmp_path / "b")
    found = bootstrapped(**given, **change, folder=tmp_path / "b")
    assert found.table.equals(bootstrapped(**given, **change).table)


def test_a_torn_line_is_done_again(tmp_path: Path) -> None:
    whole = bootstrapped(folder=tmp_path / "b", threads=1)
    (path,) = (tmp_path / "b" / "journal").glob("*.jsonl")
    path.write_bytes(path.read_bytes()[:-30])
    assert bootstrapped(folder=tmp_path / "b").table.equals(whole.table)


def test_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("…")
    with pytest.raises(InputError, match="holds other files"):
        bootstrapped(folder=tmp_path / "mine")
    with pytest.raises(InputError, match="is a file"):
        bootstrapped(folder=tmp_path / "mine" / "thesis.tex")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.tex"]
    bootstrapped(folder=tmp_path / "b", resamples=1, jackknife=0)
    with pytest.raises(InputError, match="holds a bootstrap, not a load sweep"):
        tt.load_sweep(
            small_log(), tt.Machine(processors=128), [tt.Easy()], [1.0], resample=POOLS, folder=tmp_path / "b"
        )
    with pytest.raises(InputError):
        LoadSweep.load(tmp_path / "nowhere")


def test_killed_it_goes_on(tmp_path: Path) -> None:
    """A process that is killed in the middle: the next one adds what is missing, and the table is the same."""
    write_swf(tt.default_workload(weeks=30, users=30, load=0.5), tmp_path / "log.swf")
    arguments = ("bootstrap", "log.swf", "--resamples", 60, "--jackknife", 0, "--no-figures", "--json")
    run = process(tmp_path, *arguments, "--out", "killed", "--threads", 1)
    deadline = time.monotonic() + 60
    while len(journal(tmp_path / "killed")) < 5:
        assert run.poll() is None, "the bootstrap was over before it could be killed"
        assert time.monotonic() < deadline
    run.send_signal(signal.SIGKILL)
    assert run.wait(60) == -signal.SIGKILL
    kept = len(journal(tmp_path / "killed"))
    assert kept < 61
    for out in ("killed", "whole"):
        assert process(tmp_path, *arguments, "--out", out).wait(120) == 0
    killed, whole = (tt.Bootstrap.load(tmp_path / out) for out in ("killed", "whole"))
    assert killed.table.equals(whole.table)
    runs = [json.loads(line)["run"] for line in journal(tmp_path / "killed") if line.endswith("}")]
    assert len(set(runs)) == len(runs) == 61
